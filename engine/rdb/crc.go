package rdb

import "hash/crc64"

// jones is the CRC's polynomial, bits reversed.
var jones = crc64.MakeTable(0x95ac9329ac4bc9b5)

// Checksum is the CRC64 of the server (crc64.c): the polynomial of Jones, reflected, without the
// inversions that package crc64 does at both ends.
func Checksum(b []byte) uint64 { return ^crc64.Update(^uint64(0), jones, b) }
