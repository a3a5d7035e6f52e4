//! Severity: how bad a finding is, on one scale for everything that is reviewed.
//!
//! Formats that are older than this scale have fewer words. [`THREE`] and [`TWO`] say which level each of them is; the
//! modules of the same names read and write them. A word that is not on the scale of a format is refused there.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize as _, Deserializer, Serializer};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};

/// How bad a finding is. Ordered: `max` is the gravest.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; it hinders no user.
    Minor,
    /// Lowers a score, holds up nothing.
    Moderate,
    /// Must be fixed: nothing passes with one of these.
    Serious,
    /// Must be fixed, and first.
    Critical,
}

words!(Severity { Minor = "minor", Moderate = "moderate", Serious = "serious", Critical = "critical" });

impl Severity {
    /// Whether nothing passes while it is open.
    pub fn is_must_fix(self) -> bool {
        self >= Self::Serious
    }
}

/// The words of a format with fewer levels, the mildest first.
#[derive(Debug, Clone, Copy)]
pub struct SeverityScale {
    levels: &'static [Severity],
    words: &'static [&'static str],
}

/// `low`, `medium`, `high`: issues of content and criteria of the critic.
pub const THREE: SeverityScale = SeverityScale {
    levels: &[Severity::Minor, Severity::Moderate, Severity::Serious],
    words: &["low", "medium", "high"],
};

/// `minor`, `major`: judgements, and evidence in a diff.
pub const TWO: SeverityScale =
    SeverityScale { levels: &[Severity::Minor, Severity::Serious], words: &["minor", "major"] };

impl SeverityScale {
    /// The word of a level, or of the nearest milder one that has a word.
    pub fn word(self, severity: Severity) -> &'static str {
        let at = self.levels.iter().rposition(|level| *level <= severity).unwrap_or(0);
        self.words.get(at).copied().unwrap_or_default()
    }

    /// The level that a word stands for.
    ///
    /// # Errors
    /// If the scale does not have the word.
    pub fn read(self, word: &str) -> Result<Severity, UnknownWord> {
        let at = self.words.iter().position(|known| *known == word);
        at.and_then(|at| self.levels.get(at))
            .copied()
            .ok_or_else(|| UnknownWord { given: word.to_owned(), allowed: self.words.join(", ") })
    }

    fn deserialize<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Severity, D::Error> {
        let word = String::deserialize(deserializer)?;
        self.read(&word).map_err(|_| serde::de::Error::unknown_variant(&word, self.words))
    }
}

/// For `#[serde(with = "…")]`: a severity as `low`, `medium` or `high`.
pub mod three {
    use super::{Deserializer, Serializer, Severity, THREE, ToSchema};

    /// How grave an issue is. Ordered: low, medium, high.
    #[derive(ToSchema)]
    #[schema(as = IssueSeverity, rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is used")]
    pub(crate) enum Schema {
        Low,
        Medium,
        High,
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(THREE.word(*severity))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
        THREE.deserialize(deserializer)
    }

    /// For a field that may be left out.
    pub(crate) fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Severity>, D::Error> {
        THREE.deserialize(deserializer).map(Some)
    }
}

/// For `#[serde(with = "…")]`: a severity as `minor` or `major`.
pub mod two {
    use super::{Deserializer, Serializer, Severity, TWO, ToSchema};

    /// How bad an issue is.
    #[derive(ToSchema)]
    #[schema(as = JudgeSeverity, rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is used")]
    pub(crate) enum Schema {
        Minor,
        Major,
    }

    /// Writes the word.
    ///
    /// # Errors
    /// If the format cannot be written.
    pub fn serialize<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(TWO.word(*severity))
    }

    /// Reads the word.
    ///
    /// # Errors
    /// If it is another.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
        TWO.deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_is_the_greatest_and_two_levels_must_be_fixed() {
        assert_eq!(Severity::ALL.iter().max(), Some(&Severity::Critical));
        let must_fix: Vec<Severity> =
            Severity::ALL.iter().copied().filter(|severity| severity.is_must_fix()).collect();
        assert_eq!(must_fix, [Severity::Serious, Severity::Critical]);
    }

    #[test]
    fn a_scale_reads_its_own_words_and_no_others() {
        for scale in [THREE, TWO] {
            for word in scale.words {
                assert_eq!(scale.read(word).map(|severity| scale.word(severity)), Ok(*word));
            }
            let mut levels = scale.levels.to_vec();
            levels.sort_unstable();
            assert_eq!(levels, scale.levels);
        }
        assert_eq!(THREE.read("high"), Ok(Severity::Serious));
        assert_eq!(TWO.read("major"), Ok(Severity::Serious));
        assert!(THREE.read("serious").is_err() && TWO.read("high").is_err() && TWO.read("critical").is_err());
        assert_eq!(
            [Severity::Moderate, Severity::Critical].map(|severity| TWO.word(severity)),
            ["minor", "major"]
        );
        assert_eq!(THREE.word(Severity::Critical), "high");
    }

    #[test]
    fn a_word_of_another_scale_is_an_error_when_it_is_read() {
        let read = |text: &str| {
            three::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(text))
        };
        assert_eq!(read("medium"), Ok(Severity::Moderate));
        assert_eq!(
            read("serious").unwrap_err().to_string(),
            "unknown variant `serious`, expected one of `low`, `medium`, `high`"
        );
    }
}
