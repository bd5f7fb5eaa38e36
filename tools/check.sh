#!/bin/bash
# All tests, each step once: `make check` calls this. Stops at nothing, tells at the end.
#   tools/check.sh           everything
#   tools/check.sh STEP …    only these: format build unit cli sanitize threads clang example install
set -u
cd "$(dirname "$0")/.." || exit 1
make="make --no-print-directory -j$(nproc)"
export WERROR=1
passed=0 failed=0

step() { # name, command …
    local name=$1 start=$SECONDS
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "== $name: fine ($((SECONDS - start)) s)"
    else
        failed=$((failed + 1))
        echo "== $name: FAILED ($((SECONDS - start)) s)"
    fi
}

format() {
    local files
    files=$(git ls-files '*.c' '*.h' 2>/dev/null)
    [ -n "$files" ] || files=$(find core io cli sim include examples tests -name '*.[ch]')
    # shellcheck disable=SC2086
    clang-format --dry-run -Werror $files
}

build() {
    $make all
}

# A locale with a decimal comma, for the tests that show that it does not matter.
comma_locale() {
    export LOCPATH=$PWD/build/locale
    [ -d "$LOCPATH/de_DE.UTF-8" ] && return
    mkdir -p "$LOCPATH" && localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8"
}

# Every cmocka program of a build; their output only where it fails.
run_programs() { # build folder
    local program log bad=0
    log=$(mktemp)
    for program in "$1"/tests/*/test_*; do
        case $program in *.o | *.d) continue ;; esac
        if "$program" >"$log" 2>&1; then
            echo "   $program: $(grep -c '\[       OK' "$log") passed"
        else
            cat "$log"
            bad=1
        fi
    done
    rm -f "$log"
    return $bad
}

unit() {
    $make tests && run_programs build
}

cli() {
    bash tests/cli/run.sh build/dualpc
}

# The same once more with every access and every operation watched.
sanitize() {
    $make BUILD=build/sanitize SANITIZE=address,undefined CFLAGS='-O1 -g' tests &&
        run_programs build/sanitize && bash tests/cli/run.sh build/sanitize/dualpc
}

clang() {
    $make CC=clang BUILD=build/clang tests && build/clang/tests/golden/test_golden >/dev/null
}

# ThreadSanitizer: no worker touches what is another's.
threads() {
    local folder status program=build/threads/dualpc
    $make CC=clang BUILD=build/threads SANITIZE=thread CFLAGS='-O1 -g' $program \
        build/threads/tests/property/test_permute build/threads/tests/unit/test_crew || return 1
    folder=$(mktemp -d)
    (
        export TSAN_OPTIONS=ignore_noninstrumented_modules=1
        data="--quiet --threads 3 tests/golden/paper50/data.csv"
        # shellcheck disable=SC2086
        build/threads/tests/unit/test_crew >/dev/null &&
            build/threads/tests/property/test_permute >/dev/null &&
            $program $data --normalize copula --alpha 0.3 >/dev/null &&
            $program $data --method ges >/dev/null &&
            $program $data --bootstrap 12 --normalize copula >/dev/null &&
            $program study t-noise-1.5 --reps 2 --threads 3 --no-figures --quiet --out "$folder/study"
    )
    status=$?
    rm -rf "$folder"
    return $status
}

# The bundled example is what the simulation makes.
example() {
    local folder status
    folder=$(mktemp -d)
    $make build/make-example &&
        build/make-example "$folder/example.csv" "$folder/example-truth.txt" &&
        cmp "$folder/example.csv" examples/example.csv &&
        cmp "$folder/example-truth.txt" examples/example-truth.txt
    status=$?
    rm -rf "$folder"
    return $status
}

# An installed library serves a program that knows nothing but pkg-config.
install() {
    local folder status
    folder=$(mktemp -d)
    $make PREFIX="$folder" install >/dev/null &&
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

comma_locale || exit 1
[ $# -gt 0 ] || set -- format build unit cli sanitize threads clang example install
for name in "$@"; do
    step "$name" "$name"
done
echo "check: $passed passed, $failed failed"
[ $failed -eq 0 ]
