#!/bin/sh
# Fuzzes the parser, the decoders, the critic's reports, the checks of pages, documents, diffs and sites, what a judge reads, the
# drafts of people, the critics of content, brands and pictures. With SECONDS, that long in all, a twelfth of it each, from a seed of
# the hour: to look for trouble. Without, a fixed number of inputs from a fixed seed: the same for everybody, so that a test fails because of a
# change and not because of the day.
# Needs a C++ compiler for libFuzzer; a stable toolchain is enough. The corpora in the repository are only read. A finding
# is left in artifacts/ and fails the script.
set -eu
seconds=${1:-}
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
for target in parse decode critic document diff judge draft content site brand page picture; do
    mkdir "$kept/$target"
    # The words of transcripts and of reports. In what programs print, the corpus has the words.
    case $target in
        parse) dictionary=-dict=dictionary.txt ;;
        critic) dictionary=-dict=critic.txt ;;
        *) dictionary= ;;
    esac
    # A document takes ten times as long as anything else, and so do a draft and a site.
    # A page is laid out four times and takes a hundred times as long.
    case $target in
        page) inputs=300 ;;
        picture) inputs=1000 ;;
        document | content | site) inputs=5000 ;;
        *) inputs=20000 ;;
    esac
    if [ -n "$seconds" ]; then
        extent="-max_total_time=$(((seconds + 11) / 12))"
    else
        extent="-seed=1 -runs=$inputs"
    fi
    # No sanitizer: the code is safe Rust, and sanitizers need a nightly toolchain. The first folder takes new inputs.
    cargo fuzz run -s none "$target" "$kept/$target" "corpus/$target" -- \
        $extent -max_len=8192 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 $dictionary
done
