//go:build !js

// Gencatalog asks real servers what they know and writes engine/catalog/catalog.bin.
//
//	go run ./internal/gencatalog [-o FILE]
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

func main() {
	out := flag.String("o", "engine/catalog/catalog.bin", "file to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "gencatalog:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	var tables []catalog.Table
	for _, v := range realserver.Versions() {
		t, err := ask(v)
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	oldest := tables[0]
	tables = append([]catalog.Table{derive(oldest, "7.2"), derive(oldest, "8.0")}, tables...)
	data := catalog.Encode(tables)
	for _, t := range tables {
		fmt.Printf("%s: %d commands, %d directives, derived %v\n", t.Version, len(t.Commands), len(t.Configs), t.Derived)
	}
	fmt.Printf("%s: %d bytes\n", out, len(data))
	return os.WriteFile(out, data, 0o644)
}

func ask(v realserver.Version) (t catalog.Table, err error) {
	s, err := realserver.Launch(v, realserver.Bare())
	if err != nil {
		return t, err
	}
	defer s.Stop()
	s.Do("HELLO", "3")
	t.Version = v.Number
	t.Commands, err = readCommands(s.Do("COMMAND"), s.Do("COMMAND", "DOCS"))
	if err != nil {
		return t, fmt.Errorf("%v: %w", v, err)
	}
	readHelp(s, t.Commands)
	_, t.NoneIsSet = s.Do("COMMAND", "INFO", "get").(realserver.Array)[0].(realserver.Array)[9].(realserver.Set)
	t.BadNodeName, t.LooseNumbers, t.ChecksClusterIP = badNames(s), looseNumbers(s), checksClusterIP(s)
	t.Configs, err = readConfigs(v, s)
	if err != nil {
		return t, fmt.Errorf("%v: %w", v, err)
	}
	return t, nil
}
