package lab

import (
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// host is what a lab asks of servers that are not its own; it has none where they are. As an interface it keeps Guest out of
// the program of the page, which is never one.
type host interface {
	// use calls do while nobody else is at the servers.
	use(do func())
	// look is use for what changes nothing.
	look(do func())
	// each looks n times, in turns with others.
	each(n int, do func(i int))
	// send gives the servers a command of the page's client.
	send(args []string) *engine.Step
	// survey makes the list of keys.
	survey(search string, out *wire.Listed)
	// beginning is names of keys that begin as asked for, in order.
	beginning(c *wire.Complete) [][]byte
}

// Guest is a lab that looks on at servers that have clients of their own.
type Guest struct {
	Access
	lab *Lab

	connected bool     // a command was typed: the page is a client of the servers
	waiting   bool     // for the reply to the last command, which blocks
	mail      []string // messages to the client that came before its last command
	lost      int      // bytes of messages that were thrown away

	held time.Duration // how long looks kept the servers from their clients, those for the list of keys apart

	listed state // what the list of keys was made of
	part   int   // how many keys were looked at for it, where that was not all
	made   time.Time
	due    time.Time // when it may be made again
}

// Access is how a guest comes to the servers.
type Access struct {
	With func(do func()) // calls do while nobody else is at the servers
	Wake func()          // called, within With, when the page's client gets something outside of its own commands
	Addr string          // the page's address, as CLIENT LIST shows it
	Base []int64         // used_memory of each server when it was empty
}

// Visit makes a guest of servers. They know nothing of it until it runs a command.
func Visit(servers []*engine.Server, a Access) *Guest {
	l := &Lab{lab: &engine.Lab{}, base: a.Base, keys: index{sizes: map[string][]int{}}}
	l.options = engine.Options{Clock: func() int64 { return l.now }}
	for _, s := range servers {
		l.lab.Servers = append(l.lab.Servers, s.View())
	}
	g := &Guest{Access: a, lab: l}
	l.host = g
	return g
}

// Handle answers one request, as Lab.Handle does.
func (g *Guest) Handle(req wire.Request) wire.Response { return g.lab.Handle(req) }

// Share is what part of the servers' time looks may take: one in so many.
const Share = 20

func (g *Guest) use(do func()) { g.With(do) }

// look is timed.
func (g *Guest) look(do func()) {
	g.With(func() {
		begin := time.Now()
		defer func() { g.held += time.Since(begin) }()
		do()
	})
}

// Held is how long looks kept the servers from their clients since it was last asked.
func (g *Guest) Held() (d time.Duration) {
	d, g.held = g.held, 0
	return d
}

// turn is how long a look may keep the servers from their clients at a time.
const turn = 2 * time.Millisecond

// inTurns calls step until it returns false. Between turns the clients of shared servers have theirs: a step finds the data
// as they left it.
func (g *Guest) inTurns(step func() bool) {
	for more := true; more; {
		g.look(func() {
			for begin := time.Now(); more && time.Since(begin) < turn; {
				more = step()
			}
		})
	}
}

func (g *Guest) each(n int, do func(i int)) {
	i := 0
	g.inTurns(func() bool {
		if i < n {
			do(i)
		}
		i++
		return i < n
	})
}

func (g *Guest) servers() []*engine.Server { return g.lab.lab.Servers }

// first is the client whose replies and messages are shown.
func (g *Guest) first() *command.Client { return g.servers()[0].Client }

// connect makes the page a client of every server, in the database that it shows.
func (g *Guest) connect() {
	for i, s := range g.servers() {
		c := s.NewClient()
		c.DB, c.Addr = s.Client.DB, g.Addr
		c.Wake = func() { g.woken(c, i == 0) }
		s.Client = c
	}
	g.connected = true
}

// maxMessages is how many bytes of messages are kept until the page asks for them.
const maxMessages = 64 << 10

// woken bounds what is kept for a client that got something. Of messages those of the first server are shown.
func (g *Guest) woken(c *command.Client, shown bool) {
	if len(c.Buf) > maxMessages && !g.waiting {
		if shown {
			g.lost += len(c.Buf)
		}
		c.Buf = c.Buf[:0]
	}
	if shown {
		g.Wake()
	}
}

// Disconnect ends what the page's client is doing, as closing a connection does. The database shown stays. It is called
// within With.
func (g *Guest) Disconnect() {
	if !g.connected {
		return
	}
	g.connected, g.waiting = false, false
	for _, s := range g.servers() {
		db := s.Client.DB
		s.Client.Close()
		s.Client = s.View().Client
		s.Client.DB = db
	}
}

// send gives a command to shared servers.
func (g *Guest) send(args []string) *engine.Step {
	if g.connected && (g.first().Closing() || g.first().Blocked()) { // it was killed, or nobody waits for the reply any more
		g.Disconnect()
	}
	if !g.connected {
		g.connect()
	}
	g.mail = append(g.mail, g.messages()...)
	step := g.lab.lab.Do(args)
	if _, n, err := resp.Parse(g.first().Buf); err == nil {
		g.first().Buf = g.first().Buf[n:] // what follows the reply are messages
	}
	g.waiting = g.first().Blocked()
	if g.first().Closing() { // QUIT
		g.Disconnect()
	}
	return step
}

// Waits tells whether the page's client waits in a command that blocks. It is called within With.
func (g *Guest) Waits() bool {
	return g.connected && g.first().Blocked() && !g.first().Closing()
}

// Served puts the reply that a command waited for into what the page is told of it. It is called within With, when the
// client waits no more.
func (g *Guest) Served(out *wire.Ran) {
	g.lab.reached(out)
	g.waiting = false
	if !g.connected || len(out.Results) == 0 {
		return
	}
	var replies []wire.Reply
	same := true
	for i, s := range g.servers() {
		v, n, err := resp.Parse(s.Client.Buf)
		if err != nil {
			v, n = resp.Value{}, len(s.Client.Buf)
		}
		s.Client.Buf = s.Client.Buf[n:]
		s.Client.Flushed()
		replies = append(replies, reply(v, false, false))
		same = same && replies[i] == replies[0]
	}
	if same {
		replies = replies[:1]
	}
	out.Results[len(out.Results)-1].Replies = replies
}

// Look says what the servers and the page's client are at. It is called within With.
func (g *Guest) Look() *wire.Watched {
	first := g.servers()[0]
	out := &wire.Watched{DB: first.Client.DB.ID, Clients: len(first.Clients), Own: g.connected, Commands: int(first.Stats.Commands), Totals: g.lab.totals()}
	for i := range first.Space.Databases() {
		if db := first.Space.Existing(i); db != nil && (db.Len() > 0 || i == out.DB) {
			out.Databases = append(out.Databases, wire.Database{ID: i, Keys: db.Len()})
		}
	}
	if g.connected && !g.waiting {
		g.mail = append(g.mail, g.messages()...)
	}
	out.Messages, g.mail = g.mail, nil
	out.Lost, g.lost = g.lost, 0
	return out
}

// messages takes what came for the page's client.
func (g *Guest) messages() (out []string) {
	c := g.first()
	for len(c.Buf) > 0 {
		v, n, err := resp.Parse(c.Buf)
		if err != nil {
			break
		}
		out = append(out, reply(v, false, false).Text)
		c.Buf = c.Buf[n:]
	}
	for _, s := range g.servers() {
		s.Client.Buf = s.Client.Buf[:0]
	}
	return out
}
