package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls f with the program's command and all below it.
func everyCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		everyCommand(c, f)
	}
}

func TestEveryCommandAndFlagIsExplained(t *testing.T) {
	everyCommand(newRoot(), func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || cmd.Name() != "help" && cmd.Long == "" {
			t.Errorf("%s: a short text without a full stop and a long one are needed: %q", path, cmd.Short)
		}
		if cmd.Runnable() && cmd.HasParent() && cmd.Name() != "help" && !strings.Contains(cmd.Example, "  keyloupe "+cmd.Name()) && !strings.Contains(cmd.Example, "| keyloupe "+cmd.Name()) {
			t.Errorf("%s has no example", path)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
				t.Errorf("%s --%s: %q is no description without a full stop", path, f.Name, f.Usage)
			}
		})
	})
}

func TestEveryCommandHasAManualPage(t *testing.T) {
	dir := t.TempDir()
	tool := exec.CommandContext(t.Context(), "go", "run", "-tags", "man", ".", "man", dir)
	tool.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=86400")
	if out, err := tool.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	everyCommand(newRoot(), func(cmd *cobra.Command) {
		if cmd.Name() == "help" { // as is cobra's way
			return
		}
		page := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			return
		}
		if !strings.Contains(string(text), `"Jan 1970"`) {
			t.Errorf("%s is not dated by SOURCE_DATE_EPOCH", page)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(string(text), `\-\-`+f.Name) && !strings.Contains(string(text), "--"+f.Name) {
				t.Errorf("%s does not tell of --%s", page, f.Name)
			}
		})
		for _, line := range strings.Split(cmd.Example, "\n") {
			if line = strings.TrimSpace(line); !strings.Contains(strings.ReplaceAll(string(text), `\`, ""), strings.ReplaceAll(line, `\`, "")) {
				t.Errorf("%s changes the example %s", page, line)
			}
		}
	})
	formatted(t, dir)
}

func TestWhatMakesManualPagesIsNotInTheProgram(t *testing.T) {
	deps, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"cobra/doc", "md2man", "blackfriday", "yaml"} {
		if strings.Contains(string(deps), path) {
			t.Errorf("%s is", path)
		}
	}
}

// formatted has man read the pages, where there is one.
func formatted(t *testing.T, dir string) {
	if _, err := exec.LookPath("man"); err != nil {
		t.Log("man is not here to read the pages")
		return
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		cmd := exec.CommandContext(t.Context(), "man", "--warnings", "-l", page)
		cmd.Env = append(os.Environ(), "MANPAGER=cat", "LC_ALL=C.UTF-8")
		var warnings strings.Builder
		cmd.Stderr = &warnings
		out, err := cmd.Output()
		if err != nil || warnings.Len() > 0 || !strings.Contains(string(out), "DESCRIPTION") {
			t.Errorf("%s: %v, %s", page, err, warnings.String())
		}
	}
}
