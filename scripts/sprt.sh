#!/usr/bin/env bash
# Tests whether the working tree is stronger than an earlier version. Usage:
#
#   scripts/sprt.sh BASE [RULE [SIZE]] [-- OPTIONS OF tengen match]
#
# BASE is a git reference (the last accepted commit) or the path of a pbrain-tengen binary. RULE
# defaults to freestyle and SIZE to 15. Plays pairs of games with colours swapped until a sequential
# test decides, then prints the block for the commit message. Ctrl-C ends the test early, and the
# same command continues it. Defaults, which options replace:
#
#   --openings (from scripts/openings, unless --swap2 is given) --turn 100 (unless --nodes or
#   --match is given) --sprt 0,10 --concurrency (half of the cores) --seed 1
#
# Example: scripts/sprt.sh HEAD renju 15 -- --turn 200 --sprt 0,5
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/lib.sh"
help_or_go 1 "$@"
base=$1; shift
rule=freestyle; size=15
if [ $# -gt 0 ] && [ "$1" != -- ]; then rule=$1; shift; fi
if [ $# -gt 0 ] && [ "$1" != -- ]; then size=$1; shift; fi
only_options "$@"
if [ $# -gt 0 ]; then shift; fi

# The path of a binary is relative to the current folder, everything else to the repository.
if [ -f "$base" ] && [ -x "$base" ]; then base=$(realpath "$base"); fi
cd "$top"
if [ ! -f "$base" ]; then
    commit=$(git rev-parse --verify --quiet "$base^{commit}") ||
        { echo "sprt.sh: $base is neither a commit nor a binary" >&2; exit 2; }
fi
target=${CARGO_TARGET_DIR:-target}
work=$target/sprt

cargo build --release --locked
new=$(copy_of_brain "$target" "$work")
# Before the match: a later build may replace the program, and a failure must not lose the summary.
signature=$("$target/release/tengen" bench | tail -n 1)

if [ -f "$base" ]; then
    old=$base
    # Many builds have the same file name.
    old_name=$(basename "$base")-$(sha256sum < "$base" | cut -c1-8)
else
    old_name=$(git rev-parse --short=9 "$commit")
    old=$work/pbrain-$old_name
    if [ ! -x "$old" ]; then
        tree=$(mktemp -d)
        trap 'git worktree remove --force "$tree" 2>/dev/null; rm -rf "$tree"' EXIT
        git worktree add --detach --quiet "$tree" "$commit"
        (cd "$tree" && CARGO_TARGET_DIR="$tree/target" cargo build --release --locked -p tengen)
        copy_whole "$tree/target/release/pbrain-tengen" "$old"
    fi
fi

openings=$(openings_for scripts/openings "$rule" "$size")
concurrency=$(( ($(getconf _NPROCESSORS_ONLN) + 1) / 2 ))

defaults=(--openings "$openings" --turn 100 --sprt "0,10" --concurrency "$concurrency" --seed 1)
set_options "$@"
record=$work/$(basename "$new")-$old_name-$rule$size-$(printf '%s ' "${options[@]}" | sha256sum | cut -c1-8).jsonl

# On Ctrl-C the match prints its score. Keep the shell running until then.
trap : INT
status=0
summary=$("$target/release/tengen" match -e "new='$new'" -e "base='$old'" --rule "$rule" --size "$size" \
    --record "$record" "${options[@]}") || status=$?
[ "$status" = 0 ] || [ "$status" = 130 ] || exit "$status"

cat <<BLOCK

----- for the commit message -----
Match against $old_name, $rule $size, ${options[*]}
$summary
$signature
BLOCK
exit "$status"
