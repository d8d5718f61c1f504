#!/usr/bin/env bash
# Analyses one part of a database of positions, as a task of a batch system. Usage:
#
#   PARTS=N scripts/cluster/study-part.sh NUMBER FOLDER DATABASE OPTIONS OF tengen study analyze
#
# Parts are numbered from 0 to N - 1. Part 3 works on its own copy of the database,
# FOLDER/part-000003.tdb. If its task was killed, the same command continues the copy: no position is
# searched twice. The environment variable TENGEN names the program (default: tengen in the PATH).
# With STUDY=grow, the tasks run `tengen study grow`, each on its part of the new positions.
#
# No program may write to DATABASE while parts begin. When all parts are finished:
#
#   tengen study merge DATABASE FOLDER/part-*.tdb
#
# Example: PARTS=8 scripts/cluster/study-part.sh 0 out tree.tdb --nodes 1M --time 2h
set -euo pipefail

if [ $# -lt 3 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
    case ${1:-} in -h | --help) exit 0 ;; esac
    exit 2
fi
part=$1; folder=$2; database=$3; shift 3
[[ "$part ${PARTS:-}" =~ ^[0-9]+\ 0*[1-9][0-9]*$ ]] || {
    echo "study-part.sh: invalid part '$part' or PARTS '${PARTS:-}': expected a number, and a number above 0" >&2
    exit 2
}
tengen=${TENGEN:-tengen}

mkdir -p "$folder"
copy=$folder/part-$(printf %06d "$((10#$part))").tdb
# Adding the same positions again changes nothing, so that a killed copy is continued.
"$tengen" study merge "$copy" "$database" > /dev/null
exec "$tengen" study "${STUDY:-analyze}" "$copy" --part "$((10#$part + 1))/$((10#$PARTS))" "$@"
