#!/usr/bin/env bash
# Plays games between two engines in Piskvork, with colours swapped after each game. Usage:
#
#   scripts/piskvork-match.sh PISKVORK.EXE FIRST.EXE SECOND.EXE [GAMES [OPTIONS OF PISKVORK]]
#
# Runs on Windows (Git Bash) or with Wine. GAMES defaults to 10. The options of Piskvork follow GAMES;
# default: -rule 0 -timeturn 1000 -timematch 120 -memory 350 -opening 0 (time per turn in
# milliseconds, per game in seconds). Every game is saved as a .psq file in ./piskvork-games. The exit
# status is 0 if all games were played. This script tests how engines behave in the manager that
# tournaments use; for measurements with error bars and an exact referee use `tengen match`.
#
# Example: scripts/piskvork-match.sh piskvork.exe pbrain-tengen.exe pbrain-other.exe 20 -rule 1
set -euo pipefail
. "$(dirname "$0")/lib.sh"
help_or_go 3 "$@"
manager=$1; first=$2; second=$3; shift 3
games=10
if [ $# -gt 0 ]; then games=$1; shift; fi
[[ $games =~ ^[0-9]+$ ]] ||
    { echo "piskvork-match.sh: invalid number of games '$games' (it comes before the options)" >&2; exit 2; }
[ $# -gt 0 ] || set -- -rule 0 -timeturn 1000 -timematch 120 -memory 350 -opening 0
for file in "$manager" "$first" "$second"; do
    [ -f "$file" ] || { echo "piskvork-match.sh: $file: file not found" >&2; exit 2; }
done
runner=()
case $(uname -s) in
    MINGW* | MSYS* | CYGWIN*) ;;
    *)
        runner=("${WINE:-wine}")
        # On macOS Wine needs no X server.
        [ -n "${DISPLAY:-}" ] || [ "$(uname -s)" = Darwin ] || runner=(xvfb-run -a "${runner[@]}")
        for program in "${runner[0]}" "${WINE:-wine}"; do
            command -v "$program" > /dev/null ||
                { echo "piskvork-match.sh: $program is missing" >&2; exit 2; }
        done
        ;;
esac

folder=$PWD/piskvork-games
mkdir -p "$folder"
manager=$(realpath "$manager"); brains=("$(realpath "$first")" "$(realpath "$second")")
won=0; drawn=0; lost=0; number=0
for ((game = 0; game < games; game++)); do
    black=$((game % 2)); white=$((1 - black)); status=0
    # Keep the games of earlier runs.
    until file=$folder/$(printf %04d "$number").psq; [ ! -e "$file" ]; do number=$((number + 1)); done
    (cd "$(dirname "$manager")" && "${runner[@]}" "$manager" -p "${brains[black]}" "${brains[white]}" \
        "$@" -outfile "$file" > /dev/null 2>&1) || status=$?
    case $status in
        1) winner=$black ;; 2) winner=$white ;; 3) winner= ;;
        *) echo "piskvork-match.sh: Piskvork ended with $status in game $game" >&2; exit 1 ;;
    esac
    case $winner in 0) won=$((won + 1)) ;; 1) lost=$((lost + 1)) ;; *) drawn=$((drawn + 1)) ;; esac
    echo "game $game: +$won =$drawn -$lost for $(basename "$first")"
done
