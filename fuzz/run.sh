#!/bin/sh
# Fuzzes the parser, the decoders, the critic's reports and the checks of documents and diffs for SECONDS in all (60 unless
# told), a fifth of it each. Needs a C++ compiler for libFuzzer; a stable toolchain is enough. The corpora in the repository are
# only read. A finding is left in artifacts/ and fails the script.
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
each=$(((seconds + 4) / 5))
for target in parse decode critic document diff; do
    mkdir "$kept/$target"
    # The words of transcripts and of reports. In what programs print, the corpus has the words.
    case $target in
        parse) dictionary=-dict=dictionary.txt ;;
        critic) dictionary=-dict=critic.txt ;;
        *) dictionary= ;;
    esac
    # No sanitizer: the code is safe Rust, and sanitizers need a nightly toolchain. The first folder takes new inputs.
    cargo fuzz run -s none "$target" "$kept/$target" "corpus/$target" -- \
        -max_total_time="$each" -max_len=8192 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 $dictionary
done
