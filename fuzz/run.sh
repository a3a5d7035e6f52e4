#!/bin/sh
# Fuzzes the parser for SECONDS (60 unless told). Needs a C++ compiler for libFuzzer; a stable toolchain is enough.
# The corpus in the repository is only read. A finding is left in artifacts/parse and fails the script.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")"

if ! command -v c++ >/dev/null 2>&1 && ! command -v g++ >/dev/null 2>&1 && ! command -v clang++ >/dev/null 2>&1; then
    echo "fuzzing needs a C++ compiler (c++, g++ or clang++)" >&2
    exit 2
fi
if ! cargo fuzz --version >/dev/null 2>&1; then
    cargo install cargo-fuzz --locked
fi

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
# No sanitizer: the code is safe Rust, and sanitizers need a nightly toolchain. The first folder takes new inputs.
cargo fuzz run -s none parse "$kept" corpus/parse -- \
    -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=1024 -dict=dictionary.txt -print_final_stats=1
