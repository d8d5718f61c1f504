# shellcheck shell=bash
# What several scripts share, which read it by `. scripts/lib.sh`.

# The text at the head of the script, and its end, when that is asked for or arguments are missing.
help_or_go() { # least number of arguments, arguments
    local least=$1
    shift
    if [ $# -lt "$least" ] || [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
        sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
        case ${1:-} in -h | --help) exit 0 ;; esac
        exit 2
    fi
}

# macOS had no such command for long.
command -v sha256sum > /dev/null || sha256sum() { shasum -a 256 "$@"; }

# The path of a file or folder from wherever the script goes; a name of nothing that is there stays.
absolute() { # path
    case $1 in
        /* | [A-Za-z]:*) echo "$1" ;;
        *) if [ -e "$1" ]; then echo "$PWD/$1"; else echo "$1"; fi ;;
    esac
}

# The file of openings for a rule and a size.
openings_for() { # folder of openings, rule, size
    local own=$1/$2$3.txt
    # Caro has none of its own; those for others hold no row that any rule would judge differently.
    case $3 in
        15) local other=$1/standard15.txt ;;
        *) local other=$1/freestyle20.txt ;;
    esac
    if [ -f "$own" ]; then echo "$own"; else echo "$other"; fi
}

# Copies a file so that the copy is whole or not there: a full disk leaves half of one otherwise.
copy_whole() { # from, to
    cp "$1" "$2.$$" && mv "$2.$$" "$2" || { rm -f "$2.$$"; return 1; }
}

# Refuses a word where only options can follow, after --.
only_options() { # what is left of the command line
    [ $# = 0 ] || [ "$1" = -- ] || {
        echo "$(basename "$0"): $1: options of tengen match come after --" >&2
        exit 2
    }
}

# A copy of the built brain, named after its content: the next build must not change a match in
# progress. Nothing ends it but `return`: it is asked for its output, where errexit is off.
copy_of_brain() { # folder of the build, folder of the copy
    local copy sum
    mkdir -p "$2" || return
    sum=$(sha256sum "$1/release/pbrain-tengen" | cut -c1-12) || return
    copy=$2/pbrain-$sum
    # A match that plays with the same build already must not lose its program.
    if [ ! -x "$copy" ]; then
        copy_whole "$1/release/pbrain-tengen" "$copy" || return
    fi
    echo "$copy"
}

# Fills `options` with the user's options and those of `defaults` (option and value by turns) that
# the user does not give; no time a move where a number of nodes is given.
set_options() { # the user's options
    local i
    options=()
    for ((i = 0; i < ${#defaults[@]}; i += 2)); do
        case " $* " in *" ${defaults[i]} "* | *" ${defaults[i]}="*) ;;
            *" --nodes"[\ =]*) [ "${defaults[i]}" = --turn ] ||
                options+=("${defaults[i]}" "${defaults[i + 1]}") ;;
            *) options+=("${defaults[i]}" "${defaults[i + 1]}") ;;
        esac
    done
    options+=("$@")
}
