//! The states and properties, with the values each of them takes.

/// What an attribute may be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Any text is allowed.
    Text,
    /// Any whole number is allowed.
    Integer,
    /// Any number is allowed.
    Number,
    /// One of these words.
    Token(&'static str),
    /// Some of these words.
    Tokens(&'static str),
    /// The id of an element.
    Id,
    /// The ids of other elements.
    Ids,
}

/// One state or property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AriaAttribute {
    /// Its name without `aria-`.
    pub name: &'static str,
    /// What it may be set to.
    pub values: Values,
}

impl AriaAttribute {
    /// Whether a value has the right form. Ids are not looked up.
    pub fn takes(&self, value: &str) -> bool {
        let value = value.trim();
        match self.values {
            Values::Text => true,
            Values::Integer => {
                let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            Values::Number => value.parse::<f64>().is_ok_and(f64::is_finite),
            Values::Token(words) => super::holds(words, &value.to_ascii_lowercase()),
            Values::Tokens(words) => {
                value.split_ascii_whitespace().all(|word| super::holds(words, &word.to_ascii_lowercase()))
            }
            Values::Id => value.split_ascii_whitespace().count() == 1,
            Values::Ids => true,
        }
    }
}

const BOOL: Values = Values::Token("true false");
const MAYBE: Values = Values::Token("true false undefined");
const MIXED: Values = Values::Token("true false mixed undefined");

const ATTRIBUTES: &[(&str, Values)] = &[
    ("activedescendant", Values::Id),
    ("atomic", BOOL),
    ("autocomplete", Values::Token("inline list both none")),
    ("braillelabel", Values::Text),
    ("brailleroledescription", Values::Text),
    ("busy", BOOL),
    ("checked", MIXED),
    ("colcount", Values::Integer),
    ("colindex", Values::Integer),
    ("colindextext", Values::Text),
    ("colspan", Values::Integer),
    ("controls", Values::Ids),
    ("current", Values::Token("page step location date time true false")),
    ("describedby", Values::Ids),
    ("description", Values::Text),
    ("details", Values::Ids),
    ("disabled", BOOL),
    ("dropeffect", Values::Tokens("copy execute link move none popup")),
    ("errormessage", Values::Ids),
    ("expanded", MAYBE),
    ("flowto", Values::Ids),
    ("grabbed", MAYBE),
    ("haspopup", Values::Token("false true menu listbox tree grid dialog")),
    ("hidden", MAYBE),
    ("invalid", Values::Token("grammar false spelling true")),
    ("keyshortcuts", Values::Text),
    ("label", Values::Text),
    ("labelledby", Values::Ids),
    ("level", Values::Integer),
    ("live", Values::Token("assertive off polite")),
    ("modal", BOOL),
    ("multiline", BOOL),
    ("multiselectable", BOOL),
    ("orientation", Values::Token("horizontal undefined vertical")),
    ("owns", Values::Ids),
    ("placeholder", Values::Text),
    ("posinset", Values::Integer),
    ("pressed", MIXED),
    ("readonly", BOOL),
    ("relevant", Values::Tokens("additions all removals text")),
    ("required", BOOL),
    ("roledescription", Values::Text),
    ("rowcount", Values::Integer),
    ("rowindex", Values::Integer),
    ("rowindextext", Values::Text),
    ("rowspan", Values::Integer),
    ("selected", MAYBE),
    ("setsize", Values::Integer),
    ("sort", Values::Token("ascending descending none other")),
    ("valuemax", Values::Number),
    ("valuemin", Values::Number),
    ("valuenow", Values::Number),
    ("valuetext", Values::Text),
];

/// Those every role supports. Four of them only by a rule that ARIA 1.2 calls deprecated and browsers still follow.
const GLOBAL: &str = "atomic braillelabel brailleroledescription busy controls current describedby description details \
    disabled dropeffect errormessage flowto grabbed haspopup hidden invalid keyshortcuts label labelledby live owns \
    relevant roledescription";

/// The state or property with this full name, such as `aria-checked`.
pub fn attribute(name: &str) -> Option<AriaAttribute> {
    let name = name.strip_prefix("aria-")?;
    let at = ATTRIBUTES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    ATTRIBUTES.get(at).map(|(name, values)| AriaAttribute { name, values: *values })
}

/// Whether every role supports the attribute with this name, given without `aria-`.
pub fn is_global(name: &str) -> bool {
    super::holds(GLOBAL, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_values_are_told_apart() {
        assert!(ATTRIBUTES.is_sorted_by_key(|(name, _)| *name));
        let takes = |name: &str, value: &str| attribute(name).is_some_and(|known| known.takes(value));
        assert!(takes("aria-checked", "mixed") && !takes("aria-checked", "yes"));
        assert!(takes("aria-rowindex", "2") && !takes("aria-rowindex", "2.5"));
        assert!(takes("aria-valuenow", "2.5") && !takes("aria-valuenow", "two"));
        assert!(takes("aria-relevant", "text removals") && !takes("aria-relevant", "text nothing"));
        assert!(attribute("aria-labelled").is_none() && attribute("label").is_none());
    }
}
