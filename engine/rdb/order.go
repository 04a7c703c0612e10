package rdb

import "encoding/binary"

var le, be = binary.LittleEndian, binary.BigEndian
