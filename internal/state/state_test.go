package state

import (
	"path/filepath"
	"testing"
)

func TestTheDefaultIsTheUsersStateFolder(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/var/state")
	if dir, err := Dir(); err != nil || dir != "/var/state/keyloupe" {
		t.Error(dir, err)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "/home/me")
	if dir, err := Dir(); err != nil || filepath.Base(dir) != "keyloupe" {
		t.Error(dir, err)
	}
}
