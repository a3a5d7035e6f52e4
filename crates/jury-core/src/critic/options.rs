//! The ways out of a question for which the critic names none, though it was asked for them twice.
//!
//! They are made from what was found, so that a person has something to choose from beside leaving it. Both can be carried
//! out by whoever changes the document, and neither claims to know the answer.

use super::criterion::DefaultAnswer;
use super::evidence::one_line;
use super::verdict::{Choice, Question};

/// Said in the reason of a question whose options are made here.
pub(super) const GIVES_NONE: &str =
    "it was asked twice for the ways out and gave none: these are made from what it found";

const CHANGE: &str = "Have it changed";
const MARK: &str = "Have it marked as open";

/// How much of a finding an option repeats. The question has the rest.
const MOST_CHARS: usize = 240;

/// The options, from what was found.
pub(super) fn made_from(found: &str) -> Vec<Choice> {
    let found = beginning(&one_line(found));
    let choice = |label: &str, description: &str, pro: &str, con: &str| Choice {
        label: label.to_owned(),
        description: format!("{description} ({found})"),
        pro: pro.to_owned(),
        con: con.to_owned(),
    };
    vec![
        choice(
            CHANGE,
            "the document is changed so that this is settled",
            "the next pass looks at it as it is then",
            "whoever changes the document chooses the way",
        ),
        choice(
            MARK,
            "the document says at that place that this is not decided, and who decides it",
            "whoever reads the document sees it",
            "it is still to be decided",
        ),
    ]
}

/// The default answer of a criterion, as far as it means this question. Whoever gave the number of an option meant one of the
/// critic's, and cannot have meant one that is made here. To leave it as it is means the same whatever is asked.
pub(super) fn default_for(question: &Question, default: Option<DefaultAnswer>) -> Option<DefaultAnswer> {
    let labels = question.options.iter().map(|choice| choice.label.as_str());
    let made = labels.eq([CHANGE, MARK]);
    default.filter(|answer| !made || *answer == DefaultAnswer::Skip)
}

fn beginning(text: &str) -> String {
    if text.chars().count() <= MOST_CHARS {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MOST_CHARS - 1).collect();
    format!("{}…", kept.trim_end())
}
