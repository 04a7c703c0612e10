module github.com/keyloupe/keyloupe

go 1.26
