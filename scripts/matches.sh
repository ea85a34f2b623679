#!/usr/bin/env bash
# Plays the standing matches, each appended to docs/figures/matches.md when it
# ends, then the full search against itself without one of its switches, a line of
# docs/figures/ablation.md each. What was broken off goes on where it was: journals
# are kept in .cache/matches, a folder a commit.
#
#   ONLY=ethereal scripts/matches.sh     standing matches whose name has this in it; no ablations
#   SWITCHES="null-move probcut"         ablations of these alone; no standing matches
#   GAMES=100 SEED=2 CONCURRENCY=2       other than 400 games, 1000 of ablations
#   NODES=5000 RULES=chess               of ablations; RULES=draughts takes the switches of draughts
set -euo pipefail
cd "$(dirname "$0")/.."

commit=$(git describe --always --dirty --exclude '*')
seed=${SEED:-1}
folder=.cache/matches/$commit
binary=bin/tabuleiro
mkdir -p "$folder"

# play NAME ARGUMENTS...: a match whose text is in $folder/NAME.txt once it is over.
play() {
  local name=$1
  shift
  echo "=== $name"
  nice "$binary" match "$@" --seed "$seed" --concurrency "${CONCURRENCY:-1}" --journal "$folder/$name.journal" |
    tee "$folder/$name.new"
  mv "$folder/$name.new" "$folder/$name.txt"
}

ours="name=tabuleiro;Hash=16"

# standing NAME RULES B
standing() {
  local name=$1 games=${GAMES:-400}
  [[ $name == *"${ONLY:-}"* ]] || return 0
  [[ ! -e $folder/$name-$games-$seed.txt ]] || return 0
  play "$name-$games-$seed" --rules "$2" -a "$ours" -b "name=$name;$3" --limit "cpu 20" --games "$games" \
    --resign 600,4 --draw 10,8,80
  {
    printf '\n## %s: %s, commit %s, seed %s\n\n```\n' "$(date -u +'%Y-%m-%d %H:%M')" "$name" "$commit" "$seed"
    cat "$folder/$name-$games-$seed.txt"
    printf '```\n'
  } >>docs/figures/matches.md
}

# beside NAME PROGRAM ARGUMENTS OPTIONS: a standing match against one of Debian's engines.
beside() {
  if [[ -x /usr/games/$2 ]]; then
    standing "$1" chess "cmd=/usr/games/$2$3;Hash=16$4"
  else
    echo "$2 is not here (Debian has it)" >&2
  fi
}

# switches COMMAND: the names of what can be turned off, as a protocol tells them.
switches() {
  printf '%s\nquit\n' "$1" | "$binary" "$1" |
    sed -n 's/^option name \([a-z-]*\) type check default true$/\1/p; s/^param name=\([a-z-]*\) value=true type=bool$/\1/p'
}

if [[ -z ${SWITCHES:-} ]]; then
  beside ethereal ethereal-chess "" ""
  beside stockfish-without-network stockfish "" ";Use NNUE=false"
  beside toga2 toga2 "" ""
  beside glaurung glaurung "" ""
  beside gnuchess gnuchess " --uci" ""
  standing f2 draughts "evaluator=f2;Hash=16"
fi
[[ -z ${ONLY:-} ]] || exit 0

games=${GAMES:-1000} nodes=${NODES:-5000} rules=${RULES:-chess}
protocol=uci
[[ $rules != draughts ]] || protocol=hub
for switch in ${SWITCHES:-$(switches $protocol)}; do
  name=$rules-$switch-$nodes-$games
  [[ ! -e $folder/$name.txt ]] || continue
  play "$name" --rules "$rules" --games "$games" --limit "nodes $nodes" -a "name=full" -b "name=without;$switch=false"
  printf '| %s | %s | %s | %s | %s |\n' "$rules" "$switch" "$nodes" "$commit" \
    "$(grep -m1 ' games: ' "$folder/$name.txt" | sed 's/, LOS.*//')" >>docs/figures/ablation.md
done
