//! Keys that stand in a JSON object twice. Readers take the first or the last of them, so such a text says two things.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// The first key that an object of this text has twice, at any depth.
pub(super) fn twice(bytes: &[u8]) -> Option<String> {
    let mut found = None;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    // Whoever read it before knows that it is JSON.
    Look(&mut found).deserialize(&mut reader).ok();
    found
}

struct Look<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(Look(&mut *self.0))?;
            if self.0.is_none() && !keys.insert(key.clone()) {
                *self.0 = Some(key);
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Look(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::twice;

    #[test]
    fn a_key_that_stands_in_one_object_twice_is_found() {
        for (text, key) in [
            (r#"{"a": 1, "a": 2}"#, Some("a")),
            (r#"{"b": {"a": [1, {"c": null, "c": true}]}}"#, Some("c")),
            (r#"{"\u0061": 1, "a": 2}"#, Some("a")),
            (r#"{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1.5}]}"#, None),
            ("[]", None),
        ] {
            assert_eq!(twice(text.as_bytes()).as_deref(), key, "{text}");
        }
    }
}
