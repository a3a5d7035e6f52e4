//! What changed between two drafts, block by block, as people read them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fence::{CodeLine, Fences};

/// The largest table that is filled in to find what two drafts have in common. Beyond it, all that lies between the first
/// and the last difference counts as rewritten.
const LARGEST_TABLE: usize = 4_000_000;

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlockChange {
    /// It is in both.
    Same,
    /// It is in the later one alone.
    Added,
    /// It is in the earlier one alone.
    Removed,
}

/// A block of a draft: a heading, a paragraph, a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedBlock {
    /// What became of it.
    pub change: BlockChange,
    /// The block as Markdown.
    pub text: String,
}

/// Compares two drafts. The blocks of the later one are in its order; each that went stands where it was.
pub fn compare(earlier: &str, later: &str) -> Vec<ComparedBlock> {
    let (before, after) = (blocks(earlier), blocks(later));
    let head = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
    let (before_rest, after_rest) =
        (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail = before_rest
        .iter()
        .rev()
        .zip(after_rest.iter().rev())
        .take_while(|(before, after)| before == after)
        .count();
    let gone = before_rest.get(..before_rest.len() - tail).unwrap_or_default();
    let come = after_rest.get(..after_rest.len() - tail).unwrap_or_default();
    let mut compared = Vec::with_capacity(before.len().max(after.len()));
    let mut put = |change: BlockChange, blocks: &[String]| {
        compared.extend(blocks.iter().map(|text| ComparedBlock { change, text: text.clone() }));
    };
    put(BlockChange::Same, before.get(..head).unwrap_or_default());
    middle(gone, come, &mut put);
    put(BlockChange::Same, before.get(before.len() - tail..).unwrap_or_default());
    compared
}

/// What lies between the first and the last difference.
fn middle(gone: &[String], come: &[String], put: &mut impl FnMut(BlockChange, &[String])) {
    let width = come.len() + 1;
    if (gone.len() + 1).saturating_mul(width) > LARGEST_TABLE {
        put(BlockChange::Removed, gone);
        put(BlockChange::Added, come);
        return;
    }
    // How many blocks two ends have in common, for every pair of ends.
    let mut common = vec![0_u32; (gone.len() + 1) * width];
    let at = |table: &[u32], row: usize, column: usize| table.get(row * width + column).copied().unwrap_or(0);
    for (row, before) in gone.iter().enumerate().rev() {
        for (column, after) in come.iter().enumerate().rev() {
            let longest = if before == after {
                at(&common, row + 1, column + 1) + 1
            } else {
                at(&common, row + 1, column).max(at(&common, row, column + 1))
            };
            if let Some(cell) = common.get_mut(row * width + column) {
                *cell = longest;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    loop {
        match (gone.get(row), come.get(column)) {
            (None, None) => return,
            (Some(before), Some(after)) if before == after => {
                put(BlockChange::Same, std::slice::from_ref(before));
                (row, column) = (row + 1, column + 1);
            }
            (Some(before), after)
                if after.is_none() || at(&common, row + 1, column) >= at(&common, row, column + 1) =>
            {
                put(BlockChange::Removed, std::slice::from_ref(before));
                row += 1;
            }
            (_, Some(after)) => {
                put(BlockChange::Added, std::slice::from_ref(after));
                column += 1;
            }
            (Some(_), None) => return,
        }
    }
}

/// The blocks of Markdown: what stands between empty lines. A fence of code is one block, whatever is in it.
fn blocks(markdown: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let mut fences = Fences::default();
    for line in markdown.lines() {
        let line = line.trim_end();
        if fences.line(line) != CodeLine::Outside || !line.is_empty() {
            block.push(line);
        } else if !block.is_empty() {
            blocks.push(std::mem::take(&mut block).join("\n"));
        }
    }
    if !block.is_empty() {
        blocks.push(block.join("\n"));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_in_a_block_of_code_divides_nothing() {
        assert_eq!(blocks("````md\n```\n\na\n````\n\nb").len(), 2);
        assert_eq!(blocks("``` a ```\n\nb").len(), 2);
    }

    fn shown(earlier: &str, later: &str) -> String {
        let sign = |change| match change {
            BlockChange::Same => " ",
            BlockChange::Added => "+",
            BlockChange::Removed => "-",
        };
        let lines = compare(earlier, later);
        lines.iter().map(|block| [sign(block.change), &block.text, "|"].concat()).collect::<Vec<_>>().concat()
    }

    #[test]
    fn blocks_that_came_and_went_are_told_apart() {
        assert_eq!(shown("", ""), "");
        assert_eq!(shown("a", ""), "-a|");
        assert_eq!(shown("", "a"), "+a|");
        assert_eq!(shown("a\n\nb\n\nc", "a\n\nb\n\nc\n"), " a| b| c|");
        assert_eq!(shown("a\n\nb\n\nc", "a\n\nx\n\nc"), " a|-b|+x| c|");
        assert_eq!(shown("a\n\nb\n\nc\n\nd", "b\n\nx\n\nd\n\ne"), "-a| b|-c|+x| d|+e|");
        assert_eq!(shown("a\n\nb", "b\n\na"), "-a| b|+a|");
        assert_eq!(shown("a\n\na", "a"), " a|-a|");
        assert_eq!(
            shown("# A\ntext\n\n```\nx\n\ny\n```\n\nz", "# A\ntext\n\nz"),
            " # A\ntext|-```\nx\n\ny\n```| z|"
        );
    }

    #[test]
    fn what_is_too_large_to_compare_is_rewritten() {
        let many = |letter: char| (0..3000).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join("\n\n");
        let compared = compare(&format!("one\n\n{}", many('a')), &format!("one\n\n{}", many('b')));
        assert_eq!(compared.len(), 6001);
        assert_eq!(compared.iter().filter(|block| block.change == BlockChange::Same).count(), 1);
    }

    #[test]
    fn both_drafts_can_be_read_from_it() {
        let mut seed = 7_u64;
        let mut draft = || {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(["a", "b", "c", "d"][(seed >> 60) as usize % 4]);
                text.push_str("\n\n");
            }
            text
        };
        for _ in 0..200 {
            let (earlier, later) = (draft(), draft());
            let of = |not: BlockChange| -> Vec<String> {
                compare(&earlier, &later)
                    .into_iter()
                    .filter(|block| block.change != not)
                    .map(|block| block.text)
                    .collect()
            };
            assert_eq!(of(BlockChange::Added), blocks(&earlier));
            assert_eq!(of(BlockChange::Removed), blocks(&later));
        }
    }
}
