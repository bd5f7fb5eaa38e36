#!/usr/bin/env bash
# Test programs and runs of the program under valgrind: no read of what was never set, no byte outside,
# nothing lost.
#
#   tests/valgrind.sh BUILD [LONG]    1: every program of tests/unit, golden, property, and core
#
# The short run has what takes a few seconds there. What is only reachable at the end (of the BLAS, of
# Graphviz) is not lost.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

check() { # what to call
    if ! valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99 "$@" \
        >"$folder/log" 2>&1; then
        cat "$folder/log"
        echo "FAILED under valgrind: $*"
        bad=1
    fi
    count=$((count + 1))
}

bad=0 count=0
sources=$(make -s BUILD="$build" list-tests)
programs="core/test_memory fault/test_doors golden/test_aid golden/test_ida golden/test_golden
    unit/test_crew unit/test_doors unit/test_graph_errors unit/test_read unit/test_test unit/test_study"
if [ "${2:-0}" = 1 ]; then
    programs=$(sed -n "s|^$build/tests/\(core\|unit\|golden\|property\)/|\1/|p" <<<"$sources")
fi
for program in $programs; do
    grep -qxF "$build/tests/$program" <<<"$sources" || { echo "$program has no source"; bad=1; continue; }
    check "$build/tests/$program"
done
[ $count -gt 0 ] || { echo 'no test program was run'; bad=1; }

data="--quiet --threads 2 tests/golden/tiny20/data.csv"
# shellcheck disable=SC2086
for options in '-o x.json -o x.dot -o x.csv' '-o x.svg -o x.html' '--method ges' '--refine fast' '--bootstrap 4' \
    '--missing em' '--normalize copula --variant standard' '--orient majority'; do
    check "$build/dualpc" $data ${options// x/ $folder/x}
done
check "$build/dualpc" convert "$folder/x.json" "$folder/x.graphml"
check "$build/dualpc" compare "$folder/x.graphml" "$folder/x.json"

[ "$bad" = 0 ] && echo "valgrind: $count runs without an error"
exit $bad
