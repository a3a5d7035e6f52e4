//! What stands between the elements of a panelist: text and markup that the protocol does not know. It is skipped, and it is no
//! part of a review; but who asks for a fix there has asked for one.

use super::element::Element;
use super::text;
use crate::avowal::refusal;

/// What says of an element that it must be seen to.
const GRAVE: &[&str] = &[
    "blocker",
    "blocking",
    "critical",
    "fatal",
    "high",
    "mandatory",
    "must",
    "mustfix",
    "required",
    "severe",
    "showstopper",
];

/// Whether what stands there asks for a fix: in a tag that is graver than a remark, in an escaped tag of ours, or in words.
pub(super) fn asks_for_a_fix(bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return false;
    }
    let mut decoded = bytes.to_vec();
    text::decode_entities(&mut decoded, 0);
    let said = text::as_text(&decoded);
    let mut plain = String::new();
    for (index, piece) in said.split('<').enumerate() {
        let Some((tag, behind)) = piece.split_once('>').filter(|_| index > 0) else {
            plain.push_str(piece);
            continue;
        };
        if is_grave(tag) {
            return true;
        }
        plain.push('\n');
        plain.push_str(behind);
    }
    refusal(&plain).is_some()
}

/// `MUST_FIX`, `ISSUE severity="blocker"`, `FIX required="true"`: not `NOTE severity="low"`.
fn is_grave(tag: &str) -> bool {
    let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    if Element::named(name.trim_end_matches('/').as_bytes()) == Some(Element::MustFix) {
        return true;
    }
    let mut attributes = attributes.split_whitespace().filter_map(|attribute| attribute.split_once('='));
    attributes.any(|(key, value)| {
        let letters = |text: &str| {
            text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
        };
        let (key, value) = (letters(key), letters(value));
        let denied = matches!(value.as_str(), "false" | "no" | "none" | "");
        GRAVE.contains(&value.as_str()) || GRAVE.contains(&key.as_str()) && !denied
    })
}

#[cfg(test)]
mod tests {
    use super::asks_for_a_fix;

    #[test]
    fn who_asks_for_a_fix_between_elements_has_asked() {
        for text in [
            r#"<ISSUE severity="must-fix">Name it.</ISSUE>"#,
            r#"<FINDING severity="blocker">Name it.</FINDING>"#,
            r#"<FIX required="true">Name it.</FIX>"#,
            "&lt;MUST_FIX&gt;Name it.&lt;/MUST_FIX&gt;",
            "\n**MUST FIX:** Name it.\n",
        ] {
            assert!(asks_for_a_fix(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "\n",
            "### Brand",
            r#"<NOTE severity="low">A map would be nice.</NOTE>"#,
            r#"<FIX required="false">A map.</FIX>"#,
            "No must-fix.",
            "<b>Calm</b> & short",
        ] {
            assert!(!asks_for_a_fix(text.as_bytes()), "{text}");
        }
    }
}
