//! Giving a font other measures: the outlines stay, the widths and heights become those of another face.
//!
//! Only what layout reads is written: advance widths, vertical metrics, and the tables that would move letters about
//! (kerning, ligatures) are left out. The font never leaves the process.

use std::collections::BTreeMap;

/// The measures of a face, in parts of its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measures {
    pub(crate) ascent: f32,
    pub(crate) descent: f32,
    pub(crate) line_gap: f32,
    pub(crate) x_height: f32,
    /// How wide a character is that the font does not have. What fonts lack is mostly wide: Chinese, emoji.
    pub(crate) unknown: f32,
}

/// Tables that say the widths again, or change them.
const LEFT_OUT: [&[u8; 4]; 9] =
    [b"GPOS", b"GSUB", b"kern", b"hdmx", b"VDMX", b"LTSH", b"DSIG", b"TTFA", b"gasp"];

/// The font with other measures. `width` says how wide a character is to be, in parts of the size; characters it does
/// not know keep their width. `None` if the bytes are not a TrueType font with what is needed.
pub(crate) fn patched(
    font: &[u8],
    measures: Measures,
    widths: impl Iterator<Item = (char, f32)>,
) -> Option<Vec<u8>> {
    let mut tables = tables(font)?;
    let units = f32::from(read16(tables.get(b"head")?, 18)?);
    let glyphs = usize::from(read16(tables.get(b"maxp")?, 4)?);
    let mut advances = advances(&tables, glyphs)?;
    if let Some(advance) = advances.first_mut() {
        advance.0 = scaled(measures.unknown, units)?;
    }
    let cmap = tables.get(b"cmap")?.clone();
    for (character, width) in widths {
        let glyph = glyph(&cmap, character).map(usize::from).filter(|glyph| *glyph != 0);
        if let Some(advance) = glyph.and_then(|glyph| advances.get_mut(glyph)) {
            advance.0 = scaled(width, units)?;
        }
    }
    let hmtx = advances.iter().flat_map(|(advance, bearing)| {
        let [a, b] = advance.to_be_bytes();
        let [c, d] = bearing.to_be_bytes();
        [a, b, c, d]
    });
    tables.insert(*b"hmtx", hmtx.collect());
    let ascent = scaled(measures.ascent, units)?;
    let descent = scaled(measures.descent, units)?;
    let gap = scaled(measures.line_gap, units)?;
    let below = 0_u16.wrapping_sub(descent);
    let hhea = tables.get_mut(b"hhea")?;
    for (at, value) in [(4, ascent), (6, below), (8, gap), (34, u16::try_from(advances.len()).ok()?)] {
        write16(hhea, at, value)?;
    }
    let os2 = tables.get_mut(b"OS/2")?;
    let style = read16(os2, 62)? & !(1 << 7);
    let height = scaled(measures.x_height, units)?;
    for (at, value) in
        [(62, style), (68, ascent), (70, below), (72, gap), (74, ascent), (76, descent), (86, height)]
    {
        write16(os2, at, value)?;
    }
    written(&tables)
}

type Tables = BTreeMap<[u8; 4], Vec<u8>>;

fn tables(font: &[u8]) -> Option<Tables> {
    let mut found = Tables::new();
    for index in 0..usize::from(read16(font, 4)?) {
        let entry = font.get(12 + 16 * index..28 + 16 * index)?;
        let tag: [u8; 4] = entry.get(..4)?.try_into().ok()?;
        let offset = usize::try_from(read32(entry, 8)?).ok()?;
        let length = usize::try_from(read32(entry, 12)?).ok()?;
        if !LEFT_OUT.contains(&&tag) {
            found.insert(tag, font.get(offset..offset.checked_add(length)?)?.to_vec());
        }
    }
    Some(found)
}

/// Every glyph's advance and left bearing.
fn advances(tables: &Tables, glyphs: usize) -> Option<Vec<(u16, u16)>> {
    let own = usize::from(read16(tables.get(b"hhea")?, 34)?);
    let hmtx = tables.get(b"hmtx")?;
    (0..glyphs)
        .map(|glyph| {
            // Glyphs at the end share the last advance and have only a bearing.
            let advance = read16(hmtx, 4 * glyph.min(own.checked_sub(1)?))?;
            let bearing = if glyph < own { 4 * glyph + 2 } else { 4 * own + 2 * (glyph - own) };
            Some((advance, read16(hmtx, bearing)?))
        })
        .collect()
}

/// The glyph of a character, from a table of segments.
fn glyph(cmap: &[u8], character: char) -> Option<u16> {
    let character = u16::try_from(u32::from(character)).ok()?;
    for index in 0..usize::from(read16(cmap, 2)?) {
        let offset = usize::try_from(read32(cmap, 8 + 8 * index)?).ok()?;
        let table = cmap.get(offset..)?;
        if read16(table, 0)? != 4 {
            continue;
        }
        let segments = usize::from(read16(table, 6)? / 2);
        let end = |segment: usize| read16(table, 14 + 2 * segment);
        let segment = (0..segments).find(|segment| end(*segment).is_some_and(|end| end >= character))?;
        let start = read16(table, 16 + 2 * (segments + segment))?;
        if start > character {
            return None;
        }
        let delta = read16(table, 16 + 2 * (2 * segments + segment))?;
        let place = 16 + 2 * (3 * segments + segment);
        let range = usize::from(read16(table, place)?);
        if range == 0 {
            return Some(character.wrapping_add(delta));
        }
        let found = read16(table, place + range + 2 * usize::from(character - start))?;
        return Some(if found == 0 { 0 } else { found.wrapping_add(delta) });
    }
    None
}

/// A font of these tables. Checksums are left at nothing: who reads it from memory does not ask.
fn written(tables: &Tables) -> Option<Vec<u8>> {
    let count = u16::try_from(tables.len()).ok()?;
    let mut out = vec![0, 1, 0, 0];
    for value in [count, 0, 0, 0] {
        out.extend(value.to_be_bytes());
    }
    let mut offset = 12 + 16 * tables.len();
    for (tag, bytes) in tables {
        out.extend(tag);
        out.extend([0; 4]);
        out.extend(u32::try_from(offset).ok()?.to_be_bytes());
        out.extend(u32::try_from(bytes.len()).ok()?.to_be_bytes());
        offset += bytes.len().next_multiple_of(4);
    }
    for bytes in tables.values() {
        out.extend(bytes);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    Some(out)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "measures are small and not negative; what is not fits no font and is cut off"
)]
fn scaled(part: f32, units: f32) -> Option<u16> {
    let value = (part * units).round();
    (0.0..=65_535.0).contains(&value).then_some(value as u16)
}

fn read16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn read32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn write16(bytes: &mut [u8], at: usize, value: u16) -> Option<()> {
    bytes.get_mut(at..at + 2)?.copy_from_slice(&value.to_be_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURES: Measures =
        Measures { ascent: 0.9, descent: 0.2, line_gap: 0.05, x_height: 0.5, unknown: 1.0 };

    #[test]
    fn characters_take_the_width_they_are_given() {
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        let other = patched(font, MEASURES, [('A', 0.25), ('\u{e9}', 0.75)].into_iter()).expect("a font");
        let tables = tables(&other).expect("tables");
        let glyphs = advances(&tables, 1_261).expect("advances");
        let width = |character| {
            let glyph = glyph(tables.get(b"cmap")?, character)?;
            glyphs.get(usize::from(glyph)).map(|(advance, _)| *advance)
        };
        assert_eq!((width('A'), width('\u{e9}')), (Some(250), Some(750)));
        assert_eq!(glyphs.first().map(|(advance, _)| *advance), Some(1_000));
        assert_eq!(read16(tables.get(b"hhea").expect("a table"), 4), Some(900));
        assert!(!tables.contains_key(b"GPOS") && tables.contains_key(b"glyf"));
    }

    #[test]
    fn what_is_no_font_stays_none() {
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        for length in [0, 3, 11, 40, 200, 5_000] {
            assert!(patched(font.get(..length).unwrap_or_default(), MEASURES, std::iter::empty()).is_none());
        }
    }
}
