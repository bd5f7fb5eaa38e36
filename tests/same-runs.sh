#!/usr/bin/env bash
# Two builds of the program give the same bytes for many runs.
#
#   tests/same-runs.sh [--keep] [--list] OLD NEW [PATTERN]
#
# Runs each command of same-runs.list.sh with both programs, each time in an empty folder of the same
# name, and compares standard output, standard error, the exit code and the files that were written.
# Only times are left out: the seconds of the summary and of JSON, and the date in a PDF file.
# PATTERN, an extended regular expression, chooses commands. --list prints them and runs nothing.
# --keep keeps the folder with the results of both programs, and names it.
#
# Each difference is one line: the command, the file, the first line that differs. The exit code is 0
# only where there is no difference. Differences that are wanted stand in same-runs.expected: a
# pattern, a tab, and the reason. A difference counts as expected when every line that differs, with
# the command and the name of the file before it, matches such a pattern.
# A command that fails with OLD, or succeeds though its line begins with '!', counts as failed: the
# list is wrong.
set -u
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
expected=$here/same-runs.expected
keep=0
list=0
while :; do
    case ${1-} in
    --keep) keep=1 ;;
    --list) list=1 ;;
    *) break ;;
    esac
    shift
done
[ $# -ge 2 ] || { echo "usage: ${0##*/} [--keep] [--list] OLD NEW [PATTERN]" >&2; exit 1; }
old=$(realpath -e "$1") && new=$(realpath -e "$2") || exit 1
pattern=${3-}

base=$(mktemp -d "${TMPDIR:-/tmp}/same-runs.XXXXXX") || exit 1
cleanup() { if [ "$keep" = 1 ]; then echo "kept: $base" >&2; else rm -rf "$base"; fi; }
trap cleanup EXIT
trap 'exit 130' INT TERM
mkdir "$base"/{bin-old,bin-new,in,old,new,run,diff}
ln -s "$old" "$base/bin-old/dualpc"
ln -s "$new" "$base/bin-new/dualpc"

# Inputs are made by the old program, once.
. "$here/same-runs.list.sh"
(cd "$base/in" && PATH=$base/bin-old:$PATH make_inputs) || { echo "could not make the inputs" >&2; exit 1; }
list_commands | grep -E -e "$pattern" >"$base/commands"
[ "$list" = 0 ] || { cat "$base/commands"; exit 0; }

# One command with one program; the folder ends up as $base/old/NUMBER or $base/new/NUMBER. Both have
# the same name while they run, for messages may tell where they are.
run_one() { # old|new NUMBER COMMAND
    local folder=$base/run/$2
    mkdir "$folder" && cd "$folder" && ln -s ../../in in || exit 1
    PATH=$base/bin-$1:$PATH timeout -k 5 120 bash -c "${3#! }" >stdout 2>stderr </dev/null
    echo $? >exit-code
    rm in
    sed -i -E -e 's/^(  seconds: ).*/\1/' -e 's/^( +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+) +[0-9.]+$/\1/' stderr
    find . -type f -exec sed -i -E -e 's/"seconds": \{[^}]*\}/"seconds": 0/' \
        -e 's/(CreationDate \(D:)[0-9]+/\1/' {} +
    mv "$folder" "$base/$1/$2"
}

# Leaves every line that differs, with the command and the file before it, in $base/diff/NUMBER.
compare_one() { # NUMBER
    local command code wanted=0
    command=$(sed -n "$1p" "$base/commands")
    (run_one old "$1" "$command")
    (run_one new "$1" "$command")
    code=$(cat "$base/old/$1/exit-code")
    [ "${command#! }" = "$command" ] || wanted=1
    {
        [ $((code != 0)) = $wanted ] || echo "$command: the old program ends with $code: $(tail -n 1 "$base/old/$1/stderr")"
        cd "$base" && diff -r "old/$1" "new/$1" | COMMAND=$command awk '
            /^diff -r / { file = $NF; sub(/^new\/[0-9]+\//, "", file) }
            /^[<>] / { print ENVIRON["COMMAND"] ": " file ": " $0 }
            /^(Only|Binary|File) / { print ENVIRON["COMMAND"] ": " $0 }'
    } >"$base/diff/$1"
}
export -f run_one compare_one
export base

seq "$(wc -l <"$base/commands")" | xargs -P 2 -I '{}' bash -c 'compare_one {}'

# Every pattern that explains a line of a difference takes that line away; what is left is a failure.
passed=0
failed=0
explained=0
touch "$base/reasons"
for number in $(seq "$(wc -l <"$base/commands")"); do
    difference=$base/diff/$number
    [ -s "$difference" ] || { passed=$((passed + 1)); continue; }
    cp "$difference" "$base/left"
    while IFS=$'\t' read -r known reason; do
        [ -n "${reason-}" ] && [ "${known#\#}" = "$known" ] && grep -qE -e "$known" "$base/left" || continue
        grep -vE -e "$known" "$base/left" >"$base/still"
        mv "$base/still" "$base/left"
        echo "$reason" >>"$base/reasons"
    done < <(cat "$expected" 2>/dev/null)
    if [ -s "$base/left" ]; then
        failed=$((failed + 1))
        head -n 1 "$base/left" | cut -c 1-400
    else
        explained=$((explained + 1))
    fi
done
[ "$explained" = 0 ] || { echo "$explained expected:"; sort "$base/reasons" | uniq -c; }
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
