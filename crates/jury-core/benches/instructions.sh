#!/bin/sh
# Instructions per byte of the parser, counted by valgrind: the same on every run, whatever else the machine does.
# Two sizes are parsed and their difference is taken, so that starting up and making the input cost nothing.
set -eu
cd "$(dirname "$0")/../../.."

if ! command -v valgrind >/dev/null 2>&1; then
    echo "valgrind is not installed: instructions are not counted"
    exit 0
fi

binary=$(cargo bench -q -p jury-core --bench parser --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*parser-[^"]*\)".*/\1/p' | tail -n 1)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count() { # KIND BYTES PIECE
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$binary" callgrind "$1" "$2" "$3" 2>/dev/null
    sed -n 's/^\(summary\|totals\): \([0-9]*\).*/\2/p' "$folder/out" | head -n 1
}

printf '%-6s %8s %20s\n' input pieces 'instructions/byte'
small=1048576
large=3145728
for kind in mix big chat; do
    for piece in 65536 4096 64 1; do
        less=$(count "$kind" "$small" "$piece")
        more=$(count "$kind" "$large" "$piece")
        awk -v kind="$kind" -v piece="$piece" -v work="$((more - less))" -v bytes="$((large - small))" \
            'BEGIN { printf "%-6s %8d %20.2f\n", kind, piece, work / bytes }'
    done
done
