//! The shape of a Rust type as a JSON schema that services accept: whole, without references.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of a type.
pub(super) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The same schema under the rules of "strict": every property required, no others, `anyOf` for `oneOf`, and
/// no annotation that only Rust understands. A property that may be absent may be null instead.
pub(super) fn strict(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => Value::Object(strict_object(fields)),
        Value::Array(items) => items.iter().map(strict).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

fn strict_object(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut strict_fields = Map::new();
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("$schema" | "default" | "format" | "title" | "required" | "additionalProperties", _) => {}
            ("properties", Value::Object(properties)) => {
                let required: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
                let properties =
                    properties.iter().map(|(name, value)| (name.clone(), strict(value))).collect();
                strict_fields.insert("properties".to_owned(), Value::Object(properties));
                strict_fields.insert("required".to_owned(), required.into());
                strict_fields.insert("additionalProperties".to_owned(), false.into());
            }
            ("oneOf", value) => {
                strict_fields.insert("anyOf".to_owned(), strict(value));
            }
            // Values, not schemas.
            ("const" | "enum", value) => {
                strict_fields.insert(name.clone(), value.clone());
            }
            (_, value) => {
                strict_fields.insert(name.clone(), strict(value));
            }
        }
    }
    strict_fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Verdict {
        /// How good it is.
        score: f64,
        note: Option<String>,
        parts: Vec<Part>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Part {
        title: String,
    }

    #[test]
    fn a_strict_schema_requires_everything_and_refers_to_nothing() {
        let schema = of::<Verdict>();
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        let part = json!({"type": "object", "properties": {"title": {"type": "string"}},
            "required": ["title"], "additionalProperties": false});
        assert_eq!(
            strict(&schema),
            json!({"type": "object", "additionalProperties": false, "required": ["note", "parts", "score"],
                "properties": {"score": {"type": "number", "description": "How good it is."},
                    "note": {"type": ["string", "null"]}, "parts": {"type": "array", "items": part}}})
        );
    }
}
