#!/usr/bin/env bash
# Tests the Windows programs under Wine. Usage:
#
#   scripts/test-wine.sh [PISKVORK_EXE]
#
# Takes the programs that scripts/build-windows.sh made. Checks that `bench` visits the same
# positions as on Linux, plays every protocol transcript with LF and CR LF, and ten fast games
# against the Linux build. With a piskvork.exe it also plays games in Piskvork itself, in every
# rule it has, with or without a display (then Xvfb is needed). Uses a Wine prefix of its own.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
help_or_go 0 "$@"
piskvork=$(absolute "${1:-}")
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
programs=$target/dist/windows

die() { echo "test-wine.sh: $*" >&2; exit 1; }

if [ -n "$piskvork" ]; then
    [ -f "$piskvork" ] || die "$piskvork is no file"
    piskvork=$(realpath "$piskvork")
fi
# Debian's `wine` prints advice on 32-bit programs; what it starts does not.
for wine in wine64 /usr/lib/wine/wine64 wine ""; do
    [ -n "$wine" ] && command -v "$wine" > /dev/null && break
done
[ -n "$wine" ] || die "wine is missing (Debian: apt-get install wine64)"
wine=$(command -v "$wine")
server=$(dirname "$(realpath "$wine")")/wineserver
[ -x "$server" ] || server=$(command -v wineserver) || die "wineserver is missing beside $wine"
[ -f "$programs/pbrain-tengen.exe" ] || die "run scripts/build-windows.sh first"

work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEARCH=win64
trap '"$server" -k || true; rm -rf "$work"' EXIT
mkdir "$WINEPREFIX"
# Stays up between programs: its start must not count as theirs. Nor must its end: on a loaded
# machine Wine 8's own host of devices (winedevice.exe) now and then crashes as the server leaves,
# in IoCreateDevice of ntoskrnl.exe, and "Unhandled page fault" appears on the standard error of
# the program that had started the server, although that program ended in order.
"$server" -p
cp "$programs"/*.exe "$work"

run_wine() { "$wine" "$@" 2> /dev/null; }
run_wine wineboot --init > /dev/null || true
if ! run_wine "$work/tengen.exe" --version > /dev/null; then
    # Wine 8 lacks the random number generator that Rust's library asks for; every
    # Windows 10 has it. A stand-in lets the rest be tested.
    echo "adding a stand-in for bcryptprimitives.dll, which this Wine lacks"
    command -v x86_64-w64-mingw32-gcc > /dev/null || die "mingw-w64 is needed to build it"
    cat > "$work/stand-in.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
C
    x86_64-w64-mingw32-gcc -shared -o "$work/bcryptprimitives.dll" "$work/stand-in.c" -ladvapi32
fi
run_wine "$work/tengen.exe" --version || die "tengen.exe does not start under $("$wine" --version)"

# Programs that start a Windows program as if it were one of this system.
for name in tengen pbrain-tengen; do
    printf '#!/bin/sh\nexec "%s" "%s" "$@" 2> /dev/null\n' "$wine" "$work/$name.exe" > "$work/$name"
    chmod +x "$work/$name"
done

echo "== bench"
cargo build --release --locked --quiet
here=$("$target/release/tengen" bench | tail -n 1)
there=$("$work/tengen" bench | tail -n 1 | tr -d '\r')
[ "$here" = "$there" ] || die "bench differs: here '$here', under Wine '$there'"
echo "$there, as here"

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
    command -v xvfb-run > /dev/null || die "there is no display, and xvfb-run is missing (Debian: apt-get install xvfb)"
    display=(xvfb-run -a)
fi
mkdir "$work/piskvork"
cp -r "$(dirname "$piskvork")"/. "$work/piskvork"
cp "$work"/pbrain-tengen.exe "$work"/*.dll "$work/piskvork" 2> /dev/null || true
# The second copy has a name of its own, so that the two are told apart.
cp "$work/pbrain-tengen.exe" "$work/piskvork/pbrain-second.exe"
names=([0]=freestyle [1]=standard [2]=renju [8]=caro-overline [9]=caro) # 2 on this command line
for rule in "${!names[@]}"; do
    status=0
    game=$work/game$rule.psq
    (cd "$work/piskvork" && timeout 300 "${display[@]}" "$wine" "$(basename "$piskvork")" \
        -p pbrain-tengen.exe pbrain-second.exe -rule "$rule" -timeturn 300 -timematch 60 \
        -memory 350 -opening 0 -outfile "$game" > /dev/null 2>&1) || status=$?
    # The exit status says who won, and nothing about how: the moves must say the same.
    case $status in
        1) expected=black ;; 2) expected=white ;; 3) expected=none ;;
        *) die "${names[rule]}: Piskvork ended with $status" ;;
    esac
    size=$(sed -n '1s/^Piskvorky \([0-9x]*\),.*/\1/p' "$game")
    verdict=$("$target/release/tengen" judge --rule "${names[rule]}" --size "$size" \
        --moves "$("$target/release/tengen" convert "$game")")
    grep -q "\"result\":\"$expected\"" <<< "$verdict" ||
        die "${names[rule]}: Piskvork says $expected won, the moves say $verdict"
    echo "${names[rule]} $size: $verdict"
done
