package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/internal/progress"
	"github.com/keyloupe/keyloupe/internal/term"
	"github.com/keyloupe/keyloupe/internal/termchart"
)

// pictureFlags say how svg and chart are drawn.
type pictureFlags struct {
	draw.Options
	show, theme, log string
}

func (f *pictureFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.Width, "width", 0, "width of the picture: pixels of svg (default 900), columns of a chart (default: the terminal's)")
	flags.IntVar(&f.Height, "height", 330, "height of svg, pixels")
	flags.StringVar(&f.X, "x", "", "field along the axis of the picture (default: the one with the most values)")
	flags.StringVar(&f.show, "show", draw.PerKey.String(), "what the picture shows: bytes_per_key, total, memory_usage, allocated, table")
	flags.StringVar(&f.log, "log", "", "logarithmic axes of the picture: x, y or xy")
	flags.StringVar(&f.theme, "theme", draw.Auto.String(), "colours of svg: auto, light, dark")
}

// read reads the flags that were given as words.
func (f *pictureFlags) read() (theme draw.Theme, err error) {
	if theme, err = draw.ParseTheme(f.theme); err != nil {
		return theme, usagef("--%w", err)
	}
	if f.Show, err = draw.ParseMeasure(f.show); err != nil {
		return theme, usagef("--%w", err)
	}
	if strings.Trim(f.log, "xy") != "" {
		return theme, usagef("--log: %q is none of x, y, xy", f.log)
	}
	f.LogX, f.LogY = strings.Contains(f.log, "x"), strings.Contains(f.log, "y")
	return theme, nil
}

// print prints a sweep in the format that was asked for, or that fits the output.
func (s *sweeper) print(cmd *cobra.Command, plan *sweep.Plan) error {
	out := cmd.OutOrStdout()
	theme, err := s.read()
	if err != nil {
		return err
	}
	format := s.format
	switch {
	case format == "" && term.IsTerminal(out) && !s.cliffs:
		format = "chart"
	case format == "":
		format = "text"
	case !slices.Contains(sweepFormats, format):
		return usagef("--format: %q is none of %s", format, strings.Join(sweepFormats, ", "))
	case s.cliffs && !slices.Contains(sweep.Formats, format):
		return usagef("--cliffs: the chart marks the cliffs anyway; as text they are in %s", strings.Join(sweep.Formats, ", "))
	}
	switch format {
	case "svg":
		return s.svg(out, plan, theme)
	case "chart":
		return s.chart(cmd, plan)
	}
	return s.rows(cmd, plan, format)
}

func (s *sweeper) svg(out io.Writer, plan *sweep.Plan, theme draw.Theme) error {
	scene, err := draw.Sweep(plan, s.Options)
	if err != nil {
		return usageError{err}
	}
	_, err = out.Write(scene.AppendSVG(nil, theme))
	return err
}

// meter is the meter for a sweep's work.
func (s *sweeper) meter(cmd *cobra.Command, what string, of int) *progress.Meter {
	if s.quiet {
		return nil
	}
	return progress.New(cmd.ErrOrStderr(), what, int64(of))
}

// rows prints every row, or every cliff.
func (s *sweeper) rows(cmd *cobra.Command, plan *sweep.Plan, format string) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	write, what, of := plan.Write, "rows", plan.Points()
	if s.cliffs {
		write, what, of = plan.WriteCliffs, "cliffs", 0 // how many there are is not known before
	}
	meter := s.meter(cmd, what, of)
	if term.IsTerminal(out) {
		meter = nil // what is printed tells how far it is
	}
	w, done := bufio.NewWriter(out), 0
	err := write(w, format, func(n int) error {
		done = n
		meter.At(int64(n))
		return context.Cause(ctx)
	})
	meter.End()
	if ferr := w.Flush(); err == nil {
		err = ferr
	}
	if err != nil && err == context.Cause(ctx) {
		return fmt.Errorf("%w, after %d %s", err, done, what)
	}
	return sweepError(err)
}

const (
	mostRuns  = 30   // rows of the table above a chart, for each server
	lookEvery = 4096 // rows between two looks at the clock
)

// chart prints a table in which shapes that cost the same are one row, and a chart below it. Where none
// was asked for and none can be drawn, it is the table alone.
func (s *sweeper) chart(cmd *cobra.Command, plan *sweep.Plan) error {
	out := cmd.OutOrStdout()
	o := termchart.Options{Width: s.Width, Show: s.Show, X: s.X, LogX: s.LogX, LogY: s.LogY, ASCII: !term.Unicode(), Colors: s.color.Colors(out)}
	if o.Width == 0 {
		o.Width = term.Width(out)
	}
	chart, err := termchart.New(plan, o)
	if err != nil && (s.format != "" || s.X != "") {
		return usageError{err}
	}
	table := sweep.NewSummary(plan, mostRuns, term.Width(out))
	stop := s.fill(cmd, plan, table, chart)
	text := string(table.Text())
	switch {
	case chart != nil && table.Omitted > mostRuns: // hardly two shapes cost the same: the first rows say little
		text = plan.Summary() + "\n--format text prints the rows\n"
	case table.Omitted > 0:
		text += fmt.Sprintf("and %d more shapes that cost something else: --format text prints every row\n", table.Omitted)
	case plan.Points() > len(plan.Spec.Servers):
		text += "shapes that cost the same are one row; --format text prints each, --cliffs explains the steps\n"
	}
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if chart != nil {
		if _, err := io.WriteString(out, "\n"); err != nil {
			return err
		}
		if err := chart.Write(out); err != nil {
			return err
		}
	}
	return stop
}

// fill gives a plan's rows to a table and, where there is one, a chart.
func (s *sweeper) fill(cmd *cobra.Command, plan *sweep.Plan, table *sweep.Summary, chart *termchart.Chart) error {
	meter, done := s.meter(cmd, "rows", plan.Points()), 0
	defer meter.End()
	for r := range plan.Rows {
		table.Add(r)
		if chart != nil {
			if err := chart.Add(r); err != nil {
				return err
			}
		}
		if done++; done%lookEvery != 0 {
			continue
		}
		meter.At(int64(done))
		if err := context.Cause(cmd.Context()); err != nil {
			return fmt.Errorf("%w, after %d rows", err, done)
		}
	}
	return nil
}
