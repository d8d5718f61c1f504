#!/usr/bin/env bash
# The working tree against several engines, with a table of ratings. Usage:
#
#   scripts/gauntlet.sh NAME=COMMAND [NAME=COMMAND ...] [-- OPTIONS OF tengen match]
#
# The opponents do not play each other; --all among the options lets everybody play everybody.
# Games are kept in target/matches, and the same command goes on where it stopped. Defaults that
# options replace:
#
#   --rule freestyle --size 15 --turn 500 --openings scripts/openings/freestyle15.txt --games 40
#
# Example: scripts/gauntlet.sh 'a=/path/to/pbrain-a' 'b=wine /path/to/pbrain-b.exe' -- --turn 1000
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)

if [ $# -lt 1 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
    exit 2
fi
engines=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do engines+=(-e "$1"); shift; done
if [ $# -gt 0 ]; then shift; fi
kind=(--gauntlet); options=()
for option in "$@"; do
    if [ "$option" = --all ]; then kind=(); else options+=("$option"); fi
done
cd "$top"
target=${CARGO_TARGET_DIR:-target}

cargo build --release --locked
mkdir -p "$target/matches"
# A copy: the next build must not change a match in progress.
brain=$target/matches/pbrain-$(sha256sum "$target/release/pbrain-tengen" | cut -c1-12)
cp "$target/release/pbrain-tengen" "$brain"

# A default holds unless the user gives the option.
defaults=(--rule freestyle --size 15 --turn 500 --openings scripts/openings/freestyle15.txt --games 40)
for ((i = 0; i < ${#defaults[@]}; i += 2)); do
    case " ${options[*]} " in *" ${defaults[i]} "* | *" ${defaults[i]}="*) ;;
        *) options+=("${defaults[i]}" "${defaults[i + 1]}") ;;
    esac
done
record=$target/matches/$(printf '%s ' "$brain" "${engines[@]}" "${kind[@]}" "${options[@]}" | sha256sum | cut -c1-12).jsonl
"$target/release/tengen" match -e "tengen=$brain" "${engines[@]}" "${kind[@]}" "${options[@]}" --record "$record"
echo "games: $record"
