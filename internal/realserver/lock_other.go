//go:build !unix && !js

package realserver

// lockFile does nothing where there is no flock: the pinned programs are for Linux, so no download gets this far.
func lockFile(string) (unlock func(), err error) { return func() {}, nil }
