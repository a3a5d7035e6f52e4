//! Pictures: the room they take on a page, from their first bytes, and their colours for whoever looks at them.
//!
//! Layout needs the size alone, and most pictures have no text on them, so nothing is decoded until the pixels of a
//! place are asked for where a picture lies.

mod decode;
mod size;

use std::sync::Arc;

pub(crate) use decode::decode;
use size::size;

/// How many pixels the pictures of a page may have in all: room is set aside for them, even if it is never used.
const MOST_PIXELS: u64 = 32_000_000;

/// A picture that is laid out.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The room set aside for its colours. The engine hands it around, so it tells whose room it is.
    room: Arc<Vec<u8>>,
    file: Vec<u8>,
}

/// The pictures of a page.
#[derive(Default)]
pub(crate) struct Pictures {
    pictures: Vec<Picture>,
    pixels: u64,
}

impl Pictures {
    /// Whether these bytes are a picture that could be laid out.
    pub(crate) fn is_one(file: &[u8]) -> bool {
        size(file).is_some()
    }

    /// Sets room aside for a picture, unless the page has had its share. Gives its size and the room.
    pub(crate) fn add(&mut self, file: Vec<u8>) -> Option<(u32, u32, Arc<Vec<u8>>)> {
        let (width, height) = size(&file)?;
        let pixels = u64::from(width) * u64::from(height);
        self.pixels += pixels;
        if self.pixels > MOST_PIXELS {
            return None;
        }
        // Zeroes that nobody writes to take no memory.
        let room = Arc::new(vec![0; usize::try_from(pixels * 4).ok()?]);
        self.pictures.push(Picture { width, height, room: Arc::clone(&room), file });
        Some((width, height, room))
    }

    /// The picture a room was set aside for, by its number.
    pub(crate) fn in_room(&self, room: &[u8]) -> Option<(usize, &Picture)> {
        self.pictures
            .iter()
            .enumerate()
            .find(|(_, picture)| std::ptr::eq(picture.room.as_ptr(), room.as_ptr()))
    }
}

impl Picture {
    pub(crate) fn file(&self) -> &[u8] {
        &self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        file.extend(width.to_be_bytes());
        file.extend(height.to_be_bytes());
        file
    }

    #[test]
    fn a_room_tells_whose_it_is() {
        let mut pictures = Pictures::default();
        let (width, height, first) = pictures.add(png(3, 2)).expect("it has a size");
        let (.., second) = pictures.add(png(3, 2)).expect("it has a size");
        assert_eq!((width, height, first.len()), (3, 2, 24));
        assert_eq!(pictures.in_room(&first).map(|(index, _)| index), Some(0));
        assert_eq!(pictures.in_room(&second).map(|(index, _)| index), Some(1));
        assert!(pictures.in_room(&[0; 24]).is_none());
    }

    #[test]
    fn a_page_has_room_for_so_many_pixels() {
        let mut pictures = Pictures::default();
        assert!(pictures.add(png(5_000, 5_000)).is_some());
        assert!(pictures.add(png(5_000, 5_000)).is_none());
        assert!(pictures.add(b"no picture".to_vec()).is_none());
    }
}
