// Package sweep computes what keys of many shapes cost on several servers, by arithmetic, without a
// heap: grids of shapes become rows, and where the rows step are the cliffs.
//
// A specification (Spec) names values of each field; New checks it before any work and makes a Plan
// of the grid. Three numbers are kept apart in every row:
//
//	memory_usage   what MEMORY USAGE of that release prints
//	allocated      usable bytes of the key's blocks, in used_memory
//	table          bytes per key of the tables of the keyspace, for a population of N keys
//
// used_memory grows by allocated + table per key. The arithmetic is that of the server's sources
// (object.c, sds.c, t_hash.c, entry.c, listpack.c, hashtable.c, dict.c), with every difference
// between releases taken from engine/release; tests hold it against golden data of real servers and
// against the heap of engine.Server.
package sweep
