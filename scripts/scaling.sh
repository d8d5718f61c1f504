#!/usr/bin/env bash
# Measures the gain of an engine from twice the nodes. Usage:
#
#   scripts/scaling.sh GAMES ENGINE [RULE [SIZE]]
#
# GAMES is a game file in any format that tengen reads; positions are drawn from it. ENGINE is the
# command of an engine that supports INFO max_node. RULE defaults to freestyle and SIZE to 15. Two
# curves are measured for the same doublings of nodes:
#
#   choices  the same positions for every number of nodes; the chosen moves are valued by searches
#            with 8 times the largest number: the gain of each step with its standard error
#   matches  the engine with N nodes against itself with 2 N nodes, each opening with both colours
#
# Results are kept in the folder OUT: the same command continues an interrupted run, and curves of
# several engines share the values of moves. Environment variables with their defaults:
#
#   OUT=scaling  FROM=25000  STEPS=4 (doublings)  COUNT=400 (positions, 0 for no choices)
#   PLAYED=100 (games per step, 0 for no matches)  CONCURRENCY=1  TENGEN=target/release/tengen
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
# The hash covers the command and every file in it: the engine may be started by another program.
# xargs splits quoted words as tengen does.
hash=$({
    printf '%s\n' "$engine"
    printf '%s\n' "$engine" | xargs -n1 printf '%s\n' | while IFS= read -r word; do
        if [ -f "$word" ]; then cat "$word"; fi
    done
} | sha256sum | cut -c1-12)
# Limit moves by nodes only, not by time.
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
# Other options make another match.
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
