//go:build !js

package main

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

func readConfigs(s *realserver.Server) ([]*catalog.Config, error) {
	all, ok := s.Do("CONFIG", "GET", "*").(realserver.Map)
	if !ok {
		return nil, fmt.Errorf("CONFIG GET * is no map")
	}
	var configs []*catalog.Config
	for _, p := range all {
		configs = append(configs, &catalog.Config{Name: text(p.Key), Default: text(p.Value)})
	}
	return configs, nil
}
