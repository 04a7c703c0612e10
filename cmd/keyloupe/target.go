package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
	"github.com/keyloupe/keyloupe/internal/batch"
)

// targetFlags is the flags that say which simulated server a subcommand asks.
type targetFlags struct {
	server  string
	config  []string
	seed    string
	seedHex string
}

// nameValues is the value of a flag that may be repeated, each time with name=value.
type nameValues struct{ list *[]string }

func (v nameValues) String() string { return "" }
func (v nameValues) Type() string   { return "name=value" }
func (v nameValues) Set(text string) error {
	if name, _, ok := strings.Cut(text, "="); !ok || name == "" {
		return fmt.Errorf("%q: write name=value, such as hash-max-listpack-entries=128", text)
	}
	*v.list = append(*v.list, text)
	return nil
}

// serverSyntax is how a server is written, for the help of flags.
const serverSyntax = "VERSION[@BUILD], such as 9.1.2 or 8.1.9@libc"

// add registers the flags of a subcommand that asks one server.
func (f *targetFlags) add(cmd *cobra.Command) {
	f.addNamed(cmd, release.Newest(release.V91), "the server, "+serverSyntax)
}

// addNamed is add with a default and a help of its own.
func (f *targetFlags) addNamed(cmd *cobra.Command, server, help string) {
	cmd.Flags().StringVar(&f.server, "server", server, help)
	complete(cmd, map[string]completions{"server": oneOf(serverNames()...)})
	f.addOptions(cmd)
}

// addList registers them for one that asks several, those of servers where no others are named.
func (f *targetFlags) addList(cmd *cobra.Command, servers string) {
	cmd.Flags().StringVar(&f.server, "server", servers, "the servers, separated by commas: "+serverSyntax)
	complete(cmd, map[string]completions{"server": listOf(serverNames()...)})
	f.addOptions(cmd)
}

func (f *targetFlags) addOptions(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.Var(nameValues{&f.config}, "config", "a directive, such as hash-max-listpack-entries=128 (repeatable)")
	fl.StringVar(&f.seed, "hash-seed", "", "the directive hash-seed of 9.1, any text: seeds the tables of keys, expires and volatile items")
	fl.StringVar(&f.seedHex, "hash-seed-hex", engine.DefaultSeed, "hash seed of every table, 32 hexadecimal digits")
	complete(cmd, map[string]completions{"config": directives})
}

// targets is target for each server of a list.
func (f targetFlags) targets() (all []batch.Target, err error) {
	seen := map[string]bool{}
	for name := range strings.SplitSeq(f.server, ",") {
		f.server = strings.TrimSpace(name)
		if seen[f.server] {
			return nil, usagef("--server: %s is listed twice", f.server)
		}
		seen[f.server] = true
		t, err := f.target()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// target checks the flags, so that a wrong one is told before any input is read.
func (f *targetFlags) target() (t batch.Target, err error) {
	t = batch.Target{Name: f.server, Options: engine.Options{HashSeed: f.seed, SeedHex: f.seedHex, Config: map[string]string{}}}
	for _, c := range f.config {
		name, value, _ := strings.Cut(c, "=")
		t.Options.Config[name] = value
	}
	if _, err := siphash.ParseSeed(f.seedHex); err != nil {
		return t, usagef("--hash-seed-hex: %w", err)
	}
	if _, err := engine.NewServer(t.Name, engine.Options{}); err != nil {
		return t, usagef("--server: %w", err)
	}
	if _, err := engine.NewServer(t.Name, t.Options); err != nil {
		return t, usagef("--config: %w", err)
	}
	return t, nil
}
