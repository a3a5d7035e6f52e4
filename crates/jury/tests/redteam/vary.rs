//! Ways to write the same: generators that change how an attack looks and not what it does.
//!
//! A way is a name. `pieces:N` lets the agent print N bytes at a time, `random:N` puts three other ways together that
//! follow from the number, so that every run of the set is the same.

use std::collections::BTreeMap;

use jury_testkit::random::TestRandom;

/// The elements of a transcript.
const ELEMENTS: [&str; 13] = [
    "CRITIQUE_RUN",
    "ROUND_END",
    "ROUND",
    "PANELIST",
    "NOTES",
    "ARTIFACT",
    "DIM",
    "MUST_FIX",
    "REASON",
    "SHIP",
    "SUMMARY",
    "SCORE",
    "VERDICT",
];

/// What `random` chooses from, by the file.
const TRANSCRIPT: [&str; 6] = ["lower", "quotes", "spread", "around", "bom", "escapes"];
const PAGE: [&str; 5] = ["upper", "crlf", "comments", "nested", "indented"];
const TEXT: [&str; 3] = ["crlf", "bom", "blank-lines"];

/// Writes a file in this way.
pub(crate) fn apply(way: &str, files: &mut BTreeMap<String, String>, name: &str) {
    if let Some(size) = way.strip_prefix("pieces:") {
        let agent = format!("cat > prompt.txt\ndd if=answer.txt bs={size} 2>/dev/null\n");
        files.insert("agent.sh".to_owned(), agent);
        return;
    }
    if let Some(seed) = way.strip_prefix("random:") {
        let choices: &[&str] = match name.rsplit_once('.').map(|(_, end)| end) {
            Some("txt") => &TRANSCRIPT,
            Some("html") => &PAGE,
            _ => &TEXT,
        };
        let mut random = TestRandom::of(format!("{seed} {name}").as_bytes());
        for _ in 0..3 {
            apply(random.one_of(choices), files, name);
        }
        return;
    }
    let text = files.get_mut(name).unwrap_or_else(|| panic!("there is no {name} to vary"));
    *text = match way {
        "lower" => elements(text, &str::to_ascii_lowercase),
        "mixed" => elements(text, &|name| {
            let pick = |(index, c): (usize, char)| if index % 2 == 0 { c.to_ascii_lowercase() } else { c };
            name.chars().enumerate().map(pick).collect()
        }),
        "quotes" => tags(text, |tag| tag.replace('"', "'")),
        "spread" => tags(text, |tag| tag.replace("\" ", "\"\n    ")),
        "around" => format!(
            "Let me read the page first.\n\n<thinking>3 < 4, and the brief is short.</thinking>\n```xml\n{text}\n```\nThat is \
             my review.\n"
        ),
        "bom" => format!("\u{feff}{text}"),
        "escapes" => text.replace("\n<", "\n\u{1b}[32m<"),
        "crlf" => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        "blank-lines" => text.replace("\n\n", "\n\n\n"),
        "upper" => page_tags(text, &str::to_ascii_uppercase),
        "comments" => text.replace("</p>", "<!-- a --></p><!-- b -->"),
        "nested" => text.replace("<main>", "<main><div><div>").replace("</main>", "</div></div></main>"),
        "indented" => text.replace("><", ">\n    <"),
        "mail" => format!(
            "From 3f1c Mon Sep 17 00:00:00 2001\nFrom: Ada <ada@example.org>\nSubject: [PATCH] The change\n\n---\n{text}"
        ),
        "honest-file-first" => format!("{HONEST_FILE}{text}"),
        "honest-file-last" => format!("{text}{HONEST_FILE}"),
        _ => panic!("there is no way called {way}"),
    };
}

/// A change that nothing is wrong with.
const HONEST_FILE: &str = "diff --git a/docs/prices.md b/docs/prices.md\n--- a/docs/prices.md\n+++ b/docs/prices.md\n\
    @@ -1,2 +1,4 @@\n # Prices\n \n+More than ten of one kind cost a tenth less.\n+\n";

/// The text with the names of its elements spelled in another way. What is in CDATA stays.
fn elements(text: &str, spell: &dyn Fn(&str) -> String) -> String {
    outside_cdata(text, |part| {
        let mut part = part.to_owned();
        for name in ELEMENTS {
            for (open, end) in [("<", " "), ("<", ">"), ("</", ">"), ("<", "/")] {
                let was = format!("{open}{name}{end}");
                part = part.replace(&was, &format!("{open}{}{end}", spell(name)));
            }
        }
        part
    })
}

/// The text with its tags changed. What is in CDATA stays.
fn tags(text: &str, change: impl Fn(&str) -> String) -> String {
    outside_cdata(text, |part| {
        let mut out = String::new();
        for piece in part.split_inclusive('>') {
            match piece.rfind('<') {
                Some(at) if piece.ends_with('>') => {
                    let (before, tag) = piece.split_at(at);
                    out.push_str(before);
                    out.push_str(&change(tag));
                }
                _ => out.push_str(piece),
            }
        }
        out
    })
}

fn outside_cdata(text: &str, change: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<![CDATA[") {
        let (inside, behind) = after.split_once("]]></").unwrap_or((after, ""));
        out.push_str(&change(before));
        out.push_str("<![CDATA[");
        out.push_str(inside);
        if !behind.is_empty() {
            out.push_str("]]>");
        }
        rest = after.strip_prefix(inside).and_then(|rest| rest.strip_prefix("]]>")).unwrap_or("");
    }
    out.push_str(&change(rest));
    out
}

/// A page whose plain tags are spelled in another way.
fn page_tags(text: &str, spell: &dyn Fn(&str) -> String) -> String {
    let mut text = text.to_owned();
    for name in ["main", "header", "footer", "section", "ul", "li", "p", "h1", "h2", "body", "form", "label"]
    {
        for (open, end) in [("<", ">"), ("<", " "), ("</", ">")] {
            let was = format!("{open}{name}{end}");
            text = text.replace(&was, &format!("{open}{}{end}", spell(name)));
        }
    }
    text
}
