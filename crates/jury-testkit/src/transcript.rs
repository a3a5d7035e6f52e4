//! Transcripts of any size, for benchmarks and memory tests. Whole and valid; nothing in them is noise.

use std::fmt::Write as _;

/// What a transcript is mostly made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptKind {
    /// A draft of 24 KiB per round, and a panel that has something to say.
    Mix,
    /// Drafts of 240 KiB, close to the largest block allowed.
    Big,
    /// Hardly any draft: small blocks, many tags.
    Chat,
}

impl TranscriptKind {
    /// Every kind of transcript.
    pub const ALL: [Self; 3] = [Self::Mix, Self::Big, Self::Chat];

    /// The kind as tables call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mix => "mix",
            Self::Big => "big",
            Self::Chat => "chat",
        }
    }

    fn draft(self) -> usize {
        match self {
            Self::Mix => 24 * 1024,
            Self::Big => 240 * 1024,
            Self::Chat => 256,
        }
    }
}

const NOTES: [&str; 5] = [
    "CTA competes with the logo at top-left; the eye lands twice.",
    "H1 at 64px reads as a poster, not as a landing page.",
    "CTA 3.9:1 against its background, fails AA for text of that size.",
    "Vertical gaps of 12/16/24/40 follow no system that I can name.",
    "Hero padding is asymmetric, left 48px & right 32px.",
];

const DIMENSIONS: [&str; 5] = ["hierarchy", "type", "contrast", "rhythm", "space"];

/// A transcript of this kind with at least this many bytes.
pub fn transcript(kind: TranscriptKind, bytes: usize) -> Vec<u8> {
    let mut text = String::with_capacity(bytes + 2 * kind.draft() + 4096);
    text.push_str("Here is the panel.\n\n");
    text.push_str("<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\">\n");
    let page = page(kind.draft());
    let mut round = 0;
    while text.len() + page.len() < bytes {
        round += 1;
        push_round(&mut text, round, &page);
    }
    push(&mut text, format_args!("  <SHIP round=\"{round}\" composite=\"8.62\" status=\"shipped\">\n"));
    push(&mut text, format_args!("    <ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>\n"));
    text.push_str("    <SUMMARY>The rhythm is on a grid of eight, the CTA clears AA.</SUMMARY>\n  </SHIP>\n");
    text.push_str("</CRITIQUE_RUN>\n");
    text.into_bytes()
}

fn push_round(text: &mut String, round: usize, page: &str) {
    push(text, format_args!("  <ROUND n=\"{round}\">\n    <PANELIST role=\"designer\">\n"));
    text.push_str("      <NOTES>One idea, one button, one reason to press it.</NOTES>\n");
    push(
        text,
        format_args!("      <ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>\n    </PANELIST>\n"),
    );
    for role in ["critic", "brand", "a11y", "copy"] {
        push(text, format_args!("    <PANELIST role=\"{role}\" score=\"7.4\" must_fix=\"2\">\n"));
        for (name, note) in DIMENSIONS.iter().zip(NOTES) {
            push(text, format_args!("      <DIM name=\"{name}\" score=\"7\">{note}</DIM>\n"));
        }
        text.push_str("      <MUST_FIX>Push the CTA background down by 8% to clear AA.</MUST_FIX>\n");
        text.push_str("      <MUST_FIX>Pick a vertical rhythm of 4px or 8px.</MUST_FIX>\n    </PANELIST>\n");
    }
    push(
        text,
        format_args!(
            "    <ROUND_END n=\"{round}\" composite=\"7.40\" must_fix=\"8\" decision=\"continue\">\n"
        ),
    );
    text.push_str(
        "      <REASON>Composite below 8.0; 8 must-fix open.</REASON>\n    </ROUND_END>\n  </ROUND>\n",
    );
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
}

/// A page of about this many bytes: markup, as drafts are.
pub fn page(bytes: usize) -> String {
    let mut page = String::with_capacity(bytes + 256);
    page.push_str("\n<!doctype html>\n<html lang=\"en\"><head><style>\n.hero { padding: 48px }\n</style></head><body>\n");
    let mut section = 0;
    while page.len() + 160 < bytes {
        section += 1;
        push(
            &mut page,
            format_args!(
                "<section id=\"s{section}\"><h2>Reason {section}</h2>\n  <p>Soup is warm, and a[i] < b[j] in \
                 every way that counts.</p>\n</section>\n"
            ),
        );
    }
    page.push_str("</body></html>\n");
    page
}
