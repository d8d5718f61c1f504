#!/usr/bin/env bash
#SBATCH --job-name=tengen-match
#SBATCH --array=0-63%32
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=tengen-match-%a.log
# A match as a job array of Slurm: every task of the array plays one part. Usage, in the repository:
#
#   sbatch [--array=FIRST-LAST%AT_ONCE] scripts/cluster/slurm.sh FOLDER OPTIONS OF tengen match
#
# FOLDER must be on a file system that all nodes share. scripts/cluster/part.sh describes the parts
# and the environment variables PAIRS and TENGEN, which Slurm passes on. A requeued task continues
# its record. Slurm does not restart a failed task: submit the same array again; finished parts end
# immediately.
#
# With TASK=study each task analyses one part of a database, see scripts/cluster/study-part.sh:
#
#   PARTS=8 TASK=study sbatch --array=0-7 scripts/cluster/slurm.sh FOLDER DATABASE OPTIONS
#
# Many short tasks put load on Slurm: let each part last some minutes.
#
# Example: sbatch --array=0-9 scripts/cluster/slurm.sh out -e new=./new -e old=./old --nodes 100000
set -euo pipefail

if [ $# -lt 2 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
    sed -n '/^# A match/,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
    case ${1:-} in -h | --help) exit 0 ;; esac
    exit 2
fi
[ -n "${SLURM_ARRAY_TASK_ID:-}" ] || { echo "slurm.sh: start it with sbatch" >&2; exit 2; }
script=part.sh
[ "${TASK:-match}" = match ] || script=$TASK-part.sh
# Slurm runs a copy of this file in another folder.
exec "${SLURM_SUBMIT_DIR:-.}/scripts/cluster/$script" "$SLURM_ARRAY_TASK_ID" "$@"
