package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/rdb"
	"github.com/keyloupe/keyloupe/internal/golden"
	"github.com/keyloupe/keyloupe/internal/inventory"
)

// goldenDump is a file that a real server wrote.
func goldenDump(name string) string { return filepath.Join(golden.Dir(), "rdb", name) }

// inventoryOf is what import prints of a file as JSON.
func inventoryOf(t *testing.T, args ...string) (file dumpFile, v inventory.Inventory) {
	t.Helper()
	out, _, err := runProgram(t.Context(), "", append([]string{"import", "--format", "json"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		File *dumpFile
		*inventory.Inventory
	}
	told.File, told.Inventory = &file, &v
	if err := json.Unmarshal([]byte(out), &told); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file, v
}

func TestImportComparesTheWriterWithTheNewestRelease(t *testing.T) {
	file, v := inventoryOf(t, goldenDump("8.1.1-mixed.rdb"))
	if file.Writer != "Valkey 8.1.1" || file.Keys != 806 || file.Version != 11 || file.Time == "" || file.Used == 0 {
		t.Errorf("%+v", file)
	}
	if len(v.Servers) != 2 || v.Servers[0].Server != "8.1.1" || v.Servers[1].Server != "9.1.2" {
		t.Errorf("%+v", v.Servers)
	}
	if _, v = inventoryOf(t, goldenDump("9.1.2-mixed.rdb")); len(v.Servers) != 1 {
		t.Errorf("%+v", v.Servers)
	}
}

func TestImportPrintsTablesForPeople(t *testing.T) {
	out, errs, err := runProgram(t.Context(), "", "import", goldenDump("7.2.7-mixed.rdb"), "--server", "7.2.7,9.1.2", "--by-prefix", ":", "--top", "2")
	if err != nil || errs != "" {
		t.Fatal(err, errs)
	}
	for _, want := range []string{"format 11, written by Valkey 7.2.7 at 2", "\n806 keys\n", "\nOn 9.1.2 these keys take ", "%) less than on 7.2.7.\n", "used_memory", "  hashtable", `"k:" `, "biggest keys"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func TestADumpMayComeOnStandardInput(t *testing.T) {
	data, err := os.ReadFile(goldenDump("8.1.1-lzf.rdb"))
	if err != nil {
		t.Fatal(err)
	}
	stdin, _, err := runProgram(t.Context(), string(data), "import", "-")
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := runProgram(t.Context(), "", "import", goldenDump("8.1.1-lzf.rdb"))
	if _, rest, _ := strings.Cut(file, ": "); err != nil || !strings.HasSuffix(stdin, rest) {
		t.Errorf("%v\n%s\n%s", err, stdin, file)
	}
}

// dumpOf is a file with what w writes between its beginning and its end.
func dumpOf(t *testing.T, version int, write func(w *rdb.Writer)) string {
	t.Helper()
	var w rdb.Writer
	w.Begin(version)
	w.Aux("valkey-ver", "9.0.1")
	w.Aux("ctime", "1700000000")
	write(&w)
	w.End()
	path := filepath.Join(t.TempDir(), "dump.rdb")
	if err := os.WriteFile(path, w.B, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func setKey(w *rdb.Writer, key string) {
	w.Type(rdb.String)
	w.String([]byte(key))
	w.String([]byte("value"))
}

func TestKeysExpireAtTheTimeTheFileWasWritten(t *testing.T) {
	path := dumpOf(t, rdb.FirstValkey, func(w *rdb.Writer) {
		w.Select(0, 3, 2)
		setKey(w, "stays")
		w.ExpireAt(1_700_000_000_000 + 1000)
		setKey(w, "soon")
		w.ExpireAt(1_700_000_000_000 - 1000)
		setKey(w, "gone")
	})
	if file, v := inventoryOf(t, path); file.Keys != 2 || file.Expired != 1 || v.Servers[0].Expires != 1 || v.Servers[0].Server != "9.0.1" {
		t.Errorf("%+v, %+v", file, v.Servers)
	}
	if file, _ := inventoryOf(t, path, "--now"); file.Keys != 1 || file.Expired != 2 {
		t.Errorf("%+v", file)
	}
}

func TestFunctionLibrariesAreSkippedAndTold(t *testing.T) {
	const opFunction = 245
	path := dumpOf(t, 11, func(w *rdb.Writer) {
		w.Type(opFunction)
		w.String([]byte("#!lua name=lib"))
		w.Select(0, 1, 0)
		setKey(w, "k")
	})
	out, _, err := runProgram(t.Context(), "", "import", path, "--server", "8.1.9,9.1.2")
	if err != nil || strings.Count(out, "a function library was left out: scripting is not simulated") != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestWhatCannotBeImportedIsNamed(t *testing.T) {
	noDump := filepath.Join(t.TempDir(), "no.rdb")
	if err := os.WriteFile(noDump, []byte("*2\r\n$6\r\nSELECT\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(goldenDump("9.1.2-binary.rdb"))
	if err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "short.rdb")
	if err := os.WriteFile(short, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	module := dumpOf(t, 11, func(w *rdb.Writer) {
		w.Select(0, 1, 0)
		w.Type(rdb.Module2)
		w.String([]byte("bloom"))
		w.Len(1 << 62)
	})
	bomb := dumpOf(t, 11, func(w *rdb.Writer) {
		w.Compress = true
		w.Select(0, 1, 0)
		w.Type(rdb.String)
		w.String([]byte("k"))
		w.String(make([]byte, 50_000_000))
	})
	far := dumpOf(t, 11, func(w *rdb.Writer) {
		w.Select(99, 1, 0)
		setKey(w, "k")
	})
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{1, []string{"/nowhere/at/all.rdb"}, "no such file"},
		{1, []string{noDump}, "byte 0: neither REDIS0nnn nor VALKEYnnn begins it"},
		{1, []string{short}, "server 9.1.2: RDB file, byte"},
		{1, []string{goldenDump("9.1.2-binary.rdb"), "--server", "8.1.9"}, "release 8.1.9 can't read version 80"},
		{1, []string{module}, "modules are not simulated"},
		{1, []string{far}, "has a database 99, the server is configured for 16"},
		{1, []string{goldenDump("9.1.2-binary.rdb"), "--max-memory", "1k"}, "--max-memory allows for larger files"},
		{1, []string{bomb, "--max-memory", "10M"}, "--max-memory allows for more"},
		{2, []string{}, "name one file"},
		{2, []string{"a", "b"}, "name one file"},
		{2, []string{"a", "--server", "9.1.2,9.1.2"}, "9.1.2 is listed twice"},
		{2, []string{"a", "--server", "5.0"}, "--server: unknown server"},
		{2, []string{"a", "--format", "xml"}, "--format"},
		{2, []string{"a", "--depth", "0"}, "--depth: 0 is not from 1 to 100"},
		{2, []string{"a", "--max-memory", "lots"}, `--max-memory: "lots" is not a whole number such as`},
	} {
		_, _, err := runProgram(t.Context(), "", append([]string{"import"}, c.args...)...)
		if exitCode(err) != c.code || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%q: code %d, want %d and %q: %v", c.args, exitCode(err), c.code, c.says, err)
		}
	}
	if _, v := inventoryOf(t, far, "--config", "databases=100"); v.Servers[0].Keys != 1 {
		t.Errorf("%+v", v)
	}
}
