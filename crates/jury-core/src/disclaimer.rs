//! Sentences in which somebody says that nothing was reviewed: a refusal, an error of a service, a seat left out.
//!
//! A number beside such words is nobody's judgement. Only what says so by itself counts: a remark about a page may speak of
//! errors, of skipped headings and of text that nobody can read.

/// What a whole remark comes to when there is none.
const WHOLE: &[&str] = &[
    "not reviewed",
    "not yet reviewed",
    "no review",
    "review skipped",
    "skipped",
    "skip",
    "omitted",
    "pending",
    "to be reviewed",
    "to be done",
    "n a",
    "na",
    "not applicable",
    "not available",
    "unavailable",
    "unknown",
    "undefined",
    "null",
    "none",
    "nothing",
    "no comment",
    "no comments",
    "no notes",
    "no answer",
    "no response",
    "placeholder",
    "as before",
    "same as before",
    "see above",
    "ditto",
    "timeout",
    "timed out",
    "error",
    "failed",
    "nicht geprüft",
    "nicht bewertet",
    "übersprungen",
    "keine angabe",
    "non évalué",
    "non examiné",
    "no revisado",
    "no evaluado",
    "non valutato",
    "niet beoordeeld",
];

/// How somebody begins to say that it was not done.
const NOT_DONE: &[&str] = &[
    "did not",
    "didnt",
    "have not",
    "havent",
    "has not been",
    "was not",
    "were not",
    "could not",
    "couldnt",
    "cannot",
    "cant",
    "can not",
    "will not",
    "wont",
    "would not",
    "was unable to",
    "was not able to",
    "am unable to",
    "am not able to",
    "were unable to",
    "unable to",
    "not able to",
    "refuse to",
    "decline to",
    "must decline to",
];

/// What was not done, when nobody says who did not: only the work of a reviewer.
const REVIEWING: &[&str] = &[
    "review",
    "reviewed",
    "reviewing",
    "assess",
    "assessed",
    "evaluate",
    "evaluated",
    "judge",
    "judged",
    "score",
    "scored",
    "rate",
    "rated",
    "examine",
    "examined",
    "inspect",
    "inspected",
    "comment",
];

/// The same, when somebody speaks of themselves.
const OWN: &[&str] = &[
    "look",
    "looked",
    "read",
    "see",
    "seen",
    "open",
    "opened",
    "view",
    "viewed",
    "access",
    "accessed",
    "load",
    "render",
    "check",
    "checked",
    "verify",
    "verified",
    "help",
    "assist",
    "comply",
    "continue",
    "proceed",
    "complete",
    "completed",
    "finish",
    "finished",
    "provide",
    "do",
    "answer",
    "analyse",
    "analysed",
    "analyze",
    "analyzed",
    "participate",
    "take",
];

/// What services say in place of an answer.
const SERVICE: &[&str] = &[
    "rate limit exceeded",
    "rate limit reached",
    "too many requests",
    "internal server error",
    "service unavailable",
    "bad gateway",
    "gateway timeout",
    "overloaded error",
    "overloaded_error",
    "quota exceeded",
    "insufficient quota",
    "context length exceeded",
    "maximum context length",
    "connection reset",
    "connection refused",
    "invalid api key",
    "as an ai language model",
];

/// A remark with more words than this says something beside.
const MOST_WORDS: usize = 40;

/// Whether a remark says that there is no review, and nothing else.
pub fn is_disclaimer(remark: &str) -> bool {
    if is_unwritten(remark) {
        return true;
    }
    let words: Vec<String> = remark
        .split(|ch: char| !(ch.is_alphanumeric() || matches!(ch, '\'' | '’' | '_')))
        .map(|word| word.replace(['\'', '’'], "").to_lowercase())
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS + 1)
        .collect();
    if words.is_empty() || words.len() > MOST_WORDS {
        return false;
    }
    let text = words.join(" ");
    WHOLE.contains(&text.as_str())
        || is_error(remark, &words)
        || SERVICE.iter().any(|says| text.contains(says))
        || is_refusal(&text)
}

/// `Error: …`, `Error 429 …`, `429 …`: the line of a program. `Error messages are missing` is a remark.
fn is_error(remark: &str, words: &[String]) -> bool {
    let status =
        |word: &String| word.len() == 3 && word.starts_with(['4', '5']) && word.parse::<u16>().is_ok();
    let mut words = words.iter();
    match words.next().map(String::as_str) {
        Some("error" | "exception" | "fatal" | "traceback") => {
            let behind = remark.trim_start().trim_start_matches(char::is_alphanumeric);
            behind.starts_with(':') || words.next().is_some_and(|word| status(word) || word == "code")
        }
        Some("http") => words.next().is_some_and(status),
        _ => false,
    }
}

/// Whether a text stands where a review should be written: a form, a marker, filler.
fn is_unwritten(text: &str) -> bool {
    let own = text.trim().trim_matches(['*', '_', '`', '.', ' ']);
    let lower = own.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '/').filter(|word| !word.is_empty()).collect();
    let is_form = [("[", "]"), ("<", ">"), ("{{", "}}"), ("{", "}")]
        .iter()
        .any(|(open, close)| own.starts_with(open) && own.ends_with(close) && own.matches(open).count() == 1);
    let marker = |word: &&str| matches!(*word, "todo" | "tbd" | "tba" | "fixme" | "n/a" | "xxx" | "pending");
    let is_set_apart =
        ["TODO", "TBD", "FIXME"].iter().any(|marker| own.starts_with(marker)) && words.len() <= 6;
    let is_marker = is_set_apart || words.len() == 1 && words.first().is_some_and(marker);
    let is_filler = words.starts_with(&["lorem", "ipsum", "dolor"]) || words == ["lorem", "ipsum"];
    let stands_for = words.len() <= 4
        && words.iter().any(|word| {
            ["placeholder", "dummy", "sample", "example", "mock", "fake", "filler"].contains(word)
        })
        && words.iter().any(|word| {
            ["review", "score", "critique", "feedback", "comment", "note", "notes", "answer"].contains(word)
        });
    is_form || is_marker || is_filler || stands_for
}

fn is_refusal(text: &str) -> bool {
    let text = [
        "sorry but ",
        "sorry ",
        "im sorry but ",
        "im sorry ",
        "i am sorry but ",
        "i am sorry ",
        "apologies ",
    ]
    .iter()
    .find_map(|polite| text.strip_prefix(polite))
    .unwrap_or(text);
    let (own, text) = match text.strip_prefix("i ").or_else(|| text.strip_prefix("we ")) {
        Some(rest) => (true, rest),
        None => match text.strip_prefix("im ").or_else(|| text.strip_prefix("i am ")) {
            Some(rest) => (true, rest),
            None => (false, text),
        },
    };
    let behind = |phrase: &&str| text.strip_prefix(*phrase).and_then(|rest| rest.strip_prefix(' '));
    NOT_DONE.iter().filter_map(behind).any(|rest| {
        let mut said =
            rest.split(' ').filter(|word| !matches!(*word, "actually" | "really" | "yet" | "fully" | "been"));
        let verb = said.next().unwrap_or_default();
        REVIEWING.contains(&verb) || (own && OWN.contains(&verb))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_that_nothing_was_reviewed_is_believed() {
        for remark in [
            "Not reviewed.",
            "N/A",
            "skipped",
            "Error: 429 rate limit exceeded.",
            "Error 503 from the service",
            "HTTP 500",
            "I'm sorry, but I can't help with that.",
            "I did not look at the page.",
            "I have not actually reviewed this.",
            "Unable to evaluate the draft.",
            "We could not open the file.",
            "Rate limit exceeded, try again later",
            "As an AI language model, I have no eyes.",
            "Nicht geprüft.",
            "[insert review here]",
            "TODO",
            "TBD: write this",
            "placeholder review",
            "Lorem ipsum dolor sit amet.",
            "{{ note }}",
        ] {
            assert!(is_disclaimer(remark), "{remark}");
        }
    }

    #[test]
    fn remarks_about_a_page_are_remarks() {
        for remark in [
            "",
            "A skipped heading level after the hero.",
            "Error messages are missing under the fields.",
            "Cannot read the caption at 375 px.",
            "I can't tell the link from the text: 1.4:1.",
            "The rate limit table has no header.",
            "None of the five buttons has a focus ring.",
            "Not applicable to print, and the focus ring is there.",
            "Unable to reach the menu by keyboard.",
            "Could not be clearer: one headline, one button.",
            "Was not readable before; 7.2:1 now.",
            "The 404 page has no way back.",
            "Sample prices are marked as samples.",
            "Lorem ipsum stands in the footer.",
            "Pending orders are told apart.",
        ] {
            assert!(!is_disclaimer(remark), "{remark}");
        }
    }
}
