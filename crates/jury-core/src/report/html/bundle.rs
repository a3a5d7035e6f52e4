//! What every report is made with: the script, the styles and the words that are built from `web/`.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

/// The built parts. They come as values: where they are kept is not known here.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The program that plays the run again.
    pub script: Cow<'static, str>,
    /// How it looks, on a screen and on paper.
    pub style: Cow<'static, str>,
    /// The words in every language, as one JSON object.
    pub words: Cow<'static, str>,
}

impl Bundle {
    /// What a browser may do with the file: run this very script, and load nothing. Frames inherit it. Styles are
    /// allowed as they stand because those of the pages under review are not known beforehand; what they could load,
    /// they cannot.
    pub fn policy(&self) -> String {
        let hash = base64(&Sha256::digest(self.script.as_bytes()));
        format!(
            "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data:; \
             base-uri 'none'; form-action 'none'"
        )
    }
}

/// Base 64 as a policy wants its hashes. Too little to carry a crate for.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for place in 0..4 {
            let digit = DIGITS[((bits >> (18 - 6 * place)) & 63) as usize];
            text.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_what_everybody_means_by_it() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }
}
