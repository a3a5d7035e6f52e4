//! What the four built-in critics of content cost: a draft of 3,000 words, the same twice and four times as long, and drafts
//! that mean no good.
//!
//! `cargo bench -p jury-text --bench content` prints the table.

use std::fmt::Write as _;
use std::hint::black_box;

use jury_core::content::{Advisor, AdvisorRole, DocType, Draft, Form, Foundation, HouseCritic, Recipe};
use jury_text::content::{DraftSubject, review};
use rustix::time::{ClockId, clock_gettime};

const CRITICS: [HouseCritic; 4] =
    [HouseCritic::Seo, HouseCritic::Copy, HouseCritic::Behaviour, HouseCritic::Positioning];

/// As much as a draft may have.
const LARGEST: usize = 512 * 1024;

/// What a draft of 3,000 words may take, in milliseconds.
const BAR: f64 = 50.0;

fn main() {
    let foundation = documents();
    let recipe = recipe();
    let subject = DraftSubject { recipe: &recipe, foundation: &foundation };
    let mut within = true;
    for words in [3_000, 6_000, 12_000] {
        let draft = Draft::Text(article(words));
        let (milliseconds, findings) = (0..9)
            .map(|_| timed(&draft, &subject))
            .fold((f64::MAX, 0), |best, now| if now.0 < best.0 { now } else { best });
        within &= words > 3_000 || milliseconds < BAR;
        print(&format!("{words:>6} words: {milliseconds:>6.1} ms of CPU for all four, {findings} findings"));
    }
    for piece in [
        "[",
        "a. ",
        "the best ",
        "12 customers ",
        "> a\n>\n> b\n\n",
        "- ",
        "# ",
        "trusted by ",
        "**a",
        "{{",
        "y",
        "x\n\n",
    ] {
        let draft = Draft::Text(piece.repeat(LARGEST / piece.len()));
        let (milliseconds, findings) = timed(&draft, &subject);
        print(&format!("512 KB of {piece:?}: {milliseconds:.0} ms, {findings} findings"));
    }
    assert!(within, "3,000 words take more than {BAR} ms");
}

fn timed(draft: &Draft, subject: &DraftSubject<'_>) -> (f64, usize) {
    let before = now();
    let mut findings = 0;
    for critic in CRITICS {
        if let Ok(critique) = black_box(review(critic, &advisor(critic), draft, subject)) {
            findings += critique.issues.len();
        }
    }
    ((now() - before) * 1e3, findings)
}

/// An article about the example, with a figure in every section so that no two are alike.
fn article(words: usize) -> String {
    let page = include_str!("../../../examples/drafts/acme.md");
    let body = page.splitn(3, "---").nth(2).unwrap_or_default();
    let mut text = String::from(
        "---\ntitle: Bike repair shop software for small shops\ndescription: How to plan.\n---\n",
    );
    let mut count = 0;
    let mut section = 0;
    for line in body.lines().cycle() {
        if count >= words {
            break;
        }
        if line.starts_with('#') {
            section += 1;
            writeln!(text, "{line} {section}").ok();
        } else {
            text.push_str(line);
            text.push('\n');
        }
        count += line.split_whitespace().count();
    }
    text
}

fn documents() -> Foundation {
    let docs = [
        ("positioning", include_str!("../../../examples/ideas/acme/positioning.md")),
        ("brand-voice", include_str!("../../../examples/ideas/acme/brand-voice.md")),
        ("seo-strategy", include_str!("../../../examples/ideas/acme/seo-strategy.md")),
        ("strategy", include_str!("../../../examples/ideas/acme/strategy.md")),
        ("social-media-strategy", include_str!("../../../examples/ideas/acme/social-media-strategy.md")),
    ];
    let named = |(kind, text): (&str, &str)| Some((kind.parse::<DocType>().ok()?, text.to_owned()));
    Foundation::new(docs.into_iter().filter_map(named))
}

#[expect(clippy::expect_used, reason = "names that are names")]
fn advisor(critic: HouseCritic) -> Advisor {
    Advisor {
        id: critic.as_str().parse().expect("a name"),
        name: critic.to_string(),
        role: AdvisorRole::Critic,
        evaluation_expertise: None,
        does_not_evaluate: None,
        context_docs: Vec::new(),
        persona: None,
        measured_by: Some(critic),
    }
}

#[expect(clippy::expect_used, reason = "names that are names")]
fn recipe() -> Recipe {
    Recipe {
        content_type: "blog-post".parse().expect("a name"),
        form: Form::Article,
        author_advisor: "author".parse().expect("a name"),
        author_context_docs: Vec::new(),
        author_framework: None,
        evaluation_needs: String::new(),
        evaluation_emphasis: None,
        named_critics: Vec::new(),
        min_aggregate_score: 4.0,
        max_revision_rounds: 3,
        publish: false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds for a table")]
fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn print(line: &str) {
    println!("{line}");
}
