#!/usr/bin/env bash
# Plays the working tree against several engines and prints a table of ratings. Usage:
#
#   scripts/gauntlet.sh NAME=COMMAND [NAME=COMMAND ...] [-- OPTIONS OF tengen match]
#
# The opponents do not play each other; with the option --all they do (round robin). Games are kept
# in target/matches, and the same command continues an interrupted run. COMMAND is run from the top
# of the repository. Defaults, which options replace:
#
#   --rule freestyle --size 15 --turn 500 (unless --nodes or --match is given)
#   --openings (from scripts/openings) --games 40 (all pairings together)
#
# Example: scripts/gauntlet.sh 'a=/path/to/pbrain-a' 'b=wine /path/to/pbrain-b.exe' -- --turn 1000
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/lib.sh"
help_or_go 1 "$@"
engines=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do engines+=(-e "$1"); shift; done
[ ${#engines[@]} -gt 0 ] || { echo "gauntlet.sh: expected NAME=COMMAND before --" >&2; exit 2; }
if [ $# -gt 0 ]; then shift; fi
kind=(--gauntlet); given=()
for option in "$@"; do
    if [ "$option" = --all ]; then kind=(); else given+=("$option"); fi
done
cd "$top"
target=${CARGO_TARGET_DIR:-target}

cargo build --release --locked
brain=$(copy_of_brain "$target" "$target/matches")

rule=freestyle; size=15
for ((i = 0; i < ${#given[@]}; i++)); do
    case ${given[i]} in
        --rule=*) rule=${given[i]#*=} ;; --rule) rule=${given[i + 1]-} ;;
        --size=*) size=${given[i]#*=} ;; --size) size=${given[i + 1]-} ;;
    esac
done
openings=$(openings_for scripts/openings "$rule" "$size")
defaults=(--rule freestyle --size 15 --turn 500 --openings "$openings" --games 40)
set_options ${given[@]+"${given[@]}"}
record=$target/matches/$(printf '%s ' "$brain" "${engines[@]}" ${kind[@]+"${kind[@]}"} "${options[@]}" | sha256sum | cut -c1-12).jsonl
"$target/release/tengen" match -e "tengen='$brain'" "${engines[@]}" ${kind[@]+"${kind[@]}"} "${options[@]}" --record "$record"
echo "games: $record"
