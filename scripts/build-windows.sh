#!/usr/bin/env bash
# Builds pbrain-tengen.exe, tengen.exe and tengen-board.exe (the board without a console, with an icon)
# for 64-bit Windows on Linux, and the engine once more with databases: pbrain-tengen-database.exe, for
# the release archive. Usage:
#
#   scripts/build-windows.sh
#
# Needs mingw-w64 and the Rust standard library for the target. Either install the library with
# rustup (rustup target add x86_64-pc-windows-gnu), or provide its source, from which it is built
# (Debian's rust-src of the compiler's version; if it is not in /usr/src, set RUST_SRC to its
# folder). The result is in target/dist/windows.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
help_or_go 0 "$@"
cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
output=${CARGO_TARGET_DIR:-target}/dist/windows

die() { echo "build-windows.sh: $*" >&2; exit 1; }

command -v x86_64-w64-mingw32-gcc > /dev/null ||
    die "x86_64-w64-mingw32-gcc is missing (Debian: apt-get install gcc-mingw-w64-x86-64)"
version=$(rustc --version | cut -d' ' -f2)
sysroot=$(rustc --print sysroot)

options=()
if [ ! -d "$sysroot/lib/rustlib/$target/lib" ]; then
    for source in "${RUST_SRC:-}" "$sysroot/lib/rustlib/src/rust" "/usr/src/rustc-$version"; do
        [ -n "$source" ] && [ -f "$source/library/std/Cargo.toml" ] && break
        source=
    done
    [ -n "$source" ] || die "no standard library for $target. Either run
    rustup target add $target
or install Debian's package rust-src in version $version (in trixie-backports), which contains
    /usr/src/rustc-$version/library
or unpack it elsewhere and set RUST_SRC to that folder."
    echo "building the standard library from $source"
    # By default cargo looks for the source in the compiler's folder only. Building the library is
    # not a stable feature of cargo yet.
    export RUSTC_BOOTSTRAP=1 __CARGO_TESTS_ONLY_SRC_ROOT=$source/library
    options=("-Zbuild-std=std")
fi

export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
built=${CARGO_TARGET_DIR:-target}/$target/release
mkdir -p "$output"
# The two engines have the same name, so the first one is copied before the second is built.
cargo build --release --locked --target "$target" -p tengen -p tengen-workbench -p tengen-board "${options[@]}"
cp "$built"/{pbrain-tengen,tengen,tengen-board}.exe "$output"
cargo build --release --locked --target "$target" "${options[@]}" -p tengen --features database
cp "$built/pbrain-tengen.exe" "$output/pbrain-tengen-database.exe"

for name in pbrain-tengen pbrain-tengen-database tengen tengen-board; do
    exe=$output/$name.exe
    # Allow only DLLs that every Windows 10 has: none is shipped.
    foreign=$(x86_64-w64-mingw32-objdump -p "$exe" | awk '/DLL Name:/ { print tolower($3) }' | sort -u |
        grep -Evx 'kernel32.dll|ntdll.dll|user32.dll|msvcrt.dll|advapi32.dll|bcryptprimitives.dll|userenv.dll|ws2_32.dll|oleaut32.dll|api-ms-win-.*' || true)
    [ -z "$foreign" ] || die "$name.exe needs DLLs that Windows does not have: $foreign"
    echo "$exe: $(stat -c %s "$exe") bytes"
done
board=$(x86_64-w64-mingw32-objdump -p "$output/tengen-board.exe")
grep -q 'Subsystem.*Windows GUI' <<< "$board" || die "tengen-board.exe opens a console"
x86_64-w64-mingw32-objdump -h "$output/tengen-board.exe" | grep -q '\.rsrc' ||
    die "tengen-board.exe has no icon and no version information"
