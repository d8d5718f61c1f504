#!/usr/bin/env bash
# Tests the Windows programs under Wine. Usage:
#
#   scripts/test-wine.sh [PISKVORK_EXE]
#
# Uses the programs that scripts/build-windows.sh made. Checks that `bench` visits the same number of
# positions as on Linux, runs every protocol transcript with LF and CR LF, and plays ten fast games
# against the Linux build. With PISKVORK_EXE it also plays a game in Piskvork under each of its
# rules; without a display this needs Xvfb. Uses a temporary Wine prefix.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
help_or_go 0 "$@"
piskvork=$(absolute "${1:-}")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
programs=$target/dist/windows

die() { echo "test-wine.sh: $*" >&2; exit 1; }

if [ -n "$piskvork" ]; then
    [ -f "$piskvork" ] || die "$piskvork: file not found"
    piskvork=$(realpath "$piskvork")
fi
# Debian's `wine` prints advice about 32-bit programs; wine64 does not.
for wine in wine64 /usr/lib/wine/wine64 wine ""; do
    [ -n "$wine" ] && command -v "$wine" > /dev/null && break
done
[ -n "$wine" ] || die "wine is missing (Debian: apt-get install wine64)"
wine=$(command -v "$wine")
server=$(dirname "$(realpath "$wine")")/wineserver
[ -x "$server" ] || server=$(command -v wineserver) || die "wineserver is missing in the folder of $wine"
[ -f "$programs/pbrain-tengen.exe" ] || die "run scripts/build-windows.sh first"

work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEARCH=win64
trap '"$server" -k || true; rm -rf "$work"' EXIT
mkdir "$WINEPREFIX"
# Keep the server running between programs, so that its start is not charged to one of them. Its end
# would also disturb: on a loaded machine winedevice.exe of Wine 8 sometimes crashes when the server
# ends (in IoCreateDevice of ntoskrnl.exe), and "Unhandled page fault" appears on the standard error
# of the program that started the server, even if that program ended normally.
"$server" -p
cp "$programs"/*.exe "$work"

run_wine() { "$wine" "$@" 2> /dev/null; }
run_wine wineboot --init > /dev/null || true
if ! run_wine "$work/tengen.exe" --version > /dev/null; then
    # Wine 8 lacks the random number generator of Rust's library, which every Windows 10 has. A
    # substitute allows the other tests.
    echo "adding a substitute for bcryptprimitives.dll, which this Wine lacks"
    command -v x86_64-w64-mingw32-gcc > /dev/null || die "mingw-w64 is missing; it builds the substitute"
    cat > "$work/substitute.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
C
    x86_64-w64-mingw32-gcc -shared -o "$work/bcryptprimitives.dll" "$work/substitute.c" -ladvapi32
fi
run_wine "$work/tengen.exe" --version || die "tengen.exe does not start under $("$wine" --version)"

# Scripts that start the Windows programs like native ones.
for name in tengen pbrain-tengen; do
    printf '#!/bin/sh\nexec "%s" "%s" "$@" 2> /dev/null\n' "$wine" "$work/$name.exe" > "$work/$name"
    chmod +x "$work/$name"
done

echo "== bench"
cargo build --release --locked --quiet
here=$("$target/release/tengen" bench | tail -n 1)
there=$("$work/tengen" bench | tail -n 1 | tr -d '\r')
[ "$here" = "$there" ] || die "bench differs: '$here' on this system, '$there' under Wine"
echo "$there, as on this system"

echo "== transcripts"
TENGEN_BRAIN=$work/pbrain-tengen cargo test --locked --quiet -p tengen --test protocol transcripts_of_the_binary

echo "== ten games"
"$target/release/tengen" match -e "windows='$work/pbrain-tengen'" -e "linux='$target/release/pbrain-tengen'" \
    --openings scripts/openings/freestyle15.txt --games 10 --turn 50 --record "$work/games.jsonl"
if grep -q '"offender":"windows"' "$work/games.jsonl"; then
    die "the Windows program lost a game by an offence: $(grep -m1 '"offender":"windows"' "$work/games.jsonl")"
fi

[ -n "$piskvork" ] || exit 0
echo "== Piskvork"
display=()
if [ -z "${DISPLAY:-}" ]; then
    command -v xvfb-run > /dev/null || die "no display, and xvfb-run is missing (Debian: apt-get install xvfb)"
    display=(xvfb-run -a)
fi
mkdir "$work/piskvork"
cp -r "$(dirname "$piskvork")"/. "$work/piskvork"
cp "$work"/pbrain-tengen.exe "$work"/*.dll "$work/piskvork" 2> /dev/null || true
# The second copy has another name, to distinguish the two.
cp "$work/pbrain-tengen.exe" "$work/piskvork/pbrain-second.exe"
names=([0]=freestyle [1]=standard [2]=renju [8]=caro-overline [9]=caro) # 2 on this command line
for rule in "${!names[@]}"; do
    status=0
    game=$work/game$rule.psq
    (cd "$work/piskvork" && timeout 300 "${display[@]}" "$wine" "$(basename "$piskvork")" \
        -p pbrain-tengen.exe pbrain-second.exe -rule "$rule" -timeturn 300 -timematch 60 \
        -memory 350 -opening 0 -outfile "$game" > /dev/null 2>&1) || status=$?
    # The exit status names the winner. The result of the moves must be the same.
    case $status in
        1) expected=black ;; 2) expected=white ;; 3) expected=none ;;
        *) die "${names[rule]}: Piskvork ended with $status" ;;
    esac
    size=$(sed -n '1s/^Piskvorky \([0-9x]*\),.*/\1/p' "$game")
    verdict=$("$target/release/tengen" judge --rule "${names[rule]}" --size "$size" \
        --moves "$("$target/release/tengen" convert "$game")")
    grep -q "\"result\":\"$expected\"" <<< "$verdict" ||
        die "${names[rule]}: winner by Piskvork: $expected, by the moves: $verdict"
    echo "${names[rule]} $size: $verdict"
done
