//! Keeps what others wrote from becoming markup or script. One function for each kind of place.

/// For text between tags and for values in quotes. Control characters are left out.
pub(in crate::report) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => safe.push(character),
            _ if character.is_control() => {}
            // They turn the order of what follows; a name must not reorder a page.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            _ => push(character, &mut safe),
        }
    }
    safe
}

/// For a whole document in a quoted value: every character comes back as it was, but for NUL, which HTML cannot say.
pub(super) fn document(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '\r' => safe.push_str("&#13;"),
            '\0' => safe.push('\u{fffd}'),
            _ => push(character, &mut safe),
        }
    }
    safe
}

fn push(character: char, safe: &mut String) {
    match character {
        '&' => safe.push_str("&amp;"),
        '<' => safe.push_str("&lt;"),
        '>' => safe.push_str("&gt;"),
        '"' => safe.push_str("&quot;"),
        '\'' => safe.push_str("&#39;"),
        _ => safe.push(character),
    }
}

/// For JSON in a script element. These characters only occur within strings, where their escapes mean the same; without
/// them there is no `</script`, no `<!--`, and no line end that JavaScript knows and JSON does not.
pub(super) fn data(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            _ => safe.push(character),
        }
    }
    safe
}
