//! Whole answers of an agent, as a model would write them: our own words, valid in every format that carries
//! text, with what trips careless readers (CDATA, `☃`, prose around the transcript).

use serde::{Deserialize, Serialize};

/// A canned answer of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fixture {
    /// [`transcript_shipped`].
    Shipped,
    /// [`transcript_below`].
    Below,
    /// [`transcript_malformed`].
    Malformed,
}

impl Fixture {
    /// The text of the answer.
    pub fn text(self) -> &'static str {
        match self {
            Self::Shipped => transcript_shipped(),
            Self::Below => transcript_below(),
            Self::Malformed => transcript_malformed(),
        }
    }
}

/// Two rounds; the second meets the bar of 8.0 and ships.
pub fn transcript_shipped() -> &'static str {
    include_str!("fixtures/shipped.txt")
}

/// Three rounds, none of which meets the bar; the agent says so and ships nothing.
pub fn transcript_below() -> &'static str {
    include_str!("fixtures/below.txt")
}

/// One closed round, then a panelist that never ends before the next begins.
pub fn transcript_malformed() -> &'static str {
    include_str!("fixtures/malformed.txt")
}

#[cfg(test)]
mod tests {
    use jury_core::conformance::{Class, examine};
    use jury_core::id::ProjectId;
    use jury_core::settings::CritiqueConfig;
    use jury_core::theater::TheaterSetup;

    use super::Fixture;

    #[test]
    fn fixtures_are_what_they_are_called() {
        let judge = |fixture: Fixture| {
            let subject = TheaterSetup {
                project: ProjectId::default_project(),
                artifact: "0198c0de-0000-7000-8000-000000000001".parse().unwrap(),
                agent: "scripted".parse().unwrap(),
            };
            examine(fixture.text().as_bytes(), &CritiqueConfig::default(), subject, |_| Vec::new())
        };
        let shipped = judge(Fixture::Shipped);
        assert_eq!((shipped.class, shipped.clean_parse), (Class::Shipped, true), "{shipped:?}");
        let below = judge(Fixture::Below);
        assert_eq!((below.class, below.clean_parse), (Class::Degraded, true), "{below:?}");
        assert!(!judge(Fixture::Malformed).clean_parse);
        for fixture in [Fixture::Shipped, Fixture::Below, Fixture::Malformed] {
            assert!(fixture.text().contains('☃') && fixture.text().contains("<![CDATA["));
        }
    }
}
