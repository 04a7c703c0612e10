package e2e

import (
	"testing"

	"github.com/keyloupe/keyloupe/internal/browser"
)

func TestThePageStartsAndItsEngineAnswers(t *testing.T) {
	tab := browser.New(t)
	tab.Open(serve(t))
	tab.WaitText("#app", "engine ready")
	tab.Shot("start")
}
