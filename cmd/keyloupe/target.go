package main

import (
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

func (f *targetFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.server, "server", release.Newest(release.V91), "the server, VERSION[@BUILD]")
	fl.StringArrayVar(&f.config, "config", nil, "a directive, name=value (repeatable)")
	fl.StringVar(&f.seed, "hash-seed", "", "the directive hash-seed of 9.1: keys, expires and volatile-items tables")
	fl.StringVar(&f.seedHex, "hash-seed-hex", engine.DefaultSeed, "hash seed of every table, 32 hexadecimal digits")
	must(cmd.RegisterFlagCompletionFunc("server", cobra.FixedCompletions(serverNames(), cobra.ShellCompDirectiveNoFileComp)))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// serverNames is the newest release of each line in each build, for completion.
func serverNames() (names []string) {
	for l := range release.Lines() {
		newest := release.Newest(release.Line(l))
		names = append(names, newest)
		for _, b := range release.BuildNames()[1:] {
			names = append(names, newest+"@"+b)
		}
	}
	return names
}

// target checks the flags, so that a wrong one is told before any input is read.
func (f *targetFlags) target() (t batch.Target, err error) {
	t = batch.Target{Name: f.server, Options: engine.Options{HashSeed: f.seed, SeedHex: f.seedHex, Config: map[string]string{}}}
	for _, c := range f.config {
		name, value, ok := strings.Cut(c, "=")
		if !ok || name == "" {
			return t, usagef("--config %q: write name=value, such as hash-max-listpack-entries=128", c)
		}
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
