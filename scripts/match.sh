#!/usr/bin/env bash
# Plays Tengen against another engine in four formats: freestyle 20x20 and 15x15, standard
# 15x15 and renju 15x15. Usage:
#
#   scripts/match.sh NAME=COMMAND [GAMES [TURN_MS]] [-- OPTIONS OF tengen match]
#
# GAMES is the number of games per format (default 40), TURN_MS the time per move (default 500,
# not used with --nodes or --match). The games are kept in target/matches, one file per format; the same
# command continues an interrupted run. COMMAND is run from the top of the repository.
#
# Example: scripts/match.sh 'rapfi=/path/to/pbrain-rapfi' 100 500 -- --concurrency 2
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/lib.sh"
help_or_go 1 "$@"
opponent=$1; shift
games=40; turn=500
if [ $# -gt 0 ] && [ "$1" != -- ]; then games=$1; shift; fi
if [ $# -gt 0 ] && [ "$1" != -- ]; then turn=$1; shift; fi
only_options "$@"
if [ $# -gt 0 ]; then shift; fi
[[ $opponent == ?*=?* ]] || { echo "match.sh: $opponent: expected NAME=COMMAND" >&2; exit 2; }
[[ "$games $turn" =~ ^[0-9]+\ [0-9]+$ ]] ||
    { echo "match.sh: $games $turn: expected two numbers" >&2; exit 2; }
cd "$top"
target=${CARGO_TARGET_DIR:-target}

cargo build --release --locked
brain=$(copy_of_brain "$target" "$target/matches")
for format in "freestyle 20" "freestyle 15" "standard 15" "renju 15"; do
    read -r rule size <<< "$format"
    defaults=(--openings "scripts/openings/$rule$size.txt" --games "$games" --turn "$turn")
    set_options "$@"
    echo "== $rule $size: ${options[*]}"
    terms=$(printf '%s ' "$opponent" "${options[@]}" | sha256sum | cut -c1-8)
    "$target/release/tengen" match -e "tengen='$brain'" -e "$opponent" --rule "$rule" --size "$size" \
        --record "$target/matches/$(basename "$brain")-${opponent%%=*}-$rule$size-$terms.jsonl" "${options[@]}"
done
