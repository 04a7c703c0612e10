// Package window says which rows of a long list are worth drawing.
package window

// List is a scrolled list of rows of equal height.
type List struct {
	Rows   int // how many rows there are
	Height int // of one row, in pixels
	View   int // height of the viewport, in pixels
	Top    int // scroll offset, in pixels
	Spare  int // rows drawn beyond each edge, so that scrolling does not show a gap
}

// maxPixels is the tallest element that browsers lay out exactly; Firefox stops at about 17.9 million.
const maxPixels = 8_000_000

// Range is the rows to draw: First included, End not.
func (l List) Range() (first, end int) {
	if l.Rows <= 0 || l.Height <= 0 {
		return 0, 0
	}
	first = l.at() - l.Spare
	end = l.at() + (l.View+l.Height-1)/l.Height + 1 + l.Spare
	first = max(0, min(first, l.Rows-1))
	return first, max(first, min(end, l.Rows))
}

// Total is the height of the whole list, in pixels: what the scroll bar stands for.
func (l List) Total() int { return min(l.Rows*l.Height, maxPixels) }

// Offset is where the row First of Range is drawn, in pixels from the top of the list.
func (l List) Offset() int {
	first, _ := l.Range()
	if !l.scaled() {
		return first * l.Height
	}
	return max(0, l.top()-(l.at()-first)*l.Height)
}

// ScrollTo is the offset that shows a row: the present one if it is in view already.
func (l List) ScrollTo(row int) int {
	row = max(0, min(row, l.Rows-1))
	l.Top = l.top()
	if l.scaled() {
		shown := l.View / l.Height
		if at := l.at(); row >= at && row < at+shown {
			return l.Top
		}
		return int(int64(max(0, row-shown/2)) * int64(l.Total()-l.View) / int64(max(1, l.Rows-shown)))
	}
	top := row * l.Height
	switch {
	case top < l.Top:
		return top
	case top+l.Height > l.Top+l.View:
		return max(0, top+l.Height-l.View)
	}
	return l.Top
}

// scaled tells that the list is taller than an element may be, so that a pixel of the scroll bar is more than a pixel.
func (l List) scaled() bool { return l.Rows*l.Height > maxPixels }

// top is Top within what can be scrolled.
func (l List) top() int { return max(0, min(l.Top, l.Total()-l.View)) }

// at is the first row in view.
func (l List) at() int {
	if !l.scaled() {
		return l.top() / l.Height
	}
	return int(int64(l.top()) * int64(l.Rows-l.View/l.Height) / int64(l.Total()-l.View))
}
