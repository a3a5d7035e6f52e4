//! Any bytes in the place of a picture behind text are read, twice with the same result, or left alone.
#![no_main]

use jury_house::{Beside, report};

const PAGE: &str = "<!doctype html><html lang=en><title>Bread</title><main><h1>Bread</h1>\
    <p style='color:#888;background:url(a.png) 0 0/cover'>Words on a picture</p>\
    <div style='position:relative'><img src=a.png alt='A loaf' style='position:absolute;width:90px'>\
    <p style='position:relative;color:#888'>Words on a picture</p></div></main>";

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut beside = Beside::nothing();
    beside.insert("a.png", input.to_vec());
    let seen = report(PAGE, None, &beside).expect("whatever the picture is, the page can be measured");
    assert_eq!(Some(seen), report(PAGE, None, &beside).ok(), "the same bytes, another answer");
});
