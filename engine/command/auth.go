package command

import "bytes"

// Of access control there is one user, default, who may do everything. The directive requirepass gives him a password.

var _ = add(map[string]handler{"auth": authCommand, "acl|whoami": func(c *Client) { c.BulkString(defaultUser) }})

const defaultUser = "default"

const errNoAuth = "NOAUTH Authentication required."

// password is that of the default user, "" where he needs none.
func (s *Server) password() string { return s.Conf.Text("requirepass") }

// Stranger tells whether the client must give the password before it may do anything.
func (c *Client) Stranger() bool { return c.unknown && c.S.password() != "" }

// authenticate checks a user's password and replies what is wrong.
func (c *Client) authenticate(user, password []byte) bool {
	want := c.S.password()
	if string(user) != defaultUser || want != "" && !bytes.Equal(password, []byte(want)) {
		c.S.Stats.WrongPasswords++
		c.Error("WRONGPASS invalid username-password pair or user is disabled.")
		return false
	}
	c.unknown = false
	return true
}

func authCommand(c *Client) {
	switch {
	case len(c.Args) > 3:
		c.Error(errSyntax)
	case len(c.Args) == 2 && c.S.password() == "":
		c.Error("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")
	case len(c.Args) == 2 && c.authenticate([]byte(defaultUser), c.Args[1]), len(c.Args) == 3 && c.authenticate(c.Args[1], c.Args[2]):
		c.OK()
	}
}
