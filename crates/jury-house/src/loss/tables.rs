//! What the cells of tables say, by the two heads that they stand under.
//!
//! The words of a table are all there when two columns change their heads, and every price is another one. So a cell is told
//! by its heads, and says something else when the cell at the same heads has other figures. Rows and columns may change places,
//! also with each other.

use jury_eye::{Node, Snapshot};
use jury_text::loss::plain_words;

/// A cell with figures.
#[derive(Debug)]
pub(super) struct Cell {
    /// What its row and its column say, in the order of their words.
    heads: [Vec<String>; 2],
    figures: Vec<String>,
    text: String,
}

impl Cell {
    /// The cell with its heads.
    pub(super) fn told(&self) -> String {
        format!("{} ({})", self.text, self.about())
    }

    /// What its heads say.
    pub(super) fn about(&self) -> String {
        self.heads.each_ref().map(|words| words.join(" ")).join(", ")
    }

    /// Whether another cell stands under the same heads.
    fn is_at(&self, other: &Self) -> bool {
        self.heads == other.heads
    }
}

/// The cells of all tables that have a head for each row and each column.
pub(super) fn cells(snapshot: &Snapshot) -> Vec<Cell> {
    let mut found = Vec::new();
    for table in snapshot.nodes.iter().filter(|node| node.tag == "table" && node.shown) {
        found.extend(of_table(snapshot, table));
    }
    found
}

/// Cells that have other figures in a draft, by what they said. Nothing is said of one whose heads are not there any more, or
/// are there more than once.
pub(super) fn altered<'a>(given: &'a [Cell], draft: &[Cell]) -> Vec<&'a Cell> {
    let differs = |cell: &&Cell| {
        let alone = given.iter().filter(|other| other.is_at(cell)).count() == 1;
        let mut there = draft.iter().filter(|other| other.is_at(cell));
        match (there.next(), there.next()) {
            (Some(now), None) => alone && now.figures != cell.figures,
            (None | Some(_), _) => false,
        }
    };
    given.iter().filter(differs).collect()
}

fn of_table(snapshot: &Snapshot, table: &Node) -> Vec<Cell> {
    let inside: Vec<&Node> = snapshot.descendants(table).collect();
    let nested = inside.iter().any(|node| node.tag == "table");
    let spans =
        inside.iter().any(|node| node.attribute("colspan").is_some() || node.attribute("rowspan").is_some());
    if nested || spans {
        return Vec::new();
    }
    let rows: Vec<Vec<&Node>> = inside
        .iter()
        .filter(|node| node.tag == "tr")
        .map(|row| {
            let own = |cell: &&&Node| matches!(cell.tag.as_str(), "th" | "td") && cell.parent == Some(row.id);
            inside.iter().filter(own).copied().collect()
        })
        .collect();
    let is_head = |row: &Vec<&Node>| !row.is_empty() && row.iter().all(|cell| cell.tag == "th");
    let Some(columns) = rows.iter().find(|row| is_head(row)) else { return Vec::new() };
    let mut found = Vec::new();
    for row in &rows {
        let Some(head) = row.iter().find(|cell| cell.tag == "th") else { continue };
        for (cell, column) in row.iter().zip(columns).filter(|(cell, _)| cell.tag == "td") {
            let text = text_of(snapshot, cell);
            let figures = figures(&text);
            let mut heads = [plain_words(&text_of(snapshot, head)), plain_words(&text_of(snapshot, column))];
            heads.sort();
            if !figures.is_empty() && heads.iter().all(|head| !head.is_empty()) {
                found.push(Cell { heads, figures, text });
            }
        }
    }
    found
}

fn text_of(snapshot: &Snapshot, node: &Node) -> String {
    let inside = snapshot.descendants(node).filter(|inner| inner.id != node.id);
    let texts = std::iter::once(node).chain(inside).map(|part| part.text.as_str());
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The digits of each number.
fn figures(text: &str) -> Vec<String> {
    let numbers = text.split(|ch: char| !(ch.is_numeric() || matches!(ch, '.' | ',')));
    let digits = |number: &str| number.chars().filter(|ch| ch.is_numeric()).collect::<String>();
    numbers.map(digits).filter(|digits| !digits.is_empty()).collect()
}
