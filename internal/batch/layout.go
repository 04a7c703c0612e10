package batch

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// image is a key's line in images/.
type image struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Version  string          `json:"version"`
	Profile  string          `json:"profile"`
	Key      string          `json:"key"`
	Cmds     [][]string      `json:"cmds,omitempty"`
	Type     string          `json:"type"`
	Encoding string          `json:"encoding"`
	Usage    int             `json:"usage"`
	Expire   int64           `json:"expire"`
	Total    int             `json:"total"`
	Blocks   []imageBlock    `json:"blocks"`
	Vset     []string        `json:"vset,omitempty"`
}

type imageBlock struct {
	Name     string         `json:"name"`
	Size     int            `json:"size"`
	Used     int            `json:"used"`
	Hex      string         `json:"hex"`
	Pointers []imagePointer `json:"pointers"`
	Masked   []layout.Mask  `json:"masked,omitempty"`
	Fields   []imageField   `json:"fields,omitempty"`
	Shared   bool           `json:"shared,omitempty"`
}

type imagePointer struct {
	Off    int    `json:"offset"`
	Target string `json:"target"`
}

type imageField struct {
	Off  int    `json:"offset"`
	Len  int    `json:"len"`
	Name string `json:"name"`
}

// profiles is how the golden data calls the builds.
var profiles = map[string]string{"jemalloc": "oss", "distro": "distro", "libc": "libc", "managed": "managed"}

// Layout runs cases {id, key, cmds}, a line each, on an empty server each, and writes the blocks
// behind each key.
func Layout(in io.Reader, out io.Writer, t Target) error {
	return lines(in, out, func(line []byte) (any, error) {
		var c struct {
			ID   json.RawMessage `json:"id"`
			Key  *string         `json:"key"`
			Cmds [][]string      `json:"cmds"`
		}
		if err := decode(line, &c); err != nil {
			return nil, err
		}
		if c.Key == nil {
			return nil, fmt.Errorf("the case has no \"key\": name the key to show")
		}
		key, err := argument(*c.Key)
		if err != nil {
			return nil, err
		}
		s, err := t.start()
		if err != nil {
			return nil, err
		}
		for i, cmd := range c.Cmds {
			args, err := arguments(cmd)
			if err != nil {
				return nil, fmt.Errorf("command %d: %w", i+1, err)
			}
			if _, err := execute(s, args); err != nil {
				return nil, fmt.Errorf("command %d: %w", i+1, err)
			}
		}
		k, err := s.Layout(string(key))
		if err != nil {
			return nil, err
		}
		return imageOf(s, c.ID, c.Cmds, k), nil
	})
}

func imageOf(s *engine.Server, id json.RawMessage, cmds [][]string, k *engine.KeyLayout) *image {
	im := &image{ID: id, Version: s.Release.Version, Profile: profiles[s.Release.Build.Name], Key: Text(k.Key), Cmds: cmds,
		Type: k.Type, Encoding: k.Encoding, Usage: k.Usage, Expire: k.Expire, Vset: k.Vset, Blocks: []imageBlock{}}
	for _, b := range k.Blocks {
		im.Blocks = append(im.Blocks, blockOf(b))
		im.Total += b.Size
	}
	return im
}

// blockOf is a block without the bytes that differ from run to run, its fields in parts.
func blockOf(b *layout.Block) imageBlock {
	data := append([]byte(nil), b.Bytes...)
	out := imageBlock{Name: b.Name, Size: b.Size, Used: b.Used, Masked: b.Masks, Shared: b.Shared, Pointers: []imagePointer{}}
	for _, m := range b.Masks {
		clear(data[m.Off : m.Off+m.Len])
	}
	for _, f := range b.Fields {
		if f.Target != "" {
			clear(data[f.Off : f.Off+f.Len])
			out.Pointers = append(out.Pointers, imagePointer{f.Off, f.Target})
		}
		if b.Plain || f.Part == "" || f.Role == layout.Slack {
			continue
		}
		n := len(out.Fields)
		if n > 0 && out.Fields[n-1].Name == f.Part && f.Off <= out.Fields[n-1].Off+out.Fields[n-1].Len {
			last := &out.Fields[n-1]
			last.Len = max(last.Len, f.Off+f.Len-last.Off)
			continue
		}
		out.Fields = append(out.Fields, imageField{f.Off, f.Len, f.Part})
	}
	out.Hex = hex.EncodeToString(data)
	return out
}
