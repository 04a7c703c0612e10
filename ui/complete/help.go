package complete

import (
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

// Help answers `help`, `help COMMAND` and `help @GROUP` as valkey-cli does.
func Help(cat *catalog.Catalog, words []string) []string {
	if cat == nil {
		return []string{"The servers are still starting."}
	}
	if len(words) == 0 {
		return overview()
	}
	if group, ok := strings.CutPrefix(words[0], "@"); ok {
		return groupHelp(cat, strings.ToLower(group))
	}
	if cmd := cat.Find(args(words)); cmd != nil {
		return commandHelp(cmd)
	}
	lines := []string{"No command " + strings.ToUpper(strings.Join(words, " ")) + " in " + cat.Version + "."}
	if near := Nearest(words[0], names(cat)); near != "" {
		lines = append(lines, "Did you mean "+near+"?")
	}
	return lines
}

func overview() []string {
	return []string{
		`Type a command as in valkey-cli, such as SET user:1 "Alice B" EX 900. Every server above runs it.`,
		`help SET          what a command takes      help @string   the commands of a group`,
		`Tab               completes words and keys  Up, Down       earlier lines`,
		`Ctrl+R            searches earlier lines    Ctrl+C         stops, or drops the line`,
		`Ctrl+L            clears the log            Esc            closes the list of completions`,
		Groups(),
	}
}

// Groups is a line with the names that help takes after @.
func Groups() string { return "Groups: " + strings.Join(groups, " ") }

// groups are the names that help takes after @, as the server's documentation has them.
var groups = []string{"@generic", "@string", "@list", "@set", "@sorted-set", "@hash", "@pubsub", "@transactions", "@connection", "@server", "@hyperloglog", "@geo", "@stream", "@bitmap"}

func commandHelp(cmd *catalog.Command) []string {
	lines := []string{cmd.Syntax(), "summary: " + cmd.Summary, "since: " + cmd.Since, "group: " + cmd.Group}
	if cmd.Complexity != "" {
		lines = append(lines, "complexity: "+cmd.Complexity)
	}
	if cmd.DeprecatedSince != "" {
		lines = append(lines, "deprecated since "+cmd.DeprecatedSince+", replaced by "+cmd.ReplacedBy)
	}
	for _, h := range cmd.History {
		lines = append(lines, "changed in "+h.Since+": "+h.Text)
	}
	if len(cmd.Subcommands) > 0 {
		lines = append(lines, "")
		for _, s := range cmd.Subcommands {
			lines = append(lines, s.Syntax(), "  "+s.Summary)
		}
	}
	return lines
}

func groupHelp(cat *catalog.Catalog, group string) (lines []string) {
	for _, c := range cat.Commands {
		if strings.EqualFold(c.Group, group) {
			lines = append(lines, c.Syntax(), "  "+c.Summary)
		}
	}
	if lines == nil {
		return []string{"No group @" + group + ". Groups: " + strings.Join(groups, " ")}
	}
	return lines
}

func names(cat *catalog.Catalog) []string {
	out := make([]string, len(cat.Commands))
	for i, c := range cat.Commands {
		out[i] = strings.ToUpper(c.FullName)
	}
	return out
}

// Advice says what to do about an error reply: what was meant, or what the command takes. It is empty where there is
// nothing useful to say.
func Advice(reply, line string, cat *catalog.Catalog) string {
	words := strings.Fields(line)
	if cat == nil || len(words) == 0 {
		return ""
	}
	switch {
	case strings.HasPrefix(reply, "ERR unknown command"):
		return unknown(words[0], cat)
	case strings.HasPrefix(reply, "ERR unknown subcommand") && len(words) > 1:
		if cmd := cat.Lookup(words[0]); cmd != nil {
			var subs []string
			for _, s := range cmd.Subcommands {
				subs = append(subs, strings.ToUpper(s.Name()))
			}
			if near := Nearest(words[1], subs); near != "" {
				return "Did you mean " + strings.ToUpper(words[0]) + " " + near + "?"
			}
		}
	case strings.HasPrefix(reply, "ERR Can't execute"): // RESP2 after SUBSCRIBE
		return "This client is subscribed. RESET ends that."
	case strings.HasPrefix(reply, "ERR wrong number of arguments"), strings.HasPrefix(reply, "ERR syntax error"):
		if cmd := cat.Find(args(words)); cmd != nil {
			return "Usage: " + cmd.Syntax()
		}
	}
	return ""
}

func unknown(word string, cat *catalog.Catalog) string {
	if cmd := cat.Lookup(word); cmd != nil { // another of the servers knows it
		return strings.ToUpper(word) + " came with " + cmd.Since + "."
	}
	if near := Nearest(word, names(cat)); near != "" {
		return "Did you mean " + near + "?"
	}
	return "Tab completes the commands of " + cat.Version + "; help lists them."
}

// Nearest is the candidate that is few typing errors away from word, or "".
func Nearest(word string, candidates []string) string {
	word = strings.ToUpper(word)
	if len(word) > 40 {
		return ""
	}
	best, least := "", 1+max(1, len(word)/3)
	for _, c := range candidates {
		if d := distance(word, c); d < least || d == least && best != "" && len(c) == len(word) && len(best) != len(word) {
			best, least = c, d
		}
	}
	return best
}

// distance is how many letters must be put in, taken out, changed or swapped with the next.
func distance(a, b string) int {
	row := make([][]int, len(a)+1)
	for i := range row {
		row[i] = make([]int, len(b)+1)
		row[i][0] = i
	}
	for j := range b {
		row[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[i][j] = min(row[i-1][j]+1, row[i][j-1]+1, row[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[i][j] = min(row[i][j], row[i-2][j-2]+1)
			}
		}
	}
	return row[len(a)][len(b)]
}
