// Package sweeping is the state of the Sweep page: what the form says, the plan and the chart made of it, the
// crosshair, windows of its rows, its cliffs. It computes no sizes: they are engine/sweep's.
//
//	texts of the form --sweep.New--> plan --draw.Sweep--> chart
//	                                  |--> rows of the table, rows at the crosshair, cliffs
package sweeping
