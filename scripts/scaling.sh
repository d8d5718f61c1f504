#!/usr/bin/env bash
# How much does an engine gain when it may look at twice as many nodes? Usage:
#
#   scripts/scaling.sh GAMES ENGINE [RULE [SIZE]]
#
# GAMES is a file of games, in any form that tengen reads, from which positions are drawn; ENGINE
# the command of a brain that obeys INFO max_node. RULE defaults to freestyle and SIZE to 15.
# Two curves from the same doublings of nodes:
#
#   choices  the same positions at every number of nodes, each move chosen valued by a search of
#            8 times the largest number: the gain of each step with its standard error
#   matches  the engine with N against 2 N nodes, both colours of every opening
#
# What is known already is kept in the folder OUT, so that the same command goes on after a stop,
# and another engine's curve shares the values of moves. Variables that change the defaults:
#
#   OUT=scaling  FROM=25000  STEPS=4 (doublings)  COUNT=400 (positions, 0 for no choices)
#   PLAYED=100 (games a step, 0 for no matches)  CONCURRENCY=1  TENGEN=target/release/tengen
#   OPTIONS= (more options of tengen choices and tengen match, such as --pause 30)
#
# Example: FROM=100000 STEPS=3 scripts/scaling.sh games.jsonl target/release/pbrain-tengen renju 15
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/lib.sh"
help_or_go 2 "$@"
games=$1 engine=$2 rule=${3:-freestyle} size=${4:-15}
out=${OUT:-scaling} from=${FROM:-25000} steps=${STEPS:-4} count=${COUNT:-400}
played=${PLAYED:-100} concurrency=${CONCURRENCY:-1}
tengen=${TENGEN:-${CARGO_TARGET_DIR:-$top/target}/release/tengen}
mkdir -p "$out"
# The command and every file that it names: an engine may be started by another program. xargs
# knows quotes as the workbench does.
hash=$({
    printf '%s\n' "$engine"
    printf '%s\n' "$engine" | xargs -n1 printf '%s\n' | while IFS= read -r word; do
        if [ -f "$word" ]; then cat "$word"; fi
    done
} | sha256sum | cut -c1-12)
# Nodes alone decide: no move is cut short by the clock.
common=(--rule "$rule" --size "$size" --turn 600000 --concurrency "$concurrency")
# shellcheck disable=SC2206
common+=(${OPTIONS:-})

engines=()
nodes=$from
for ((step = 0; step <= steps; step++)); do
    engines+=(-e "n$nodes=$engine" --info "n$nodes:max_node=$nodes")
    nodes=$((nodes * 2))
done
judge=$((nodes / 2 * 8))
asked=$({ echo "${OPTIONS:-}"; [ "$count" -eq 0 ] || cat "$games"; } | sha256sum | cut -c1-8)
curve=$out/choices-$rule$size-$hash-$from-$steps-$count-$asked.txt
[ "$count" -eq 0 ] || [ -s "$curve" ] || {
    "$tengen" choices --games "$games" "${engines[@]}" "${common[@]}" --count "$count" \
        --judge-nodes "$judge" --known "$out/known.jsonl" > "$curve.part"
    mv "$curve.part" "$curve"
}
[ "$count" -eq 0 ] || cat "$curve"

[ "$played" -gt 0 ] || exit 0
openings=$(openings_for "$top/scripts/openings" "$rule" "$size")
# Games under other terms are another match.
other=${OPTIONS:+-$(echo "$OPTIONS" | sha256sum | cut -c1-8)}
nodes=$from
for ((step = 0; step < steps; step++)); do
    less=n$nodes more=n$((nodes * 2))
    "$tengen" match "${common[@]}" --openings "$openings" --seed 1 --games "$played" \
        -e "$more=$engine" --info "$more:max_node=$((nodes * 2))" \
        -e "$less=$engine" --info "$less:max_node=$nodes" \
        --record "$out/$rule$size-$hash-$nodes$other.jsonl"
    nodes=$((nodes * 2))
done
