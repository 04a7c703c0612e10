package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/keyloupe/keyloupe/internal/progress"
)

func init() { subcommands = append(subcommands, newScenario) }

// scenarioFormats are how a scenario is printed.
var scenarioFormats = []string{"text", "json", "csv"}

func newScenario() *cobra.Command {
	var format string
	var o scenario.Options
	cmd := &cobra.Command{
		Use:   "scenario [flags] [NAME]",
		Short: "Print published measurements beside what the simulator gives",
		Long: `Scenario lists the published measurements that Keyloupe reproduces. With the name of one it prints every published
figure beside the simulated one, the difference, and where it comes from; "all" prints every one of them.

Populations are counted by arithmetic. --build really builds them in the simulated heap, which takes seconds for
millions of keys; the child buckets of their tables are then those of one hash seed.`,
		Example: `  keyloupe scenario
  keyloupe scenario 97-bytes
  keyloupe scenario versions --build
  keyloupe scenario field-ttl --server 9.0.6,9.1.2@libc --format csv`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: scenarioNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			write := map[string]func(io.Writer, []*scenario.Report) error{"text": writeReports, "json": writeReportsJSON, "csv": writeReportsCSV}[format]
			if write == nil {
				return usagef("--format: %q is none of %s", format, strings.Join(scenarioFormats, ", "))
			}
			if len(args) == 0 {
				return listScenarios(cmd.OutOrStdout(), format)
			}
			list := scenario.All()
			if args[0] != "all" {
				s, err := scenario.Find(args[0])
				if err != nil {
					return asUsage(err)
				}
				list = []*scenario.Scenario{s}
			}
			p := buildProgress{ctx: cmd.Context(), out: cmd.ErrOrStderr()}
			o.Progress = p.tell
			reports, err := runScenarios(list, o)
			p.end()
			if err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), reports)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&format, "format", "text", "format: "+strings.Join(scenarioFormats, ", "))
	fl.StringSliceVar(&o.Servers, "server", nil, "servers in place of those that were measured, VERSION[@BUILD] (repeatable, or a list)")
	fl.BoolVar(&o.Build, "build", false, "really build each population, instead of counting it")
	complete(cmd, map[string]completions{"format": oneOf(scenarioFormats...), "server": listOf(serverNames()...)})
	return cmd
}

func scenarioNames(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, s := range scenario.All() {
			names = append(names, s.ID+"\t"+s.Title)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func runScenarios(list []*scenario.Scenario, o scenario.Options) (out []*scenario.Report, err error) {
	for _, s := range list {
		r, err := s.Run(o)
		var servers *scenario.ServersError
		if errors.As(err, &servers) {
			return nil, usagef("--server: %w", err)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// buildProgress tells on a terminal how far a build is, and stops it when ctx ends.
type buildProgress struct {
	ctx    context.Context
	out    io.Writer
	server string // that is being built
	meter  *progress.Meter
}

func (p *buildProgress) tell(server string, done, of int) error {
	if server != p.server || done == 0 {
		p.end()
		p.server, p.meter = server, progress.New(p.out, "keys on "+server, int64(of))
	}
	p.meter.At(int64(done))
	return context.Cause(p.ctx)
}

func (p *buildProgress) end() { p.meter.End() }

// listing is what a list tells of a scenario.
type listing struct {
	ID      string `json:"id"`
	Number  string `json:"number"`
	Title   string `json:"title"`
	Source  string `json:"source"`
	Finding string `json:"finding"`
}

func listScenarios(w io.Writer, format string) error {
	var list []listing
	for _, s := range scenario.All() {
		list = append(list, listing{s.ID, s.Number, s.Title, s.Source, s.Finding})
	}
	switch format {
	case "json":
		return json.NewEncoder(w).Encode(list)
	case "csv":
		out := csv.NewWriter(w)
		out.Write([]string{"id", "number", "title", "source", "finding"})
		for _, l := range list {
			out.Write([]string{l.ID, l.Number, l.Title, l.Source, l.Finding})
		}
		out.Flush()
		return out.Error()
	}
	for _, l := range list {
		if _, err := fmt.Fprintf(w, "%-10s %-3s %s\n               %s\n", l.ID, l.Number, l.Title, l.Finding); err != nil {
			return err
		}
	}
	return nil
}

func writeReportsJSON(w io.Writer, list []*scenario.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range list {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func writeReportsCSV(w io.Writer, list []*scenario.Report) error {
	out := csv.NewWriter(w)
	out.Write([]string{"id", "table", "what", "server", "unit", "published", "simulated", "difference", "percent", "state", "least", "most", "rest", "how"})
	for _, r := range list {
		for _, t := range r.Tables {
			for _, f := range t.Figures {
				out.Write([]string{r.ID, t.Title, f.What, f.Server, f.Unit, f.Published, f.Simulated, string(f.Difference), string(f.Percent),
					string(f.State), string(f.Least), string(f.Most), f.Rest, f.How})
				if f.Beside != nil {
					out.Write([]string{r.ID, t.Title, f.What, f.Beside.Server, f.Unit, "", f.Beside.Simulated, "", "", string(scenario.Alone), "", "", "", f.How})
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
