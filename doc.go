// Package keyloupe is the root of a magnifying glass for Valkey's memory; see README.md.
package keyloupe
