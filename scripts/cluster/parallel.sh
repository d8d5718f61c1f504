#!/usr/bin/env bash
# Plays a match with GNU parallel, on one machine or several. Usage, in the repository:
#
#   scripts/cluster/parallel.sh PARTS FOLDER OPTIONS OF tengen match
#
# Plays the parts 0 to PARTS - 1 (see scripts/cluster/part.sh). The environment variable JOBS is the
# number of parts in parallel (default: one per processor). HOSTS names a file for
# `parallel --sshloginfile`: the parts then run on these hosts, where engines, openings and this
# repository must have the same paths. Records are copied back to FOLDER.
#
# The same command continues with the unfinished parts; a failed part is tried three times. Finished
# parts end immediately. With HOSTS they are recognised by the log of the match: to repeat such a
# part, remove its record and its line in the log.
#
# With TASK=study the parts are those of scripts/cluster/study-part.sh, on this machine only:
#
#   TASK=study scripts/cluster/parallel.sh PARTS FOLDER DATABASE OPTIONS OF tengen study analyze
#
# Example: HOSTS=hosts.txt scripts/cluster/parallel.sh 64 out -e new=./new -e old=./old --nodes 100000
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
help_or_go 3 "$@"
# Other programs have this name, too.
case $(parallel --version 2> /dev/null || true) in
    *GNU*) ;;
    *) echo "parallel.sh: GNU parallel is missing" >&2; exit 2 ;;
esac
parts=$1; folder=$2; shift 2
mkdir -p "$folder"

script=scripts/cluster/part.sh
case ${TASK:-match} in
    match) ;;
    study)
        script=scripts/cluster/study-part.sh
        export PARTS=$parts
        [ -z "${HOSTS:-}" ] || { echo "parallel.sh: TASK=study runs on one machine" >&2; exit 2; }
        ;;
    *) echo "parallel.sh: invalid TASK '$TASK': expected match or study" >&2; exit 2 ;;
esac
where=()
if [ -n "${HOSTS:-}" ]; then
    where=(--sshloginfile "$HOSTS" --workdir "$PWD" --env PAIRS --env TENGEN
        --return "$folder/part-{}.jsonl")
fi
# A quoted line: parallel starts a shell.
options=$(printf '%q ' "$@")
# parallel identifies a part by its number only, so each match has its own log.
terms=$(echo "${PAIRS:-} $options" | sha256sum | cut -c1-8)
log=(--joblog "$folder/parallel-$terms.log")
[ -z "${HOSTS:-}" ] || log+=(--resume-failed)
seq -f %06.0f 0 "$((parts - 1))" | parallel --will-cite --jobs "${JOBS:-100%}" --retries 3 \
    "${log[@]}" ${where[@]+"${where[@]}"} \
    "$script {} $(printf %q "$folder") $options"
