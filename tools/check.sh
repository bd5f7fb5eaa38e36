#!/bin/bash
# All tests: `make check` calls this, and `make check-long` with --long. Stops at nothing, tells at
# the end.
#   tools/check.sh           every step, in about half an hour on two processors
#   tools/check.sh STEP …    only these, and what they need
#   tools/check.sh --long    the same with as many repetitions as the tests have
#   tools/check.sh --quick   before a commit, in less than a minute: the steps quick-…
#
# Steps that do not need each other run side by side. A step says what it does when it starts, and
# how long it took when it is done. What it printed is in build/check/STEP.log, and is shown where it
# failed, and its last lines once more at the very end.
set -u -m -o pipefail # -m: a step is a process group, and its programs see Ctrl-C as usual
cd "$(dirname "$0")/.." || exit 1

processors=$(nproc)
long=0
if [ "${1:-}" = --long ]; then
    long=1
    shift
elif [ "${1:-}" = --quick ]; then
    set -- quick-tests quick-cli quick-format
fi

# ---- The steps: name, what it needs, what it does ----

steps=()
declare -A needs does state began

step() {
    steps+=("$1")
    needs[$1]=$2
    does[$1]=$3
}

# In the order in which they start, the long ones first.
step build '' 'builds program, library and tests by gcc; warnings are errors'
step sanitize '' 'builds them once more, with AddressSanitizer and UBSan'
step unit 'build' 'runs the programs of tests/unit, golden, property and fault'
step sanitize-cli 'sanitize' 'runs tests/cli with the sanitizers'
step cli 'build' 'calls the program from outside: what it reads, writes, says and returns (tests/cli)'
step python 'build' 'builds the Python package from its source package, and tests it in a clean environment'
step sanitize-unit 'sanitize' 'runs the test programs with the sanitizers'
step browser 'build' 'opens the report in headless Chromium, and does what a person would (tests/browser)'
step fuzz '' 'throws random bytes at everything that reads, 20 seconds for each harness of tests/fuzz'
step mpi 'build' 'builds dualpc-mpi, and runs it on up to four ranks and two hosts (tests/mpi)'
step threads '' 'builds by clang with ThreadSanitizer: no worker touches what is of another'
step r '' 'builds the R package, and checks it as CRAN would (tools/check-r.sh)'
step clang '' 'builds all of it by clang, and compares the golden results'
step rooms '' 'asks every folder which headers it can include (tests/rooms.sh)'
step coverage '' 'builds with gcov, runs the tests, and says which lines of core and io they reach (tools/coverage.py)'
step analyze '' 'asks gcc -fanalyzer, clang-tidy and cppcheck (tools/findings.py)'
step valgrind 'build' 'runs test programs and the program under valgrind: no error, no leak'
step format '' 'compares every C file with what clang-format makes of it'
step example 'build' 'makes the bundled example again, byte by byte'
step quick-tests 'build' 'runs the programs of tests/unit and golden, with few repetitions'
step quick-cli 'build' 'calls the program from outside, for a few of the checks of tests/cli'
step quick-format '' 'compares the C files that were changed since the last commit with what clang-format makes of them'
step install 'build' 'compares the public interface with tests/abi.txt, installs into an empty folder, and compiles examples/minimal.c against that'

# How many processors a build may take, how often tests repeat, in percent.
jobs=$(((processors + 1) / 2))
make() {
    command make --no-print-directory WERROR=1 -j"$jobs" "$@"
}

repeat() { # percent, in the short run
    export DPC_REPEAT=$(($long ? 100 : $1))
}

do_build() {
    jobs=$processors
    make tests build/make-example
}

do_format() {
    local files
    files=$(git ls-files '*.c' '*.h' 2>/dev/null)
    [ -n "$files" ] || files=$(find core io cli mpi sim study picture report include examples bench tests -name '*.[ch]')
    # shellcheck disable=SC2086
    clang-format --dry-run -Werror $files
}

do_quick-format() {
    git diff --name-only --diff-filter=d HEAD -- '*.c' '*.h' | xargs -r clang-format --dry-run -Werror
}

do_rooms() {
    bash tests/rooms.sh
}

# Every test program of a build that has a source; what it prints only where it fails.
run_programs() { # build folder [regex that the paths must match]
    local program log bad=0 count=0
    log=$(mktemp)
    for program in $(make BUILD="$1" list-tests); do
        [[ $program =~ ${2:-} ]] || continue
        count=$((count + 1))
        if "$program" >"$log" 2>&1; then
            echo "$program: $(grep -c '\[       OK' "$log") passed"
        else
            cat "$log"
            echo "$program: FAILED"
            bad=1
        fi
    done
    rm -f "$log"
    [ $count -gt 0 ] || { echo 'there is no list of test programs'; bad=1; }
    return $bad
}

do_unit() {
    repeat 25
    run_programs build
}

do_quick-tests() {
    repeat 8
    run_programs build '/(unit|golden)/'
}

do_quick-cli() {
    repeat 8
    ONLY='exit_code|common_options|command_that|compare_prints|convert_every|docs_have' bash tests/cli/run.sh build/dualpc
}

do_cli() {
    repeat 25
    bash tests/cli/run.sh build/dualpc
}

# Only where there is no browser to be had is this left out, and then it says so.
do_browser() {
    tools/deps.sh browser || true
    if ! command -v chromium chromedriver >/dev/null || ! /usr/bin/python3 -c 'import selenium'; then
        echo 'skipped: Chromium, its driver and Selenium cannot be installed here, so the report was not opened'
        return 0
    fi
    timeout 1800 /usr/bin/python3 -B tests/browser/report.py build/dualpc
}

# Only where there is no MPI to be had is this left out, and then it says so.
do_mpi() {
    tools/deps.sh mpi || true
    if ! command -v mpicc mpirun >/dev/null; then
        echo 'skipped: Open MPI cannot be installed here, so dualpc-mpi was neither built nor run'
        return 0
    fi
    make mpi && bash tests/mpi/run.sh
}

do_sanitize() {
    make BUILD=build/sanitize SANITIZE=address,undefined CFLAGS='-O1 -g' tests
}

do_sanitize-unit() {
    repeat 8
    run_programs build/sanitize
}

do_sanitize-cli() {
    repeat 8
    bash tests/cli/run.sh build/sanitize/dualpc
}

do_analyze() {
    make analysis
}

do_coverage() {
    repeat 8
    make coverage
}

# The programs that are quick under valgrind, with --long all of them; and the program itself.
do_valgrind() {
    repeat 5
    bash tests/valgrind.sh build $long
}

do_clang() {
    if [ $long = 1 ]; then
        make CC=clang BUILD=build/clang tests
    else
        make CC=clang BUILD=build/clang CFLAGS=-O1 tests
    fi && build/clang/tests/golden/test_golden
}

do_r() {
    JOBS=$jobs bash tools/check-r.sh
}

do_threads() {
    local folder status program=build/threads/dualpc
    make CC=clang BUILD=build/threads SANITIZE=thread CFLAGS='-O1 -g' $program \
        build/threads/tests/property/test_permute build/threads/tests/property/test_ranks \
        build/threads/tests/unit/test_crew || return 1
    folder=$(mktemp -d)
    (
        repeat 8
        export TSAN_OPTIONS=ignore_noninstrumented_modules=1
        data="--quiet --threads 3 tests/golden/paper50/data.csv"
        # shellcheck disable=SC2086
        build/threads/tests/unit/test_crew &&
            build/threads/tests/property/test_permute &&
            build/threads/tests/property/test_ranks &&
            $program $data --normalize copula --alpha 0.3 &&
            $program $data --method ges &&
            $program $data --refine full --restarts 2 &&
            $program --quiet --threads 3 examples/example.csv --refine exact &&
            $program $data --bootstrap 12 --normalize copula &&
            $program study t-noise-1.5 --reps 2 --threads 3 --no-figures --quiet --out "$folder/study"
    )
    status=$?
    rm -rf "$folder"
    return $status
}

# What earlier runs kept is not taken along: two runs of the same code try the same seeds.
do_fuzz() {
    rm -rf build/fuzz/corpus build/fuzz/findings
    JOBS=$jobs bash tools/fuzz.sh 20
}

# The bundled example is what the simulation makes.
do_example() {
    local folder status
    folder=$(mktemp -d)
    build/make-example "$folder/example.csv" "$folder/example-truth.txt" &&
        cmp "$folder/example.csv" examples/example.csv &&
        cmp "$folder/example-truth.txt" examples/example-truth.txt
    status=$?
    rm -rf "$folder"
    return $status
}

# An object among the linker's flags is linked, not compiled, where the Makefile looks for libraries.
do_found() {
    local folder status
    folder=$(mktemp -d)
    echo 'int extra;' >"$folder/extra.c"
    cc -c "$folder/extra.c" -o "$folder/extra.o" &&
        make BUILD="$folder/build" LDFLAGS="$folder/extra.o" "$folder/build/found"
    status=$?
    rm -rf "$folder"
    return $status
}

# An installed library serves a program that knows nothing but pkg-config.
do_install() {
    local folder status
    do_found || return 1
    bash tests/abi.sh || return 1
    folder=$(mktemp -d)
    make PREFIX="$folder" install &&
        export PKG_CONFIG_PATH="$folder/lib/pkgconfig" &&
        # shellcheck disable=SC2046
        cc -Wall -Wextra -Werror examples/minimal.c $(pkg-config --cflags --libs dualpc) \
            -o "$folder/minimal" &&
        LD_LIBRARY_PATH="$folder/lib" "$folder/minimal" examples/example.csv \
            | grep -e '-->' | LC_ALL=C sort >"$folder/minimal.txt" &&
        "$folder/bin/dualpc" --quiet --alpha 0.01 examples/example.csv | grep -e '-->' \
            | cmp - "$folder/minimal.txt"
    status=$?
    rm -rf "$folder"
    return $status
}

# The Python of the system, which has numpy and the others: one that comes first in the path need not.
system_python() {
    local python
    for python in /usr/bin/python3 python3; do
        "$python" -c 'import numpy, pandas, pytest, setuptools, wheel' 2>/dev/null && echo "$python" && return
    done
    echo 'no Python with numpy, pandas, pytest, setuptools and wheel; run tools/deps.sh python' >&2
    return 1
}

# The source package has all that it takes: a wheel is made of it where nothing else of the project is.
do_python() {
    local python root=$PWD place=$PWD/build/python
    python=$(system_python) || return 1
    rm -rf "$place" && mkdir -p "$place" &&
        (cd python && "$python" -c "import setuptools.build_meta as b; b.build_sdist('$place')") &&
        rm -rf python/src/dualpc.egg-info &&
        "$python" -m venv --system-site-packages "$place/venv" &&
        (cd "$place" && CFLAGS=-Werror venv/bin/pip wheel -q --no-build-isolation --no-deps --no-index \
            -w "$place" dualpc-*.tar.gz) &&
        "$place/venv/bin/pip" install -q --no-deps --no-index "$place"/dualpc-*-cp311-abi3-*.whl &&
        (cd python && export PYTHONDONTWRITEBYTECODE=1 &&
            "$place/venv/bin/python" -m pytest -q -p no:cacheprovider tests &&
            "$place/venv/bin/python" -m mypy --cache-dir "$place/mypy" "$root/python/src/dualpc")
}

# ---- Running them ----

# A locale with a decimal comma, for the tests that show that it does not matter.
comma_locale() {
    export LOCPATH=$PWD/build/locale
    [ -d "$LOCPATH/de_DE.UTF-8" ] && return
    mkdir -p "$LOCPATH" && localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8"
}

declare -A step_of=() # by process
passed=0 failed=0 bad=

start() {
    echo "-- $1: ${does[$1]}"
    began[$1]=$SECONDS
    state[$1]=running
    (
        "do_$1"
        code=$?
        times >"build/check/$1.times"
        exit $code
    ) >"build/check/$1.log" 2>&1 </dev/null &
    step_of[$!]=$1
}

# The seconds of processors that a step took: what to compare on a machine that others use too.
busy() { # name
    sed 's/[ms]/ /g' "build/check/$1.times" |
        awk '{ sum += 60 * ($1 + $3) + $2 + $4 } END { printf "%.0f", sum }'
}

finish() { # name, exit code
    local took="$((SECONDS - began[$1])) s"
    [ ! -e "build/check/$1.times" ] || took="$took, busy $(busy "$1") s"
    if [ "$2" = 0 ]; then
        state[$1]=fine
        passed=$((passed + 1))
        echo "== $1: fine ($took)"
        grep '^skipped:' "build/check/$1.log" || true
    else
        state[$1]=failed
        failed=$((failed + 1))
        bad="$bad $1"
        cat "build/check/$1.log"
        echo "== $1: FAILED ($took)"
    fi
}

# Starts what can start: at most as many steps as processors, and the build by itself.
start_some() {
    local name need ready
    for name in "${wanted[@]}"; do
        [ "${state[$name]}" = waiting ] || continue
        [ ${#step_of[@]} -lt "$processors" ] || return
        ready=1
        for need in ${needs[$name]}; do
            [ "${state[$need]}" != failed ] || ready=never
            [ "${state[$need]}" = fine ] || [ $ready = never ] || ready=0
        done
        if [ $ready = never ]; then
            began[$name]=$SECONDS
            echo "not run: ${needs[$name]} failed" >"build/check/$name.log"
            finish "$name" 1
        elif [ $ready = 1 ]; then
            start "$name"
            [ "$name" != build ] || return
        fi
    done
}

trap 'for process in "${!step_of[@]}"; do kill -- "-$process"; done 2>/dev/null; exit 130' INT TERM

mkdir -p build/check
rm -f build/check/*
comma_locale || exit 1
wanted=()
for name in "${steps[@]}"; do
    state[$name]=unwanted
    [ $# -gt 0 ] || [[ $name == quick-* ]] || state[$name]=waiting
done
for name in "$@"; do
    [ -n "${state[$name]:-}" ] || { echo "check: no step '$name'; there are: ${steps[*]}" >&2; exit 1; }
    for needed in ${needs[$name]} "$name"; do
        state[$needed]=waiting
    done
done
for name in "${steps[@]}"; do
    [ "${state[$name]}" != waiting ] || wanted+=("$name")
done

start_some
while [ ${#step_of[@]} -gt 0 ]; do
    wait -n -p process "${!step_of[@]}"
    code=$?
    name=${step_of[$process]}
    unset "step_of[$process]"
    finish "$name" $code
    start_some
done
# Whoever sees no more than the end of all this sees why.
repeat_ends() {
    local name
    for name in $bad; do
        printf '\n== %s FAILED, and build/check/%s.log ends so:\n' "$name" "$name"
        tail -n 25 "build/check/$name.log" | cut -c 1-300
    done
}

echo "-- $SECONDS s in all${bad:+; failed:$bad}"
echo "check: $passed passed, $failed failed"
repeat_ends
[ $failed -eq 0 ] && [ $passed -eq ${#wanted[@]} ]
