#!/bin/bash
# Fuzzing: `make fuzz SECONDS=…` calls this, and the step `fuzz` of tools/check.sh.
#   tools/fuzz.sh [SECONDS [NAME …]]    each harness of tests/fuzz, or those named, for so many seconds
#
# Builds by clang with libFuzzer, AddressSanitizer and UBSan, then runs two harnesses at a time, from
# the seeds of tests/fuzz/seeds and what earlier runs kept in build/fuzz/corpus. A finding ends its
# harness: the input is in build/fuzz/findings, and what was wrong in build/fuzz/NAME.log.
# FUZZ_CC, JOBS and AT_ONCE can be set.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

seconds=${1:-20}
shift $(($# > 0))
build=build/fuzz
[ $# -gt 0 ] || set -- $(basename -s .c tests/fuzz/fuzz_*.c | sed 's/^fuzz_//')

make --no-print-directory -j"${JOBS:-$(nproc)}" CC="${FUZZ_CC:-clang}" BUILD=$build CFLAGS='-O1 -g' \
    SANITIZE=fuzzer-no-link,address,undefined fuzz-programs || exit 1

# The longest input, in bytes. Texts are small: what is far in a text is not another thing.
declare -A longest=([engine]=128 [options]=512 [matrix]=1024)

fuzz() { # name
    local name=$1 words=()
    mkdir -p "$build/corpus/$name" "$build/findings"
    [ ! -e "tests/fuzz/$name.dict" ] || words=(-dict="tests/fuzz/$name.dict")
    "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len="${longest[$name]:-2048}" \
        -timeout=20 -rss_limit_mb=1500 -malloc_limit_mb=256 -print_final_stats=1 -entropic=0 \
        "${words[@]}" -artifact_prefix="$build/findings/$name-" \
        "$build/corpus/$name" "tests/fuzz/seeds/$name" >"$build/$name.log" 2>&1 </dev/null
}

tell() { # name, exit code
    local tried
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$1.log")
    if [ "$2" = 0 ]; then
        echo "fuzz: $1: ${tried:-0} inputs in $seconds s, no finding"
    else
        tail -n 40 "$build/$1.log"
        echo "fuzz: $1: FOUND; $(sed -n 's/.*Test unit written to /input: /p' "$build/$1.log" | tail -1), log: $build/$1.log"
        bad=1
    fi
}

# The sanitizers refuse what malloc would refuse, and leave the rest to the limits above.
export ASAN_OPTIONS="allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
bad=0
declare -A running=() # names by process
one_less() {
    local process code
    wait -n -p process "${!running[@]}"
    code=$?
    tell "${running[$process]}" $code
    unset "running[$process]"
}
trap 'kill "${!running[@]}" 2>/dev/null; exit 130' INT TERM
for name in "$@"; do
    [ ${#running[@]} -lt "${AT_ONCE:-2}" ] || one_less
    fuzz "$name" &
    running[$!]=$name
done
while [ ${#running[@]} -gt 0 ]; do
    one_less
done
exit $bad
