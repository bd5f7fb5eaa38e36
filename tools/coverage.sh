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
for program in $(make -s BUILD="$1" list-tests); do
    # in these gcov itself would meet the calls that fail
    case $program in */test_commands | */test_system) continue ;; esac
    "$program" >"$log" 2>&1 || { cat "$log"; echo "$program: FAILED"; bad=1; }
done
python3 -B tools/coverage.py "$1" && [ $bad = 0 ]
