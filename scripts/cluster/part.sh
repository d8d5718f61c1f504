#!/usr/bin/env bash
# Plays one part of a match, as a task of a batch system. Usage:
#
#   scripts/cluster/part.sh NUMBER FOLDER OPTIONS OF tengen match
#
# A part has PAIRS pairs of games (environment variable, default 100). Parts are numbered from 0: part
# 3 has the pairs 300 to 399, and its record is FOLDER/part-000003.jsonl. If its task was killed, the
# same command continues the record: no game is lost or played twice. The environment variable TENGEN
# names the program (default: tengen in the PATH).
#
# On machines of different speed limit nodes (--nodes), not time. When all parts are finished:
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
    echo "part.sh: invalid part '$part' or PAIRS '$PAIRS': expected a number, and a number above 0" >&2
    exit 2
}
pairs=$((10#$PAIRS))

mkdir -p "$folder"
first=$((10#$part * pairs))
exec "${TENGEN:-tengen}" match "$@" --pairs "$first..$((first + pairs))" \
    --record "$folder/part-$(printf %06d "$((10#$part))").jsonl"
