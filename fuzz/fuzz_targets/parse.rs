//! Any bytes, cut in any way, give the same signals, and the signals are sound.
#![no_main]

use jury_testkit::oracle;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Err(trouble) = oracle::check(input) {
        panic!("{trouble}");
    }
});
