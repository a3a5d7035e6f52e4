//! The table of what was held and what was broken, for a terminal and for the document.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use super::kind::KindFile;

/// What came of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) attacks: usize,
    pub(crate) broken: usize,
    pub(crate) controls: usize,
    pub(crate) refused: usize,
}

impl Row {
    fn add(&mut self, other: Self) {
        self.attacks += other.attacks;
        self.broken += other.broken;
        self.controls += other.controls;
        self.refused += other.refused;
    }

    fn cells(self) -> [String; 4] {
        [self.attacks, self.attacks - self.broken, self.broken, self.controls].map(|count| count.to_string())
    }
}

/// The tables for a terminal: one for each workflow, and the sum.
pub(crate) fn plain(rows: &[(&KindFile, Row)]) -> String {
    let mut out = String::new();
    let mut sum = Row::default();
    for (workflow, rows) in by_workflow(rows) {
        let _ = writeln!(
            out,
            "\n{workflow:<34} {:>8} {:>6} {:>7} {:>9} {:>8}",
            "attacks", "held", "broken", "controls", "refused"
        );
        let mut total = Row::default();
        for (kind, row) in rows {
            line(&mut out, &format!("  {} ({})", kind.kind, kind.surface), row);
            total.add(row);
        }
        line(&mut out, "  all", total);
        sum.add(total);
    }
    let _ = writeln!(
        out,
        "\n{} attacks of {} kinds: {} held, {} broken. {} honest neighbours: {} green, {} refused.",
        sum.attacks,
        rows.len(),
        sum.attacks - sum.broken,
        sum.broken,
        sum.controls,
        sum.controls - sum.refused,
        sum.refused
    );
    out
}

fn line(out: &mut String, name: &str, row: Row) {
    let [attacks, held, broken, controls] = row.cells();
    let _ = writeln!(out, "{name:<44} {attacks:>8} {held:>6} {broken:>7} {controls:>9} {:>8}", row.refused);
}

fn by_workflow<'a>(rows: &[(&'a KindFile, Row)]) -> BTreeMap<&'a str, Vec<(&'a KindFile, Row)>> {
    let mut grouped: BTreeMap<&str, Vec<(&KindFile, Row)>> = BTreeMap::new();
    for (kind, row) in rows {
        grouped.entry(&kind.workflow).or_default().push((kind, *row));
    }
    grouped
}

/// The tables of the document.
pub(crate) fn markdown(rows: &[(&KindFile, Row)]) -> String {
    let mut out = String::new();
    let mut sum = Row::default();
    for (workflow, rows) in by_workflow(rows) {
        let _ = write!(
            out,
            "### {workflow}\n\n| kind | through | what they do | must not happen | attacks | held | broken | controls |\n\
             |---|---|---|---|---:|---:|---:|---:|\n"
        );
        for (kind, row) in rows {
            let [attacks, held, broken, controls] = row.cells();
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {attacks} | {held} | {broken} | {controls} |",
                kind.kind,
                kind.surface,
                kind.about.replace('|', "\\|"),
                kind.never.replace('|', "\\|")
            );
            sum.add(row);
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "{} attacks of {} kinds: {} held, {} broken. {} honest neighbours: {} green, {} refused.",
        sum.attacks,
        rows.len(),
        sum.attacks - sum.broken,
        sum.broken,
        sum.controls,
        sum.controls - sum.refused,
        sum.refused
    );
    out
}

const BEGIN: &str = "<!-- the table, written by the runner -->\n";
const END: &str = "<!-- the end of the table -->\n";

/// The document.
pub(crate) fn document() -> PathBuf {
    super::kind::folder().join("../docs/redteam.md")
}

/// Writes the tables into the document.
pub(crate) fn publish(rows: &[(&KindFile, Row)]) {
    let text = std::fs::read_to_string(document()).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    std::fs::write(document(), format!("{before}{BEGIN}\n{}\n{END}{after}", markdown(rows))).unwrap();
}

/// What the document says of each kind: what must not happen, attacks and controls.
pub(crate) fn published() -> BTreeMap<String, (String, usize, usize)> {
    let text = std::fs::read_to_string(document()).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
        let [kind, _, _, never, attacks, _, _, controls] = cells[..] else { return None };
        let kind = kind.strip_prefix('`')?.strip_suffix('`')?;
        Some((kind.to_owned(), (never.to_owned(), attacks.parse().ok()?, controls.parse().ok()?)))
    };
    text.lines().filter_map(row).collect()
}
