#!/bin/sh
# The demonstration: learns the bundled example, shows the graph and the summary, and compares
# with the true graph. Takes the path of the program.
set -eu
program=${1:-build/dualpc}
cd "$(dirname "$0")/.."

echo
echo "\$ dualpc examples/example.csv"
"$program" examples/example.csv
echo
found=$(mktemp)
trap 'rm -f "$found"' EXIT
"$program" --quiet examples/example.csv >"$found"
echo "of the $(wc -l <examples/example-truth.txt) edges of the true graph (examples/example-truth.txt)," \
    "$(LC_ALL=C comm -12 examples/example-truth.txt "$found" | wc -l) were found exactly;" \
    "$(LC_ALL=C comm -13 examples/example-truth.txt "$found" | wc -l) found are not in it"
