#!/bin/bash
# Runs what counts for the coverage, with a build that has gcov in it: every test program, and the part of
# tests/cli whose words are below, which goes where the programs do not. Then tools/coverage.py tells.
#   DPC_REPEAT=8 tools/coverage.sh build/coverage
set -u
cd "$(dirname "$0")/.." || exit 1
words='adjust|separate|explain|json|differences|knowledge_from|missing_words|limits_of_memory'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
bad=0
for source in "$1"/tests/*/test_*.o; do
    "${source%.o}" >"$log" 2>&1 || { cat "$log"; echo "${source%.o}: FAILED"; bad=1; }
done
"$1/tests/core/test_memory" >"$log" 2>&1 || { cat "$log"; bad=1; }
ONLY="@($words)" bash tests/cli/run.sh "$1/dualpc" || bad=1
python3 -B tools/coverage.py "$1" && [ $bad = 0 ]
