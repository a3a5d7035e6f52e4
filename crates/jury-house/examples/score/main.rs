//! Tries the score on pages and pictures.
//!
//! * `score pictures PNG...`: the figures of screenshots, one row each, and the rating that the model gives them. This is
//!   what the model was fitted with.
//! * `score pages [--pictures FOLDER] HTML...`: what each page comes to, dimension by dimension.
//! * `score pairs HTML...`: puts every known defect of design into every page and says whose score fell, as JSON lines.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool for developers")]

mod defects;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use jury_eye::Beside;
use jury_house::{Picture, Report};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let mode = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    match mode.as_str() {
        "pictures" => words.iter().for_each(|path| pictures(Path::new(path))),
        "pages" => pages(&words),
        "pairs" => words.iter().for_each(|path| pairs(Path::new(path))),
        _ => {
            eprintln!("score pictures|pages|pairs FILE...");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The figures of a screenshot, seen as the painter shows pages: half as wide and half as high.
fn pictures(path: &Path) {
    let Ok(image) = image::open(path) else {
        eprintln!("{} cannot be read", path.display());
        return;
    };
    let image = image.to_rgba8();
    let (width, height) = (image.width() / 2, image.height() / 2);
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(right, down)| image.get_pixel(2 * x + right, 2 * y + down).0.map(u32::from));
            for channel in 0..4 {
                let sum: u32 = four.iter().filter_map(|pixel| pixel.get(channel)).sum();
                rgba.push(u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX));
            }
        }
    }
    let figures = jury_house::picture_figures(&Picture { width, rgba });
    let told: serde_json::Map<String, serde_json::Value> =
        figures.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    println!("{}", serde_json::json!({ "file": path.display().to_string(), "figures": told }));
}

/// The composite of a report with the usual weights; a seat without a score gives its weight away.
fn composite(report: &Report) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for seat in &report.seats {
        let weight = if seat.role == "critic" { 0.4 } else { 0.2 };
        if let Some(score) = seat.score {
            sum += weight * score.low;
            weights += weight;
        }
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

fn report_of(html: &str) -> Option<Report> {
    jury_house::report(html, None, &Beside::nothing()).ok()
}

fn told(report: &Report) -> serde_json::Value {
    let seats: serde_json::Map<String, serde_json::Value> =
        report.seats.iter().filter_map(|seat| Some((seat.role.clone(), seat.score?.low.into()))).collect();
    let checks: serde_json::Map<String, serde_json::Value> = report
        .checks
        .iter()
        .filter(|check| check.id.starts_with("critic/"))
        .filter_map(|check| {
            let span = check.score?;
            Some((check.id.clone(), serde_json::json!([span.low, check.note])))
        })
        .collect();
    let serious: Vec<String> = report
        .findings
        .iter()
        .filter(|finding| finding.severity.is_must_fix() && finding.check.starts_with("critic/"))
        .map(|finding| format!("{}: {}", finding.check, finding.what))
        .collect();
    serde_json::json!({
        "composite": composite(report), "seats": seats, "checks": checks, "serious": serious,
        "partial": report.partial,
    })
}

fn pages(words: &[String]) {
    let mut folder: Option<PathBuf> = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--pictures" {
            folder = words.next().map(PathBuf::from);
            continue;
        }
        let path = Path::new(word);
        let Ok(bytes) = std::fs::read(path) else { continue };
        let html = String::from_utf8_lossy(&bytes);
        let Some(report) = report_of(&html) else {
            eprintln!("{word} cannot be measured");
            continue;
        };
        println!("{}", serde_json::json!({ "file": word, "page": told(&report) }));
        if let Some(folder) = &folder {
            paint(&html, &folder.join(path.file_stem().unwrap_or_default()).with_extension("png"));
        }
    }
}

/// Writes the picture that the painter makes of a page.
fn paint(html: &str, to: &Path) {
    let sight = jury_eye::Sight {
        html,
        beside: &Beside::nothing(),
        viewports: &[jury_eye::Viewport::DESKTOP],
        pixels: Some(&|_| Vec::new()),
    };
    let Ok(snapshots) = jury_eye::look_at(sight) else { return };
    let Some(picture) = snapshots.into_iter().next().and_then(|snapshot| snapshot.picture) else { return };
    let height = u32::try_from(picture.rgba.len()).unwrap_or(0) / 4 / picture.width.max(1);
    if let Some(image) = image::RgbaImage::from_raw(picture.width, height, picture.rgba)
        && let Err(error) = image.save(to)
    {
        eprintln!("{}: {error}", to.display());
    }
}

fn pairs(path: &Path) {
    let Ok(bytes) = std::fs::read(path) else { return };
    let html = String::from_utf8_lossy(&bytes).into_owned();
    let Some(whole) = report_of(&html) else { return };
    let Ok(snapshots) = jury_house::inspect(&html, &Beside::nothing(), &[jury_house::Viewport::DESKTOP])
    else {
        return;
    };
    let Some(snapshot) = snapshots.first() else { return };
    let before = told(&whole);
    println!(
        "{}",
        serde_json::json!({ "file": path.display().to_string(), "family": "", "grade": "", "page": before })
    );
    for made in defects::all(&html, snapshot) {
        let Some(report) = report_of(&made.html) else { continue };
        let page = told(&report);
        println!(
            "{}",
            serde_json::json!({
                "file": path.display().to_string(), "family": made.family, "grade": made.grade,
                "kind": made.kind, "page": page,
            })
        );
    }
}
