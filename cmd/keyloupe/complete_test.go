package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// offered is what the program answers a shell that asks what completes args.
func offered(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	out, _, err := runProgram(t.Context(), "", append([]string{"__completeNoDesc"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

// What a shell is told beside the words, as bits (cobra.ShellCompDirective).
const (
	files        = ":0"
	noFiles      = ":4"
	noFilesSpace = ":6"
	dirs         = ":16"
)

func TestCompletionsOfferWhatFits(t *testing.T) {
	for _, c := range []struct {
		args      string // the last word is what was typed of it, _ for nothing
		words     string // some of those offered
		not       string
		directive string
	}{
		{"_", "sweep serve replay completion", "__complete", noFiles},
		{"help sw", "sweep", "", noFiles},
		{"completion _", "bash zsh fish powershell", "", noFiles},
		{"sweep _", "", "go.mod main.go", noFiles},
		{"replay --server _", "9.1.2 9.1.2@libc 7.2.14", "", noFiles},
		{"sweep --servers 9.0", "9.0.6 9.0.6@libc", "", noFilesSpace},
		{"sweep --servers 9.0.6,9.1", "9.0.6,9.1.2 9.0.6,9.1.2@libc", "9.0.6,9.0.6", noFilesSpace},
		{"resp --server 9.0.6,_", "9.0.6,9.1.2", "9.0.6,9.0.6", noFilesSpace},
		{"sweep --format _", "text csv json ndjson svg", "", noFiles},
		{"sweep --type _", "string hash", "", noFiles},
		{"sweep --ttl none,_", "none,key none,field", "none,none", noFilesSpace},
		{"layout --format _", "text svg json", "", noFiles},
		{"populate --shape hash", "hash1 hash10 hashtable1 hashttl1", "", noFiles},
		{"populate --keys _", "", "main.go", noFiles},
		{"layout --config hash-max-listpack-e", "hash-max-listpack-entries=", "", noFilesSpace},
		{"layout --server 7.2.4 --config hash-se", "", "hash-seed=", noFilesSpace},
		{"layout --server 9.1.2 --config hash-se", "hash-seed=", "", noFilesSpace},
		{"sweep --spec _", "", "", files},
		{"resp --report _", "", "", files},
		{"serve --public _", "", "", dirs},
		{"serve --data _", "", "", dirs},
	} {
		args := strings.Fields(c.args)
		last := &args[len(args)-1]
		*last = strings.TrimSuffix(*last, "_")
		words, directive := offered(t, args...)
		for _, w := range strings.Fields(c.words) {
			if !slices.Contains(words, w) {
				t.Errorf("%s: %s is not offered, only %v", c.args, w, words)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if slices.Contains(words, w) {
				t.Errorf("%s: %s is offered", c.args, w)
			}
		}
		if directive != c.directive {
			t.Errorf("%s: directive %s, want %s", c.args, directive, c.directive)
		}
	}
}

func TestShellsReadTheirCompletions(t *testing.T) {
	checks := map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "--no-execute"}, "powershell": nil}
	for _, shell := range shells {
		script, _, err := runProgram(t.Context(), "", "completion", shell)
		if err != nil || !strings.Contains(script, "__complete") {
			t.Errorf("%s: %v, %.100q", shell, err, script)
		}
		check := checks[shell]
		if check == nil {
			continue
		}
		if _, err := exec.LookPath(check[0]); err != nil {
			t.Logf("%s is not here to read its script", shell)
			continue
		}
		cmd := exec.CommandContext(t.Context(), check[0], append(check[1:], "/dev/stdin")...)
		cmd.Stdin = strings.NewReader(script)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
