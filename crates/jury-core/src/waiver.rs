//! Waivers: findings that a person lets through for a while, with a reason and a name.

use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::finding::{Finding, FindingId};

/// One finding, or all findings of a rule, that may stay open for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Waiver {
    /// The finding by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<FindingId>,
    /// All findings of this rule, criterion or role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Only in this file, or in the work of this title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Why the finding may stay.
    pub reason: String,
    /// The person who decided that.
    pub author: String,
    /// The last day on which the waiver holds, as `2027-05-31`.
    #[serde(deserialize_with = "day")]
    pub expires: Date,
}

/// A day in the one form that everybody reads the same.
fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let text = String::deserialize(deserializer).map_err(|_| D::Error::custom(DAY))?;
    let date = text.parse::<Date>().ok().filter(|date| date.to_string() == text && text.len() == 10);
    date.ok_or_else(|| D::Error::custom(DAY))
}

const DAY: &str = "`expires` must be a day in quotes, such as \"2027-05-31\"";

impl Waiver {
    /// What is wrong with it, in words. A waiver that says nothing of its finding, its reason or its author is none.
    pub fn problem(&self) -> Option<&'static str> {
        let is_blank = |text: &str| !text.chars().any(char::is_alphanumeric);
        let is_empty = |text: Option<&str>| text.is_some_and(str::is_empty);
        let finding = self.finding.as_ref().map(FindingId::as_str);
        if [finding, self.rule.as_deref(), self.file.as_deref()].into_iter().any(is_empty) {
            Some("`finding`, `rule` and `file` say something or are left out")
        } else if self.finding.is_none() && self.rule.is_none() {
            Some("name a `finding` by its id, or a `rule`")
        } else if is_blank(&self.reason) {
            Some("`reason` is empty: say why the finding may stay")
        } else if is_blank(&self.author) {
            Some("`author` is empty: say whose decision it is")
        } else {
            None
        }
    }

    /// Whether it is about this finding of the work at this path.
    pub fn covers(&self, finding: &Finding, path: &str) -> bool {
        let file = finding.place.file.as_deref().unwrap_or(path);
        self.finding.as_ref().is_none_or(|own| *own == finding.id)
            && self.rule.as_deref().is_none_or(|own| Some(own) == finding.rule.as_deref())
            && self.file.as_deref().is_none_or(|own| own == file || own == path)
            && (self.finding.is_some() || self.rule.is_some())
    }

    /// Whether it has ended on this day.
    pub fn is_expired(&self, today: Date) -> bool {
        today > self.expires
    }
}
