package catalog_test

import (
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/resp"
)

var _ catalog.Sink = (*resp.Writer)(nil)
