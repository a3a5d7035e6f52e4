//! What a picture of a page shows before anybody reads it: figures of its pixels, each a pure function of the picture.
//!
//! The picture has one pixel for two by two of the page. That is enough for everything here, costs a quarter, and makes
//! less of how a painter smooths its letters.

use std::collections::{BTreeMap, BTreeSet};

/// A contour is where a channel changes by more than this from one pixel to the next.
const CONTOUR: u8 = 40;

/// So many pixels around a contour another one crowds it: 20 of the page.
const CROWDED: u16 = 10;

/// The sides on which a contour has others near.
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;

/// A change of less than this is no edge at all.
const EDGE: u8 = 20;

/// The side of a tile, in pixels.
const TILE: usize = 8;
const PIXELS: u32 = 64;

/// A tile with this many colours is part of a photograph or of a soft gradient; letters on a plain ground have fewer.
const PHOTO_COLOURS: usize = 20;

/// A tile with a mean change above this has something in it.
const FILLED: u32 = 2;

/// A tile is full of letters when one pixel in so many is an edge.
const LETTERS: u32 = 4;

/// The window is looked at in this many cells each way, and a cell with this share of filled tiles is used.
const CELLS: usize = 4;
const CELL_USED: f64 = 0.05;

/// So many of the commonest colours make up the plain ground of a page.
const GROUNDS: usize = 8;

/// A colour on no more pixels than this comes of smoothing.
const RARE: u32 = 2;

/// A colour that covers less than this share is no colour of the page.
const COVERS: f64 = 0.002;

/// A picture of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bitmap {
    width: usize,
    /// Red, green and blue in one number, row by row.
    colours: Vec<u32>,
}

/// What was measured on a picture. Shares are of the picture's area unless something else is said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figures {
    /// Contours that have other contours near on all four sides, of all contours.
    pub(crate) congestion: f64,
    /// Pixels at which an edge begins.
    pub(crate) edges: f64,
    /// How soft the edges are: 0 when they all go from black to white, 1 when they are hardly there.
    pub(crate) softness: f64,
    /// Tiles that belong to photographs or soft gradients.
    pub(crate) photo: f64,
    /// The largest of them that hang together.
    pub(crate) largest_photo: f64,
    /// Tiles full of letters.
    pub(crate) text: f64,
    /// How many shades each colour comes in.
    pub(crate) depth: f64,
    /// What the commonest colours cover.
    pub(crate) flatness: f64,
    /// How much of the difference between light and dark lies between tiles and not within them: large shapes, not
    /// small parts.
    pub(crate) shapes: f64,
    /// Tiles with something in them.
    pub(crate) fill: f64,
    /// Cells of the window with something in them.
    pub(crate) cells: f64,
    /// How much more there is on one side than on the other: 0 for the same, 1 for all on one.
    pub(crate) lopsided: f64,
    /// Colours that cover something, with what they cover, the largest first.
    pub(crate) colours: Vec<([u8; 3], f64)>,
}

impl Bitmap {
    /// A picture of pixels with four bytes each; nothing when they do not make whole rows.
    pub(crate) fn of(width: usize, rgba: &[u8]) -> Option<Self> {
        let (pixels, rest) = rgba.as_chunks::<4>();
        if width == 0 || !rest.is_empty() || pixels.is_empty() || !pixels.len().is_multiple_of(width) {
            return None;
        }
        let colours =
            pixels.iter().map(|[red, green, blue, _]| u32::from_be_bytes([0, *red, *green, *blue])).collect();
        Some(Self { width, colours })
    }

    /// Everything there is to say about it.
    pub(crate) fn figures(&self) -> Figures {
        let changes = self.changes();
        let tiles = self.tiles(&changes);
        let palette = self.palette();
        let (mut edges, mut strength) = (0, 0.0);
        for change in changes.iter().filter(|change| **change > EDGE) {
            edges += 1;
            strength += f64::from(*change);
        }
        let all = number(self.colours.len());
        let (photo, largest_photo) = tiles.photos();
        Figures {
            congestion: self.congestion(&changes),
            edges: number(edges) / all,
            softness: if edges == 0 { 0.0 } else { 1.0 - strength / (255.0 * number(edges)) },
            photo,
            largest_photo,
            text: tiles.share(|tile| tile.text),
            depth: depth(&palette),
            flatness: flatness(&palette) / all,
            shapes: tiles.shapes(),
            fill: tiles.share(|tile| tile.filled),
            cells: tiles.cells_used(),
            lopsided: tiles.lopsided(),
            colours: coloured(&palette, all),
        }
    }

    /// How much each pixel differs from the one to its right or the one below, in the channel that differs most.
    fn changes(&self) -> Vec<u8> {
        let rows: Vec<&[u32]> = self.colours.chunks_exact(self.width).collect();
        let mut changes = Vec::with_capacity(self.colours.len());
        for (index, row) in rows.iter().enumerate() {
            let below = rows.get(index + 1).unwrap_or(row);
            let right = row.iter().skip(1).chain(row.last());
            for ((own, right), below) in row.iter().zip(right).zip(*below) {
                changes.push(difference(*own, *right).max(difference(*own, *below)));
            }
        }
        changes
    }

    fn congestion(&self, changes: &[u8]) -> f64 {
        // Where contours are, row by row, and on which sides another one is near.
        let mut found: Vec<(u16, u16)> = Vec::new();
        for (y, row) in (0..u16::MAX).zip(changes.chunks_exact(self.width)) {
            let contours = (0..u16::MAX).zip(row).filter(|(_, change)| **change > CONTOUR);
            found.extend(contours.map(|(x, _)| (x, y)));
        }
        let mut near = vec![0_u8; found.len()];
        let mut above = vec![usize::MAX; self.width];
        for index in 0..found.len() {
            let Some((x, y)) = found.get(index).copied() else { break };
            let before = index.checked_sub(1);
            if let Some((other, _)) = before.and_then(|before| found.get(before)).filter(|at| at.1 == y)
                && x - other <= CROWDED
            {
                mark(&mut near, index, LEFT);
                mark(&mut near, index - 1, RIGHT);
            }
            if let Some(last) = above.get_mut(usize::from(x)) {
                if let Some((_, other)) = found.get(*last)
                    && y - other <= CROWDED
                {
                    mark(&mut near, index, UP);
                    mark(&mut near, *last, DOWN);
                }
                *last = index;
            }
        }
        let crowded = near.iter().filter(|sides| **sides == LEFT | RIGHT | UP | DOWN).count();
        number(crowded) / number(found.len().max(1))
    }

    /// Each colour with how many pixels have it, the commonest first.
    fn palette(&self) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for colour in &self.colours {
            match runs.last_mut() {
                Some((last, pixels)) if last == colour => *pixels += 1,
                _ => runs.push((*colour, 1)),
            }
        }
        runs.sort_unstable();
        runs.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        runs.sort_unstable_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        runs
    }

    fn tiles(&self, changes: &[u8]) -> Tiles {
        let columns = self.width / TILE;
        let rows: Vec<&[u32]> = self.colours.chunks_exact(self.width).collect();
        let change_rows: Vec<&[u8]> = changes.chunks_exact(self.width).collect();
        let mut list = Vec::with_capacity(columns * rows.len() / TILE);
        let mut colours = Vec::with_capacity(TILE * TILE);
        for (rows, changes) in rows.chunks_exact(TILE).zip(change_rows.chunks_exact(TILE)) {
            for column in 0..columns {
                let across = column * TILE..(column + 1) * TILE;
                let mut tile = Tile::default();
                let changes = changes.iter().filter_map(|row| row.get(across.clone())).flatten();
                let mut edges = 0;
                for change in changes {
                    tile.energy += u32::from(*change);
                    edges += u32::from(*change > EDGE);
                }
                colours.clear();
                for colour in rows.iter().filter_map(|row| row.get(across.clone())).flatten() {
                    let light = light(*colour);
                    tile.light += light;
                    tile.squares += light * light;
                    colours.push(coarse(*colour));
                }
                if tile.energy > 0 {
                    colours.sort_unstable();
                    colours.dedup();
                    tile.photo = colours.len() >= PHOTO_COLOURS;
                }
                tile.filled = tile.energy > FILLED * PIXELS;
                tile.text = !tile.photo && edges * LETTERS >= PIXELS;
                list.push(tile);
            }
        }
        Tiles { columns, list }
    }
}

/// Five bits of each channel.
fn coarse(colour: u32) -> u16 {
    let [_, red, green, blue] = colour.to_be_bytes().map(|channel| u16::from(channel >> 3));
    red << 10 | green << 5 | blue
}

fn difference(one: u32, other: u32) -> u8 {
    if one == other {
        return 0;
    }
    let [_, red, green, blue] = one.to_be_bytes();
    let [_, other_red, other_green, other_blue] = other.to_be_bytes();
    red.abs_diff(other_red).max(green.abs_diff(other_green)).max(blue.abs_diff(other_blue))
}

fn mark(near: &mut [u8], index: usize, side: u8) {
    if let Some(sides) = near.get_mut(index) {
        *sides |= side;
    }
}

/// How many shades the colours of a palette come in: plain areas have one, photographs and shadows many.
fn depth(palette: &[(u32, u32)]) -> f64 {
    let kept = palette.iter().take_while(|(_, pixels)| *pixels > RARE);
    let (mut shades, mut cells) = (0_usize, BTreeSet::new());
    for (colour, _) in kept {
        shades += 1;
        cells.insert(coarse(*colour));
    }
    number(shades) / number(cells.len().max(1))
}

fn flatness(palette: &[(u32, u32)]) -> f64 {
    palette.iter().take(GROUNDS).map(|(_, pixels)| f64::from(*pixels)).sum()
}

/// The colours that cover something. What differs in the last bits only is one colour: steps of a gradient.
fn coloured(palette: &[(u32, u32)], all: f64) -> Vec<([u8; 3], f64)> {
    let mut merged: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for (colour, pixels) in palette {
        // The commonest comes first and stands for the others.
        merged.entry(colour & 0x00f0_f0f0).or_insert((*colour, 0)).1 += pixels;
    }
    let mut covering: Vec<([u8; 3], f64)> = merged
        .into_values()
        .map(|(colour, pixels)| {
            let [_, red, green, blue] = colour.to_be_bytes();
            ([red, green, blue], f64::from(pixels) / all)
        })
        .filter(|(_, share)| *share >= COVERS)
        .collect();
    covering.sort_by(|one, other| other.1.total_cmp(&one.1));
    covering
}

/// How light a colour is, from 0 to 255.
fn light(colour: u32) -> u32 {
    let [_, red, green, blue] = colour.to_be_bytes().map(u32::from);
    (77 * red + 150 * green + 29 * blue) >> 8
}

/// A small square of the picture.
#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    /// All changes in it, summed up.
    energy: u32,
    /// The light of its pixels and their squares, summed up.
    light: u32,
    squares: u32,
    filled: bool,
    photo: bool,
    text: bool,
}

/// The squares of a picture, row by row.
struct Tiles {
    columns: usize,
    list: Vec<Tile>,
}

impl Tiles {
    /// What photographs cover, and what the largest of them does.
    fn photos(&self) -> (f64, f64) {
        let largest = self.connected(|tile| tile.photo).into_iter().max().unwrap_or(0);
        (self.share(|tile| tile.photo), number(largest) / number(self.list.len().max(1)))
    }

    fn share(&self, belongs: impl Fn(&Tile) -> bool) -> f64 {
        number(self.list.iter().filter(|tile| belongs(tile)).count()) / number(self.list.len().max(1))
    }

    /// The part of the variance of light that lies between tiles; none on a picture of one colour.
    fn shapes(&self) -> f64 {
        let (mut sum, mut squares, mut between) = (0.0, 0.0, 0.0);
        for tile in &self.list {
            let light = f64::from(tile.light);
            sum += light;
            squares += f64::from(tile.squares);
            between += light * light / f64::from(PIXELS);
        }
        let mean = sum * sum / (f64::from(PIXELS) * number(self.list.len().max(1)));
        let all = squares - mean;
        if all < 1.0 { 0.0 } else { (between - mean) / all }
    }

    /// The sizes of groups of tiles that touch.
    fn connected(&self, belongs: impl Fn(&Tile) -> bool) -> Vec<usize> {
        let mut open: Vec<bool> = self.list.iter().map(belongs).collect();
        let mut sizes = Vec::new();
        let mut reach = Vec::new();
        for start in 0..open.len() {
            reach.push(start);
            let mut size = 0;
            while let Some(at) = reach.pop() {
                let Some(here) = open.get_mut(at) else { continue };
                if !std::mem::take(here) {
                    continue;
                }
                size += 1;
                let column = at % self.columns.max(1);
                reach.extend(at.checked_sub(self.columns));
                reach.push(at + self.columns);
                if column > 0 {
                    reach.push(at - 1);
                }
                if column + 1 < self.columns {
                    reach.push(at + 1);
                }
            }
            if size > 0 {
                sizes.push(size);
            }
        }
        sizes
    }

    fn cells_used(&self) -> f64 {
        let rows = self.list.len() / self.columns.max(1);
        let mut cells = [[(0_usize, 0_usize); CELLS]; CELLS];
        for (index, tile) in self.list.iter().enumerate() {
            let (row, column) = (index / self.columns.max(1), index % self.columns.max(1));
            let cell = cells
                .get_mut(row * CELLS / rows.max(1))
                .and_then(|cells| cells.get_mut(column * CELLS / self.columns.max(1)));
            if let Some((filled, all)) = cell {
                *filled += usize::from(tile.filled);
                *all += 1;
            }
        }
        let used = cells.iter().flatten().filter(|(filled, all)| number(*filled) > CELL_USED * number(*all));
        number(used.count()) / number(CELLS * CELLS)
    }

    fn lopsided(&self) -> f64 {
        let (mut left, mut right) = (0.0, 0.0);
        for row in self.list.chunks_exact(self.columns.max(1)) {
            for (column, tile) in row.iter().enumerate() {
                let side = if column * 2 < self.columns { &mut left } else { &mut right };
                *side += f64::from(tile.energy);
            }
        }
        let all: f64 = left + right;
        if all < 1.0 { 0.0 } else { (left - right).abs() / all }
    }
}

/// A count as a number to calculate with.
fn number(value: usize) -> f64 {
    u32::try_from(value).map_or(f64::from(u32::MAX), f64::from)
}
