#!/usr/bin/env bash
# Learns a graph for Benchpress: snakemake gives the arrays snakemake_input, snakemake_output and
# snakemake_wildcards. DUALPC may name the program; otherwise dualpc is looked for in the PATH.
set -eu

# The program's options, each under the name of its wildcard; None is the program's own default.
options=()
for name in alpha alpha_dual method variant rule test max_order min_ess penalty normalize graph \
    orient order threads; do
    value=${snakemake_wildcards[$name]:-None}
    [ "$value" = None ] || options+=("--${name//_/-}" "$value")
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

limit=()
seconds=${snakemake_wildcards[timeout]:-None}
[ "$seconds" = None ] || limit=(timeout "$seconds")
status=0
"${limit[@]}" "${DUALPC:-dualpc}" learn "${snakemake_input[data]}" --quiet "${options[@]}" \
    -o "$folder/adjmat.csv" -o "$folder/result.json" || status=$?

# Too late: an empty graph, as Benchpress has it.
if [ "$seconds" != None ] && { [ "$status" = 124 ] || [ "$status" = 143 ]; }; then
    : >"${snakemake_output[adjmat]}"
    echo None >"${snakemake_output[time]}"
    echo None >"${snakemake_output[ntests]}"
    exit 0
fi
[ "$status" = 0 ] || exit "$status"

# From the table in memory to the graph: without reading and writing.
sed -n 's/.*"seconds": {\(.*\)}.*/\1/p' "$folder/result.json" |
    tr ',' '\n' | sed 's/[" ]//g' |
    awk -F: '$1 ~ /^(prepare|correlation|skeleton|orient|refine)$/ { sum += $2 }
        END { printf "%.6f\n", sum }' >"${snakemake_output[time]}"
sed -n 's/^ *"tests": \([0-9]*\),*$/\1/p' "$folder/result.json" | tail -n 1 \
    >"${snakemake_output[ntests]}"
cp "$folder/adjmat.csv" "${snakemake_output[adjmat]}"
