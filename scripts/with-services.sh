#!/usr/bin/env bash
# Runs a command beside a private PostgreSQL and a private Redis on free ports in
# a temporary folder, and returns the command's exit code. Both servers are gone
# afterwards, however it ends; the system's own are never touched.
#
#   scripts/with-services.sh COMMAND [ARGUMENT...]
#
# The command finds, in its environment:
#   TABULEIRO_TEST_POSTGRES   postgres://... of an empty database, as superuser
#   TABULEIRO_TEST_REDIS      redis://... of an empty, memory-bound instance
#   TABULEIRO_TEST_CHROMIUM   path of a Chromium
set -euo pipefail

if (($# == 0)); then
  echo "usage: scripts/with-services.sh COMMAND [ARGUMENT...]" >&2
  exit 2
fi

say() { echo "with-services: $*" >&2; }
die() { say "$*"; exit 1; }

find_postgres() {
  local dir
  for dir in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
    if [[ -x $dir/initdb && -x $dir/postgres ]]; then echo "$dir"; return; fi
  done
  dir=$(command -v initdb) && dirname "$dir"
}
pg_bin=$(find_postgres) || die "PostgreSQL is missing: run scripts/install.sh"
command -v redis-server >/dev/null || die "redis-server is missing: run scripts/install.sh"
chromium=$(command -v chromium) || die "chromium is missing: run scripts/install.sh"

# PostgreSQL refuses to run as root.
as_postgres=()
if ((EUID == 0)); then
  id postgres >/dev/null 2>&1 || die "root cannot run PostgreSQL, and there is no user postgres"
  as_postgres=(setpriv --reuid postgres --regid postgres --init-groups)
fi

# With job control every child leads a process group of its own: Ctrl-C reaches
# this script alone, which then decides the order in which things end.
set -m
postgres_pid='' redis_pid='' command_pid='' signalled=0

# The folder's name ends in this script's process id, so that what a killed run
# left behind can be told from a run that goes on.
for old in /tmp/tabuleiro-test.*.*; do
  if [[ -O $old ]] && ! kill -0 "${old##*.}" 2>/dev/null; then rm -rf "$old"; fi
done
dir=$(mktemp -d --suffix ".$$" /tmp/tabuleiro-test.XXXXXX)

# stop_server SIGNAL PID asks, waits at most 10 s, then kills.
stop_server() {
  local i
  [[ -n $2 ]] || return 0
  kill -"$1" "$2" 2>/dev/null || return 0
  for ((i = 0; i < 100; i++)); do
    kill -0 "$2" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL -- -"$2" 2>/dev/null || true
}

cleanup() {
  local code=$?
  trap '' INT TERM HUP
  trap - EXIT
  if [[ -n $command_pid ]]; then kill -KILL -- -"$command_pid" 2>/dev/null || true; fi
  stop_server TERM "$redis_pid"
  stop_server QUIT "$postgres_pid" # immediate: the data is thrown away
  rm -rf "$dir"
  exit "$code"
}
trap cleanup EXIT

# on_signal passes the first signal on and lets the command end by itself; the
# second kills it.
on_signal() {
  signalled=$((signalled + 1))
  [[ -n $command_pid ]] || exit $((128 + $2))
  if ((signalled > 1)); then
    kill -KILL -- -"$command_pid" 2>/dev/null || true
  else
    kill -"$1" -- -"$command_pid" 2>/dev/null || true
  fi
}
trap 'on_signal HUP 1' HUP
trap 'on_signal INT 2' INT
trap 'on_signal TERM 15' TERM

random_password() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
# Below the range that the kernel gives out by itself, so that a port which is
# free now stays free until the server has it.
random_port() { echo $((20000 + (RANDOM << 15 | RANDOM) % 12000)); }

# start NAME READY START runs START, which sets the variable NAME_pid, until
# READY succeeds: again on another port when the server ends early, for 60 s in all.
start() {
  local name=$1 ready=$2 begin=$3 pid_var=$1_pid until=$((SECONDS + 60))
  while ((SECONDS < until)); do
    port=$(random_port)
    "$begin"
    while ((SECONDS < until)) && kill -0 "${!pid_var}" 2>/dev/null; do
      if "$ready"; then return 0; fi
      sleep 0.05
    done
    stop_server KILL "${!pid_var}"
  done
  sed "s/^/with-services: $name: /" "$dir/$name.log" >&2
  die "$name did not start"
}

chmod 711 "$dir"
password=$(random_password)

begin_redis() {
  # From standard input, so that the password is on no command line. The death
  # signal ends the server even if this script is killed outright.
  setpriv --pdeathsig KILL redis-server - >>"$dir/redis.log" 2>&1 <<CONFIG &
bind 127.0.0.1
port $port
requirepass $password
dir $dir/redis
save ""
appendonly no
maxmemory 64mb
maxmemory-policy allkeys-lru
CONFIG
  redis_pid=$!
}
redis_ready() {
  [[ $(REDISCLI_AUTH=$password redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null) == PONG ]]
}
mkdir "$dir/redis"
start redis redis_ready begin_redis
export TABULEIRO_TEST_REDIS="redis://default:$password@127.0.0.1:$port/0"

mkdir -m 700 "$dir/postgres"
(umask 077 && echo "$password" >"$dir/postgres/password")
if ((EUID == 0)); then chown -R postgres "$dir/postgres"; fi
(cd "$dir/postgres" && LC_ALL=C "${as_postgres[@]}" "$pg_bin/initdb" --pgdata data --username tabuleiro \
  --auth scram-sha-256 --pwfile password --encoding UTF8 --locale C.UTF-8 --no-sync) \
  >"$dir/postgres.log" 2>&1 || { cat "$dir/postgres.log" >&2; die "initdb failed"; }
begin_postgres() {
  (cd "$dir/postgres" && exec "${as_postgres[@]}" setpriv --pdeathsig QUIT "$pg_bin/postgres" -D data \
    -c listen_addresses=127.0.0.1 -c port="$port" -c unix_socket_directories="$dir/postgres" \
    -c fsync=on -c max_connections=200 -c shared_buffers=64MB) >>"$dir/postgres.log" 2>&1 </dev/null &
  postgres_pid=$!
}
postgres_ready() {
  PGPASSWORD=$password PGCONNECT_TIMEOUT=5 psql -X -q -h 127.0.0.1 -p "$port" -U tabuleiro -d postgres \
    -c 'SELECT 1' >/dev/null 2>&1
}
start postgres postgres_ready begin_postgres
PGPASSWORD=$password psql -X -q -h 127.0.0.1 -p "$port" -U tabuleiro -d postgres -c 'CREATE DATABASE tabuleiro' >&2
export TABULEIRO_TEST_POSTGRES="postgres://tabuleiro:$password@127.0.0.1:$port/tabuleiro?sslmode=disable"
export TABULEIRO_TEST_CHROMIUM=$chromium

setpriv --pdeathsig TERM "$@" &
command_pid=$!
# A signal ends a wait early, with a code of its own: then wait again.
seen=-1
while ((seen != signalled)); do
  seen=$signalled code=0
  wait "$command_pid" || code=$?
done
exit "$code"
