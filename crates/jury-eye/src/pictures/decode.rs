//! The colours of a picture, in the size it is seen in.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageReader, Limits};

/// Pixels of a picture that is looked at: what a camera makes. Of a larger one nothing is known.
const MOST_PIXELS: u64 = 12_500_000;

/// Bytes a decoder may take for one.
const MOST_BYTES: u64 = 128 * 1024 * 1024;

/// Red, green, blue and opacity of each pixel, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<u8>,
}

/// Decodes a picture and makes it smaller, so that one pixel stands for `per_pixel` of its own in each direction. A
/// browser takes the mean of what falls into one pixel of the screen; a painter that picks one of them would see noise.
///
/// None for what is broken, too large, or turned by what a camera wrote into it: the engine does not turn it, so it
/// would be seen in another shape.
pub(crate) fn decode(file: &[u8], per_pixel: (u32, u32)) -> Option<Decoded> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format().ok()?;
    reader.limits(limits);
    let mut decoder = reader.into_decoder().ok()?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS
        || decoder.orientation().ok()? != Orientation::NoTransforms
    {
        return None;
    }
    let image = DynamicImage::from_decoder(decoder).ok()?;
    let per_pixel = (per_pixel.0.clamp(1, width.max(1)), per_pixel.1.clamp(1, height.max(1)));
    // The commonest form needs no copy of it four bytes wide.
    if let DynamicImage::ImageRgb8(image) = image {
        return Some(smaller(width, height, per_pixel, |x, y| {
            let [red, green, blue] = image.get_pixel(x, y).0;
            [red, green, blue, u8::MAX]
        }));
    }
    let image = image.into_rgba8();
    Some(smaller(width, height, per_pixel, |x, y| image.get_pixel(x, y).0))
}

/// The mean of each block of pixels. What is transparent has no say in the colour.
fn smaller(
    width: u32,
    height: u32,
    (across, down): (u32, u32),
    pixel: impl Fn(u32, u32) -> [u8; 4],
) -> Decoded {
    let (columns, rows) = (width.div_ceil(across), height.div_ceil(down));
    let mut pixels = Vec::with_capacity(columns as usize * rows as usize * 4);
    for row in 0..rows {
        for column in 0..columns {
            let (mut sums, mut opacity, mut counted) = ([0_u64; 3], 0_u64, 0_u64);
            for y in row * down..(row * down + down).min(height) {
                for x in column * across..(column * across + across).min(width) {
                    let [colours @ .., alpha] = pixel(x, y);
                    for (sum, colour) in sums.iter_mut().zip(colours) {
                        *sum += u64::from(colour) * u64::from(alpha);
                    }
                    opacity += u64::from(alpha);
                    counted += 1;
                }
            }
            let mean = |sum: u64, of: u64| u8::try_from((sum + of / 2) / of.max(1)).unwrap_or(u8::MAX);
            pixels.extend(sums.map(|sum| mean(sum, opacity)));
            pixels.push(mean(opacity, counted));
        }
    }
    Decoded { width: columns, height: rows, pixels }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(image: &DynamicImage, format: image::ImageFormat) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, format).expect("it can be written");
        file.into_inner()
    }

    fn checkered() -> DynamicImage {
        DynamicImage::ImageRgba8(image::RgbaImage::from_fn(4, 2, |x, y| {
            image::Rgba(if (x + y) % 2 == 0 { [200, 100, 0, 255] } else { [0, 0, 0, 255] })
        }))
    }

    #[test]
    fn pixels_are_as_they_were_and_blocks_are_their_mean() {
        let file = file(&checkered(), image::ImageFormat::Png);
        let whole = decode(&file, (1, 1)).expect("it is a picture");
        assert_eq!((whole.width, whole.height), (4, 2));
        assert_eq!(whole.pixels.get(..8), Some(&[200, 100, 0, 255, 0, 0, 0, 255][..]));
        let small = decode(&file, (2, 2)).expect("it is a picture");
        assert_eq!((small.width, small.height), (2, 1));
        assert_eq!(small.pixels, [100, 50, 0, 255, 100, 50, 0, 255]);
        let uneven = decode(&file, (3, 9)).expect("it is a picture");
        assert_eq!((uneven.width, uneven.height), (2, 1));
    }

    #[test]
    fn what_is_transparent_has_no_say_in_the_colour() {
        let image = image::RgbaImage::from_fn(2, 1, |x, _| {
            image::Rgba(if x == 0 { [255, 0, 0, 255] } else { [0, 255, 0, 0] })
        });
        let file = file(&DynamicImage::ImageRgba8(image), image::ImageFormat::Png);
        assert_eq!(decode(&file, (2, 1)).map(|small| small.pixels), Some(vec![255, 0, 0, 128]));
    }

    #[test]
    fn the_formats_of_the_web_are_read() {
        let image = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(8, 8, image::Rgb([30, 60, 90])));
        for format in [
            image::ImageFormat::Png,
            image::ImageFormat::Gif,
            image::ImageFormat::Jpeg,
            image::ImageFormat::WebP,
        ] {
            let seen = decode(&file(&image, format), (8, 8)).expect("it is a picture");
            let near = seen.pixels.iter().zip([30, 60, 90, 255]).all(|(one, other)| one.abs_diff(other) <= 4);
            assert!(near, "{format:?} {:?}", seen.pixels);
        }
    }

    #[test]
    fn what_is_broken_has_no_colours() {
        let whole = file(&checkered(), image::ImageFormat::Png);
        for length in [0, 8, 30, 45] {
            assert_eq!(decode(whole.get(..length).unwrap_or_default(), (1, 1)), None);
        }
        assert_eq!(decode(b"<svg xmlns='http://www.w3.org/2000/svg'/>", (1, 1)), None);
    }
}
