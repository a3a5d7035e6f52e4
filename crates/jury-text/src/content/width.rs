//! How wide a title is in a list of results: Arial at 20 pixels.

/// Widths of the characters from the space to the tilde, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

const SIZE: u64 = 20;

/// The width of a line in pixels.
pub(crate) fn pixels(text: &str) -> u64 {
    let thousandths: u64 = text.chars().map(|c| u64::from(width(c)) * SIZE).sum();
    thousandths / 1000
}

fn width(c: char) -> u16 {
    let ascii = u32::from(c).checked_sub(32).and_then(|at| usize::try_from(at).ok());
    match ascii.and_then(|at| WIDTHS.get(at)) {
        Some(width) => *width,
        None if matches!(c, '–' | '·') => 556,
        None if matches!(c, '‘' | '’') => 222,
        // Dashes, full-width letters and whatever else is wide.
        None if c == '—' || u32::from(c) >= 0x2e80 => 1000,
        None => 600,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_are_wide() {
        assert_eq!(pixels(""), 0);
        assert_eq!(pixels("iiiiiiiiii"), 44);
        assert_eq!(pixels("WWWWWWWWWW"), 188);
        assert_eq!(pixels("~"), 11);
        assert!(pixels("Invoicing software for freelance designers | Acme") < 600);
        assert!(pixels(&"m".repeat(60)) > 600);
    }
}
