package compare

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine/resp"
)

// replyTimeout bounds the wait for one reply, so that a blocking command ends the run with an error.
const replyTimeout = 30 * time.Second

// Conn is a connection to the server that is compared.
type Conn struct {
	net net.Conn
	r   *bufio.Reader
}

// Dial connects to a server.
func Dial(addr string) (*Conn, error) {
	c, err := net.DialTimeout("tcp", addr, 10*time.Second)
	if err != nil {
		return nil, err
	}
	return &Conn{c, bufio.NewReader(c)}, nil
}

// Close ends the connection.
func (c *Conn) Close() error { return c.net.Close() }

// Do sends a command and reads its reply.
func (c *Conn) Do(args ...string) (resp.Value, error) {
	b := fmt.Appendf(nil, "*%d\r\n", len(args))
	for _, a := range args {
		b = fmt.Appendf(b, "$%d\r\n%s\r\n", len(a), a)
	}
	c.net.SetDeadline(time.Now().Add(replyTimeout))
	if _, err := c.net.Write(b); err != nil {
		return resp.Value{}, err
	}
	raw, err := c.raw(nil)
	if err != nil {
		return resp.Value{}, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	v, _, err := resp.Parse(raw)
	return v, err
}

// raw appends the bytes of one reply of RESP2.
func (c *Conn) raw(b []byte) ([]byte, error) {
	line, err := c.r.ReadBytes('\n')
	if err != nil {
		return b, err
	}
	b = append(b, line...)
	if line[0] != '$' && line[0] != '*' {
		return b, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(line[1:])))
	if err != nil {
		return b, fmt.Errorf("the reply begins with %q", line)
	}
	if line[0] == '$' && n >= 0 {
		at := len(b)
		b = append(b, make([]byte, n+2)...)
		_, err := io.ReadFull(c.r, b[at:])
		return b, err
	}
	for ; line[0] == '*' && n > 0; n-- {
		if b, err = c.raw(b); err != nil {
			return b, err
		}
	}
	return b, nil
}

// info is a server's INFO, a map of its fields.
func (c *Conn) info(section string) (map[string]string, error) {
	v, err := c.Do("INFO", section)
	if err != nil {
		return nil, err
	}
	if v.Kind != resp.BulkReply {
		return nil, fmt.Errorf("INFO %s: %s", section, v.Str)
	}
	m := map[string]string{}
	for _, line := range strings.Split(v.Str, "\r\n") {
		if name, value, ok := strings.Cut(line, ":"); ok {
			m[name] = value
		}
	}
	return m, nil
}
