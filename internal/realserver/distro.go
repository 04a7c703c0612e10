//go:build !js

package realserver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

const jemallocName = "libjemalloc.so.2"

// FindJemalloc returns the path of the distribution's jemalloc (package libjemalloc2; build `distro`). If it is not
// installed, the package is downloaded and unpacked into the cache, which needs no rights and changes no system;
// as root the package lists are refreshed and the package is installed if that fails.
var FindJemalloc = sync.OnceValues(findJemalloc)

func findJemalloc() (string, error) {
	if path := installedJemalloc(); path != "" {
		return path, nil
	}
	cache, err := cacheDir()
	if err != nil {
		return "", unavailable("%s: no cache folder: %v", jemallocName, err)
	}
	dir := filepath.Join(cache, "jemalloc")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", unavailable("%s: %v", jemallocName, err)
	}
	unlock, err := lockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return "", unavailable("%s: %v", jemallocName, err)
	}
	defer unlock()
	return fetchJemalloc(dir)
}

func fetchJemalloc(dir string) (string, error) {
	if path := firstFile(filepath.Join(dir, "usr/lib/*/", jemallocName)); path != "" {
		return path, nil
	}
	var tried []string
	try := func(script string) {
		if out, err := shell(dir, script); err != nil {
			tried = append(tried, fmt.Sprintf("`%s`: %v: %s", script, err, tail(out)))
		}
	}
	const unpack = "apt-get download libjemalloc2 && dpkg-deb -x libjemalloc2_*.deb ."
	scripts := []string{unpack}
	if os.Geteuid() == 0 {
		scripts = append(scripts, "apt-get update && "+unpack, "apt-get install -y --no-install-recommends libjemalloc2")
	}
	for _, s := range scripts {
		try(s)
		if path := firstFile(filepath.Join(dir, "usr/lib/*/", jemallocName)); path != "" {
			return path, nil
		}
		if path := installedJemalloc(); path != "" {
			return path, nil
		}
	}
	return "", unavailable("%s is not among ldconfig's libraries; tried %s", jemallocName, strings.Join(tried, "; "))
}

// installedJemalloc asks ldconfig, then looks where distributions put libraries.
func installedJemalloc() string {
	for _, ldconfig := range []string{"ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"} {
		out, err := exec.Command(ldconfig, "-p").Output()
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(out)) {
			name, path, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if ok && strings.HasPrefix(name, jemallocName) && strings.Contains(name, "x86-64") && isFile(path) {
				return path
			}
		}
	}
	for _, dir := range []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64"} {
		if path := filepath.Join(dir, jemallocName); isFile(path) {
			return path
		}
	}
	return ""
}

func firstFile(pattern string) string {
	paths, _ := filepath.Glob(pattern)
	for _, p := range paths {
		if isFile(p) {
			return p
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func shell(dir, script string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), downloadTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C")
	return cmd.CombinedOutput()
}
