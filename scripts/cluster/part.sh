#!/usr/bin/env bash
# Plays one part of a match, as a task of a batch system. Usage:
#
#   scripts/cluster/part.sh NUMBER FOLDER OPTIONS OF tengen match
#
# Part NUMBER, counted from 0, is PAIRS pairs of games (environment, default 100): part 3 is pairs
# 300 to 399. Its record is FOLDER/part-000003.jsonl. A part that is started again, because its
# task was killed, goes on where its record ends: no game is lost or played twice. TENGEN is the
# workbench to run (default: tengen from the PATH).
#
# On unlike machines limit nodes (--nodes), not time. When all parts are there:
#
#   tengen merge FOLDER/*.jsonl --sprt 0,5
#
# Example: scripts/cluster/part.sh 0 out -e new=./new -e old=./old --nodes 100000 \
#     --openings scripts/openings/renju15.txt --rule renju --seed 1
set -euo pipefail

if [ $# -lt 3 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
    case ${1:-} in -h | --help) exit 0 ;; esac
    exit 2
fi
part=$1; folder=$2; shift 2
[[ "$part ${PAIRS:=100}" =~ ^[0-9]+\ 0*[1-9][0-9]*$ ]] || {
    echo "part.sh: $part is no number, or PAIRS=$PAIRS no number above 0" >&2
    exit 2
}
pairs=$((10#$PAIRS))

mkdir -p "$folder"
first=$((10#$part * pairs))
exec "${TENGEN:-tengen}" match "$@" --pairs "$first..$((first + pairs))" \
    --record "$folder/part-$(printf %06d "$((10#$part))").jsonl"
