package rdb

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	magicSize   = 9
	redisMagic  = "REDIS0"
	valkeyMagic = "VALKEY"
	checksummed = 5 // first version with a checksum at the end
)

// Magic is how a file of a version begins.
func Magic(version int) string {
	if version >= FirstValkey {
		return fmt.Sprintf("%s%03d", valkeyMagic, version)
	}
	return fmt.Sprintf("%s%03d", redisMagic, version)
}

// Entry is a key of a file.
type Entry struct {
	DB       int
	Key      []byte
	ExpireAt int64 // Unix ms, -1 for none
	Idle     int64 // seconds, -1 where it is not told
	Freq     int   // -1 where it is not told
	Value    Value
	End      int   // offset in the file behind it
	Err      error // ErrEmpty or ErrExpired where the key is to be skipped
}

// Visitor is told what a file has. An error that it returns ends the reading.
type Visitor interface {
	Select(db int) error
	Resize(keys, expires int) // of the database selected last; before its first key
	Key(e *Entry) error
	Note(text string) // what is in the file and has no place in a simulated server
}

// FileError tells where a file is not what it should be.
type FileError struct {
	Offset int
	What   string
}

func (e *FileError) Error() string { return fmt.Sprintf("RDB file, byte %d: %s", e.Offset, e.What) }

// file is a file being read.
type file struct {
	*Reader
	rules   *Rules
	v       Visitor
	version int
	entry   Entry
	sizes   *[2]int // of the database, to be told with its first key
}

func (f *file) fail(format string, args ...any) error {
	return &FileError{f.at, fmt.Sprintf(format, args...)}
}

// Version reads how a file begins.
func Version(b []byte) (version int, ok bool) {
	if len(b) < magicSize {
		return 0, false
	}
	head := string(b[:len(redisMagic)])
	n, err := strconv.Atoi(strings.TrimLeft(string(b[len(redisMagic):magicSize]), " "))
	if err != nil || n < 1 || head != redisMagic && head != valkeyMagic || (head == valkeyMagic) != (n >= FirstValkey) {
		return 0, false
	}
	return n, true
}

// About reads what a file tells of itself before its first database, such as "valkey-ver", the release
// that wrote it, "ctime", when (Unix s), and "used-mem", its used_memory then.
func About(b []byte) map[string]string {
	told := map[string]string{}
	if _, ok := Version(b); !ok {
		return told
	}
	f := &file{Reader: NewReader(b[magicSize:])}
	var name, value []byte
	for {
		if c, ok := f.byte(); !ok || c != opAux || !f.pair(&name, &value) {
			return told
		}
		told[string(name)] = string(value)
	}
}

// Read reads a whole file for a release, whose own version is the highest it takes.
func Read(b []byte, rules *Rules, v Visitor) error {
	f := &file{Reader: NewReader(b), rules: rules, v: v}
	var ok bool
	if f.version, ok = Version(b); !ok {
		return f.fail("neither %snnn nor %snnn begins it", redisMagic, valkeyMagic)
	}
	if own := rules.Release.RDBVersion; f.version > own || Foreign(f.version) {
		return f.fail("release %s can't read version %d: it knows versions up to %d, without %d to %d", rules.Release.Version, f.version, own, LastRedis+1, FirstValkey-1)
	}
	f.at = magicSize
	f.reset()
	if err := v.Select(0); err != nil {
		return err
	}
	for {
		end, err := f.next()
		if err != nil {
			return err
		}
		if end {
			return f.checksum()
		}
	}
}

func (f *file) reset() { f.entry = Entry{DB: f.entry.DB, ExpireAt: -1, Idle: -1, Freq: -1} }

// next reads an opcode or a key.
func (f *file) next() (end bool, err error) {
	c, ok := f.byte()
	if !ok {
		return false, f.fail("it ends too early")
	}
	switch c {
	case opEnd:
		return true, nil
	case opExpire:
		if b := f.take(4); b != nil {
			f.entry.ExpireAt = int64(int32(le.Uint32(b))) * 1000
		}
	case opExpireMs:
		f.entry.ExpireAt = f.millis()
	case opFreq:
		n, _ := f.byte()
		f.entry.Freq = int(n)
	case opIdle:
		f.entry.Idle = int64(f.length())
	case opSelect:
		return false, f.selectDB()
	case opResize:
		f.sizes = &[2]int{f.hint(), f.hint()}
	case opAux:
		err = f.aux()
	case opSlotInfo:
		f.length()
		f.length()
		f.length()
	case opFunction:
		if _, ok := f.string(); !ok {
			return false, f.fail("a function library is cut off")
		}
		f.v.Note("a function library was left out: scripting is not simulated")
	case opFunctionOld:
		err = f.fail("functions of a release candidate of 7.0")
	case opSlotImport:
		err = f.fail("a slot migration was under way: cluster is not simulated")
	case opModuleAux:
		err = f.fail("%v", ModuleError{f.length()})
	default:
		return false, f.key(Type(c))
	}
	if err == nil && f.short {
		err = f.fail("it ends too early")
	}
	return false, err
}

// hint is a number of keys, no more than the rest of the file can hold.
func (f *file) hint() int { return int(min(f.length(), uint64(f.Left()/2))) }

func (f *file) selectDB() error {
	n := f.length()
	if n > 1<<31 {
		return f.fail("a database of number %d", n)
	}
	f.entry.DB = int(n)
	return f.v.Select(int(n))
}

func (f *file) aux() error {
	var name, value []byte
	if !f.pair(&name, &value) {
		return f.fail("information about the file is cut off")
	}
	return nil
}

func (f *file) key(t Type) error {
	if !t.Known(f.rules.Release.RDBVersion) || t >= Hash2 && f.version < FirstValkey {
		f.at--
		return f.fail("%d is no type of a value that release %s knows", t, f.rules.Release.Version)
	}
	if f.sizes != nil {
		f.v.Resize(f.sizes[0], f.sizes[1])
		f.sizes = nil
	}
	var ok bool
	if f.entry.Key, ok = f.string(); !ok {
		return f.fail("a key is cut off")
	}
	at := f.at
	f.entry.Value, f.entry.Err = Decode(f.Reader, t, f.rules)
	if err := f.entry.Err; err != nil && err != ErrEmpty && err != ErrExpired {
		return &FileError{at, fmt.Sprintf("key %.64q: %v", f.entry.Key, err)}
	}
	f.entry.End = f.at
	err := f.v.Key(&f.entry)
	f.reset()
	return err
}

// checksum compares what is behind the last key; 0 says that none was made.
func (f *file) checksum() error {
	if f.version < checksummed {
		return nil
	}
	at := f.at
	b := f.take(8)
	switch {
	case b == nil:
		return f.fail("the checksum is missing")
	case le.Uint64(b) == 0:
		return nil
	case le.Uint64(b) != Checksum(f.b[:at]):
		return f.fail("the checksum is wrong")
	}
	return nil
}

// Begin writes the start of a file.
func (w *Writer) Begin(version int) { w.Raw([]byte(Magic(version))) }

// Aux writes information about the file.
func (w *Writer) Aux(name, value string) {
	w.Type(opAux)
	w.String([]byte(name))
	w.String([]byte(value))
}

// Select writes which database follows, and how many keys and expiries it has.
func (w *Writer) Select(db, keys, expires int) {
	w.Type(opSelect)
	w.Len(uint64(db))
	w.Type(opResize)
	w.Len(uint64(keys))
	w.Len(uint64(expires))
}

// ExpireAt writes the expiry of the key that follows, Unix ms.
func (w *Writer) ExpireAt(ms int64) {
	w.Type(opExpireMs)
	w.Millis(ms)
}

// Idle and Freq write how the key that follows was used: seconds since then, or how often.
func (w *Writer) Idle(seconds uint64) {
	w.Type(opIdle)
	w.Len(seconds)
}

// Freq is Idle for servers that count.
func (w *Writer) Freq(n byte) {
	w.Type(opFreq)
	w.B = append(w.B, n)
}

// End writes the end of a file.
func (w *Writer) End() {
	w.Type(opEnd)
	w.Uint64(Checksum(w.B))
}
