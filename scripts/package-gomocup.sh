#!/usr/bin/env bash
# Makes and checks TENGEN.zip for Gomocup. Usage:
#
#   scripts/package-gomocup.sh
#
# Uses the program that scripts/build-windows.sh made, which has checked that it needs no other
# file. Checks that the archive contains only pbrain-tengen.exe, a 64-bit console program, and the
# licences, and is below the size limit. Runs `bench` and the protocol transcripts, which contain the
# organisers' acceptance positions, under Wine; without Wine, with the Linux build of the same
# source. The result is target/dist/TENGEN.zip. Needs zip, unzip, Python 3 and mingw-w64.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
help_or_go 0 "$@"
cd "$(dirname "$0")/.."
dist=${CARGO_TARGET_DIR:-target}/dist
program=$dist/windows/pbrain-tengen.exe
archive=$dist/TENGEN.zip
limit=$((8 << 20)) # bytes, in the rules since 2021

die() { echo "package-gomocup.sh: $*" >&2; exit 1; }

[ -f "$program" ] || die "run scripts/build-windows.sh first"
newer=$(find src crates/rules Cargo.toml Cargo.lock build.rs -newer "$program" -print -quit)
[ -z "$newer" ] || die "$newer has changed since: run scripts/build-windows.sh again"
{ command -v zip && command -v unzip; } > /dev/null ||
    die "zip or unzip is missing (Debian: apt-get install zip unzip)"
headers=$(x86_64-w64-mingw32-objdump -p -f "$program")
grep -q 'file format pei-x86-64' <<< "$headers" || die "$program is not a 64-bit program"
grep -q 'Subsystem.*Windows CUI' <<< "$headers" || die "$program is not a console program"

if command -v wine64 wine > /dev/null || [ -x /usr/lib/wine/wine64 ]; then
    scripts/test-wine.sh
else
    echo "Wine is missing: testing the Linux build of the same source"
    scripts/bench-signature
    cargo test --locked --quiet -p tengen --test protocol transcripts_of_the_binary
fi

rm -f "$archive"
notices=$dist/THIRD-PARTY.txt
scripts/third-party-notices --target x86_64-pc-windows-gnu tengen > "$notices"
zip --quiet --junk-paths -9 "$archive" "$program" LICENSE "$notices"
[ "$(unzip -Z1 "$archive" | paste -sd ' ')" = "pbrain-tengen.exe LICENSE THIRD-PARTY.txt" ] ||
    die "the archive contains other files"
size=$(stat -c %s "$archive")
[ "$size" -lt "$limit" ] || die "the archive is too large: $size bytes, expected less than $limit"
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
unzip -q "$archive" -d "$unpacked"
cmp "$program" "$unpacked/pbrain-tengen.exe"
echo "$archive: $size bytes"
