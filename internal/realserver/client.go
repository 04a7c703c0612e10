//go:build !js

package realserver

import (
	"bufio"
	"net"
	"strconv"
	"time"
)

// A Client is one connection. It is for one goroutine at a time.
type Client struct {
	Timeout time.Duration // for one flush and one reply; 0 waits for ever

	conn net.Conn
	r    *bufio.Reader
	w    *bufio.Writer
	fail func(error)
}

// Dial connects to a server speaking RESP.
func Dial(addr string) (*Client, error) {
	conn, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		return nil, err
	}
	c := &Client{Timeout: 60 * time.Second, conn: conn, w: bufio.NewWriterSize(conn, 64<<10), fail: func(err error) { panic(err) }}
	c.r = bufio.NewReaderSize(conn, 64<<10)
	return c, nil
}

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

// Try sends a command and reads its reply.
func (c *Client) Try(args ...string) (any, error) {
	c.Send(args...)
	if err := c.Flush(); err != nil {
		return nil, err
	}
	return c.Receive()
}

// Do is Try for tests: a broken connection fails the test (without a test: panics). An error reply is a reply.
func (c *Client) Do(args ...string) any {
	reply, err := c.Try(args...)
	if err != nil {
		c.fail(err)
	}
	return reply
}

// DoRaw sends a command and returns the bytes of its reply.
func (c *Client) DoRaw(args ...string) []byte {
	raw, err := c.TryRaw(args...)
	if err != nil {
		c.fail(err)
	}
	return raw
}

// TryRaw is DoRaw with an error.
func (c *Client) TryRaw(args ...string) ([]byte, error) {
	c.Send(args...)
	if err := c.Flush(); err != nil {
		return nil, err
	}
	return c.ReceiveRaw()
}

// Pipeline sends all commands at once and returns their replies in order.
func (c *Client) Pipeline(cmds [][]string) []any {
	done := make(chan error, 1)
	go func() { // a server stops reading when nobody takes its replies
		for _, args := range cmds {
			c.Send(args...)
		}
		done <- c.Flush()
	}()
	replies := make([]any, 0, len(cmds))
	for range cmds {
		reply, err := c.Receive()
		if err != nil {
			c.fail(err)
			return nil
		}
		replies = append(replies, reply)
	}
	if err := <-done; err != nil {
		c.fail(err)
	}
	return replies
}

// Send puts a command into the output buffer; Flush reports what went wrong.
func (c *Client) Send(args ...string) {
	c.writeLength('*', len(args))
	for _, a := range args {
		c.writeLength('$', len(a))
		c.w.WriteString(a)
		c.w.WriteString("\r\n")
	}
}

func (c *Client) writeLength(kind byte, n int) {
	var b [24]byte
	c.w.Write(append(strconv.AppendInt(append(b[:0], kind), int64(n), 10), '\r', '\n'))
}

// Flush sends the output buffer.
func (c *Client) Flush() error {
	if c.Timeout > 0 {
		c.conn.SetWriteDeadline(time.Now().Add(c.Timeout))
	}
	return c.w.Flush()
}

// Receive reads one reply or push.
func (c *Client) Receive() (any, error) {
	c.awaitReply()
	return ReadReply(c.r)
}

// ReceiveRaw reads one reply and returns its bytes.
func (c *Client) ReceiveRaw() ([]byte, error) {
	c.awaitReply()
	_, raw, err := ReadReplyRaw(c.r)
	return raw, err
}

func (c *Client) awaitReply() {
	if c.Timeout > 0 {
		c.conn.SetReadDeadline(time.Now().Add(c.Timeout))
	}
}
