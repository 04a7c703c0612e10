package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/rdb"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/inventory"
	"github.com/keyloupe/keyloupe/internal/progress"
	"github.com/keyloupe/keyloupe/internal/term"
)

func init() { subcommands = append(subcommands, newImport) }

// importFormats are the formats of --format.
var importFormats = []string{"text", "json"}

// maxImport is the default of --max-memory.
const maxImport = 16_000_000_000

func newImport() *cobra.Command {
	var f targetFlags
	im := importer{}
	cmd := &cobra.Command{
		Use:   "import [flags] FILE.rdb",
		Short: "Load a dump file and print what its keys take on each release",
		Long: `Import loads a dump file (RDB, as SAVE and BGSAVE write it) into simulated servers, one after the other, and prints
what your own keys take on each of them: used_memory, the bytes of every type and encoding, the biggest keys, and with
--by-prefix those of the keys that begin alike. Bytes are usable bytes of the keys' blocks; what used_memory has beside
them are the tables that find the keys. Of further servers it prints what they differ by from the first.

Without --server they are the release that wrote the file and the newest one. A release can't load files of a newer
format: those of 9.0 and later need a server from 9.0 on.

Keys whose time had come when the file was written are left out, as a server leaves them out that starts at that time;
--now leaves out those whose time has come today. Function libraries are skipped, as scripting is not simulated; a
file with data of modules is refused. The file is held in memory, and one server at a time. - is standard input.`,
		Example: `  valkey-cli --rdb dump.rdb
  keyloupe import dump.rdb
  keyloupe import dump.rdb --server 8.1.9,9.0.6,9.1.2 --by-prefix : --top 20
  keyloupe import dump.rdb --format json > inventory.json`,
		Args: oneFile,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(importFormats, im.format) {
				return usagef("--format: %q is none of %s", im.format, strings.Join(importFormats, ", "))
			}
			im.targets = &f
			return im.run(cmd, args[0])
		},
	}
	f.addList(cmd, "")
	cmd.Flags().Lookup("server").Usage += " (default: the release that wrote the file, and the newest)"
	fl := cmd.Flags()
	fl.StringVar(&im.o.Separator, "by-prefix", "", "group keys by what is before this separator, such as :")
	im.o.Depth, im.o.Top, im.max = 1, 10, maxImport
	fl.Var(number{&im.o.Depth, 1, 100}, "depth", "at how many separators of a key --by-prefix ends the prefix")
	fl.Var(number{&im.o.Top, 0, 1_000_000}, "top", "how many of the biggest keys and prefixes to print")
	fl.Var(number{&im.max, 1, math.MaxInt}, "max-memory", "bytes that the file, and what a server keeps of it, may take")
	fl.BoolVar(&im.now, "now", false, "leave out keys whose time has come by now, not by when the file was written")
	fl.StringVar(&im.format, "format", "text", "format: "+strings.Join(importFormats, ", "))
	addColor(cmd, &im.color)
	complete(cmd, map[string]completions{"format": oneOf(importFormats...), "by-prefix": oneOf(":", "/", ".", "-", "_")})
	return cmd
}

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("name one file, such as dump.rdb, or - for standard input")
	}
	return nil
}

// importer loads a file into servers.
type importer struct {
	o       inventory.Options
	targets *targetFlags
	format  string
	color   term.When
	now     bool
	max     int
	file    dumpFile
	data    []byte
}

// dumpFile is what is told of the file.
type dumpFile struct {
	Name    string   `json:"name"`
	Bytes   int      `json:"bytes"`
	Version int      `json:"version"`                      // of the format
	Writer  string   `json:"written_by,omitempty"`         // "Valkey 9.1.2"
	Time    string   `json:"written_at,omitempty"`         // RFC 3339
	Used    int64    `json:"writer_used_memory,omitempty"` // the writer's, all of it
	Keys    int      `json:"keys"`                         // loaded
	Expired int      `json:"expired,omitempty"`            // left out, as are hashes all of whose fields had expired
	Empty   int      `json:"empty,omitempty"`              // left out as they hold nothing
	Notes   []string `json:"notes,omitempty"`
}

func (im *importer) run(cmd *cobra.Command, name string) error {
	if im.targets.server != "" { // a wrong one is told before a long file is read
		if _, err := im.targets.targets(); err != nil {
			return err
		}
	}
	if err := im.read(cmd, name); err != nil {
		return err
	}
	told := rdb.About(im.data)
	im.file = describe(name, im.data, told)
	if im.targets.server == "" {
		im.targets.server = strings.Join(serversFor(im.file.Version, told), ",")
	}
	targets, err := im.targets.targets()
	if err != nil {
		return err
	}
	inv := inventory.New(im.o)
	for _, t := range targets {
		if err := im.load(cmd, t, inv, told); err != nil {
			return fmt.Errorf("%s, server %s: %w", name, t.Name, err)
		}
	}
	inv.Done()
	if im.format == "json" {
		return inv.WriteJSON(cmd.OutOrStdout(), im.file)
	}
	head := im.file.text() + strings.Join(append(inv.Verdict(), ""), "\n") + "\n"
	if _, err := io.WriteString(cmd.OutOrStdout(), head); err != nil {
		return err
	}
	return inv.WriteText(cmd.OutOrStdout(), im.color.Colors(cmd.OutOrStdout()))
}

// read reads the whole file.
func (im *importer) read(cmd *cobra.Command, name string) error {
	var in io.Reader
	var b bytes.Buffer
	if name == "-" {
		in = input(cmd)
	} else {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Size() <= int64(im.max) {
			b.Grow(int(info.Size()) + bytes.MinRead) // the file once, not its doublings
		}
		in = &stoppableReader{ctx: cmd.Context(), in: f}
	}
	if _, err := b.ReadFrom(io.LimitReader(in, int64(im.max))); err != nil {
		return err
	}
	if im.data = b.Bytes(); len(im.data) == im.max {
		return fmt.Errorf("%s has %d bytes or more: --max-memory allows for larger files", name, im.max)
	}
	return nil
}

// load loads the file into a new server and counts what is in it.
func (im *importer) load(cmd *cobra.Command, t batch.Target, inv *inventory.Inventory, told map[string]string) error {
	clock := time.Now().UnixMicro()
	if at, err := strconv.ParseInt(told["ctime"], 10, 64); err == nil && at > 0 && at < math.MaxInt64/1_000_000 && !im.now {
		clock = at * 1_000_000
	}
	t.Options.Clock = func() int64 { return clock }
	s, err := engine.NewServer(t.Name, t.Options)
	if err != nil {
		return err
	}
	empty := s.Used()
	ctx, out := cmd.Context(), cmd.ErrOrStderr()
	meter := progress.New(out, "bytes read for "+t.Name, 2*int64(len(im.data)))
	loaded, err := s.LoadRDBBytes(im.data, func(done, _ int) error {
		meter.At(int64(done))
		if s.Used() > int64(im.max) {
			return fmt.Errorf("its keys take more than %d bytes: --max-memory allows for more", im.max)
		}
		return context.Cause(ctx)
	})
	meter.End()
	if err != nil {
		return err
	}
	im.file.add(loaded)
	meter = progress.New(out, "keys counted on "+t.Name, int64(loaded.Keys))
	defer meter.End()
	return inv.Add(s, empty, func(keys int) error {
		meter.At(int64(keys))
		return context.Cause(ctx)
	})
}

// serversFor is the release that wrote a file and the newest one.
func serversFor(version int, told map[string]string) []string {
	newest := release.Newest(release.V91)
	writer := release.Newest(release.V72)
	if version >= rdb.FirstValkey {
		writer = release.Newest(release.V90)
	}
	if r, err := release.Parse(told["valkey-ver"]); err == nil {
		writer = r.Name()
	}
	if writer == newest {
		return []string{newest}
	}
	return []string{writer, newest}
}

func describe(name string, data []byte, told map[string]string) dumpFile {
	f := dumpFile{Name: name, Bytes: len(data)}
	f.Version, _ = rdb.Version(data)
	switch valkey, redis := told["valkey-ver"], told["redis-ver"]; {
	case valkey != "":
		f.Writer = "Valkey " + printable(valkey)
	case redis != "":
		f.Writer = "Redis " + printable(redis)
	}
	if at, err := strconv.ParseInt(told["ctime"], 10, 64); err == nil && at > 0 {
		f.Time = time.Unix(at, 0).UTC().Format(time.RFC3339)
	}
	f.Used, _ = strconv.ParseInt(told["used-mem"], 10, 64)
	return f
}

// printable is a short text of a file without bytes that a terminal would act on.
func printable(s string) string {
	const longest = 32
	return strings.Trim(strconv.QuoteToASCII(s[:min(len(s), longest)]), `"`)
}

// add takes over what loading told; servers may differ in what they leave out.
func (f *dumpFile) add(l command.Loaded) {
	f.Keys = max(f.Keys, l.Keys)
	f.Expired = max(f.Expired, l.Expired+l.ExpiredHashes)
	f.Empty = max(f.Empty, l.Empty)
	for _, n := range l.Notes {
		if !slices.Contains(f.Notes, n) {
			f.Notes = append(f.Notes, n)
		}
	}
}

// text tells of a file in a few lines.
func (f *dumpFile) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s bytes, format %d, written by %s", f.Name, inventory.Count(int64(f.Bytes)), f.Version, cmp.Or(f.Writer, "a server that does not name itself"))
	if f.Time != "" {
		b.WriteString(" at " + f.Time)
	}
	if f.Used > 0 {
		fmt.Fprintf(&b, "; its whole used_memory was %s", inventory.Count(f.Used))
	}
	fmt.Fprintf(&b, "\n%s keys", inventory.Count(int64(f.Keys)))
	if f.Expired > 0 {
		fmt.Fprintf(&b, ", without %s that had expired", inventory.Count(int64(f.Expired)))
	}
	if f.Empty > 0 {
		fmt.Fprintf(&b, ", without %s that hold nothing", inventory.Count(int64(f.Empty)))
	}
	for _, n := range f.Notes {
		b.WriteString("; " + n)
	}
	return b.String() + "\n"
}
