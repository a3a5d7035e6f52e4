#!/bin/sh
# Compiles a crate of ours for the fuzzer: cargo calls this instead of the compiler, whose name comes first.
exec "$@" $FUZZ_FLAGS
