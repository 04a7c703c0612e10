// Package catalog knows which commands and which config directives each release line has, what the server tells about
// them, and how a command line goes on.
//
//	catalog.bin = deflate ( strings | commands | lines )
//	                          │          │          └ "9.1.2": commands 0 3 4 7 …, configs …
//	                          │          └ each distinct entry once, whichever lines share it
//	                          └ each distinct string once
//
// The data comes from real servers (go run ./internal/gencatalog); the lines 8.0 and 7.2, of which no program can be
// had, are derived from 8.1.8 by leaving out what the server says is newer, and say so in Catalog.Derived.
//
// The order of COMMAND, COMMAND DOCS and COMMAND LIST without names is that of a hash table in the server and differs
// from start to start; here it is the order of names.
package catalog
