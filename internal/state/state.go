// Package state tells where a program keeps what it remembers of its user: histories, links.
package state

import (
	"os"
	"path/filepath"
	"runtime"
)

// Dir is the folder for Keyloupe's state of the user: XDG_STATE_HOME, or what the system has in its place. It may not
// be there yet.
func Dir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "keyloupe"), nil
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		dir, err := os.UserConfigDir()
		return filepath.Join(dir, "keyloupe"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "keyloupe"), err
}
