#!/usr/bin/env bash
# Builds or tests the web client.
#
#   scripts/web.sh build    into web/dist, from where Go embeds it; without a
#                           fitting Node says so and succeeds
#   scripts/web.sh test     types, unit tests, build; needs Node
set -euo pipefail
cd "$(dirname "$0")/../web"

# What Vite 8 asks for.
node_fits() {
  command -v node >/dev/null && command -v npm >/dev/null && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1)'
}

step() { echo "+ (web) $*"; "$@"; }

# npm ci empties node_modules first: only when the lock file has changed since.
install() {
  if [[ node_modules/.package-lock.json -nt package-lock.json ]]; then return; fi
  step npm ci --no-audit --no-fund
  touch node_modules/.package-lock.json
}

case ${1:-} in
  build)
    if ! node_fits; then
      echo "web: no Node 20.19 or later here: the page is not built, the API works without it"
      exit 0
    fi
    install
    step npx --no-install vite build
    ;;
  test)
    node_fits || { echo "web: Node 20.19 or later is needed" >&2; exit 1; }
    install
    step npx --no-install tsc --noEmit
    step npx --no-install vitest run
    step npx --no-install vite build
    ;;
  *)
    echo "usage: scripts/web.sh build|test" >&2
    exit 2
    ;;
esac
