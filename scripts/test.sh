#!/usr/bin/env bash
# Runs the steps of the tests, each failing loudly; without arguments those of
# `make test`, in order. Steps:
#
#   install    what the machine lacks (scripts/install.sh)
#   format     gofmt
#   generated  generated code is current; its contracts pass buf lint
#   web        types, unit tests and build of the page (before vet: Go embeds it)
#   vet        go vet, under every build tag, and of bench, a module of its own
#   lint       staticcheck
#   pure       tests of what has no concurrency, without -race
#   race       all other tests, with -race, beside PostgreSQL and Redis
#   browser    the page in Chromium, against the built binary
#   long       the long end-to-end tests (build tag long)
#   seeded     the harness finds the bugs seeded under the build tag seededbugs
#   disk-faults  the disk is full or fails while people play; as root
#   torture    disk-faults, 100,000 simulated games (SIM_GAMES) and 1,000 games
#              while processes die (GAMES), both from SEED, then the long tests
#              COUNT times, until one fails
#   fuzz       every fuzz target for FUZZTIME
set -euo pipefail
cd "$(dirname "$0")/.."

run() { echo "+ $*"; "$@"; }

# packages pure|race lists the packages of a step. Perft tables, the engine,
# the hands and the simulation, which does one step at a time, take ten times as
# long with -race and gain nothing.
pure='^tabuleiro/(games|services/search/engine|edge/hands|e2e/sim)(/|$)'
packages() {
  case $1 in
    pure) go list ./... | grep -E "$pure" ;;
    race) go list ./... | grep -Ev "$pure" ;;
  esac
}

step_install() { run scripts/install.sh; }

step_format() {
  local bad
  echo "+ gofmt -l"
  bad=$(find . -name '*.go' -not -path './web/node_modules/*' -exec gofmt -l {} +)
  [[ -z $bad ]] || { printf 'not formatted (make fmt):\n%s\n' "$bad" >&2; return 1; }
}

step_generated() {
  run go run ./internal/protogen -check -image .cache/image.binpb
  run go tool -modfile=tools/go.mod buf lint .cache/image.binpb --config tools/buf.yaml
}

step_web() { run scripts/web.sh test; }

step_vet() {
  run go vet ./...
  run go vet -tags long ./e2e/...
  run go vet -tags diskfaults ./e2e/...
  run go vet -tags seededbugs ./...
  run go -C bench vet ./...
}

step_lint() { run go tool staticcheck ./...; }

step_pure() {
  local list
  list=$(packages pure)
  # shellcheck disable=SC2086 # one word a package
  run go test -timeout 5m $list
  run go -C bench test ./...
}

# The binary that tests start as processes of their own; they find it in
# TABULEIRO_TEST_BINARY.
binary() {
  run make --no-print-directory build
  export TABULEIRO_TEST_BINARY=$PWD/bin/tabuleiro
}

step_race() {
  local list
  list=$(packages race)
  binary
  # shellcheck disable=SC2086
  run scripts/with-services.sh go test -race -timeout 10m $list
}

step_browser() {
  binary
  run scripts/with-services.sh node --test web/browser/
}

step_long() {
  binary
  run scripts/with-services.sh go test -tags long -timeout 20m ./e2e/...
}

step_seeded() {
  run go test -tags seededbugs -timeout 5m -run Seeded ./services/search/engine/...
  [[ -n $(go test -tags seededbugs -list Seeded ./e2e/... | grep '^Test') ]] ||
    { echo "no seeded-bug test was found" >&2; return 1; }
  run go build -tags seededbugs -o bin/tabuleiro-seeded ./cmd/tabuleiro
  export TABULEIRO_TEST_BINARY=$PWD/bin/tabuleiro-seeded
  run scripts/with-services.sh go test -tags seededbugs -timeout 20m -run Seeded ./e2e/...
}

# In a mount namespace of its own: its small disks are gone with it.
step_disk-faults() {
  ((EUID == 0)) || { echo "disk-faults: only root may mount a small disk and trace a process" >&2; return 1; }
  command -v strace >/dev/null || { echo "disk-faults: strace is missing: apt-get install strace" >&2; return 1; }
  binary
  run unshare --mount --propagation private go test -tags diskfaults -timeout 20m -v -run 'TestDiskFull|TestFsyncFails' ./e2e/torture
}

step_torture() {
  step_disk-faults
  run go test -timeout 0 -v -run 'TestSimulation$' ./e2e/sim -sim.games "${SIM_GAMES:-100000}" -sim.seed "${SEED:-1}"
  run scripts/with-services.sh go test -tags long -timeout 0 -v -run Long ./e2e/torture -seed "${SEED:-1}" \
    -games "${GAMES:-1000}" -kills 160 -pauses 60 -cuts 160
  run scripts/with-services.sh go test -tags long -timeout 0 -failfast -skip Simulation -count "${COUNT:-5}" ./e2e/...
}

step_fuzz() {
  local package target
  for package in $(go list ./...); do
    for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
      run go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" "$package"
    done
  done
}

if (($# == 0)); then set -- install format generated web vet lint pure race browser; fi
for step in "$@"; do
  [[ $(type -t "step_$step") == function ]] || { echo "scripts/test.sh: no step $step" >&2; exit 2; }
done
for step in "$@"; do
  echo "=== $step"
  began=$SECONDS
  # Not in a condition: there bash would go on after a failing command.
  trap 'echo "=== $step FAILED after $((SECONDS - began)) s" >&2' ERR
  set -E
  "step_$step"
  echo "=== $step passed in $((SECONDS - began)) s"
done
