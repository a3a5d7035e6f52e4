//! Which elements a finding is on, in a form that is written down: marks of elements, in order, on one line.

use std::collections::BTreeMap;
use std::fmt;

use jury_house::ReportedFinding;
use serde::{Deserialize, Serialize};

/// Marks of elements, and how many elements have each. As text `1a2b3c4d 5e6f7a8b*3`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Elements(BTreeMap<String, usize>);

impl Elements {
    /// Those of a finding. None when it concerns the page.
    pub(super) fn of(found: &ReportedFinding) -> Self {
        let mut marks: BTreeMap<String, usize> = BTreeMap::new();
        for place in &found.places {
            *marks.entry(place.mark.clone()).or_default() += 1;
        }
        Self(marks)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each of these is one of those.
    pub(super) fn are_among(&self, others: &Self) -> bool {
        self.0.iter().all(|(mark, count)| others.0.get(mark).is_some_and(|other| count <= other))
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (mark, count)) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(formatter, "{space}{mark}")?;
            if *count > 1 {
                write!(formatter, "*{count}")?;
            }
        }
        Ok(())
    }
}

impl From<Elements> for String {
    fn from(elements: Elements) -> Self {
        elements.to_string()
    }
}

impl TryFrom<String> for Elements {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut marks: BTreeMap<String, usize> = BTreeMap::new();
        for word in text.split_ascii_whitespace() {
            let (mark, count) = word.split_once('*').unwrap_or((word, "1"));
            let count: usize = count.parse().unwrap_or_default();
            if mark.len() != 8 || !mark.bytes().all(|byte| byte.is_ascii_hexdigit()) || count == 0 {
                return Err(format!("elements: '{word}' is not a mark such as 1a2b3c4d or 1a2b3c4d*3"));
            }
            *marks.entry(mark.to_owned()).or_default() += count;
        }
        Ok(Self(marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str) -> Elements {
        Elements::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn they_are_written_in_order_and_read_again() {
        let read = elements("ffffffff 00000001*2 00000001");
        assert_eq!(read.to_string(), "00000001*3 ffffffff");
        assert_eq!(elements(&read.to_string()), read);
        for wrong in ["1", "0000000g", "00000001*0", "00000001*x", "00000001*"] {
            assert!(Elements::try_from(wrong.to_owned()).unwrap_err().contains(wrong));
        }
    }

    #[test]
    fn each_has_to_be_known_as_often_as_it_is_there() {
        let known = elements("00000001*2 00000002");
        for (now, expected) in [
            ("", true),
            ("00000001", true),
            ("00000001*2 00000002", true),
            ("00000001*3", false),
            ("00000003", false),
        ] {
            assert_eq!(elements(now).are_among(&known), expected, "{now}");
        }
    }
}
