//! Any bytes are read as a diff, searched and packed, twice with the same result; no evidence spans lines, and nothing
//! that is packed exceeds its budget.
#![no_main]

use jury_text::diff::{BYTES_PER_TOKEN, Diff, DiffLimits, pack, pack_log, search};

const LIMITS: DiffLimits = DiffLimits { bytes: 4096, line: 256, file: 2048, files: 4 };

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let diff = Diff::read(input);
    assert_eq!(diff, Diff::read(input), "the same bytes, another answer");
    let found = search(&diff, "Change src/lib.rs");
    assert_eq!(found, search(&diff, "Change src/lib.rs"), "the same change, another answer");
    for evidence in &found {
        assert!(!evidence.text.contains('\n') && !evidence.quote.contains('\n'), "{evidence:?}");
    }
    for tokens in [0, 100, 8000] {
        let packed = pack(&diff, tokens);
        assert!(packed.parts.iter().map(|part| part.text.len()).sum::<usize>() <= tokens * BYTES_PER_TOKEN);
    }
    let small = Diff::read_within(input, LIMITS);
    assert!(small.files.len() <= LIMITS.files && small.omitted.len() <= LIMITS.files);
    let kept: usize = small.files.iter().flat_map(|file| &file.hunks).map(|hunk| hunk.lines.len()).sum();
    assert!(kept * 64 <= LIMITS.bytes);
    let log = pack_log(input, 20);
    assert!(log.omitted <= log.lines);
});
