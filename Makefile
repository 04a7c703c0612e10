# Keyloupe: `make help` lists what can be made.
LISTEN    ?= 127.0.0.1:8080
PORT      ?= 8787
GO        ?= go
export CGO_ENABLED ?= 0

WASM_EXEC := $(shell $(GO) env GOROOT)/lib/wasm/wasm_exec.js
GO_FILES  := $(shell find . -name '*.go' -not -path '*/node_modules/*' -not -name '*_test.go')
# The page's code is not inlined, but for what every simulated byte goes through: a fifth of the download for nothing a
# person notices (RATIONALE.md).
HOT        := sweep heap hashtable siphash sds object
WASM_FLAGS := -trimpath -ldflags='-s -w' -gcflags=all=-l -gcflags=encoding/binary= $(HOT:%=-gcflags=github.com/keyloupe/keyloupe/engine/%=)
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
COMMIT_TIME = $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
PAGE      := public/app.wasm public/app.wasm.br public/wasm_exec.js public/scenarios.json public/scenarios.json.br

.PHONY: help run build worker worker-run deploy generate test bench man dist fmt lint clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build the page and serve it: make run LISTEN=127.0.0.1:0 takes any free port
	@exec bin/keyloupe serve --listen $(LISTEN)

build: bin/keyloupe ## build bin/keyloupe, and in public everything the page loads

bin/keyloupe: $(GO_FILES) $(PAGE) $(wildcard public/*) go.mod
	$(GO) build -trimpath -ldflags='-s -w' -o $@ ./cmd/keyloupe

public/app.wasm: $(GO_FILES) go.mod
	GOOS=js GOARCH=wasm $(GO) build $(WASM_FLAGS) -o bin/app.full.wasm ./wasm/app
	@$(GO) run ./internal/tool/slimwasm bin/app.full.wasm $@

public/scenarios.json: $(GO_FILES) go.mod
	$(GO) run ./internal/tool/scenarios $@

%.br: %
	$(GO) run ./internal/tool/precompress $<

public/wasm_exec.js: $(WASM_EXEC)
	cp $(WASM_EXEC) $@

man: ## write manual pages into dist/man
	@rm -rf dist/man
	SOURCE_DATE_EPOCH=$(COMMIT_TIME) $(GO) run -tags man ./cmd/keyloupe man dist/man

dist: build man ## static programs for Linux, macOS and Windows as archives in dist, with SHA256SUMS
	rm -rf dist/*.tar.gz dist/*.zip dist/image dist/SHA256SUMS
	$(GO) run ./internal/tool/dist -version $(VERSION) -time $(COMMIT_TIME)

generate: ## make the Go code of the .vugu files (committed; a test checks that it is up to date)
	$(GO) generate ./ui

test: build ## every test, in a real browser too (CHROMIUM=path names one)
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./ui/... ./wasm/...
	scripts/with-tools $(GO) test -timeout 45m ./...

bench: build bin/inpage.wasm ## every budget beside what was measured: make bench ARGS='-quick -run SET'
	$(GO) build -o bin/bench ./internal/bench
	scripts/with-tools bin/bench $(ARGS)

bin/inpage.wasm: $(GO_FILES) go.mod
	GOOS=js GOARCH=wasm $(GO) build $(WASM_FLAGS) -o bin/inpage.full.wasm ./internal/bench/inpage
	@$(GO) run ./internal/tool/slimwasm bin/inpage.full.wasm $@

worker: ## build the Cloudflare Worker in build/worker
	scripts/build-worker

worker-run: worker wasm/worker/node_modules ## run the Worker on workerd: make worker-run PORT=8787
	@exec node wasm/worker/run.mjs $(PORT)

deploy: worker build wasm/worker/node_modules ## deploy the Worker (docs/worker.md)
	wasm/worker/node_modules/.bin/wrangler deploy

wasm/worker/node_modules: wasm/worker/package-lock.json
	cd wasm/worker && npm ci --ignore-scripts && touch node_modules

fmt: ## format Go and Vugu files
	gofmt -w $$(git ls-files '*.go' ':!:*_gen.go')
	$(GO) tool vugufmt -w ui

lint: ## vet, staticcheck, format
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./ui/... ./wasm/...
	$(GO) vet -tags man ./cmd/keyloupe
	$(GO) tool staticcheck ./...
	@test -z "$$(gofmt -l $$(git ls-files '*.go' ':!:*_gen.go'))" || { echo 'not formatted: run make fmt'; exit 1; }

clean: ## remove what was built
	rm -rf bin build dist public/app.wasm public/app.wasm.br public/app.wasm.gz public/wasm_exec.js public/scenarios.json*
