#!/bin/bash
# Runs every test program of a build that has gcov in it; then tools/coverage.py tells what they reach.
#   DPC_REPEAT=8 tools/coverage.sh build/coverage
set -u
cd "$(dirname "$0")/.." || exit 1
# a locale with a decimal comma, where tools/check.sh made one
[ ! -d build/locale ] || export LOCPATH=$PWD/build/locale
log=$(mktemp)
trap 'rm -f "$log"' EXIT
bad=0
for source in "$1"/tests/*/test_*.o; do
    # in these gcov itself would meet the calls that fail
    case $source in */test_commands.o | */test_system.o) continue ;; esac
    "${source%.o}" >"$log" 2>&1 || { cat "$log"; echo "${source%.o}: FAILED"; bad=1; }
done
"$1/tests/core/test_memory" >"$log" 2>&1 || { cat "$log"; bad=1; }
python3 -B tools/coverage.py "$1" && [ $bad = 0 ]
