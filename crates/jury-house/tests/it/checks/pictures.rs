//! Text over pictures: those that a page carries and those beside it are looked at, the others stay undecided.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use jury_eye::Beside;
use jury_house::{Report, ReportedFinding};

use super::{examined, of, page};

fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format).expect("it can be written");
    file.into_inner()
}

fn plain(colour: [u8; 3]) -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_pixel(64, 40, Rgb(colour)))
}

/// Dark on the left, light on the right.
fn halves() -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_fn(64, 40, |x, _| Rgb(if x < 32 { [20; 3] } else { [240; 3] })))
}

fn data(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::from("data:image/png,"), |mut text, byte| {
        let _ = write!(text, "%{byte:02x}");
        text
    })
}

fn with(body: &str, files: &[(&str, Vec<u8>)]) -> Report {
    let mut beside = Beside::nothing();
    for (address, bytes) in files {
        beside.insert(*address, bytes.clone());
    }
    examined(&page("", body), &beside)
}

fn failures(report: &Report) -> Vec<&ReportedFinding> {
    of(&report.findings, "a11y/contrast")
}

#[track_caller]
fn passes(report: &Report) {
    let undecided = of(&report.undecided, "a11y/contrast");
    assert!(failures(report).is_empty() && undecided.is_empty(), "{:?} {undecided:?}", failures(report));
}

#[track_caller]
fn fails(report: &Report, words: &str) {
    let failures = failures(report);
    assert!(failures.iter().any(|found| found.what.contains(words)), "{failures:?} {:?}", report.undecided);
}

#[track_caller]
fn stays_open(report: &Report, words: &str) {
    let undecided = of(&report.undecided, "a11y/contrast");
    assert!(failures(report).is_empty(), "{:?}", failures(report));
    assert!(undecided.iter().any(|found| found.what.contains(words)), "{undecided:?}");
}

const OVER: &str =
    "<p style='color:#fff;padding:40px;background:url(a.png) center/cover'>White words on it</p>";

#[test]
fn a_picture_behind_text_is_looked_at_in_every_format_of_the_web() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
        passes(&with(OVER, &[("a.png", file(&plain([20, 30, 40]), format))]));
        fails(&with(OVER, &[("a.png", file(&plain([200, 210, 220]), format))]), "needs 4.5:1");
    }
}

#[test]
fn a_picture_that_the_page_carries_is_looked_at_however_long_it_is() {
    let noise = RgbImage::from_fn(64, 64, |x, y| {
        let value = u8::try_from((x * 37 + y * 91 + x * y * 13) % 40).unwrap_or(0);
        Rgb([value, value / 2, 40 - value])
    });
    for image in [plain([10, 10, 60]), DynamicImage::ImageRgb8(noise)] {
        let address = data(&file(&image, ImageFormat::Png));
        let body = format!("<p style='color:#fff;background:url(\"{address}\")'>White words on it</p>");
        passes(&with(&body, &[]));
        let faint = body.replace("color:#fff", "color:#333");
        fails(&with(&faint, &[]), "needs 4.5:1");
    }
}

#[test]
fn a_picture_under_the_words_of_a_hero_is_looked_at() {
    let hero = "<section style='position:relative;height:300px'>\
         <img src=a.png alt='A loaf' style='position:absolute;inset:0;width:100%;height:100%;object-fit:cover'>\
         <h2 style='position:relative;color:#fff'>Fresh every day</h2></section>";
    passes(&with(hero, &[("a.png", file(&plain([20, 30, 40]), ImageFormat::Jpeg))]));
    fails(&with(hero, &[("a.png", file(&plain([200, 210, 220]), ImageFormat::Jpeg))]), "needs 3:1");
    // A filter makes it darker, and the painter has none.
    let darker = hero.replace("object-fit", "filter:brightness(.3);object-fit");
    stays_open(&with(&darker, &[("a.png", file(&plain([200, 210, 220]), ImageFormat::Jpeg))]), "undecided");
}

#[test]
fn words_across_light_and_dark_fail_and_a_veil_over_both_helps() {
    let across = "<p style='color:#fff;background:url(a.png) 0 0/100% 100%'>White words that reach from the dark \
         half of the picture far into its light half, where nobody can read them any more, whoever looks, on \
         whatever screen, at whatever time of the day, in the sun or in the shade of the old bakery.</p>";
    let files = [("a.png", file(&halves(), ImageFormat::Png))];
    fails(&with(across, &files), "needs 4.5:1");
    let veiled = across.replace("background:", "background:linear-gradient(#000c,#000c),");
    passes(&with(&veiled, &files));
}

#[test]
fn fine_patterns_are_seen_as_their_mean_and_tiles_are_repeated() {
    let fine = DynamicImage::ImageRgb8(RgbImage::from_fn(400, 400, |x, y| {
        Rgb(if (x + y) % 2 == 0 { [0; 3] } else { [64; 3] })
    }));
    let shrunk =
        "<p style='color:#fff;padding:60px;background:url(a.png) 0 0/100px 100px'>White words on it</p>";
    passes(&with(shrunk, &[("a.png", file(&fine, ImageFormat::Png))]));
    let tiles = "<p style='color:#fff;background:url(a.png)'>White words that stand on many tiles</p>";
    passes(&with(tiles, &[("a.png", file(&plain([60, 0, 0]), ImageFormat::Png))]));
    // Without repetition the words stand on the page itself.
    let once = tiles.replace("url(a.png)", "url(a.png) no-repeat 900px 0").replace("#fff", "#eee");
    fails(&with(&once, &[("a.png", file(&plain([60, 0, 0]), ImageFormat::Png))]), "needs 4.5:1");
}

#[test]
fn what_a_picture_lets_through_is_seen_through_it() {
    let glass = DynamicImage::ImageRgba8(RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 20])));
    fails(&with(OVER, &[("a.png", file(&glass, ImageFormat::Png))]), "needs 4.5:1");
}

#[test]
fn a_picture_that_is_elsewhere_broken_or_turned_stays_undecided() {
    stays_open(&with(OVER, &[]), "over an image that is not there");
    let whole = file(&plain([20, 30, 40]), ImageFormat::Png);
    let half = whole.get(..50).expect("it is longer").to_vec();
    stays_open(&with(OVER, &[("a.png", half)]), "over an image that is not there");
    let elsewhere = OVER.replace("a.png", "https://example.org/a.png");
    stays_open(&with(&elsewhere, &[]), "over an image that is not there");
    // What a camera wrote into the file: to be turned by a quarter.
    let mut turned = vec![0xff, 0xd8, 0xff, 0xe1, 0, 34];
    turned.extend(b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0");
    turned.extend(file(&plain([20, 30, 40]), ImageFormat::Jpeg).get(2..).unwrap_or_default());
    stays_open(&with(OVER, &[("a.png", turned)]), "over an image that is not there");
}

#[test]
fn drawings_stay_undecided() {
    let drawing = b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".to_vec();
    stays_open(&with(&OVER.replace("a.png", "a.svg"), &[("a.svg", drawing)]), "undecided");
}
