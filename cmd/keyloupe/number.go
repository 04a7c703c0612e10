package main

import (
	"fmt"
	"strconv"
	"strings"
)

// number is the value of a flag that counts things or bytes: 200, 200_000, 200k, 1M.
type number struct {
	n         *int
	low, high int
}

// units of numbers, as those of sweeps are.
var units = map[byte]int{'k': 1e3, 'K': 1e3, 'M': 1e6, 'G': 1e9}

func (v number) String() string {
	if v.n == nil {
		return "0"
	}
	for _, u := range "GMk" {
		if unit := units[byte(u)]; *v.n > 0 && *v.n%unit == 0 {
			return strconv.Itoa(*v.n/unit) + string(u)
		}
	}
	return strconv.Itoa(*v.n)
}

func (v number) Type() string { return "number" }

func (v number) Set(text string) error {
	digits, unit := strings.ReplaceAll(text, "_", ""), 1
	if len(digits) > 1 && units[digits[len(digits)-1]] > 0 {
		unit = units[digits[len(digits)-1]]
		digits = digits[:len(digits)-1]
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil && strings.Trim(digits, "0123456789") != "" || digits == "":
		return fmt.Errorf("%q is not a whole number such as 200, 200k or 1M", text)
	case err != nil || n < 0 || n > int64(v.high/unit) || int(n)*unit < v.low:
		return fmt.Errorf("%s is not from %d to %d", text, v.low, v.high)
	}
	*v.n = int(n) * unit
	return nil
}
