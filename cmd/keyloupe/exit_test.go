package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestExitCodesTellWrongUseFromFailure(t *testing.T) {
	const good = `{"id":1,"key":"k","cmds":[["SET","k","v"]]}` + "\n"
	for _, c := range []struct {
		code  int
		stdin string
		args  string
	}{
		{0, "", ""},
		{0, "", "--help"},
		{0, "", "help sweep"},
		{0, "", "completion fish"},
		{0, "", "version --rules"},
		{0, "", "sweep --value 1"},
		{0, good, "replay"},
		{0, good, "layout"},
		{0, "SET k v", "layout --key k"},
		{0, "", "populate --keys 10"},

		{1, good + "{broken", "replay"},
		{1, good + "{broken", "layout"},
		{1, "SET k v", "layout --key other"},
		{1, "", "layout --key k"},
		{1, "{broken", "sweep --spec -"},
		{1, "", "sweep --spec /nowhere/at/all.json"},
		{1, "", "serve --public /nowhere/at/all"},
		{1, "", "resp --listen 127.0.0.1:99999"},
		{1, "", "compare --target 127.0.0.1:1"},

		{2, "", "nonsense"},
		{2, "", "help nonsense"},
		{2, "", "completion tcsh"},
		{2, "", "completion"},
		{2, "", "replay --server 5.0.1"},
		{2, "", "replay --config nosuch=1"},
		{2, "", "replay --hash-seed-hex 12"},
		{2, "", "layout --format svg"},
		{2, "", "layout --key k --format pdf"},
		{2, "", "populate --keys ten"},
		{2, "", "populate --keys 0"},
		{2, "", "populate --shape zset"},
		{2, "", "sweep --value x"},
		{2, "", "sweep --format xml"},
		{2, "", "sweep --format svg --theme pink"},
		{2, "", "sweep --format svg --width 9"},
		{2, "", "sweep --value 0..500M --key 0..500M"},
		{2, "", "sweep --spec - --value 1"},
		{2, "", "serve --rate -1"},
		{2, "", "serve --listen"},
	} {
		_, _, err := runProgram(t.Context(), c.stdin, strings.Fields(c.args)...)
		if got := exitCode(err); got != c.code {
			t.Errorf("keyloupe %s: exit code %d, want %d (%v)", c.args, got, c.code, err)
		}
	}
}

func TestEverySubcommandRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		for _, extra := range []string{"--no-such-flag", "no-such-argument"} {
			if extra == "no-such-argument" && strings.Contains(cmd.Use, "FILE") {
				continue
			}
			_, errs, err := runProgram(t.Context(), "", cmd.Name(), extra)
			if exitCode(err) != exitUsage || !strings.Contains(errs, "no-such") || !strings.HasPrefix(errs, "keyloupe: ") {
				t.Errorf("keyloupe %s %s: %d, %q", cmd.Name(), extra, exitCode(err), errs)
			}
		}
	}
}

func TestEverySubcommandIsListedUnderAHeading(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if name := cmd.Name(); cmd.GroupID == "" && name != "completion" && name != "help" && name != "version" {
			t.Errorf("%s has no group", name)
		}
	}
}

func TestAnErrorSaysWhichValueAFlagTakes(t *testing.T) {
	for args, says := range map[string]string{
		"populate --keys ten":     `--keys: "ten" is not a whole number`,
		"serve --rate fast":       `--rate: "fast" is not a number`,
		"populate --ttl=perhaps":  `--ttl: "perhaps" is not true or false`,
		"sweep -z":                `unknown shorthand flag: 'z' in -z`,
		"replay --hash-seed-hexa": "did you mean --hash-seed-hex?",
		"replay cases.jsonl":      `"cases.jsonl": keyloupe replay takes flags only`,
	} {
		if _, _, err := runProgram(t.Context(), "", strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// codeOf is how a process ended.
func codeOf(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return -1
}

func TestASignalEndsWorkAndKeepsWhatWasDone(t *testing.T) {
	for sig, code := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
		cmd := process(t, "sweep", "--value", "0..500M", "--format", "csv", "--quiet")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(out)
		if line, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(line, "server,") {
			t.Fatalf("%q, %v", line, err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var last string
		for {
			line, err := r.ReadString('\n')
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			last = line
		}
		if got := codeOf(t, cmd.Wait()); got != code {
			t.Errorf("after %v: exit code %d, want %d", sig, got, code)
		}
		if strings.Count(last, ",") != 15 {
			t.Errorf("after %v the last row is cut off: %q", sig, last)
		}
	}
}

func TestASignalEndsTheWaitForInput(t *testing.T) {
	cmd := process(t, "replay")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// a reply that is longer than the buffer, so that its first bytes tell that the case is under way
	if _, err := io.WriteString(in, `{"id":1,"cmds":[["SET","k","~v*100000"],["GET","k"]]}`+"\n"); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	if _, err := r.Peek(1); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	line, err := r.ReadString('\n')
	if err != nil || !strings.HasSuffix(line, "}\n") {
		t.Errorf("the case's result is cut off (%v): ...%q", err, line[max(0, len(line)-40):])
	}
	if got := codeOf(t, cmd.Wait()); got != 130 {
		t.Errorf("exit code %d", got)
	}
}

func TestAReaderThatGoesAwayEndsTheProgramQuietly(t *testing.T) {
	cmd := process(t, "sweep", "--value", "0..500M", "--format", "text")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	out.Close()
	cmd.Wait()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGPIPE || errs.Len() > 0 {
		t.Errorf("%v, %q", cmd.ProcessState, errs.String())
	}
}
