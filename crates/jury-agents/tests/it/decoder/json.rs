//! Our own reading of JSON against the usual one: what is JSON is read, and read alike.

use jury_agents::decoder::{DecodeLimits, Format};
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::words;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\\\\\"{}\\[\\],: \n]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_lies_around_a_text_does_not_matter(
        before in value(), after in value(), text in any::<String>(), pretty in any::<bool>(),
    ) {
        let mut line = Map::new();
        // Maps are sorted: one member comes before the content, one after.
        line.insert("a".to_owned(), before);
        line.insert("content".to_owned(), text.clone().into());
        line.insert("role".to_owned(), "assistant".into());
        line.insert("z".to_owned(), after);
        let line = Value::Object(line);
        let written = if pretty { format!("{line:#}").replace('\n', "\t") } else { line.to_string() };
        let said = words(Format::Kimi, DecodeLimits::default(), std::iter::once(written));
        let expected = if text.is_empty() { vec![] } else { vec![format!("text {text}")] };
        prop_assert_eq!(&said[..said.len() - 1], expected);
    }
}
