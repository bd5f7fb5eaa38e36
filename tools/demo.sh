#!/bin/sh
# The demonstration: learns the bundled example, shows the graph and the summary, and compares
# with the true graph; and writes a report. Takes the path of the program.
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

mkdir -p build/demo
"$program" --quiet examples/example.csv --bootstrap 50 -o build/demo/report.html -o build/demo/graph.svg
echo
echo "the report is build/demo/report.html: open it in a browser, or type build/dualpc view build/demo/report.html"
