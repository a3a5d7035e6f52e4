//! The committed OpenAPI document is the one that the types make. `JURY_UPDATE=1` rewrites it.

use std::path::PathBuf;
use std::{env, fs};

#[test]
fn the_committed_document_is_the_one_that_the_types_make() {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let made = jury_core::contract::openapi().unwrap() + "\n";
    if env::var_os("JURY_UPDATE").is_some_and(|value| value == "1") {
        fs::write(&place, &made).unwrap();
    }
    let committed = fs::read_to_string(&place).unwrap_or_default();
    assert!(
        committed == made,
        "docs/openapi.json is not what the types make; run the test with JURY_UPDATE=1, \
         then `npm run types` in web/"
    );
}
