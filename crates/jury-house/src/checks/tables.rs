//! Tables: headers that head something, and cells that name headers which are there.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Node, NodeId};

use super::causes::Causes;
use super::view::has_scripts;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::{Page, selector};

/// No table is wider or taller than this, whatever its spans say.
const MOST_CELLS_PER_SIDE: usize = 1_000;

/// A table that spans more places than this is not looked at.
const MOST_PLACES: usize = 200_000;

/// A cell in its grid.
struct Cell<'a> {
    node: &'a Node,
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

fn is_cell(node: &Node) -> bool {
    matches!(node.role.as_deref(), Some("cell" | "gridcell" | "columnheader" | "rowheader"))
}

fn is_header(node: &Node) -> bool {
    matches!(node.role.as_deref(), Some("columnheader" | "rowheader"))
}

fn tables<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| matches!(node.role.as_deref(), Some("table" | "grid" | "treegrid")))
}

/// The cells of a table, not of the tables inside of it.
fn cells<'a>(page: &'a Page<'_>, table: &Node) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    let mut places = 0;
    let mut row: Option<usize> = None;
    let mut column = 0;
    // How many more rows each column is taken by a cell from above.
    let mut taken: Vec<usize> = Vec::new();
    let mut at = table.id.index() + 1;
    while at < table.subtree_end.index() {
        let Some(node) = page.snapshot.nodes.get(at) else { break };
        at += 1;
        match node.role.as_deref() {
            Some("table" | "grid" | "treegrid") => at = node.subtree_end.index(),
            Some("row") => {
                row = Some(row.map_or(0, |row| row + 1));
                column = 0;
                for left in &mut taken {
                    *left = left.saturating_sub(1);
                }
            }
            _ if is_cell(node) => {
                let Some(row) = row else { continue };
                while taken.get(column).is_some_and(|left| *left > 0) {
                    column += 1;
                }
                let span = |native: &str, aria: &str| {
                    let value = node.attribute(native).or_else(|| node.attribute(aria));
                    value
                        .and_then(|value| value.trim().parse::<usize>().ok())
                        .unwrap_or(1)
                        .clamp(1, MOST_CELLS_PER_SIDE)
                };
                let (wide, tall) = (span("colspan", "aria-colspan"), span("rowspan", "aria-rowspan"));
                places += wide + tall;
                if places > MOST_PLACES {
                    return Vec::new();
                }
                if column + wide > taken.len() {
                    taken.resize((column + wide).min(2 * MOST_CELLS_PER_SIDE), 0);
                }
                for left in taken.iter_mut().skip(column).take(wide) {
                    *left = tall;
                }
                cells.push(Cell { node, columns: column..column + wide, rows: row..row + tall });
                column += wide;
            }
            _ => {}
        }
    }
    cells
}

pub(super) fn table_headers(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut doubtful = Causes::default();
    let mut total = 0;
    let scripted = has_scripts(page);
    for table in tables(page) {
        let cells = cells(page, table);
        let referred: BTreeSet<&str> = cells
            .iter()
            .filter_map(|cell| cell.node.attribute("headers"))
            .flat_map(str::split_ascii_whitespace)
            .collect();
        // The columns that hold a cell which is no column header, and the rows with a cell that is no row header.
        let mut columns: BTreeMap<usize, usize> = BTreeMap::new();
        let mut rows: BTreeSet<usize> = BTreeSet::new();
        let mut data_rows: BTreeSet<usize> = BTreeSet::new();
        for cell in cells.iter().filter(|cell| cell.node.exposed) {
            if cell.node.role.as_deref() != Some("columnheader") {
                for column in cell.columns.clone() {
                    columns
                        .entry(column)
                        .and_modify(|last| *last = (*last).max(cell.rows.end))
                        .or_insert(cell.rows.end);
                }
            }
            if cell.node.role.as_deref() != Some("rowheader") {
                rows.extend(cell.rows.clone());
            }
            if !is_header(cell.node) {
                data_rows.extend(cell.rows.clone());
            }
        }
        let empty = cells.iter().all(|cell| is_header(cell.node));
        for cell in cells.iter().filter(|cell| cell.node.exposed && is_header(cell.node)) {
            total += 1;
            let native = cell.node.tag == "th" && cell.node.attribute("role").is_none();
            let named = cell.node.attribute("id").is_some_and(|id| referred.contains(id));
            let heads_column = cell
                .columns
                .clone()
                .any(|column| columns.get(&column).is_some_and(|last| *last > cell.rows.start));
            let heads_row = |rows: &BTreeSet<usize>| cell.rows.clone().any(|row| rows.contains(&row));
            let heads = match cell.node.role.as_deref() {
                Some("columnheader") => {
                    heads_column
                        || (native && cell.node.attribute("scope").is_none() && heads_row(&data_rows))
                }
                _ => heads_row(&rows),
            };
            if !heads && !named {
                let cause = format!("{} heads no cell", selector(cell.node));
                let list = if empty && scripted { &mut doubtful } else { &mut wrong };
                list.add(Severity::Moderate, cause, cell.node.id);
            }
        }
        for cell in cells.iter().filter(|cell| cell.node.tag == "th" && cell.node.exposed) {
            if cell.node.name.is_empty() {
                wrong.add(
                    Severity::Minor,
                    format!("{} is a header without text", selector(cell.node)),
                    cell.node.id,
                );
            }
        }
    }
    for node in page.exposed().filter(|node| matches!(node.tag.as_str(), "td" | "th")) {
        let Some(scope) = node.attribute("scope") else { continue };
        let known = ["row", "col", "rowgroup", "colgroup"]
            .iter()
            .any(|known| scope.trim().eq_ignore_ascii_case(known));
        if !known && !scope.trim().is_empty() {
            wrong.add(Severity::Minor, format!("scope=\"{}\" is no scope", scope.trim()), node.id);
        }
    }
    let (failing, unknown) = (wrong.elements(), doubtful.elements());
    let note = format!("{failing} of {total} table headers that head or say nothing");
    let undecided: Vec<Finding> = doubtful.findings(page);
    let mut outcome = Outcome::share(failing, total, 0.5, note, wrong.findings(page));
    if let Measure::Share { unknown: share, .. } = &mut outcome.measure {
        *share = count(unknown);
    }
    outcome.undecided(undecided)
}

/// Cells whose `headers` attribute names cells of their own table.
pub(super) fn cell_headers(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for table in tables(page).filter(|table| table.tag == "table") {
        let cells = cells(page, table);
        let ids: BTreeMap<&str, NodeId> =
            cells.iter().filter_map(|cell| Some((cell.node.attribute("id")?, cell.node.id))).collect();
        for cell in cells.iter().filter(|cell| matches!(cell.node.tag.as_str(), "td" | "th")) {
            let Some(headers) = cell.node.attribute("headers").filter(|headers| !headers.trim().is_empty())
            else {
                continue;
            };
            total += 1;
            for id in headers.split_ascii_whitespace() {
                let cause = match ids.get(id) {
                    None => "headers names a cell that is not in the table",
                    Some(named) if *named == cell.node.id => "headers names the cell itself",
                    Some(_) => continue,
                };
                wrong.add(Severity::Serious, cause, cell.node.id);
            }
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} cells with headers that are not there");
    Outcome::share(failing, total, 0.2, note, wrong.findings(page))
}
