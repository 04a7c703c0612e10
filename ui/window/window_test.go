package window

import "testing"

func TestTheRowsInViewAreDrawn(t *testing.T) {
	cases := []struct {
		l          List
		first, end int
	}{
		{List{}, 0, 0},
		{List{Rows: 3, Height: 30, View: 300}, 0, 3},
		{List{Rows: 1000, Height: 30, View: 300}, 0, 11},
		{List{Rows: 1000, Height: 30, View: 300, Top: 45}, 1, 12},
		{List{Rows: 1000, Height: 30, View: 300, Top: 3000, Spare: 5}, 95, 116},
		{List{Rows: 1000, Height: 30, View: 300, Top: 29_700, Spare: 5}, 985, 1000},
		{List{Rows: 1000, Height: 30, View: 300, Top: 9_999_999}, 990, 1000},
		{List{Rows: 1000, Height: 30, View: 300, Top: -50}, 0, 11},
		{List{Rows: 5, Height: 30, View: 300, Top: 500}, 0, 5},
	}
	for _, c := range cases {
		if first, end := c.l.Range(); first != c.first || end != c.end {
			t.Errorf("%+v: %d..%d, want %d..%d", c.l, first, end, c.first, c.end)
		}
	}
}

func TestEveryRowOfAnyListCanBeScrolledIntoView(t *testing.T) {
	for _, rows := range []int{1, 7, 1000, 100_000, 10_000_000} {
		for _, row := range []int{0, 1, rows / 3, rows / 2, rows - 2, rows - 1} {
			l := List{Rows: rows, Height: 30, View: 300, Spare: 3, Top: rows * 10}
			row = max(0, min(row, rows-1))
			l.Top = l.ScrollTo(row)
			first, end := l.Range()
			if row < first || row >= end || end-first > 20 {
				t.Errorf("%d rows: row %d, drawn %d..%d", rows, row, first, end)
			}
			y := l.Offset() + (row-first)*l.Height - l.Top
			if y < -l.Height || y > l.View {
				t.Errorf("%d rows: row %d is drawn at %d of %d pixels", rows, row, y, l.View)
			}
			if l.Total() > maxPixels {
				t.Errorf("%d rows: %d pixels tall", rows, l.Total())
			}
			if again := l.ScrollTo(row); again != l.Top && rows < 1000 {
				t.Errorf("%d rows: a row in view scrolls from %d to %d", rows, l.Top, again)
			}
		}
	}
}
