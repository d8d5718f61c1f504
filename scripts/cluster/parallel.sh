#!/usr/bin/env bash
# A match by GNU parallel, on this machine or on several. Usage, in the repository:
#
#   scripts/cluster/parallel.sh PARTS FOLDER OPTIONS OF tengen match
#
# Plays parts 0 to PARTS - 1 (see scripts/cluster/part.sh), as many at once as JOBS says
# (environment, default: one a processor). With HOSTS, a file as `parallel --sshloginfile` takes
# it, parts run there: engines, openings and this repository must lie at the same place on every
# host, in the folder from which this is started. Records come back into FOLDER. The same
# command goes on with the parts that are not done; those that failed are tried three times.
# Parts that are whole end at once; with HOSTS they are known by the log of this very match, so that
# a part whose record was removed is played again only when its line is taken from there, too.
#
# Example: HOSTS=hosts.txt scripts/cluster/parallel.sh 64 out -e new=./new -e old=./old --nodes 100000
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
help_or_go 3 "$@"
command -v parallel > /dev/null || { echo "parallel.sh: GNU parallel is missing" >&2; exit 2; }
parts=$1; folder=$2; shift 2
mkdir -p "$folder"

where=()
if [ -n "${HOSTS:-}" ]; then
    where=(--sshloginfile "$HOSTS" --workdir "$PWD" --env PAIRS --env TENGEN
        --return "$folder/part-{}.jsonl")
fi
# A quoted line: parallel starts a shell.
options=$(printf '%q ' "$@")
# parallel knows a part by its number alone: a log for each match, and none where it is not needed.
terms=$(echo "${PAIRS:-} $options" | sha256sum | cut -c1-8)
log=(--joblog "$folder/parallel-$terms.log")
[ -z "${HOSTS:-}" ] || log+=(--resume-failed)
seq -f %06.0f 0 "$((parts - 1))" | parallel --will-cite --jobs "${JOBS:-100%}" --retries 3 \
    "${log[@]}" ${where[@]+"${where[@]}"} \
    "scripts/cluster/part.sh {} $(printf %q "$folder") $options"
