//! Finding what lies near a box without comparing everything with everything.

use std::collections::HashMap;

use jury_eye::Rect;

/// The side of a cell in pixels: about as large as the things that are looked for.
const CELL: f32 = 64.0;

/// How many cells may be filled. A real page fills a few thousand; boxes stacked over each other by the hundred
/// thousand are not looked through.
const MOST_ENTRIES: usize = 400_000;

/// How many boxes in one cell are looked at for one question.
const MOST_IN_CELL: usize = 64;

/// Boxes by the cells they lie in.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    cells: HashMap<(i32, i32), Vec<usize>>,
    entries: usize,
}

impl Grid {
    /// Puts a box in. What does not fit any more is left out.
    pub(crate) fn insert(&mut self, index: usize, rect: Rect) {
        for cell in cells(rect) {
            if self.entries == MOST_ENTRIES {
                return;
            }
            let list = self.cells.entry(cell).or_default();
            if list.len() < MOST_IN_CELL {
                list.push(index);
                self.entries += 1;
            }
        }
    }

    /// The indices of boxes that share a cell with this one, in order and without repetition.
    pub(crate) fn near(&self, rect: Rect) -> Vec<usize> {
        let mut found: Vec<usize> = cells(rect)
            .take(MOST_ENTRIES)
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The cells a box lies in.
fn cells(rect: Rect) -> impl Iterator<Item = (i32, i32)> {
    let range = |from: f32, length: f32| cell(from)..=cell(from + length.max(0.0));
    let columns = range(rect.x, rect.width);
    range(rect.y, rect.height).flat_map(move |row| columns.clone().map(move |column| (column, row)))
}

#[expect(clippy::cast_possible_truncation, reason = "clamped before the cast")]
fn cell(at: f32) -> i32 {
    (at / CELL).floor().clamp(-10_000.0, 1_000_000.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_found() {
        let rect = |x, y, width, height| Rect { x, y, width, height };
        let mut grid = Grid::default();
        for (index, rect) in
            [rect(0.0, 0.0, 10.0, 10.0), rect(30.0, 0.0, 400.0, 10.0), rect(0.0, 900.0, 5.0, 5.0)]
                .into_iter()
                .enumerate()
        {
            grid.insert(index, rect);
        }
        assert_eq!(grid.near(rect(5.0, 5.0, 100.0, 20.0)), [0, 1]);
        assert_eq!(grid.near(rect(380.0, 0.0, 1.0, 1.0)), [1]);
        assert_eq!(grid.near(rect(0.0, 899.0, 1.0, 1.0)), [2]);
        assert!(grid.near(rect(-500.0, 0.0, 1.0, 1.0)).is_empty());
    }
}
