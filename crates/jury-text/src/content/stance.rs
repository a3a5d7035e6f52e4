//! The positioning document by its topics, whatever its headings are called.

use super::outline::{self, Line};
use super::prose;

/// What a positioning document speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    Category,
    Customer,
    Alternatives,
    Attributes,
    Value,
    WhyNow,
    NotFor,
}

impl Topic {
    /// The five that every positioning has.
    pub(crate) const CORE: [Self; 5] =
        [Self::Category, Self::Customer, Self::Alternatives, Self::Attributes, Self::Value];

    /// What it is called in a finding.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Category => "market category",
            Self::Customer => "best customers",
            Self::Alternatives => "alternatives",
            Self::Attributes => "unique attributes",
            Self::Value => "value",
            Self::WhyNow => "why now",
            Self::NotFor => "not for",
        }
    }

    /// The topic of a heading in lower case. The order matters: "anti-target customers" are no customers.
    fn of(heading: &str) -> Option<Self> {
        const WORDS: &[(Topic, &[&str])] = &[
            (
                Topic::NotFor,
                &[
                    "not for",
                    "n't for",
                    "anti-",
                    "anti target",
                    "bad fit",
                    "poor fit",
                    "non-target",
                    "disqualif",
                    "exclu",
                ],
            ),
            (Topic::WhyNow, &["why now", "trend", "timing"]),
            (Topic::Alternatives, &["alternative", "competit", "status quo", "instead"]),
            (Topic::Value, &["value", "benefit", "outcome"]),
            (
                Topic::Attributes,
                &["attribute", "differentiat", "capabilit", "feature", "unique", "what makes"],
            ),
            (
                Topic::Customer,
                &[
                    "customer", "audience", "target", "icp", "persona", "segment", "best fit", "best-fit",
                    "who ", "for whom",
                ],
            ),
            (Topic::Category, &["category", "market", "frame of reference", "what it is", "what we are"]),
        ];
        let holds = |words: &[&str]| words.iter().any(|word| heading.contains(word));
        WORDS.iter().find(|(_, words)| holds(words)).map(|(topic, _)| *topic)
    }
}

/// What the document says on each topic.
#[derive(Debug, Default)]
pub(crate) struct Stance {
    sections: Vec<(Topic, Vec<Statement>)>,
}

/// A line on a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The whole text of the statement.
    pub(crate) text: String,
    /// What it names: what stands before the explanation.
    pub(crate) head: String,
    pub(crate) item: bool,
}

impl Stance {
    /// Reads a positioning document.
    pub(crate) fn read(text: &str) -> Self {
        let mut stance = Self::default();
        for line in outline::read(text) {
            let above = line.above.iter().rev().find_map(|heading| Topic::of(heading));
            let labelled = line.label.as_deref().and_then(of_label);
            if let Some(topic) =
                above.filter(|_| !(line.heading && Topic::of(&line.text.to_lowercase()).is_some()))
            {
                let whole = statement(&line, true);
                // Who is left out often stands in one paragraph.
                if topic == Topic::NotFor && !whole.item {
                    for text in
                        prose::sentences(&whole.text).into_iter().filter_map(|range| whole.text.get(range))
                    {
                        stance
                            .push(topic, Statement { text: text.to_owned(), head: head(text), item: false });
                    }
                } else {
                    stance.push(topic, whole);
                }
            } else if let Some(topic) = labelled {
                stance.push(topic, statement(&line, false));
            }
        }
        stance
    }

    fn push(&mut self, topic: Topic, statement: Statement) {
        if statement.text.is_empty() {
            return;
        }
        match self.sections.iter_mut().find(|(known, _)| *known == topic) {
            Some((_, statements)) => statements.push(statement),
            None => self.sections.push((topic, vec![statement])),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The statements on a topic.
    pub(crate) fn on(&self, topic: Topic) -> &[Statement] {
        self.sections.iter().find(|(known, _)| *known == topic).map_or(&[], |(_, statements)| statements)
    }

    /// The stems of a topic, in order.
    pub(crate) fn stems(&self, topic: Topic) -> Vec<String> {
        self.on(topic).iter().flat_map(|statement| prose::topics(&statement.text)).collect()
    }
}

fn statement(line: &Line, with_label: bool) -> Statement {
    let label = line.label.as_deref().filter(|_| with_label);
    let text = label.map_or_else(|| line.text.clone(), |label| format!("{label}: {}", line.text));
    let head = label.map_or_else(|| head(&line.text), str::to_owned);
    Statement { text, head, item: line.item }
}

/// What a line names, before it explains it.
fn head(text: &str) -> String {
    let lower = text.to_lowercase();
    let ends = [
        " who ",
        " that ",
        " which ",
        " with ",
        " where ",
        " because ",
        " whose ",
        ", ",
        "; ",
        ": ",
        " (",
        " – ",
        " — ",
        " - ",
        ". ",
    ];
    let end = ends.iter().filter_map(|end| lower.find(end)).min().unwrap_or(lower.len());
    lower.get(..end).unwrap_or_default().trim_end_matches('.').to_owned()
}

fn of_label(label: &str) -> Option<Topic> {
    match label {
        "for" | "who" => Some(Topic::Customer),
        "unlike" => Some(Topic::Alternatives),
        "is a" | "is an" | "is the" => Some(Topic::Category),
        _ => Topic::of(label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_audience_is_what_the_document_says_on_customers() {
        let of = |text: &str| {
            crate::content::audience(&jury_core::content::Foundation::new([(
                "positioning".parse().unwrap(),
                text.to_owned(),
            )]))
        };
        let text = "# Acme\n\n## Market category\n\nInvoicing.\n\n## Best customers\n\n- Freelancers\n- Small firms\n\n## Not for\n\nBanks.\n";
        assert_eq!(of(text).as_deref(), Some("- Freelancers\n- Small firms"));
        assert_eq!(of("# Acme\n\nWe make anvils.\n"), None);
    }

    #[test]
    fn topics_are_told_by_many_names() {
        for (heading, topic) in [
            ("competitive alternatives", Some(Topic::Alternatives)),
            ("what people do instead", Some(Topic::Alternatives)),
            ("unique attributes", Some(Topic::Attributes)),
            ("unique value", Some(Topic::Value)),
            ("value (and proof)", Some(Topic::Value)),
            ("target market", Some(Topic::Customer)),
            ("who it is for", Some(Topic::Customer)),
            ("who it is not for", Some(Topic::NotFor)),
            ("anti-target customers", Some(Topic::NotFor)),
            ("market category", Some(Topic::Category)),
            ("relevant trends", Some(Topic::WhyNow)),
            ("why now", Some(Topic::WhyNow)),
            ("introduction", None),
        ] {
            assert_eq!(Topic::of(heading), topic, "{heading}");
        }
    }

    #[test]
    fn sections_labels_and_headings_below_are_read() {
        let text = "# Acme\n\n## Market category\n\nInvoicing software. It is simple.\n\n## Alternatives\n\n### Spreadsheets\n\nFree, and easy to forget.\n\n- Accountants: dear\n\n## Statement\n\nFor: freelancers\nNot for: banks\n";
        let stance = Stance::read(text);
        let heads = |topic| stance.on(topic).iter().map(|found| found.head.clone()).collect::<Vec<_>>();
        assert_eq!(heads(Topic::Category), ["invoicing software"]);
        assert_eq!(heads(Topic::Alternatives), ["spreadsheets", "free", "accountants"]);
        assert_eq!(heads(Topic::Customer), ["freelancers"]);
        assert_eq!(heads(Topic::NotFor), ["banks"]);
        assert!(stance.on(Topic::Value).is_empty());
        assert!(Stance::read("no headings at all").is_empty());
    }
}
