package command

import (
	"maps"
	"slices"

	"github.com/keyloupe/keyloupe/engine/glob"
)

var _ = add(map[string]handler{
	"subscribe":       func(c *Client) { c.subscribe(c.Args[1:], channelTopic) },
	"psubscribe":      func(c *Client) { c.subscribe(c.Args[1:], patternTopic) },
	"ssubscribe":      func(c *Client) { c.subscribe(c.Args[1:], shardTopic) },
	"unsubscribe":     func(c *Client) { c.unsubscribe(c.Args[1:], channelTopic) },
	"punsubscribe":    func(c *Client) { c.unsubscribe(c.Args[1:], patternTopic) },
	"sunsubscribe":    func(c *Client) { c.unsubscribe(c.Args[1:], shardTopic) },
	"publish":         func(c *Client) { c.Int(int64(c.S.publish(string(c.Args[1]), c.Args[2]))) },
	"spublish":        func(c *Client) { c.Int(int64(c.S.publishShard(string(c.Args[1]), c.Args[2]))) },
	"pubsub|channels": func(c *Client) { c.topicList(channelTopic) }, "pubsub|shardchannels": func(c *Client) { c.topicList(shardTopic) },
	"pubsub|numsub": func(c *Client) { c.topicCounts(channelTopic) }, "pubsub|shardnumsub": func(c *Client) { c.topicCounts(shardTopic) },
	"pubsub|numpat": func(c *Client) { c.Int(int64(len(c.S.topics[patternTopic]))) },
})

// topic is a kind of subscription.
type topic int

const (
	channelTopic topic = iota
	patternTopic
	shardTopic
)

var topicNames = [...]struct{ on, off string }{{"subscribe", "unsubscribe"}, {"psubscribe", "punsubscribe"}, {"ssubscribe", "sunsubscribe"}}

// topics is who has subscribed to what, in the order in which they did.
type topics [3]map[string][]*Client

// subscriptions is what a client has subscribed to.
type subscriptions struct {
	channels, patterns, shards []string
	mode                       bool // the client is in the mode of subscribers
}

func (p *subscriptions) list(t topic) *[]string {
	return [...]*[]string{&p.channels, &p.patterns, &p.shards}[t]
}

// Subscribed tells whether the client is in the mode of subscribers.
func (c *Client) Subscribed() bool { return c.pubsub.mode }

// count is what a confirmation tells: patterns and channels together, shard channels apart.
func (p *subscriptions) count(t topic) int {
	if t == shardTopic {
		return len(p.shards)
	}
	return len(p.channels) + len(p.patterns)
}

func (c *Client) subscribe(names [][]byte, t topic) {
	if c.multi.inExec && t == shardTopic {
		c.Error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client")
		return
	}
	all := &c.S.topics[t]
	if *all == nil {
		*all = map[string][]*Client{}
	}
	for _, n := range names {
		name, list := string(n), c.pubsub.list(t)
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
			(*all)[name] = append((*all)[name], c)
		}
		c.confirm(topicNames[t].on, n, t)
	}
	c.pubsub.mode = true
}

// confirm tells a client of a change of its subscriptions; name is nil where it had none.
func (c *Client) confirm(what string, name []byte, t topic) {
	write := func() {
		c.Push(3)
		c.BulkString(what)
		if name == nil {
			c.Null()
		} else {
			c.Bulk(name)
		}
		c.Int(int64(c.pubsub.count(t)))
	}
	if c.reply.off || c.reply.skip { // messages are sent whatever CLIENT REPLY says
		c.push(write)
		return
	}
	write()
}

func (c *Client) unsubscribe(names [][]byte, t topic) {
	if len(names) == 0 {
		for _, n := range *c.pubsub.list(t) {
			names = append(names, []byte(n))
		}
		if len(names) == 0 {
			c.confirm(topicNames[t].off, nil, t)
		}
	}
	for _, n := range names {
		c.leave(string(n), t)
		c.confirm(topicNames[t].off, n, t)
	}
	if c.pubsub.count(channelTopic)+c.pubsub.count(shardTopic) == 0 {
		c.pubsub.mode = false
	}
}

func (c *Client) leave(name string, t topic) {
	list := c.pubsub.list(t)
	i := slices.Index(*list, name)
	if i < 0 {
		return
	}
	*list = slices.Delete(*list, i, i+1)
	all := c.S.topics[t]
	rest := slices.DeleteFunc(all[name], func(x *Client) bool { return x == c })
	if all[name] = rest; len(rest) == 0 {
		delete(all, name)
	}
}

func (c *Client) unsubscribeAll() {
	for t := range topicNames {
		for _, n := range slices.Clone(*c.pubsub.list(topic(t))) {
			c.leave(n, topic(t))
		}
	}
	c.pubsub.mode = false
}

// push writes a message to the client. While its own command runs, messages wait for the reply.
func (c *Client) push(write func()) {
	if c.S.current != c {
		at := len(c.Buf)
		write()
		c.info.netOut += int64(len(c.Buf) - at)
		c.wake()
		return
	}
	if !c.executing {
		write()
		return
	}
	reply := c.Buf
	c.Buf = c.pushes
	write()
	c.pushes, c.Buf = c.Buf, reply
}

func (c *Client) message(parts ...[]byte) {
	c.push(func() {
		c.Push(len(parts))
		for _, p := range parts {
			c.Bulk(p)
		}
	})
}

// publish sends a message to those who subscribed to the channel, or to a pattern it matches, and
// returns how many got it.
func (s *Server) publish(channel string, msg []byte) (n int) {
	for _, c := range s.topics[channelTopic][channel] {
		c.message([]byte("message"), []byte(channel), msg)
		n++
	}
	for _, pattern := range sortedKeys(s.topics[patternTopic]) {
		if !glob.Match(pattern, channel, false) {
			continue
		}
		for _, c := range s.topics[patternTopic][pattern] {
			c.message([]byte("pmessage"), []byte(pattern), []byte(channel), msg)
			n++
		}
	}
	return n
}

func (s *Server) publishShard(channel string, msg []byte) (n int) {
	for _, c := range s.topics[shardTopic][channel] {
		c.message([]byte("smessage"), []byte(channel), msg)
		n++
	}
	return n
}

// sortedKeys gives an order to what the server walks in the order of a hash table.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func (c *Client) topicList(t topic) {
	if len(c.Args) > 3 {
		c.subcommandSyntax()
		return
	}
	var names []string
	for _, n := range sortedKeys(c.S.topics[t]) {
		if len(c.Args) < 3 || glob.Match(string(c.Args[2]), n, false) {
			names = append(names, n)
		}
	}
	c.Array(len(names))
	for _, n := range names {
		c.BulkString(n)
	}
}

func (c *Client) topicCounts(t topic) {
	c.Array(2 * len(c.Args[2:]))
	for _, n := range c.Args[2:] {
		c.Bulk(n)
		c.Int(int64(len(c.S.topics[t][string(n)])))
	}
}
