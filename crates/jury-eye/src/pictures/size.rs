//! The natural size of a picture, from the first bytes of it: layout needs no more.

/// Width and height of a PNG, GIF, JPEG or WebP file. Absurd sizes are none.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        (big(bytes, 16, 4)?, big(bytes, 20, 4)?)
    } else if bytes.starts_with(b"GIF8") {
        (little(bytes, 6, 2)?, little(bytes, 8, 2)?)
    } else if bytes.starts_with(b"\xff\xd8") {
        jpeg(bytes)?
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12)? == b"WEBP" {
        webp(bytes)?
    } else {
        return None;
    };
    (1..=20_000).contains(&width).then_some(())?;
    (1..=20_000).contains(&height).then_some((width, height))
}

fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = big(bytes, at, 2)?;
        if marker >> 8 != 0xff {
            return None;
        }
        // The frame header; the other markers in this range are tables.
        if matches!(marker, 0xffc0..=0xffcf) && !matches!(marker, 0xffc4 | 0xffc8 | 0xffcc) {
            return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?));
        }
        at += 2 + usize::try_from(big(bytes, at + 2, 2)?.max(2)).ok()?;
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => Some((little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff)),
        b"VP8L" => {
            let packed = little(bytes, 21, 4)?;
            Some(((packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(bytes.get(at..at + length)?.iter().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(bytes.get(at..at + length)?.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stand_in_the_first_bytes() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x2c\0\0\0\xc8";
        assert_eq!(size(png), Some((300, 200)));
        assert_eq!(size(b"GIF89a\x10\0\x20\0"), Some((16, 32)));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x40\0\x80";
        assert_eq!(size(jpeg), Some((128, 64)));
        let webp = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x63\0\0\x31\0\0";
        assert_eq!(size(webp), Some((100, 50)));
    }

    #[test]
    fn what_breaks_off_has_no_size() {
        for bytes in [
            &b""[..],
            b"\x89PNG\r\n\x1a\n",
            b"GIF8",
            b"\xff\xd8\xff",
            b"RIFF1234WEBP",
            b"\xff\xd8\xff\xe0\0\0",
        ] {
            assert_eq!(size(bytes), None);
        }
    }
}
