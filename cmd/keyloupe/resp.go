package main

import (
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/front"
)

func init() { subcommands = append(subcommands, newResp) }

func newResp() *cobra.Command {
	var f targetFlags
	var listen, report, web, public string
	cmd := &cobra.Command{
		Use:   "resp [flags]",
		Short: "Answer RESP2 and RESP3 clients as a simulated server",
		Long: `Resp puts the server's protocol in front of a simulated server, for valkey-cli, client libraries and test-suites.

It prints its address as its first line when it accepts connections, and stops on SIGINT, SIGTERM or SHUTDOWN. With
several servers, separated by commas, clients get the first one's replies and all are kept in step; KEYLOUPE COMPARE,
KEYLOUPE SUMMARY and KEYLOUPE LAYOUT key, sent by any client, print the comparison.

With --http the page shows the servers while clients use them: keys, bytes, tables, clients and what they send. Its address
is the second line. Following the servers takes a page at most a tenth of their time. What is typed in the page runs on the same
data: who reaches this address can read and change it, as who reaches the other one can.`,
		Example: `  keyloupe resp --listen 127.0.0.1:6380 --server 9.0.6,9.1.2
  keyloupe resp --listen 127.0.0.1:6380 --http 127.0.0.1:8080
  valkey-cli -p 6380 keyloupe summary`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			targets, err := f.targets()
			if err != nil {
				return err
			}
			fr, err := newFront(targets)
			if err != nil {
				return err
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return fmt.Errorf("--listen %s: %w", listen, err)
			}
			page, err := openWebPage(web, public)
			if err != nil {
				l.Close()
				return err
			}
			err = serveFront(cmd.Context(), cmd.OutOrStdout(), fr, l, page)
			if report != "" {
				if e := os.WriteFile(report, []byte(fr.Summary()), 0o644); e != nil && err == nil {
					err = fmt.Errorf("--report: %w", e)
				}
			}
			return err
		},
	}
	f.addList(cmd, release.Newest(release.V91))
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:6379", "address to listen on; port 0 is any free one")
	cmd.Flags().StringVar(&report, "report", "", "write keys and memory of every server to this file at exit")
	cmd.Flags().StringVar(&web, "http", "", "address to show the live state on, in a page; port 0 is any free one (default: no page)")
	cmd.Flags().StringVar(&public, "public", "", "serve the page of --http from this directory (default: the page built into this program)")
	complete(cmd, map[string]completions{"report": aFile, "public": aDir})
	return cmd
}

// newFront starts empty servers that share a clock.
func newFront(targets []batch.Target) (*front.Front, error) {
	var servers []*engine.Server
	clock := front.NewClock()
	for _, t := range targets {
		t.Options.Clock = clock.Now
		s, err := engine.NewServer(t.Name, t.Options)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	return front.New(servers, clock), nil
}
