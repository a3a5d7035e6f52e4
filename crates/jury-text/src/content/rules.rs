//! Everything that the built-in critics of content can find, as a table.

use jury_core::content::{Form, HouseCritic};
use jury_core::rule::{RepairKind, Rule, RuleSubject};
use jury_core::severity::Severity;
use serde::Serialize;

/// A rule of a built-in critic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ContentRule {
    /// The critic that applies it.
    pub critic: HouseCritic,
    /// The rule. Its title says it whole, with its thresholds.
    #[serde(flatten)]
    pub rule: Rule,
    /// What it applies to.
    pub forms: &'static [Form],
}

const ALL: &[Form] = &[Form::Page, Form::Article, Form::Post];
const LONG: &[Form] = &[Form::Page, Form::Article];
const PAGE: &[Form] = &[Form::Page];
const ARTICLE: &[Form] = &[Form::Article];

const HIGH: Severity = Severity::Serious;
const MEDIUM: Severity = Severity::Moderate;
const LOW: Severity = Severity::Minor;

const fn rule(
    critic: HouseCritic,
    id: &'static str,
    (least, most): (Severity, Severity),
    forms: &'static [Form],
    says: &'static str,
    sources: &'static [&'static str],
) -> ContentRule {
    let rule = Rule {
        id,
        subject: RuleSubject::Content,
        severity: most,
        least: Some(least),
        title: says,
        measures: says,
        exempt: "",
        sources,
        repair: RepairKind::None,
    };
    ContentRule { critic, rule, forms }
}

impl ContentRule {
    /// The same for a rule whose findings the draft without a model corrects where it is safe.
    const fn corrected(mut self) -> Self {
        self.rule.repair = RepairKind::Automatic;
        self
    }
}

use HouseCritic::{Behaviour, Copy, Positioning, Seo};

#[rustfmt::skip]
static RULES: &[ContentRule] = &[
    rule(Seo, "seo.h1-count", (HIGH, HIGH), LONG, "one heading of the first level; the title of an article stands for a missing one", &["Yoast", "axe"]),
    rule(Seo, "seo.heading-jump", (MEDIUM, MEDIUM), LONG, "no level of headings is left out", &["axe"]).corrected(),
    rule(Seo, "seo.empty-heading", (MEDIUM, MEDIUM), LONG, "every heading has words", &["axe"]).corrected(),
    rule(Seo, "seo.title-missing", (HIGH, HIGH), LONG, "a title, or a main heading that stands for it", &["Lighthouse"]),
    rule(Seo, "seo.title-long", (MEDIUM, MEDIUM), LONG, "a title of at most 600 pixels", &["Yoast"]).corrected(),
    rule(Seo, "seo.title-short", (LOW, LOW), LONG, "a title of at least 30 characters", &["squirrelscan"]),
    rule(Seo, "seo.description-missing", (HIGH, HIGH), LONG, "a description", &["Lighthouse"]),
    rule(Seo, "seo.description-length", (LOW, MEDIUM), LONG, "120 to 160 characters; medium below 70 and above 200", &["squirrelscan"]).corrected(),
    rule(Seo, "seo.keyword-in-title", (MEDIUM, MEDIUM), LONG, "the primary keyword in the title", &["Yoast"]),
    rule(Seo, "seo.keyword-in-h1", (MEDIUM, MEDIUM), LONG, "the primary keyword in the main heading", &["Yoast"]),
    rule(Seo, "seo.keyword-in-opening", (MEDIUM, MEDIUM), ALL, "the primary keyword in the first paragraph", &["Yoast"]),
    rule(Seo, "seo.keyword-in-description", (MEDIUM, MEDIUM), LONG, "the primary keyword in the description", &["Yoast"]),
    rule(Seo, "seo.keyword-repeated-in-description", (LOW, LOW), LONG, "the primary keyword fewer than three times in the description", &["Yoast"]),
    rule(Seo, "seo.keyword-rare", (LOW, LOW), LONG, "the primary keyword in at least 0.5 % of the words, from 100 words on", &["Yoast"]),
    rule(Seo, "seo.keyword-stuffed", (MEDIUM, HIGH), ALL, "the primary keyword in at most 3 % of the words, from 100 words on; high above 4 %", &["Yoast"]),
    rule(Seo, "seo.keyword-in-subheadings", (LOW, LOW), LONG, "more than half of the primary keyword in 30 to 75 % of two or more subheadings", &["Yoast"]),
    rule(Seo, "seo.keyword-gap", (LOW, LOW), LONG, "at most half of the text without the primary keyword", &["Yoast"]),
    rule(Seo, "seo.secondary-keywords", (LOW, LOW), LONG, "at least 60 % of the supporting keywords", &["house"]),
    rule(Seo, "seo.keywords-not-judged", (LOW, LOW), ALL, "says that no primary keyword is known, and that none was checked", &["house"]),
    rule(Seo, "seo.short", (LOW, MEDIUM), LONG, "a page of 300 words, medium below 100; an article of 1,200 words, medium", &["Yoast"]),
    rule(Seo, "seo.long", (LOW, LOW), ARTICLE, "an article of at most 4,000 words", &["house"]),
    rule(Seo, "seo.no-internal-link", (MEDIUM, MEDIUM), ARTICLE, "a link to another page of the site", &["Yoast"]),
    rule(Seo, "seo.generic-link", (LOW, LOW), ALL, "links that say where they lead", &["Lighthouse"]).corrected(),
    rule(Seo, "seo.image-alt", (MEDIUM, MEDIUM), ALL, "a text for every image", &["Lighthouse", "axe"]),
    rule(Seo, "seo.faq-heading", (LOW, LOW), ALL, "headings among questions that are questions", &["house"]),
    rule(Copy, "copy.unfinished", (HIGH, HIGH), ALL, "nothing to fill in: [ASSUMPTION], TODO:, {{name}}, lorem ipsum", &["house"]),
    rule(Copy, "copy.language", (HIGH, HIGH), ALL, "the language of the documents, where it can be told", &["house"]),
    rule(Copy, "copy.language-not-judged", (LOW, LOW), ALL, "says that readability and phrases are measured in English only", &["house"]),
    rule(Copy, "copy.reading-ease", (LOW, MEDIUM), ALL, "Flesch reading ease of 60, from 100 words on; medium below 40", &["Flesch"]),
    rule(Copy, "copy.reading-grade", (LOW, MEDIUM), ALL, "Flesch-Kincaid grade of at most 10, from 100 words on; medium above 13", &["Flesch", "Kincaid"]),
    rule(Copy, "copy.long-sentences", (MEDIUM, MEDIUM), ALL, "at most a quarter of the sentences over 20 words, from 4 sentences on", &["Yoast"]),
    rule(Copy, "copy.endless-sentence", (MEDIUM, MEDIUM), ALL, "no sentence over 40 words", &["Harper"]),
    rule(Copy, "copy.passive", (LOW, MEDIUM), ALL, "at most 10 % of the sentences, and more than one, in the passive; medium above 15 %", &["Yoast"]),
    rule(Copy, "copy.long-paragraph", (LOW, MEDIUM), ALL, "no paragraph over 150 words, medium; on a page none over 100, low", &["Yoast"]),
    rule(Copy, "copy.no-subheading", (MEDIUM, MEDIUM), LONG, "at most 300 words without a heading", &["Yoast"]),
    rule(Copy, "copy.same-start", (LOW, LOW), ALL, "no three sentences in a row that begin alike", &["Yoast"]),
    rule(Copy, "copy.repeated-word", (MEDIUM, MEDIUM), ALL, "no word twice in a row", &["write-good"]).corrected(),
    rule(Copy, "copy.jargon", (MEDIUM, MEDIUM), ALL, "no jargon of sellers", &["proselint"]).corrected(),
    rule(Copy, "copy.fake-specificity", (MEDIUM, MEDIUM), ALL, "no evidence that names none: 'studies show'", &["house"]).corrected(),
    rule(Copy, "copy.filler", (MEDIUM, MEDIUM), ALL, "no filler: 'in today's fast-paced world'", &["house"]).corrected(),
    rule(Copy, "copy.intensifier", (LOW, LOW), ALL, "no intensifiers", &["write-good"]).corrected(),
    rule(Copy, "copy.transition", (LOW, LOW), ALL, "no stiff transitions at the start of a sentence", &["house"]).corrected(),
    rule(Copy, "copy.em-dash", (LOW, LOW), ALL, "no em dashes", &["house"]).corrected(),
    rule(Copy, "copy.weasel", (LOW, LOW), ALL, "no weasel words", &["write-good"]).corrected(),
    rule(Copy, "copy.hedge", (LOW, LOW), ALL, "no hedging", &["proselint"]).corrected(),
    rule(Copy, "copy.wordy", (LOW, LOW), ALL, "no more words than needed: 'in order to'", &["write-good"]).corrected(),
    rule(Copy, "copy.cliche", (LOW, LOW), ALL, "no clichés", &["write-good"]).corrected(),
    rule(Copy, "copy.exclamation", (LOW, LOW), ALL, "at most one exclamation mark in 150 words", &["proselint"]).corrected(),
    rule(Copy, "copy.capitals", (LOW, LOW), ALL, "no words in capitals that are not abbreviations", &["house"]),
    rule(Copy, "copy.hero-length", (MEDIUM, MEDIUM), PAGE, "a headline of 3 to 8 words, at most 30 under it, a call to action of 2 to 5", &["house"]),
    rule(Copy, "copy.banned-word", (MEDIUM, MEDIUM), ALL, "no words that the brand-voice document rules out", &["brand-voice document"]),
    rule(Copy, "copy.counter-example", (MEDIUM, MEDIUM), ALL, "no sentence with 60 % of the words of a counter-example", &["brand-voice document"]),
    rule(Copy, "copy.voice-not-judged", (LOW, LOW), ALL, "says that there is no brand-voice document", &["house"]),
    rule(Behaviour, "behaviour.no-action", (HIGH, HIGH), PAGE, "a call to action before the first section", &["Unbounce"]),
    rule(Behaviour, "behaviour.generic-action", (MEDIUM, MEDIUM), ALL, "a call to action that says what happens next", &["house"]).corrected(),
    rule(Behaviour, "behaviour.action-verb", (MEDIUM, MEDIUM), ALL, "a call to action that begins with a verb", &["house"]),
    rule(Behaviour, "behaviour.action-length", (MEDIUM, MEDIUM), ALL, "a call to action of 2 to 5 words", &["house"]),
    rule(Behaviour, "behaviour.many-actions", (MEDIUM, HIGH), ALL, "at most 2 different calls to action; high above 4", &["house"]),
    rule(Behaviour, "behaviour.attention", (MEDIUM, MEDIUM), PAGE, "at most 10 links and fields to one goal", &["Unbounce"]),
    rule(Behaviour, "behaviour.long-list", (LOW, HIGH), ALL, "at most 7 entries in a list or group; high above 9", &["house"]).corrected(),
    rule(Behaviour, "behaviour.form-fields", (MEDIUM, MEDIUM), ALL, "at most 3 fields to fill in", &["house"]),
    rule(Behaviour, "behaviour.unproven-proof", (HIGH, HIGH), ALL, "counts of customers, ratings, quotations, measured benefits and 'trusted by' that a document knows", &["house"]),
    rule(Behaviour, "behaviour.pressure", (MEDIUM, HIGH), ALL, "no scarcity or hurry; high from the second on", &["house"]),
    rule(Behaviour, "behaviour.friction", (LOW, LOW), ALL, "reassurance where a call to action stands beside a cost", &["house"]),
    rule(Behaviour, "behaviour.about-us", (MEDIUM, MEDIUM), ALL, "'you' at least as often as 'we'", &["house"]),
    rule(Behaviour, "behaviour.no-objections", (LOW, LOW), PAGE, "a part that answers questions or objections", &["house"]),
    rule(Behaviour, "behaviour.no-feeling", (LOW, LOW), PAGE, "a line of the first screen that touches a feeling", &["house"]),
    rule(Behaviour, "behaviour.no-evidence", (LOW, LOW), PAGE, "a line of the first screen that gives a reason to believe", &["house"]),
    rule(Positioning, "positioning.coverage", (MEDIUM, HIGH), LONG, "40 % of the stems and pairs of stems of category, customers, alternatives, attributes and value; high below 25 % of category or customers", &["positioning document"]),
    rule(Positioning, "positioning.drift", (MEDIUM, HIGH), LONG, "a likeness (tf-idf cosine) of 0.30 to the positioning; high below 0.20", &["positioning document"]),
    rule(Positioning, "positioning.opening-category", (HIGH, HIGH), ALL, "a word of the category in the opening", &["positioning document"]),
    rule(Positioning, "positioning.opening-customer", (MEDIUM, MEDIUM), ALL, "a word of the customers in the opening", &["positioning document"]),
    rule(Positioning, "positioning.opening-why-now", (LOW, LOW), PAGE, "a word of why now in the opening, where the document has it", &["positioning document"]),
    rule(Positioning, "positioning.unsupported-claim", (MEDIUM, MEDIUM), ALL, "numbers, superlatives and guarantees that a document knows", &["all documents"]),
    rule(Positioning, "positioning.unsupported-claims", (HIGH, HIGH), ALL, "fewer than three claims that no document knows", &["all documents"]),
    rule(Positioning, "positioning.anti-target", (HIGH, HIGH), ALL, "no words to those whom the document leaves out", &["positioning document"]),
    rule(Positioning, "positioning.unknown-competitor", (MEDIUM, MEDIUM), ALL, "comparisons with what a document knows", &["all documents"]),
    rule(Positioning, "positioning.no-alternative", (MEDIUM, MEDIUM), PAGE, "one of the alternatives of the document", &["positioning document"]),
    rule(Positioning, "positioning.section-not-judged", (LOW, LOW), ALL, "says which topics the document has no section on", &["house"]),
];

/// All rules, in the order of critics.
pub fn rules() -> &'static [ContentRule] {
    RULES
}
