// Command vugu makes the Go code of a directory's Vugu components: vugugen, then what it writes is made smaller.
//
// vugugen writes every node as a composite literal, half of them for the white space between the tags of a template, and
// passes text through HTML. Here white space is left out, and elements, handlers and texts become calls of three short
// functions of the package (element, listen, content in nodes.go): a tenth of the page's download less, and fewer nodes to
// build on each keystroke.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vugu DIRECTORY")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "vugu:", err)
		os.Exit(1)
	}
}

func generate(dir string) error {
	gen := exec.Command("go", "tool", "vugugen", "-skip-main", "-skip-go-mod", dir)
	if out, err := gen.CombinedOutput(); err != nil {
		return fmt.Errorf("vugugen: %w\n%s", err, out)
	}
	views, err := filepath.Glob(filepath.Join(dir, "*.vugu"))
	if err != nil {
		return err
	}
	for _, v := range views {
		name := strings.TrimSuffix(v, ".vugu") + "_gen.go"
		code, err := os.ReadFile(name)
		if err == nil {
			code, err = Shrink(code)
		}
		if err == nil {
			err = os.WriteFile(name, code, 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

const text = `"((?:[^"\\]|\\.)*)"`

var (
	space   = regexp.MustCompile(`(?m)^\s*vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: "(?:\\n|\\t|\\r| )*\\n(?:\\n|\\t|\\r| )*"\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	static  = regexp.MustCompile(`vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: ` + text + `\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	tag     = regexp.MustCompile(`vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(3\), Namespace: "", Data: ` + text + `, Attr: \[\]vugu\.VGAttribute(?:\(nil\)|\{(.*)\})\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	pair    = regexp.MustCompile(`\{Namespace: "", Key: ` + text + `, Val: ` + text + `\}`)
	handler = regexp.MustCompile(`vgn\.DOMEventHandlerSpecList = append\(vgn\.DOMEventHandlerSpecList, vugu\.DOMEventHandlerSpec\{\n\s*EventType:\s*` + text + `,\n\s*Func:\s*(func\(event vugu\.DOMEvent\) \{.*\}),\n\s*// TODO.*\n\s*\}\)\n`)
	words   = regexp.MustCompile(`vgn\.SetInnerHTML\((.*)\)\n`)
	unused  = regexp.MustCompile(`(?m)^(import "(?:fmt|reflect|log|github\.com/vugu/vjson)"|import js "github\.com/vugu/vugu/js"|// 'fix' unused imports|var _ (?:fmt\.Stringer|reflect\.Type|vjson\.RawMessage|js\.Value|log\.Logger))\n`)
)

// Shrink rewrites what vugugen wrote, and formats it.
func Shrink(code []byte) ([]byte, error) {
	code = space.ReplaceAll(code, nil)
	code = static.ReplaceAll(code, []byte("content(vgparent, \"$1\")\n"))
	code = tag.ReplaceAllFunc(code, func(m []byte) []byte {
		part := tag.FindSubmatch(m)
		call := `vgn = element(vgparent, "` + string(part[1]) + `"`
		for _, a := range pair.FindAllSubmatch(part[2], -1) {
			call += fmt.Sprintf(`, "%s", "%s"`, a[1], a[2])
		}
		return []byte(call + ")\n")
	})
	code = handler.ReplaceAll(code, []byte("listen(vgn, \"$1\", $2)\n"))
	code = words.ReplaceAllFunc(code, func(m []byte) []byte {
		if arg := words.FindSubmatch(m)[1]; !bytes.HasPrefix(arg, []byte("vugu.HTML(")) {
			return []byte("content(vgn, " + string(arg) + ")\n")
		}
		return m
	})
	for _, line := range unused.FindAll(code, -1) {
		if !needed(code, line) {
			code = bytes.Replace(code, line, nil, 1)
		}
	}
	return format.Source(code)
}

// needed tells whether an import that vugugen always writes has a use besides the line that keeps it from being an error.
func needed(code, line []byte) bool {
	quoted := regexp.MustCompile(`"([^"]*)"`).FindSubmatch(line)
	name := ""
	switch {
	case quoted != nil:
		name = filepath.Base(string(quoted[1]))
	case bytes.HasPrefix(line, []byte("var _ ")):
		name, _, _ = strings.Cut(strings.TrimPrefix(string(line), "var _ "), ".")
	default:
		return false
	}
	return bytes.Count(code, []byte(name+".")) > 1
}
