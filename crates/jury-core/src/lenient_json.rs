//! JSON as models write it: a value at the beginning of a text, with commas too many before its closing brackets or not.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// The value at the beginning of a text, and how many bytes of the text it takes; `None` when there is nothing. What
/// follows it is not looked at.
pub fn first_value<T: DeserializeOwned>(text: &str) -> Option<Result<(T, usize), serde_json::Error>> {
    let strict = read(text)?;
    if strict.is_ok() {
        return Some(strict);
    }
    match without_trailing_commas(text) {
        Cow::Owned(mended) => read(&mended).filter(Result::is_ok).or(Some(strict)),
        Cow::Borrowed(_) => Some(strict),
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Option<Result<(T, usize), serde_json::Error>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let value = values.next()?;
    Some(value.map(|value| (value, values.byte_offset())))
}

/// The text with a space for each comma after which only a closing bracket follows, as far as the first value goes. It
/// has the length that it had. Commas in strings stay.
fn without_trailing_commas(text: &str) -> Cow<'_, str> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    // The last byte that is no white space, and its place if it is a comma behind a value.
    let (mut last, mut comma) = (b'[', None);
    let mut commas = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            last = byte;
            continue;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                commas.extend(comma);
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
        comma = (byte == b',' && !matches!(last, b'{' | b'[' | b',' | b':')).then_some(at);
        last = byte;
    }
    if commas.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut mended = String::with_capacity(text.len());
    let mut behind = 0;
    for at in commas {
        mended.push_str(text.get(behind..at).unwrap_or_default());
        mended.push(' ');
        behind = at + 1;
    }
    mended.push_str(text.get(behind..).unwrap_or_default());
    Cow::Owned(mended)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn value(text: &str) -> Option<(Value, usize)> {
        first_value(text)?.ok()
    }

    #[test]
    fn commas_before_a_closing_bracket_are_forgiven_and_no_others() {
        assert_eq!(value("[1, 2,] and more,]"), Some((json!([1, 2]), 7)));
        assert_eq!(
            value("{\"a\": [\"x\", ], \"b\": {\"c\": 1,\n},\n}"),
            Some((json!({"a": ["x"], "b": {"c": 1}}), 33))
        );
        assert_eq!(value(r#"["a,]", "\",}",]"#), Some((json!(["a,]", "\",}"]), 16)));
        for wrong in ["[1,,2]", "[,]", "{,}", "[1,,]", "{\"a\":,}", "[1,", "{\"a\": 1,"] {
            assert!(first_value::<Value>(wrong).unwrap().is_err(), "{wrong}");
        }
        assert!(first_value::<Value>("  ").is_none());
    }

    #[test]
    fn what_is_good_json_is_read_as_it_stands() {
        assert_eq!(value(r#"{"note": "one, ]"} rest"#), Some((json!({"note": "one, ]"}), 18)));
    }
}
