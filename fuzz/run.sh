#!/bin/sh
# Fuzzes the parser, the decoders, the critic's reports, the checks of pages, documents, diffs and sites, what a judge reads, the
# drafts of people, the critics of content, brands and pictures. With SECONDS, that long in all, a twelfth of it each, from a seed of
# the hour: to look for trouble. Without, a fixed number of inputs from a fixed seed: the same for everybody, so that a test fails because of a
# change and not because of the day.
# Needs a C++ compiler for libFuzzer; a stable toolchain is enough. The corpora in the repository are only read. A finding
# is left in artifacts/ and fails the script.
set -eu
seconds=${1:-}
cd "$(dirname "$0")/.."

if ! command -v c++ >/dev/null 2>&1 && ! command -v g++ >/dev/null 2>&1 && ! command -v clang++ >/dev/null 2>&1; then
    echo "fuzzing needs a C++ compiler (c++, g++ or clang++)" >&2
    exit 2
fi

targets="parse decode critic document diff judge draft content site brand page picture"
programs=${CARGO_TARGET_DIR:-target}
# Counters for libFuzzer, and assertions. No sanitizer: the code is safe Rust, and sanitizers need a nightly toolchain.
flags="--cfg fuzzing -Cdebug-assertions -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-sanitizer-coverage-stack-depth \
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0"
if [ -n "$seconds" ]; then
    # A long look: dependencies have counters and assertions, too, and are compiled once more for that.
    host=$(rustc -vV | sed -n 's/^host: //p')
    RUSTFLAGS=$flags cargo build --release --target "$host" --package jury-fuzz --bins
    programs=$programs/$host/release
else
    # The gate: our crates have them, and dependencies are those of the release build, with the style engine among them.
    # Naming the program beside the fuzzer gives both the same features, without which nothing is shared.
    FUZZ_FLAGS=$flags RUSTC_WORKSPACE_WRAPPER=$PWD/fuzz/instrument.sh \
        cargo build --release --package jury --package jury-fuzz $(printf -- '--bin %s ' $targets)
    programs=$programs/release
fi

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
for target in $targets; do
    mkdir -p "$kept/$target" "fuzz/artifacts/$target"
    # The words of transcripts and of reports. In what programs print, the corpus has the words.
    case $target in
        parse) dictionary=-dict=fuzz/dictionary.txt ;;
        critic) dictionary=-dict=fuzz/critic.txt ;;
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
    # The first folder takes new inputs.
    "$programs/$target" "-artifact_prefix=fuzz/artifacts/$target/" $extent -max_len=8192 -timeout=10 -rss_limit_mb=1024 \
        -print_final_stats=1 $dictionary "$kept/$target" "fuzz/corpus/$target"
done
