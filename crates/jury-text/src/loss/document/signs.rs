//! What stands beside the words of a document and says something: ticks of tasks, addresses of mail, marks of footnotes, and
//! what hides a text.

use std::collections::{BTreeMap, BTreeSet};

/// The tasks of a document: whether each is ticked. A text that stands there twice says nothing.
pub(super) fn tasks(text: &str) -> BTreeMap<&str, bool> {
    let mut tasks: BTreeMap<&str, bool> = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for line in text.lines() {
        let Some(rest) = line.trim_start().strip_prefix(['-', '*', '+']) else { continue };
        let rest = rest.trim_start();
        let Some((done, task)) = [("[ ]", false), ("[x]", true), ("[X]", true)]
            .iter()
            .find_map(|(mark, done)| rest.strip_prefix(mark).map(|task| (*done, task.trim())))
        else {
            continue;
        };
        if tasks.insert(task, done).is_some() {
            twice.insert(task);
        }
    }
    tasks.retain(|task, _| !twice.contains(task));
    tasks
}

/// The lines of the data before a text.
pub(super) fn front_matter(text: &str) -> impl Iterator<Item = &str> {
    crate::document::front_matter(text).map(str::trim)
}

/// The addresses of mail and the marks of footnotes in a document.
pub(super) fn marks(text: &str) -> BTreeSet<&str> {
    let around = |c: char| !c.is_alphanumeric();
    let is_mail = |word: &&str| {
        word.split_once('@').is_some_and(|(name, host)| {
            name.starts_with(char::is_alphanumeric)
                && host.split_once('.').is_some_and(|(host, top)| !host.is_empty() && !top.is_empty())
                && !host.contains(['/', ':', '@'])
        })
    };
    let mails = text
        .split(|c: char| {
            c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '"' | '`' | ',' | ';')
        })
        .map(|word| word.strip_prefix("mailto:").unwrap_or(word).trim_matches(around))
        .filter(is_mail);
    let notes = text.split("[^").skip(1).filter_map(|rest| {
        let (name, behind) = rest.split_once(']')?;
        // With a colon behind it, it is the note itself.
        let is_mark = !name.is_empty() && name.len() <= 40 && !name.contains(char::is_whitespace);
        (is_mark && !behind.starts_with(':')).then_some(name)
    });
    mails.chain(notes).collect()
}

/// What hides a text in Markdown that is shown as HTML, and how often it stands there.
pub(super) fn hidings(text: &str) -> BTreeMap<&'static str, usize> {
    let lower = text.to_ascii_lowercase();
    let squeezed: String = lower.chars().filter(|c| *c != ' ').collect();
    let mut found = BTreeMap::from([
        ("<details>", lower.matches("<details").count()),
        ("display:none", squeezed.matches("display:none").count()),
        ("visibility:hidden", squeezed.matches("visibility:hidden").count()),
    ]);
    let tags = lower.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
    let is_hidden =
        |tag: &str| tag.split(|c: char| c.is_whitespace() || c == '=').skip(1).any(|word| word == "hidden");
    found.insert("hidden", tags.filter(|tag| is_hidden(tag)).count());
    found
}
