package command

import "strings"

// notify raises a keyspace event for those who asked for its class in notify-keyspace-events.
func (s *Server) notify(db int, class byte, event string, key []byte) {
	flags := s.events
	if flags == "" || !eventWanted(flags, class) {
		return
	}
	if strings.IndexByte(flags, 'K') >= 0 {
		s.publish("__keyspace@"+itoa(db)+"__:"+string(key), []byte(event))
	}
	if strings.IndexByte(flags, 'E') >= 0 {
		s.publish("__keyevent@"+itoa(db)+"__:"+event, key)
	}
}

// eventWanted tells whether the flags ask for a class; A stands for all but m, n.
func eventWanted(flags string, class byte) bool {
	if strings.IndexByte(flags, class) >= 0 {
		return true
	}
	return strings.IndexByte(flags, 'A') >= 0 && strings.IndexByte("g$lshzxetd", class) >= 0
}
