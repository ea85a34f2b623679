# Every target prints what it runs. What each step of the tests does is in scripts/test.sh.

# The version is the commit, so that a binary says what it was built from.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# Flags for `make run`, such as ARGS="--data /tmp/try".
ARGS ?=
# What `make bench` measures.
BENCH ?= -what rules
# How long `make fuzz` stays at each target.
FUZZTIME ?= 30s
# How often `make torture` repeats the long tests, and from which seed it begins.
COUNT ?= 5
SEED ?= 1

.PHONY: run build web generate fmt test test-long torture disk-faults bench matches microbench fuzz clean

run: web build
	exec bin/tabuleiro up $(ARGS)

build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-X main.version=$(VERSION)" -o bin/tabuleiro ./cmd/tabuleiro

# The page is embedded by the next build; without Node 20.19+ the binary serves the API alone.
web:
	scripts/web.sh build

generate:
	go run ./internal/protogen

fmt:
	gofmt -w $$(find . -name '*.go' -not -path './web/node_modules/*')
	go tool -modfile=tools/go.mod buf format -w proto

# 10 minutes warm, 20 cold, on two cores.
test:
	scripts/test.sh

# At most 15 minutes: longer simulation, and the bugs that the harness must find.
test-long:
	scripts/test.sh long seeded

# By hand only, from here on.
torture:
	COUNT=$(COUNT) SEED=$(SEED) scripts/test.sh torture

# The disk is full or fails while people play. As root: it mounts a small disk and
# traces a process (apt-get install strace). `make torture` begins with it.
disk-faults:
	scripts/test.sh disk-faults

# Figures, kept in docs/figures (README.md there). BENCH="-what rules -only pgn"
# takes a part of them and keeps nothing.
bench:
	cd bench && go run . $(BENCH)

# The standing matches of the engine, and what each pruning of its search is worth
# (docs/figures/matches.md, ablation.md), for hours: ONLY=ethereal takes one of them.
# What was broken off goes on.
matches: build
	scripts/matches.sh

# The benchmarks of single packages, to look into what a figure says.
microbench:
	go test -run '^$$' -bench . -benchmem ./games/... ./services/rules/... ./services/search/engine/...

fuzz:
	FUZZTIME=$(FUZZTIME) scripts/test.sh fuzz

clean:
	rm -rf bin .cache web/dist/assets web/dist/index.html
