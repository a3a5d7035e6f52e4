//! One known defect each: how to put it into a page, and who has to notice.

use jury_core::severity::Severity;
use std::fmt::Write as _;

use super::edit::{
    between, grey_at, instead, text_between, token, with_content, with_rules, with_token, without,
};

/// A defect.
pub(crate) struct Defect {
    /// What it is called in tables.
    pub(crate) name: &'static str,
    /// The check that has to notice. What stands before the slash is the panelist whose score has to fall.
    pub(crate) check: &'static str,
    /// How bad the check has to call it, at least.
    pub(crate) severity: Severity,
    /// Other checks that are right to call it serious as well.
    pub(crate) also: &'static [&'static str],
    /// A page with the defect; nothing where a page has no place for it.
    pub(crate) put_into: fn(&str) -> Option<String>,
}

impl Defect {
    /// The panelist that has to notice.
    pub(crate) fn panelist(&self) -> &'static str {
        self.check.split_once('/').map_or(self.check, |(panelist, _)| panelist)
    }
}

const fn defect(
    name: &'static str,
    check: &'static str,
    severity: Severity,
    put_into: fn(&str) -> Option<String>,
) -> Defect {
    Defect { name, check, severity, also: &[], put_into }
}

use Severity::{Critical, Minor, Moderate, Serious};

/// All of them.
pub(crate) const DEFECTS: &[Defect] = &[
    defect("image without alt", "a11y/img-alt", Critical, |page| without(page, " alt=\"", "\"")),
    defect("field without label", "a11y/field-label", Critical, |page| {
        without(page, "<label for=\"", "</label>")
    }),
    defect("nameless button", "a11y/control-name", Critical, |page| {
        between(page, "<button type=\"", "</button>", "button\">")
            .or_else(|| with_content(page, "<button type=\"button\"></button>"))
    }),
    defect("faint token", "a11y/contrast", Serious, |page| {
        with_token(page, "--muted", &grey_at(2.5, token(page, "--paper")?)?)
    }),
    defect("faint text over a gradient", "a11y/contrast", Serious, |page| {
        with_content(
            page,
            "<div style=\"background:linear-gradient(#fff,#eee)\"><p style=\"color:#999\">The doors open an hour before.</p></div>",
        )
    }),
    defect("no language", "a11y/lang", Serious, |page| without(page, " lang=\"", "\"")),
    defect("no title", "a11y/title", Serious, |page| without(page, "<title>", "</title>")),
    defect("heading jump", "a11y/heading-order", Moderate, |page| {
        let (before, rest) = page.split_once("<h2")?;
        let (inside, after) = rest.split_once("</h2>")?;
        Some(format!("{before}<h4{inside}</h4>{after}"))
    }),
    defect("no main", "a11y/main", Moderate, |page| {
        instead(&instead(page, "<main", "<div")?, "</main>", "</div>")
    }),
    defect("no focus ring", "a11y/focus", Serious, |page| {
        page.contains("<a ").then(|| with_rules(page, "a:focus, a:focus-visible { outline: none; }"))?
    }),
    defect("tiny targets", "a11y/target", Moderate, |page| {
        let one = |name: &str| {
            format!(
                "<button type=\"button\" aria-label=\"{name}\" style=\"width:12px;height:12px;min-width:0;min-height:0;\
                 padding:0;margin:0;border:0;background:#333\"></button>"
            )
        };
        with_content(
            page,
            &format!(
                "<div style=\"display:flex\">{}{}{}</div>",
                one("First picture"),
                one("Second picture"),
                one("Third picture")
            ),
        )
    }),
    defect("zoom switched off", "a11y/zoom", Serious, |page| {
        instead(page, "initial-scale=1", "initial-scale=1, user-scalable=no")
    }),
    defect("too wide for 320 px", "a11y/reflow", Serious, |page| {
        with_content(
            page,
            "<div style=\"width:640px\"><p>This row is as wide as a tablet, whatever it is shown on.</p></div>",
        )
    }),
    defect("misspelt aria attribute", "a11y/aria", Serious, |page| {
        instead(page, "<h1", "<h1 aria-lable=\"Start\"")
    }),
    defect("unknown role", "a11y/aria", Serious, |page| instead(page, "<p>", "<p role=\"paragraf\">")),
    defect("focus inside hidden content", "a11y/aria-hidden", Serious, |page| {
        with_content(
            page,
            "<div aria-hidden=\"true\"><a href=\"mailto:hidden@post.org\">Write to the hidden desk</a></div>",
        )
    }),
    defect("scrolling box out of reach", "a11y/scroll-focus", Serious, |page| {
        let row = "<p>One more line of the old timetable.</p>".repeat(8);
        with_content(page, &format!("<div style=\"height:80px;overflow-y:auto\">{row}</div>"))
    }),
    defect("link only by colour", "a11y/link-in-text", Serious, |page| {
        let ink = token(page, "--ink")?;
        with_content(
            page,
            &format!(
                "<p>The hall is open on Sundays, and the <a href=\"mailto:hall@post.org\" style=\"color:{ink};text-decoration:none\">\
                 keeper of the hall</a> is glad about every visitor who comes along.</p>"
            ),
        )
    }),
    defect("endless motion", "a11y/motion", Moderate, |page| {
        with_rules(
            page,
            "@keyframes sway { from { transform: none } to { transform: translateX(8px) } } h1 { animation: sway 2s infinite alternate }",
        )
    }),
    defect("field without edge", "a11y/nontext-contrast", Moderate, |page| {
        page.contains("<input")
            .then(|| with_rules(page, "input[type=text], input[type=email] { border: 1px solid #eceeed; background: var(--paper); }"))?
    }),
    defect("frame without title", "a11y/frames", Serious, |page| {
        with_content(page, "<iframe srcdoc=\"A small map\" width=\"200\" height=\"100\"></iframe>")
    }),
    defect("weak hierarchy", "critic/hierarchy", Moderate, |page| {
        with_rules(page, "h1 { font-size: 20px; }")
    }),
    defect("small text", "critic/small-text", Moderate, |page| {
        with_rules(page, "p, li, td, dd { font-size: 10px; }")
    }),
    defect("capitals without space", "critic/caps", Minor, |page| {
        (!page.contains("lang=\"ja\""))
            .then(|| with_rules(page, "h2 { text-transform: uppercase; letter-spacing: 0; }"))?
    }),
    defect("spacing 3 px off", "critic/rhythm", Minor, |page| {
        let mut rules = String::new();
        for place in 1..=9 {
            let (above, below, inside) = (3 * place, 24 - place, 2 * place + 1);
            let _ = writeln!(
                rules,
                "main :nth-child({place}) {{ margin-top: {above}px; margin-bottom: {below}px; padding-top: {inside}px; }}"
            );
        }
        with_rules(page, &rules)
    }),
    defect("lopsided padding", "critic/symmetry", Minor, |page| {
        with_rules(page, "main { padding-left: 24px; padding-right: 61px; }")
    }),
    defect("text over text", "critic/overlap", Serious, |page| {
        with_content(
            page,
            "<div style=\"position:relative\"><p style=\"margin:0\">The night bus stops at the old gate and waits there.</p>\
             <p style=\"position:absolute;top:0;left:0;margin:0\">Tickets are sold at the counter in the hall today.</p></div>",
        )
    }),
    defect("five families", "critic/families", Minor, |page| {
        with_rules(
            page,
            "h1 { font-family: Georgia; } h2 { font-family: Courier New; } p { font-family: Verdana; } p.muted { font-family: Impact; } li, dd, label, figcaption { font-family: Papyrus; } h2 + p { font-family: Didot; }",
        )
    }),
    defect("long lines", "critic/measure", Minor, |page| {
        let text = "The warden opens the hall at nine and closes it when the last visitor has found the way back to the street. ".repeat(4);
        with_content(
            page,
            &format!(
                "<p style=\"max-width:none;width:min(1100px, 86vw);font-size:12px;line-height:1.1\">{}</p>",
                text.trim_end()
            ),
        )
    }),
    defect("style sheet from elsewhere", "critic/self-contained", Serious, |page| {
        instead(page, "<style>", "<link rel=\"stylesheet\" href=\"https://cdn.styles.org/all.css\">\n<style>")
    }),
    defect("another accent", "brand/colour", Minor, |page| {
        let dark = token(page, "--paper")?.starts_with("#0");
        with_token(page, "--accent", if dark { "#ff8ad1" } else { "#b0006a" })
    }),
    defect("filler text", "copy/placeholder", Critical, |page| {
        with_content(page, "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>")
    }),
    defect("words to fill in", "copy/placeholder", Critical, |page| {
        with_content(page, "<p>Call us at [Your phone number] any time.</p>")
    }),
    defect("link to nowhere", "copy/links", Serious, |page| between(page, "href=\"", "\"", "#")),
    defect("link to a missing part", "copy/links", Serious, |page| {
        between(page, "href=\"", "\"", "#no-such-part")
    }),
    defect("vague link", "copy/cta-words", Moderate, |page| {
        english(page)?;
        with_content(page, "<p><a href=\"mailto:desk@post.org\">Click here</a></p>")
    }),
    defect("invented figure", "copy/claims", Moderate, |page| {
        english(page)?;
        with_content(page, "<p>Our way of working is 10x faster than any other.</p>")
    }),
    defect("endless sentences", "copy/readability", Minor, |page| {
        english(page)?;
        let sentence = "Notwithstanding the considerable administrative complications that regularly accompany the implementation of \
                        interdepartmental coordination procedures, the responsible representatives nevertheless anticipate that an \
                        appropriately comprehensive reorganisation of the participating institutions will ultimately facilitate \
                        significantly improved communication between all constituent organisations and their beneficiaries. ";
        with_content(page, &format!("<p>{}</p>", sentence.repeat(4).trim_end()))
    }),
    defect("title without end", "copy/lengths", Minor, |page| {
        let title = text_between(page, "<title>", "</title>")?;
        between(
            page,
            "<title>",
            "</title>",
            &format!(
                "{title} and everything else there is to know about it, in one very long line for a tab"
            ),
        )
    }),
];

fn english(page: &str) -> Option<()> {
    page.contains("lang=\"en\"").then_some(())
}
