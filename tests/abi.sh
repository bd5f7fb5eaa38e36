#!/usr/bin/env bash
# What a program that was compiled with the public headers relies on: the symbols of libdualpc.so,
# the sizes and offsets of the public structs, the values of the enums. tests/abi.txt has them; what
# differs from it is shown, and is wrong unless it was meant.
#   tests/abi.sh [--update]     --update writes tests/abi.txt anew
#
# Members that come at the end of a struct, new symbols and new enumerators are fine for programs
# that are there; CHANGELOG.md tells of all others.
set -u
cd "$(dirname "$0")/.." || exit 1
kept=tests/abi.txt
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT

if [ "$(getconf LONG_BIT)" != 64 ]; then
    echo "abi: $kept is about machines of 64 bits; not asked here"
    exit 0
fi
make --no-print-directory build/libdualpc.so >"$made/log" 2>&1 || {
    cat "$made/log"
    exit 1
}
headers="include/dualpc.h include/dualpc_graph.h include/dualpc_explain.h include/dualpc_sample.h include/dualpc_io.h"
# shellcheck disable=SC2086
python3 tests/abi.py $headers >"$made/layout.c" && ${CC:-cc} -Iinclude "$made/layout.c" -o "$made/layout" || exit 1
{
    echo '# Written by tests/abi.sh --update.'
    echo 'symbols:'
    nm -D --defined-only build/libdualpc.so | awk '$3 ~ /^dpc_/ { print "    " $3 }' | LC_ALL=C sort
    "$made/layout"
} >"$made/abi.txt" || exit 1

if [ "${1:-}" = --update ]; then
    cp "$made/abi.txt" "$kept"
elif ! diff -u "$kept" "$made/abi.txt"; then
    echo "abi: differs from $kept; if it is meant, tests/abi.sh --update"
    exit 1
fi
echo "abi: $(grep -c '^    dpc_' "$made/abi.txt") symbols, $(grep -c '^struct' "$made/abi.txt") structs"
