//! What lies beside a page: the only files it gets, apart from what it carries in itself.
//!
//! They are handed in as bytes. The eye opens nothing, so that a page cannot make it read anything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base64;

/// Files beside a page, by their address relative to it (`style.css`, `img/logo.png`), without query and fragment.
///
/// Of files that the page only links to it is enough to know whether they are there.
///
/// As JSON it is a map from addresses to contents: text as it is, other bytes as `{"base64": "…"}`, and `true` or `false`
/// for what is only linked to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "BTreeMap<String, Content>", try_from = "BTreeMap<String, Content>")]
pub struct Beside {
    files: BTreeMap<String, Vec<u8>>,
    linked: BTreeMap<String, bool>,
}

/// The content of a file as it is written down.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes { base64: String },
    There(bool),
}

impl From<Beside> for BTreeMap<String, Content> {
    fn from(beside: Beside) -> Self {
        let content = |bytes: Vec<u8>| match String::from_utf8(bytes) {
            Ok(text) => Content::Text(text),
            Err(error) => Content::Bytes { base64: base64::encode(error.as_bytes()) },
        };
        let linked = beside.linked.into_iter().map(|(address, there)| (address, Content::There(there)));
        // A file that was read says more than that it is there.
        linked.chain(beside.files.into_iter().map(|(address, bytes)| (address, content(bytes)))).collect()
    }
}

impl TryFrom<BTreeMap<String, Content>> for Beside {
    type Error = String;

    fn try_from(written: BTreeMap<String, Content>) -> Result<Self, String> {
        let mut beside = Self::nothing();
        for (address, content) in written {
            let bytes = match content {
                Content::There(there) => {
                    beside.link(address, there);
                    continue;
                }
                Content::Text(text) => text.into_bytes(),
                Content::Bytes { base64 } => {
                    base64::decode(base64.as_bytes()).ok_or_else(|| format!("{address} is not base64"))?
                }
            };
            beside.insert(address, bytes);
        }
        Ok(beside)
    }
}

impl Beside {
    /// Nothing lies beside the page.
    pub const fn nothing() -> Self {
        Self { files: BTreeMap::new(), linked: BTreeMap::new() }
    }

    /// Puts a file beside the page.
    pub fn insert(&mut self, address: impl Into<String>, bytes: Vec<u8>) {
        self.files.insert(address.into(), bytes);
    }

    /// Says whether a file that the page links to is there.
    pub fn link(&mut self, address: impl Into<String>, there: bool) {
        self.linked.insert(address.into(), there);
    }

    /// Whether a file is there; nothing when nobody has looked.
    pub fn has(&self, address: &str) -> Option<bool> {
        if self.files.contains_key(address) { Some(true) } else { self.linked.get(address).copied() }
    }

    /// The bytes of a file.
    pub fn get(&self, address: &str) -> Option<&[u8]> {
        self.files.get(address).map(Vec::as_slice)
    }

    /// Whether nothing lies beside the page.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.linked.is_empty()
    }

    /// How many bytes there are in all files.
    pub fn bytes(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }

    /// Every file with its address, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(address, bytes)| (address.as_str(), bytes.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_come_back_from_json() {
        let mut beside = Beside::nothing();
        beside.insert("a.css", b"p{}".to_vec());
        beside.insert("b.png", vec![0x89, 0xff, 0x00, 0x01]);
        beside.link("c.html", true);
        beside.link("d.html", false);
        let json = serde_json::to_string(&beside).expect("it can be written");
        assert_eq!(json, r#"{"a.css":"p{}","b.png":{"base64":"if8AAQ=="},"c.html":true,"d.html":false}"#);
        assert_eq!(serde_json::from_str::<Beside>(&json).expect("it can be read"), beside);
        assert_eq!(
            ["a.css", "c.html", "d.html", "e.html"].map(|one| beside.has(one)),
            [Some(true), Some(true), Some(false), None]
        );
        assert!(serde_json::from_str::<Beside>(r#"{"x":{"base64":"?"}}"#).is_err());
    }
}
