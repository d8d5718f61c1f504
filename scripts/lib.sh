# shellcheck shell=bash
# Functions shared by several scripts, which source this file.

# Prints the comment at the head of the script and exits, if help is requested or arguments are missing.
help_or_go() { # minimum number of arguments, arguments
    local least=$1
    shift
    if [ $# -lt "$least" ] || [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
        sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
        case ${1:-} in -h | --help) exit 0 ;; esac
        exit 2
    fi
}

# Older versions of macOS have no sha256sum.
command -v sha256sum > /dev/null || sha256sum() { shasum -a 256 "$@"; }

# The absolute path of a file or folder. The name of a missing file is returned unchanged.
absolute() { # path
    case $1 in
        /* | [A-Za-z]:*) echo "$1" ;;
        *) if [ -e "$1" ]; then echo "$PWD/$1"; else echo "$1"; fi ;;
    esac
}

# Whether a folder of npm packages has this version of a package.
has_package() { # folder, package, version
    grep -qs "\"version\": \"$3\"" "$1/$2/package.json"
}

# The version of the crates.
workspace_version() {
    sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1
}

# The platform of the compiler, such as x86_64-unknown-linux-gnu.
host_platform() {
    rustc -vV | sed -n 's/^host: //p'
}

# The newest version of the C library that these programs name. Prints nothing if they name none.
newest_glibc() { # programs
    { grep -aoh 'GLIBC_[0-9.]*' "$@" || true; } | sed 's/GLIBC_//' | sort -V | tail -n 1
}

# The file of openings for a rule and a size.
openings_for() { # folder of openings, rule, size
    local own=$1/$2$3.txt
    # Caro has no openings of its own. Those of other rules contain no rows that caro judges differently.
    case $3 in
        15) local other=$1/standard15.txt ;;
        *) local other=$1/freestyle20.txt ;;
    esac
    if [ -f "$own" ]; then echo "$own"; else echo "$other"; fi
}

# Copies a file atomically: a full disk would leave a partial copy otherwise.
copy_whole() { # from, to
    cp "$1" "$2.$$" && mv "$2.$$" "$2" || { rm -f "$2.$$"; return 1; }
}

# Refuses a word before --, after which the options of tengen match begin.
only_options() { # the remaining command line
    [ $# = 0 ] || [ "$1" = -- ] || {
        echo "$(basename "$0"): $1: options of tengen match come after --" >&2
        exit 2
    }
}

# Copies the built brain to a name made from its content, so that the next build does not change a
# match in progress. Prints the name. Uses `return` for failures, since errexit is off in `$(...)`.
copy_of_brain() { # folder of the build, folder of the copy
    local copy sum
    mkdir -p "$2" || return
    sum=$(sha256sum "$1/release/pbrain-tengen" | cut -c1-12) || return
    copy=$2/pbrain-$sum
    # Another match may be playing with the same build.
    if [ ! -x "$copy" ]; then
        copy_whole "$1/release/pbrain-tengen" "$copy" || return
    fi
    echo "$copy"
}

# Sets `options` to the user's options, plus those of `defaults` (pairs of option and value) that the
# user does not give. The default of --turn is also omitted with --nodes and --match, that of
# --openings with --swap2, and that of --games with --pairs.
set_options() { # the user's options
    local i option names
    options=()
    for ((i = 0; i < ${#defaults[@]}; i += 2)); do
        option=${defaults[i]}
        case $option in
            --turn) names='--turn|--nodes|--match' ;;
            --openings) names='--openings|--swap2' ;;
            --games) names='--games|--pairs' ;;
            *) names=$option ;;
        esac
        names=" ($names)[ =]"
        [[ " $* " =~ $names ]] || options+=("$option" "${defaults[i + 1]}")
    done
    options+=("$@")
}

# Prints the folder of the source of the compiler's standard library: RUST_SRC, the component rust-src
# of rustup, or Debian's package rust-src of the same version. Prints nothing if there is none.
standard_source() {
    local sysroot version place
    sysroot=$(rustc --print sysroot 2> /dev/null || true)
    version=$(rustc --version 2> /dev/null | cut -d' ' -f2 || true)
    for place in "${RUST_SRC:-}" "$sysroot/lib/rustlib/src/rust" "/usr/src/rustc-$version"; do
        if [ -n "$place" ] && [ -f "$place/library/std/Cargo.toml" ]; then
            echo "$place"
            return
        fi
    done
}
