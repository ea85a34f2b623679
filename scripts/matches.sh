#!/usr/bin/env bash
# Plays the full search against itself without one of its switches, for each
# switch or those named: SWITCHES="null-move probcut". Every match can be broken
# off and started again: its games are kept in .cache/matches. When a match is
# over, its line goes into docs/figures/ablation.md.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${GAMES:-1000} nodes=${NODES:-5000} rules=${RULES:-chess}
all="null-move verification late-reductions late-moves futility reverse-futility razoring exchange-pruning probcut
  internal-reduction extensions singular delta aspiration killers counters histories continuations capture-history correction"
journals=.cache/matches/$(git rev-parse --short HEAD)
mkdir -p "$journals"
for switch in ${SWITCHES:-$all}; do
  log=$journals/$rules-$switch-$nodes-$games.txt
  [[ -e $log ]] && continue
  nice bin/tabuleiro match --rules "$rules" --games "$games" --limit "nodes $nodes" \
    --a "name=full" --b "name=without;$switch=false" \
    --journal "${log%.txt}.journal" | tee "$log.new"
  mv "$log.new" "$log"
  printf '| %s | %s | %s | %s | %s |\n' "$rules" "$switch" "$nodes" "$(git rev-parse --short HEAD)" \
    "$(grep -m1 ' games: ' "$log" | sed 's/, LOS.*//')" >> docs/figures/ablation.md
done
