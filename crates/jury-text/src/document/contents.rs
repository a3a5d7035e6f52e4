//! What stands in a document, counted, so that what somebody says of it can be held against it.

use jury_core::critic::Contents;

use super::nearby_files::NearbyFiles;
use super::passage::Kind;
use super::read::Document;

/// Counts of words, lines and sentences differ by this part of them, by what one takes for a word.
const SLACK: usize = 10;

/// The words of a document, and how many there are of its parts and of what its headings name.
pub fn contents(text: &str) -> Contents {
    let document = Document::read(text, &NearbyFiles::Unknown);
    let mut contents = Contents::of(text);
    let kind = |wanted: Kind| document.passages.iter().filter(|passage| passage.kind == wanted).count();
    let headings = document.headings.len();
    contents.count("headings", headings, headings);
    contents.count("sections", headings.saturating_sub(1).min(1), headings);
    contents.count("links", document.links.len(), document.links.len() + document.broken.len());
    contents.count("blocks", document.blocks.len(), document.blocks.len());
    contents.count("lists", document.lists.len(), document.lists.len());
    let tables: std::collections::BTreeSet<usize> = document.passages.iter().filter_map(table).collect();
    contents.count("tables", tables.len(), tables.len());
    contents.count("bullets", kind(Kind::Item), kind(Kind::Item));
    contents.count("paragraphs", kind(Kind::Paragraph), document.passages.len());
    roughly(&mut contents, "words", text.split_whitespace().filter(has_letter).count());
    let lines = text.lines().count();
    let written = text.lines().filter(|line| !line.trim().is_empty()).count();
    contents.count("lines", written - written / SLACK, lines + lines / SLACK);
    let said = document.passages.iter().map(|passage| sentences(&passage.text)).sum();
    contents.count("sentences", kind(Kind::Paragraph).min(said), said + headings);
    for (index, heading) in document.headings.iter().enumerate() {
        let own = index + 1;
        let under = || document.passages.iter().filter(move |passage| passage.section == own);
        let items = under().filter(|passage| passage.kind == Kind::Item).count();
        let rows: std::collections::BTreeSet<(usize, usize)> = under().filter_map(row).collect();
        let below = document.headings.iter().filter(|other| other.parent == own).count();
        let known = [items, rows.len(), below];
        let Some(least) = known.iter().copied().filter(|number| *number > 0).min() else { continue };
        // An entry may hold several of them, and one of several sentences may be one.
        let said: usize =
            under().filter(|passage| passage.kind != Kind::Heading).map(|own| sentences(&own.text)).sum();
        if let Some(name) = heading.text.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty())
        {
            contents.count(name, least, known.iter().copied().max().unwrap_or(least).max(said));
        }
    }
    contents
}

fn roughly(contents: &mut Contents, what: &str, number: usize) {
    contents.count(what, number - number / SLACK, number + number / SLACK);
}

fn has_letter(word: &&str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

fn table(passage: &super::passage::Passage) -> Option<usize> {
    row(passage).map(|(table, _)| table)
}

fn row(passage: &super::passage::Passage) -> Option<(usize, usize)> {
    match passage.kind {
        Kind::Cell { table, row, .. } => Some((table, row)),
        Kind::Paragraph | Kind::Heading | Kind::Item => None,
    }
}

/// How many sentences there are: each ends with a mark, the last may end without one.
fn sentences(text: &str) -> usize {
    text.split(['.', '!', '?', ';', '\n']).filter(|piece| piece.chars().any(char::is_alphanumeric)).count()
}

#[cfg(test)]
mod tests {
    use super::contents;
    use jury_core::critic::Contents;

    fn counted(text: &str, counts: &[(&str, usize, usize)]) -> Contents {
        let mut contents = Contents::of(text);
        for (what, least, most) in counts {
            contents.count(what, *least, *most);
        }
        contents
    }

    #[test]
    fn parts_and_what_headings_name_are_counted() {
        let text = "# Plan\n\nOne [link](a.md).\n\n## Requirements\n\n- One thing.\n- Another. And more.\n";
        let found = contents(text);
        let wanted = counted(
            text,
            &[
                ("headings", 2, 2),
                ("sections", 1, 2),
                ("links", 1, 1),
                ("blocks", 0, 0),
                ("lists", 1, 1),
                ("tables", 0, 0),
                ("bullets", 2, 2),
                ("paragraphs", 1, 5),
                ("words", 9, 9),
                ("lines", 5, 8),
                ("sentences", 1, 8),
                ("requirements", 2, 3),
                ("plan", 1, 1),
            ],
        );
        assert_eq!(found, wanted);
    }
}
