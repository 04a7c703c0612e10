//go:build !js

package realserver

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// seedBytes is how much of /dev/urandom a server reads at start; its hash seeds follow from these bytes alone
// (util.c, getRandomBytes: SHA-256 counter mode over a 64-byte seed).
const seedBytes = 64

// FixedSeedHex is the hash seed of every table of a server started with FixedSeed: the golden data's seed, the first
// 16 bytes of HMAC-SHA256(key = 64 zero bytes, message = 8 zero bytes).
const FixedSeedHex = "f375180aba92888401f1919be4a8715a"

// bindScript puts a file over /dev/urandom in a mount namespace of its own, then becomes the server: same PID.
const bindScript = `mount --bind "$0" /dev/urandom && exec "$@"`

// seedPrefix is the command line that starts a program with zero bytes for /dev/urandom, found out once a process.
var seedPrefix = sync.OnceValues(func() ([]string, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	zeros := filepath.Join(cache, "servers", "urandom-zero")
	if err := writeZeros(zeros); err != nil {
		return nil, err
	}
	var why error
	for _, namespace := range [][]string{{"unshare", "-m"}, {"unshare", "-r", "-m"}} {
		prefix := append(namespace, "sh", "-c", bindScript, zeros)
		out, err := exec.Command(prefix[0], append(prefix[1:], "cat", "/dev/urandom")...).CombinedOutput()
		if err == nil && bytes.Equal(out, make([]byte, seedBytes)) {
			return prefix, nil
		}
		why = fmt.Errorf("`%s`, mount --bind over /dev/urandom: %v: %.200s", namespace, err, out)
	}
	return nil, why
})

func writeZeros(path string) error {
	want := make([]byte, seedBytes)
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, want) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "zero-")
	if err != nil {
		return err
	}
	_, err = tmp.Write(want)
	tmp.Close()
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// seedInForce looks through the process's own root whether its /dev/urandom is the file of zeros.
func seedInForce(pid int) bool {
	info, err := os.Stat(fmt.Sprintf("/proc/%d/root/dev/urandom", pid))
	return err == nil && info.Mode().IsRegular() && info.Size() == seedBytes
}
