//! What can have the focus, as far as its own tag tells.

use crate::snapshot::Node;

/// Whether an element can have the focus if it is rendered and nothing around it is disabled.
pub(crate) fn is_focusable(node: &Node) -> bool {
    if node.tab_index().is_some() && !(is_control(&node.tag) && node.attribute("disabled").is_some()) {
        return true;
    }
    match node.tag.as_str() {
        "a" | "area" => node.attribute("href").is_some(),
        "input" => {
            node.attribute("disabled").is_none()
                && node.attribute("type").is_none_or(|kind| !kind.eq_ignore_ascii_case("hidden"))
        }
        "button" | "select" | "textarea" => node.attribute("disabled").is_none(),
        "summary" => node.role.as_deref() == Some("button"),
        "iframe" => true,
        "audio" | "video" => node.attribute("controls").is_some(),
        _ => node.attribute("contenteditable").is_some_and(|value| {
            ["", "true", "plaintext-only"].iter().any(|editable| value.eq_ignore_ascii_case(editable))
        }),
    }
}

fn is_control(tag: &str) -> bool {
    matches!(tag, "button" | "input" | "select" | "textarea")
}
