#!/usr/bin/env bash
# Tests of the command line program, from outside: what it reads, writes, says and returns.
#
#   tests/cli/run.sh [PROGRAM]      default: build/dualpc
#   ONLY=signal tests/cli/run.sh    only the checks whose names hold this word, or match this regex
#
# Every check is a function check_* in one of the files below. It runs in an empty folder of its
# own, calls `run` or `shell`, and then says with expect_* what must be so. Tables come from
# data.py, made once; verify.py looks into what was written, runs.py compares many runs,
# interrupt.py sends the signals, documents.py holds the man page against the help. Only failures
# are printed; the last line counts.
# DPC_REPEAT is a percentage as in tests/support/repeat.h; the longest checks do less below 100.
# TIMES=1 also prints what each check took, in seconds and in seconds of processors.
set -u
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$(realpath "${1:-$root/build/dualpc}") || exit 1
golden=$root/tests/golden
# the interpreter itself: a shim in front of it costs more than most checks
python=$(python3 -c 'import sys; print(sys.executable)') || { echo 'cli: python3 is needed' >&2; exit 1; }
[ -x "$program" ] || { echo "cli: $program is not a program; build it first" >&2; exit 1; }

base=$(mktemp -d "${TMPDIR:-/tmp}/dualpc-cli.XXXXXX") || exit 1
trap 'chmod -R u+rwx "$base" 2>/dev/null; rm -rf "$base"' EXIT
trap 'exit 130' INT TERM
mkdir "$base/data" "$base/io" "$base/checks"
chmod 755 "$base" "$base/data" "$base/checks"
data=$base/data
io=$base/io
passed=0
failed=0

# Sanitizers make everything slower, and give every block of memory a price when it is freed.
sanitized=$(grep -c -e __asan_init -e __ubsan_handle "$program")
patience=600 # seconds after which a run hangs, on a machine that is busy too
# A block that malloc refuses is refused by the sanitizer too, not an end of the program.
export ASAN_OPTIONS="allocator_may_return_null=1:max_allocation_size_mb=6000${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$here/leaks.txt:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
# a locale with a decimal comma, where the build made one
[ ! -d "$root/build/locale" ] || export LOCPATH=$root/build/locale
export program data golden here io patience python

# ---- Doing ----

# The program with these arguments; then $code, $io/out, $io/err.
run() {
    told="dualpc $*"
    timeout -k 5 "$patience" "$program" "$@" >"$io/out" 2>"$io/err" </dev/null
    code=$?
}

# A shell command that calls "$program" itself.
shell() {
    told=$1
    timeout -k 5 "$patience" bash -c "$1" >"$io/out" 2>"$io/err" </dev/null
    code=$?
}

# ---- Saying what must be so ----

# What was done, then lines: what was expected, what was seen.
fail() {
    check_failed=1
    printf 'FAIL %s: %s\n' "$check" "${1//"$base/"/}" | cut -c 1-300
    shift
    printf '%s\n' "$@" | sed -e "s|$base/||g" -e 's/^/     /' | cut -c 1-300
}

seen() { head -c 600 "$io/$1" | head -n 4; }

expect_code() {
    [ "$code" = "$1" ] || fail "$told" "expected exit code $1, saw $code" "stderr: $(seen err)"
}

# expect_in out|err REGEX: somewhere, over line ends too.
expect_in() {
    tr '\n' ' ' <"$io/$1" | grep -qE -e "$2" || fail "$told" "expected in std$1: $2" "saw: $(seen "$1")"
}

expect_not_in() {
    ! grep -qE -e "$2" "$io/$1" || fail "$told" "not expected in std$1: $2" "saw: $(seen "$1")"
}

expect_empty() {
    [ ! -s "$io/$1" ] || fail "$told" "expected nothing on std$1" "saw: $(seen "$1")"
}

# One sentence on standard error, naming what REGEX says; nothing on standard output.
expect_sentence() {
    [ "$(wc -l <"$io/err")" = 1 ] || fail "$told" "expected one line on stderr" "saw: $(seen err)"
    expect_in err "$1"
    expect_empty out
}

# Two files with the same bytes, and not none.
expect_same() {
    [ -s "$1" ] || fail "$told" "expected something in $1"
    cmp -s "$1" "$2" || fail "$told" "expected the same bytes in $1 and $2" \
        "saw: $(cmp "$1" "$2" 2>&1 | head -1)"
}

expect_text() {
    [ "$(cat "$1" 2>&1)" = "$2" ] || fail "$told" "expected in $1: $2" "saw: $(head -c 200 "$1" 2>&1)"
}

# The folder holds these names and nothing else.
expect_files() {
    local wanted found
    wanted=$(printf '%s\n' "$@" | sort)
    found=$(ls -A | sort)
    [ "$wanted" = "$found" ] || fail "$told" "expected the files: ${wanted//$'\n'/, }" \
        "saw: ${found//$'\n'/, }"
}

expect_equal() {
    [ "$2" = "$3" ] || fail "$told" "expected $1 $2" "saw $3"
}

# verify.py and runs.py print what is wrong.
verify() {
    local wrong
    wrong=$("$python" -SB "$here/verify.py" "$@" 2>&1) || fail "$told, verify.py $1" "$wrong"
}

runs() {
    local wrong
    wrong=$("$python" -SB "$here/runs.py" "$@" 2>&1) || fail "runs.py $1" "$wrong"
}

# Into $busy, the seconds of processors that this shell and what it started have used.
look_at_the_clock() {
    times >"$io/times"
    busy=$(sed 's/[ms]/ /g' "$io/times" | awk '{ sum += 60 * ($1 + $3) + $2 + $4 } END { print sum }')
}

# ---- Going through the checks ----

parts="usage formats convert outputs reading types missing latent hidden audit matrix singular signals results orient rule knowledge explain odd simulate compare ges refine timeout bootstrap sample edges nodes verdict effects adjust look benchpress study limits faults security docs"
for part in $parts; do
    # shellcheck source=/dev/null
    . "$here/$part.sh"
done
"$python" -SB "$here/data.py" "$golden" "$data" || { echo "cli: data.py failed"; exit 1; }
chmod -R a+rX "$data"

# In the order of the files.
checks=$(for part in $parts; do
    sed -n 's/^\(check_[a-z0-9_]*\)() *{.*/\1/p' "$here/$part.sh"
done)
for function in $checks; do
    check=${function#check_}
    [[ $check =~ ${ONLY:-} ]] || continue
    check_failed=0
    told=
    mkdir -m 755 "$base/checks/$check"
    cd "$base/checks/$check" || exit 1
    [ -z "${TIMES:-}" ] || look_at_the_clock
    start=$EPOCHREALTIME before=${busy:-0}
    "$function"
    if [ -n "${TIMES:-}" ]; then
        took=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
        look_at_the_clock
        awk "BEGIN { printf \"%s %.2f s, busy %.2f s\n\", \"$check\", $took, $busy - $before }"
    fi
    cd "$base" || exit 1
    if [ "$check_failed" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    chmod -R u+rwx "$base/checks/$check"
    rm -rf "$base/checks/$check"
done

echo "cli: $passed passed, $failed failed"
[ "$failed" = 0 ]
