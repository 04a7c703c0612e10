// Command dist builds keyloupe for every system and packs it with its manual pages and completions:
//
//	dist/keyloupe-VERSION-OS-ARCH.tar.gz    a .zip for Windows
//	dist/SHA256SUMS
//	dist/image/ARCH/                        what Dockerfile puts into an image: the program, a folder for links
//
// The same commit gives the same bytes: programs are built without paths, and files of an archive have
// the commit's time and no owner. make dist gives it the version, the time and the manual pages.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"time"
)

// target is a system that a program is built for.
type target struct{ os, arch string }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// shells and the files that their completions are kept in.
var shells = map[string]string{"bash": "keyloupe.bash", "zsh": "_keyloupe", "fish": "keyloupe.fish", "powershell": "keyloupe.ps1"}

func main() {
	version := flag.String("version", "devel", "version in the names of the archives")
	seconds := flag.Int64("time", 0, "Unix time of every file, seconds")
	dir := flag.String("dir", "dist", "folder for what is made; the manual pages are in its man")
	flag.Parse()
	if err := dist(*dir, *version, time.Unix(*seconds, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func dist(dir, version string, at time.Time) error {
	shared, err := sharedFiles(filepath.Join(dir, "man"))
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, t := range targets {
		name := fmt.Sprintf("keyloupe-%s-%s-%s", version, t.os, t.arch)
		program, err := t.build()
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
		if t.os == "linux" {
			if err := image(filepath.Join(dir, "image", t.arch), program); err != nil {
				return err
			}
		}
		files := append([]file{{t.program(), program, 0o755}}, shared...)
		archive, err := pack(t, name, files, at)
		if err != nil {
			return err
		}
		name += t.suffix()
		if err := write(filepath.Join(dir, name), archive, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive), name)
		fmt.Printf("%s  %.1f MB\n", filepath.Join(dir, name), float64(len(archive))/1e6)
	}
	return write(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// image is what an image holds: the program, and a folder that the user who runs it owns.
func image(dir string, program []byte) error {
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o755); err != nil {
		return err
	}
	return write(filepath.Join(dir, "keyloupe"), program, 0o755)
}

// program is how the program's file is called there.
func (t target) program() string {
	if t.os == "windows" {
		return "keyloupe.exe"
	}
	return "keyloupe"
}

// build is the program for a system. It is stamped with the commit where there is one.
func (t target) build() ([]byte, error) {
	out, err := os.CreateTemp("", "keyloupe-*")
	if err != nil {
		return nil, err
	}
	out.Close()
	defer os.Remove(out.Name())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w", "-o", out.Name(), "./cmd/keyloupe")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(out.Name())
}

// sharedFiles are those that every archive has.
func sharedFiles(man string) (files []file, err error) {
	pages, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("no manual pages in %s: make man writes them", man)
	}
	if err != nil {
		return nil, err
	}
	for from, to := range map[string]string{"LICENSE": "LICENSE", "README.md": "README.md"} {
		if files, err = addFile(files, from, to); err != nil {
			return nil, err
		}
	}
	for _, p := range pages {
		if files, err = addFile(files, p, "man/"+filepath.Base(p)); err != nil {
			return nil, err
		}
	}
	for shell, name := range shells {
		script, err := exec.Command("go", "run", "./cmd/keyloupe", "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completions for %s: %w", shell, err)
		}
		files = append(files, file{"completions/" + name, script, 0o644})
	}
	sort.Slice(files, func(i, j int) bool { return files[i].name < files[j].name })
	return files, nil
}

func addFile(files []file, from, to string) ([]file, error) {
	data, err := os.ReadFile(from)
	return append(files, file{to, data, 0o644}), err
}

func write(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, mode)
}
