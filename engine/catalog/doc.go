// Package catalog knows which commands and which config directives each release line has, what the server tells about
// them, and how a command line goes on.
//
//	catalog.bin = deflate ( strings | commands | lines )
//	                          │          │          └ "9.1.2": commands 0 3 4 7 …, configs …
//	                          │          └ each distinct entry once, whichever lines share it
//	                          └ each distinct string once
//
// The data comes from real servers: go generate ./engine/catalog. The lines 8.0 and 7.2, of which no program can be had,
// are derived from 8.1.8 by leaving out what the server says is newer and undoing what is known besides
// (internal/gencatalog/undo.go), and say so in Table.Derived. So derived, 7.2 was once held against the answers of
// 7.2.4, its ancestor: equal but for lua-enable-insecure-api, which a later patch brought. Data of 8.1 is that of 8.1.8
// and data of 9.0 that of 9.0.0; other patches of these lines are assumed to answer alike.
//
// A Catalog answers the COMMAND family (Reply), names what is wrong with a line (Unknown, WrongArity), and helps to
// type one (Syntax, Hint, Next, Complete). Settings answer CONFIG GET and CONFIG SET.
//
// The order of COMMAND, COMMAND DOCS and COMMAND LIST without names is that of a hash table in the server and differs
// from start to start; here it is the order of names.
package catalog

//go:generate go run ../../internal/gencatalog -o catalog.bin
