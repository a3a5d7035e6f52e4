//! The words that a page wants to be found by, out of the document on search.

use super::outline::{self, Line};
use super::prose::{self, Word};

/// The most supporting keywords that are looked for.
const MOST_KEYWORDS: usize = 40;

/// What a page wants to be found by.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Keywords {
    pub(crate) primary: Option<Keyword>,
    pub(crate) secondary: Vec<Keyword>,
}

/// A keyword: its words, and the stems that have to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keyword {
    pub(crate) text: String,
    pub(crate) stems: Vec<String>,
}

impl Keyword {
    fn new(text: &str) -> Option<Self> {
        let words = prose::words(text);
        let mut stems: Vec<String> =
            words.iter().filter(|word| !word.stop).map(|word| word.stem.clone()).collect();
        if stems.is_empty() {
            stems = words.into_iter().map(|word| word.stem).collect();
        }
        stems.sort();
        stems.dedup();
        (!stems.is_empty() && stems.len() <= 8).then(|| Self { text: text.to_lowercase(), stems })
    }

    /// How often all of its words stand in these.
    pub(crate) fn times(&self, words: &[Word]) -> usize {
        let of = |stem: &String| words.iter().filter(|word| word.stem == *stem).count();
        self.stems.iter().map(of).min().unwrap_or_default()
    }

    /// The same for a text.
    pub(crate) fn times_in(&self, text: &str) -> usize {
        self.times(&prose::words(text))
    }

    /// Whether more than half of its words are among these.
    pub(crate) fn is_touched_by(&self, words: &[Word]) -> bool {
        let found = self.stems.iter().filter(|stem| words.iter().any(|word| word.stem == **stem)).count();
        found * 2 > self.stems.len()
    }
}

/// Reads the document on search.
pub(crate) fn read(text: &str) -> Keywords {
    let mut keywords = Keywords::default();
    let mut others = Vec::new();
    // A row over a column of keywords says what they are and is none, and neither is what stands beside it.
    let columns = ranked(text);
    for (rank, column) in &columns {
        for values in column.iter().skip(1).map(|cell| several(cell)) {
            match rank {
                Rank::Primary => put(&mut keywords, values),
                Rank::Secondary | Rank::Listed | Rank::None => keywords.secondary.extend(values),
            }
        }
    }
    let in_column = |line: &Line| {
        let label = line.label.as_deref().filter(|_| line.item && !line.heading);
        label.is_some_and(|label| {
            columns.iter().any(|(_, column)| column.iter().any(|cell| cell.to_lowercase() == label))
        })
    };
    for line in outline::read(text).into_iter().filter(|line| !in_column(line)) {
        let label = line.label.as_deref().map(rank);
        let values: Vec<Keyword> = match label {
            Some(Rank::Primary | Rank::Secondary) => several(&line.text),
            // In a row, or before an explanation, the first cell is the keyword.
            _ => several(line.label.as_deref().unwrap_or(&line.text)),
        };
        match label.filter(|rank| *rank != Rank::None).unwrap_or_else(|| above(&line)) {
            Rank::Primary if !line.heading => put(&mut keywords, values),
            Rank::Secondary if !line.heading => keywords.secondary.extend(values),
            Rank::Listed if line.item && !line.heading && !is_header(&line) => others.extend(values),
            Rank::Primary | Rank::Secondary | Rank::Listed | Rank::None => {}
        }
    }
    if keywords.primary.is_none() {
        // A list of keywords without ranks begins with the one that matters.
        put(&mut keywords, others);
    }
    let primary = keywords.primary.clone();
    let mut seen: Vec<Vec<String>> = primary.into_iter().map(|keyword| keyword.stems).collect();
    keywords.secondary.truncate(MOST_KEYWORDS * 4);
    keywords.secondary.retain(|keyword| {
        let new = !seen.contains(&keyword.stems);
        if new {
            seen.push(keyword.stems.clone());
        }
        new
    });
    keywords.secondary.truncate(MOST_KEYWORDS);
    keywords
}

/// The first columns of tables whose header gives them a rank. A table whose rows have ranks themselves is a list of labels
/// and values, whatever its first row looks like.
fn ranked(text: &str) -> Vec<(Rank, Vec<String>)> {
    let tables = outline::tables(text).into_iter().filter_map(|table| {
        let head = table.header.first()?;
        let rank = rank(&head.to_lowercase());
        let cells: Vec<&String> = table.rows.iter().filter_map(|row| row.first()).collect();
        let is_column = matches!(rank, Rank::Primary | Rank::Secondary)
            && !cells.is_empty()
            && cells.iter().all(|cell| self::rank(&cell.to_lowercase()) == Rank::None);
        is_column.then(|| (rank, std::iter::once(head).chain(cells).cloned().collect()))
    });
    tables.collect()
}

fn put(keywords: &mut Keywords, values: Vec<Keyword>) {
    let mut values = values.into_iter();
    if keywords.primary.is_none() {
        keywords.primary = values.next();
    }
    keywords.secondary.extend(values);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Primary,
    Secondary,
    /// Keywords, of no rank.
    Listed,
    None,
}

fn rank(text: &str) -> Rank {
    let is = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let keyword =
        is(&["keyword", "keyphrase", "key phrase", "search term", "search phrase", "query", "queries"]);
    if is(&["secondary", "supporting", "long-tail", "long tail", "related keyword", "additional keyword"]) {
        return Rank::Secondary;
    }
    let first = is(&["primary", "main", "focus", "target", "head term"]);
    if text == "primary" || first && keyword || text.contains("head term") {
        return Rank::Primary;
    }
    if keyword { Rank::Listed } else { Rank::None }
}

fn above(line: &Line) -> Rank {
    line.above
        .iter()
        .rev()
        .map(|heading| rank(heading))
        .find(|rank| *rank != Rank::None)
        .unwrap_or(Rank::None)
}

fn is_header(line: &Line) -> bool {
    matches!(line.label.as_deref(), Some("keyword" | "keywords" | "term" | "query" | "phrase"))
}

/// Keywords on one line: in quotation marks, or between commas.
fn several(text: &str) -> Vec<Keyword> {
    let quoted = outline::quoted(text);
    if !quoted.is_empty() {
        return quoted.iter().filter_map(|text| Keyword::new(text)).collect();
    }
    // Volumes and remarks stand in brackets or behind a dash.
    let end = [" (", " – ", " — ", " - ", ": "]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()
        .unwrap_or(text.len());
    let text = text.get(..end).unwrap_or_default();
    text.split([',', ';']).map(|text| text.trim().trim_end_matches('.')).filter_map(Keyword::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(text: &str) -> (Option<String>, Vec<String>) {
        let found = read(text);
        (
            found.primary.map(|keyword| keyword.text),
            found.secondary.into_iter().map(|keyword| keyword.text).collect(),
        )
    }

    #[test]
    fn keywords_are_read_however_they_are_written() {
        let expected =
            (Some("tax app".to_owned()), vec!["vat return".to_owned(), "file taxes online".to_owned()]);
        for text in [
            "Primary keyword: tax app\nSecondary keywords: VAT return, file taxes online.\n",
            "# SEO\n\n## Primary keyword\n\n**tax app** (1,200 a month)\n\n## Secondary keywords\n\n- VAT return – low\n- file taxes online\n",
            "## Keywords\n\n| Keyword | Volume |\n|---|---|\n| tax app | 100 |\n| VAT return | 3 |\n| file taxes online | 2 |\n",
            "- **Main keyword:** \"tax app\"\n- **Supporting:** \"VAT return\", \"file taxes online\"\n",
            "## Keywords\n\n- Primary: tax app\n- Secondary: VAT return; file taxes online\n",
            "| Primary keyword | Volume |\n|---|---|\n| tax app | 100 |\n\n| Secondary keyword | Volume |\n|---|---|\n| VAT return | 3 |\n| file taxes online | 2 |\n",
            "| Primary keyword | tax app |\n|---|---|\n| Secondary keywords | VAT return, file taxes online |\n",
            "## Target keywords\n\n1. tax app\n2. VAT return\n3. file taxes online\n",
        ] {
            assert_eq!(read_as(text), expected, "{text}");
        }
        assert_eq!(read_as("# Plan\n\nWe write often.\n"), (None, vec![]));
    }
}
