// Package rdb is the format of RDB files and of the payloads of DUMP and RESTORE.
//
//	file     | REDIS0011 or VALKEY080 | opcode ... | 0xff | crc64 8 |
//	entry    | 0xfc expiry 8 | type 1 | key: string | value |             expiry only where there is one
//	payload  | type 1 | value | version 2 | crc64 8 |                     DUMP, RESTORE
//	length   | 00 + 6 bits |  | 01 + 14 bits |  | 0x80 32 bits |  | 0x81 64 bits |    big endian
//	string   | length | bytes |    | 0xc0, 0xc1, 0xc2 integer of 1, 2, 4 bytes |
//	         | 0xc3 length of what follows, length of the text, LZF |
//
// Decode and Read take input of any origin: they never panic, and their work and memory are bounded
// by the length of the input (a byte of LZF gives 88 bytes of text at most). They make Go values, not
// blocks of the heap: how a value is built is a matter of the server that loads it (engine/command).
// Source: rdb.c, rdb.h, cluster.c, lzf_c.c of each release.
package rdb

// Type is the code of a value in a file.
type Type uint8

// The codes (rdb.h). Those that no release from 7.2 on writes are read only.
const (
	String         Type = 0
	List           Type = 1 // read only
	Set            Type = 2
	Zset           Type = 3 // read only; scores are texts
	Hash           Type = 4
	Zset2          Type = 5
	ModulePreGA    Type = 6
	Module2        Type = 7
	HashZipmap     Type = 9  // read only
	ListZiplist    Type = 10 // read only
	SetIntset      Type = 11
	ZsetZiplist    Type = 12 // read only
	HashZiplist    Type = 13 // read only
	ListQuicklist  Type = 14 // read only; nodes are ziplists
	Stream1        Type = 15 // read only
	HashListpack   Type = 16
	ZsetListpack   Type = 17
	ListQuicklist2 Type = 18
	Stream2        Type = 19 // read only
	SetListpack    Type = 20
	Stream3        Type = 21
	Hash2          Type = 22 // fields with an expiry; 9.0 and later
)

// Known tells whether a code is that of a value in files of a version.
func (t Type) Known(version int) bool {
	return t <= Module2 || t >= HashZipmap && t <= Stream3 || t == Hash2 && version >= FirstValkey
}

// Versions of the format.
const (
	LastRedis   = 11 // 7.2, 8.0, 8.1
	FirstValkey = 80 // 9.0, 9.1
)

// Foreign tells whether a version is one of another server's, whose format went other ways.
func Foreign(version int) bool { return version > LastRedis && version < FirstValkey }

// Opcodes of a file.
const (
	opSlotImport  = 243
	opSlotInfo    = 244
	opFunction    = 245
	opFunctionOld = 246
	opModuleAux   = 247
	opIdle        = 248
	opFreq        = 249
	opAux         = 250
	opResize      = 251
	opExpireMs    = 252
	opExpire      = 253
	opSelect      = 254
	opEnd         = 255
)

// What the first two bits of a length, or its first byte, say.
const (
	len14    = 1
	len32    = 0x80
	len64    = 0x81
	encoded  = 3
	encInt8  = 0
	encInt16 = 1
	encInt32 = 2
	encLZF   = 3
)

// Containers of a list's nodes.
const (
	Plain  = 1 // one element as it is
	Packed = 2 // a listpack
)
