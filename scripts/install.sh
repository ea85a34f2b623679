#!/usr/bin/env bash
# Installs what the tests need and a fresh Debian machine lacks: the server
# programs of Redis and PostgreSQL, and Chromium. Nothing is started or enabled:
# tests run private instances (scripts/with-services.sh).
#
#   scripts/install.sh            install what is missing (needs root)
#   scripts/install.sh --check    only say what is missing; exit 1 if anything is
set -euo pipefail

# pg_bin prints the folder of the newest PostgreSQL server programs.
pg_bin() {
  local dir
  for dir in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
    if [[ -x $dir/initdb && -x $dir/postgres ]]; then echo "$dir"; return; fi
  done
  dir=$(command -v initdb) && [[ -x $(dirname "$dir")/postgres ]] && dirname "$dir"
}

missing=()
command -v redis-server >/dev/null && command -v redis-cli >/dev/null || missing+=(redis-server)
pg_bin >/dev/null || missing+=(postgresql)
command -v chromium >/dev/null || missing+=(chromium)

if ((${#missing[@]} == 0)); then
  echo "install: nothing is missing"
  exit 0
fi
if [[ ${1:-} == --check ]]; then
  echo "install: missing: ${missing[*]}"
  exit 1
fi
if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
  cat >&2 <<MESSAGE
install: the tests need Debian packages that are missing here, and this user cannot install them.
As root, run either this script or:
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf   # if PostgreSQL is new here
  apt-get update && apt-get install --no-install-recommends ${missing[*]}
MESSAGE
  exit 1
fi

echo "install: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
if [[ ! -e /etc/postgresql-common/createcluster.conf ]]; then
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
fi

# A policy that refuses every start keeps apt from running the new services. An
# existing policy belongs to the machine and stays.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
apt-get update -q
apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-confold "${missing[@]}"

# Only what this run brought in: it would start at the next boot.
if [[ -d /run/systemd/system ]]; then
  for package in "${missing[@]}"; do
    case $package in redis-server | postgresql) systemctl disable --quiet "$package" || true ;; esac
  done
fi

hash -r
for program in redis-server redis-cli chromium; do
  command -v "$program" >/dev/null || { echo "install: $program is still missing" >&2; exit 1; }
done
pg_bin >/dev/null || { echo "install: PostgreSQL's initdb is still missing" >&2; exit 1; }
echo "install: done"
