package command

import "testing"

func TestARateIsTheMeanOfTheLastSamples(t *testing.T) {
	var r rate
	now := int64(1_000_000)
	r.sample(5, now) // the first one only begins
	for i := int64(1); i <= 16; i++ {
		r.sample(5+10*i, now+i*100_000)
	}
	if got := r.perSecond(); got != 100 {
		t.Errorf("%d a second after 16 samples of 10 in 100 ms", got)
	}
	r.sample(1000, now+16*100_000+50_000) // too early to count
	if got := r.perSecond(); got != 100 {
		t.Errorf("%d a second after a sample that came too early", got)
	}
	r.sample(0, now+17*100_000) // the counter was reset
	r.sample(32, now+18*100_000)
	if got := r.perSecond(); got != (15*100+320)/16 {
		t.Errorf("%d a second after a reset", got)
	}
}
