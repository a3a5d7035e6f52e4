//! The brand.

use super::{page, review_with};
use crate::transcript::score;

#[test]
fn a_brand_is_kept_or_not() {
    let design = "---\nname: Bread\ncolors:\n  ink: '#222222'\n  paper: '#ffffff'\ntypography:\n  body:\n    fontFamily: sans-serif\n---\n";
    let kept = review_with(&page("", ""), Some(design));
    assert_eq!(score(&kept, "brand", "colour"), Some(10.0));
    assert_eq!(score(&kept, "brand", "type"), Some(10.0));
    let strange =
        page("body{color:#603!important;background:#ffd!important;font-family:Papyrus!important}", "");
    let broken = review_with(&strange, Some(design));
    assert_eq!(score(&broken, "brand", "colour"), Some(0.0));
    assert_eq!(score(&broken, "brand", "type"), Some(0.0));
    assert!(broken.must_fix.iter().any(|text| text.contains("from the nearest token")));
}
