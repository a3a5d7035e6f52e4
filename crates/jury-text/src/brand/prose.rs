//! A DESIGN.md in sentences, lists and tables. Each line is read for what its section is about; colours are taken only
//! as they are written in code, because "white space" and "a tan line" are words.

use jury_core::fence::{CodeLine, Fences};

use super::role;
use super::sheet::{Origin, Sheet};
use super::value::{self, Number};
use crate::css_colour::{self, Written};
use crate::markdown::line;

/// Where a line stands.
#[derive(Debug, Default)]
struct Place {
    /// The heading of the second level, in lower case.
    section: String,
    /// The heading below it.
    part: String,
    /// The names of the columns of the table around it, in lower case.
    columns: Option<Vec<String>>,
    fenced: bool,
}

impl Place {
    fn is_about(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.section.contains(word) || self.part.contains(word))
    }

    fn part_is_about(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.part.contains(word))
    }

    /// Whether everything here is what not to do.
    fn is_forbidden(&self) -> bool {
        if !self.part.is_empty() {
            if is_prohibition(&self.part) {
                return true;
            }
            if matches!(self.part.as_str(), "do" | "do's" | "dos" | "do’s") {
                return false;
            }
        }
        is_prohibition(&self.section) && !self.section.contains("do's") && !self.section.contains("dos and")
    }
}

fn is_prohibition(text: &str) -> bool {
    ["don't", "don’t", "donts", "do not", "anti-pattern", "antipattern", "avoid", "never"]
        .iter()
        .any(|word| text.contains(word))
        && !text.starts_with("do's")
        && !text.starts_with("do’s")
}

/// Reads what is said. `skipped` bytes at the beginning are front matter and no prose.
pub(super) fn read(markdown: &str, skipped: usize) -> Sheet {
    let mut sheet = Sheet::new(Origin::Prose);
    let mut place = Place::default();
    let mut fences = Fences::default();
    let mut banned: Vec<(String, Written)> = Vec::new();
    for text in markdown.get(skipped..).unwrap_or_default().lines().map(str::trim) {
        let code = fences.line(text);
        if code == CodeLine::Fence {
            continue;
        }
        place.fenced = code == CodeLine::Inside;
        if !place.fenced && take_heading(&mut place, text) {
            // A heading may itself say something: `### Spacing System (8pt grid)`.
            take_base(&mut sheet, text);
            continue;
        }
        let cells = text.starts_with('|').then(|| line::cells(text));
        if let Some(cells) = &cells {
            if place.columns.is_none() {
                place.columns = Some(cells.iter().map(|cell| plain(cell).to_lowercase()).collect());
                continue;
            }
        } else {
            place.columns = None;
        }
        if place.is_forbidden() || forbids(text) {
            take_banned(text, &mut banned);
            continue;
        }
        take_colours(&mut sheet, text, cells.as_deref());
        take_families(&mut sheet, &place, text, cells.as_deref());
        take_lengths(&mut sheet, &place, text, cells.as_deref());
        take_base(&mut sheet, text);
    }
    // What is part of the palette is only told how not to be used.
    let palette: Vec<_> = sheet.colours.iter().map(|token| token.colour.oklab()).collect();
    for (name, written) in banned {
        let lab = written.rgb.oklab();
        if !palette.iter().any(|token| token.distance(lab) < 0.01) {
            sheet.ban(&name, written);
        }
    }
    sheet
}

/// Takes a heading over; says whether the line is one. A line that is bold and nothing else counts as one.
fn take_heading(place: &mut Place, text: &str) -> bool {
    if let Some((level, title)) = line::heading(text) {
        let title = title.to_lowercase();
        if level <= 2 {
            place.section = title;
            place.part.clear();
        } else {
            place.part = title;
        }
        place.columns = None;
        return true;
    }
    if let Some(title) = line::bold(text).filter(|title| !title.contains('#')) {
        let title = title.to_lowercase();
        // Below `### Font Family` the bold lines are labels in it.
        if is_prohibition(&title) || matches!(title.as_str(), "do" | "do's" | "dos") {
            place.part = title;
        }
        return true;
    }
    false
}

/// Text without marks of emphasis and code.
fn plain(text: &str) -> String {
    text.chars().filter(|ch| !matches!(ch, '*' | '`' | '_')).collect::<String>().trim().to_owned()
}

/// Whether a line says what not to do.
fn forbids(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '*', ' ', '❌', '✗', '✘', '🚫', '\u{fe0f}']);
    let start: String = text.chars().take(12).collect::<String>().to_lowercase().replace('’', "'");
    ["don't", "do not", "never ", "avoid ", "no "].iter().any(|word| start.starts_with(word))
}

/// Colours in the first clause of what not to do; behind it usually stands what to do instead.
fn take_banned(text: &str, banned: &mut Vec<(String, Written)>) {
    let clause = [" — ", " – ", " - ", "; ", " instead", " use "]
        .iter()
        .filter_map(|end| text.get(2..)?.find(end).map(|at| at + 2))
        .filter(|end| *end > 12)
        .min()
        .and_then(|end| text.get(..end))
        .unwrap_or(text);
    for (_, _, written) in written_colours(clause) {
        if written.alpha >= 1.0 {
            banned.push((plain(clause), written));
        }
    }
    let lower = clause.to_lowercase();
    for (words, colour) in [("pure black", "#000"), ("pure white", "#fff")] {
        // "warmer than pure black" bans nothing.
        if lower.contains(words)
            && !lower.contains("than pure")
            && let Some(written) = css_colour::parse(colour)
        {
            banned.push((plain(clause), written));
        }
    }
}

/// Colours that are written as code.
fn written_colours(text: &str) -> Vec<(usize, usize, Written)> {
    let mut found = css_colour::find_all(text);
    found.retain(|(start, end, _)| {
        text.get(*start..*end).is_some_and(|written| written.starts_with('#') || written.contains('('))
    });
    found
}

fn take_colours(sheet: &mut Sheet, text: &str, cells: Option<&[&str]>) {
    let found = written_colours(text);
    let mut from = 0;
    for (index, (start, end, written)) in found.iter().enumerate() {
        let before = text.get(from..*start).unwrap_or_default();
        let until = found.get(index + 1).map_or(text.len(), |(next, _, _)| *next);
        let after = text.get(*end..until).unwrap_or_default();
        from = *end;
        let name = name_of(before, cells.filter(|_| index == 0));
        let after = after.trim_start_matches([')', '`', ':', ' ', '*', '—', '-', '|', '–']);
        let job = role::of_name(&name).or_else(|| role::of_description(after));
        sheet.colour_with_job(&name, *written, job);
    }
}

/// What stands in front of a colour and names it: the bold words, the first cell of the row, or the words before.
fn name_of(before: &str, cells: Option<&[&str]>) -> String {
    if let Some([first, ..]) = cells
        && written_colours(first).is_empty()
    {
        return plain(first);
    }
    let bold = before.rsplit("**").nth(1).filter(|_| before.matches("**").count() >= 2);
    let name = bold.unwrap_or_else(|| {
        let before = before.trim_end_matches(['(', '`', ' ', ':', '=', '—', '-', '|']);
        before.rsplit(['.', ';', '|', '(', ')', '—', ',']).next().unwrap_or(before)
    });
    let name = plain(name.trim_matches(['-', ' ', '*', ':', '•']));
    let words: Vec<&str> = name.split_whitespace().collect();
    words.get(words.len().saturating_sub(5)..).unwrap_or_default().join(" ")
}

/// Words that label a family.
const FAMILY_LABELS: &[&str] = &[
    "display",
    "body",
    "heading",
    "mono",
    "primary",
    "sans",
    "serif",
    "famil",
    "typeface",
    "font",
    "brand",
    "system",
    "secondary",
    "universal",
    "fallback",
    "substitute",
    "accent",
    "ui",
    "headline",
    "text",
    "code",
];

fn take_families(sheet: &mut Sheet, place: &Place, text: &str, cells: Option<&[&str]>) {
    let in_type =
        place.is_about(&["typograph", "font", "typeface", "type "]) || place.section.ends_with("type");
    if let (Some(cells), Some(columns)) = (cells, &place.columns) {
        let of_font = columns.iter().position(|column| {
            matches!(
                column.as_str(),
                "font" | "family" | "typeface" | "font family" | "font-family" | "fonts"
            )
        });
        if let Some(cell) = of_font.and_then(|index| cells.get(index)) {
            let cell = plain(cell);
            let cell = cell.split(['(', '+']).next().unwrap_or_default();
            if !cell.starts_with("---") {
                sheet.stack(cell);
            }
        }
        return;
    }
    let lower = text.to_lowercase();
    if let Some((_, stack)) =
        lower.find("font-family:").and_then(|at| text.get(at..)).and_then(|rest| rest.split_once(':'))
    {
        sheet.stack(stack.split([';', '`', '}']).next().unwrap_or_default());
        return;
    }
    let in_families = place.part_is_about(&["font", "famil", "typeface", "substitut"]);
    if place.fenced {
        if in_families && !text.contains([':', '{', '}', '=', '#']) {
            sheet.stack(text.split('(').next().unwrap_or_default());
        }
        return;
    }
    let label = lower.split(':').next().unwrap_or_default();
    let labelled = lower.contains(':') && FAMILY_LABELS.iter().any(|word| label.contains(word));
    let said = ["font-family", "font family", "typeface", "font stack", "**font", "families"]
        .iter()
        .any(|word| lower.contains(word));
    // `Display family: "X"`, `Font for headings: X`: the label says that a face follows.
    let names_a_face = lower.contains(':')
        && label.len() < 60
        && label.split(|ch: char| !ch.is_alphanumeric()).any(|word| {
            matches!(word, "font" | "fonts" | "family" | "families" | "typeface" | "typefaces" | "face")
        });
    if in_type || said || names_a_face {
        take_sentence(sheet, text);
    }
    if !(in_families || said || names_a_face || (in_type && labelled)) {
        return;
    }
    // `primary=Inter, display=Inter, mono=JetBrains Mono`.
    for pair in text.split([',', ';', ':']).filter_map(|part| part.split_once('=')) {
        sheet.stack(pair.1);
    }
    let mut quoted = false;
    for code in text.split('`').skip(1).step_by(2) {
        if !code.contains(['#', '(', '=']) && !code.contains("px") && !code.starts_with("--") {
            sheet.stack(code.rsplit(':').next().unwrap_or(code).trim_end_matches(';'));
            quoted = true;
        }
    }
    // `Name` (Its Real Name)
    if quoted
        && in_families
        && let Some((_, inside)) = text.split_once("` (")
        && let Some((name, _)) = inside.split_once(')')
        && is_name(name)
    {
        sheet.stack(name);
    }
    if !quoted
        && (in_families || labelled || names_a_face)
        && (text.starts_with(['-', '*']) || names_a_face)
        && let Some((_, after)) = text.split_once(':')
    {
        let names = after.trim_start_matches(['*', ' ']);
        let names = names.split(['—', '–', '(', ';', '.']).next().unwrap_or_default();
        let names = names.split(" with ").next().unwrap_or_default().split(" - ").next().unwrap_or_default();
        for name in names.split([',', '/', '+']).map(unquoted).filter(|name| is_name(name)) {
            sheet.stack(&name);
        }
    }
}

/// Text without marks of emphasis and quotation marks.
fn unquoted(text: &str) -> String {
    plain(text).trim_matches(['"', '\'', '“', '”', '‘', '’', '„', '«', '»', ' ']).to_owned()
}

/// What stands in front of a face in a sentence about type: `Headlines are set in X, everything else in Y`.
const BEFORE_A_FACE: &[&str] = &[
    "set in ",
    "typeset in ",
    "everything else in ",
    "everything else is ",
    "the rest in ",
    "all else in ",
    "body in ",
    "body text in ",
    "body copy in ",
    "copy in ",
    "text in ",
    "headings in ",
    "headlines in ",
    "titles in ",
    "labels in ",
    "captions in ",
    "code in ",
    "numbers in ",
    "headings use ",
    "headlines use ",
    "body uses ",
    "text uses ",
    "body text uses ",
    "titles use ",
    "ui uses ",
    "interface uses ",
    "typeface is ",
    "font is ",
    "family is ",
];

/// Words that begin with a capital where a face could stand, and are none.
const NO_FACES: &[&str] =
    &["title", "sentence", "all", "uppercase", "lowercase", "bold", "medium", "regular", "light", "the", "a"];

/// Takes the faces that a sentence names.
fn take_sentence(sheet: &mut Sheet, text: &str) {
    let lower = text.to_lowercase();
    // Lower case may be of another length in some scripts; then places are not the same.
    if lower.len() != text.len() {
        return;
    }
    let mut places: Vec<usize> = BEFORE_A_FACE
        .iter()
        .flat_map(|words| lower.match_indices(words).map(|(at, _)| at + words.len()))
        .collect();
    places.sort_unstable();
    for at in places {
        let rest = text.get(at..).unwrap_or_default().trim_start_matches(['*', '`', '"', '“', '\'', '_']);
        let mut name: Vec<&str> = Vec::new();
        for word in rest.split_whitespace() {
            let bare = word.trim_end_matches(['.', ',', ';', ':', ')', '"', '”', '\'', '*', '`', '_', '—']);
            if !bare.starts_with(|ch: char| ch.is_uppercase() || (ch.is_ascii_digit() && !name.is_empty())) {
                break;
            }
            name.push(bare);
            if bare.len() != word.len() || name.len() == 4 {
                break;
            }
        }
        let first = name.first().map(|word| word.to_lowercase()).unwrap_or_default();
        let name = name.join(" ");
        if !NO_FACES.contains(&first.as_str()) && is_name(&name) {
            sheet.stack(&name);
        }
    }
}

/// Whether words look like the name of a face: few, each with a capital, without figures.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    (1..=4).contains(&words.len())
        && words.iter().all(|word| {
            word.starts_with(|ch: char| ch.is_uppercase() || ch.is_ascii_digit()) || value::is_generic(word)
        })
        && !words.iter().all(|word| word.chars().all(|ch| ch.is_ascii_digit()))
}

fn take_lengths(sheet: &mut Sheet, place: &Place, text: &str, cells: Option<&[&str]>) {
    let lower = text.to_lowercase();
    let numbers = value::numbers(&lower);
    if numbers.is_empty() {
        return;
    }
    let in_radius = place.part_is_about(&["radius", "radii", "corner", "shape"])
        || (place.part.is_empty() && place.section.contains("shape"));
    let radius = ["radius", "radii", "rounded", "corner", "pill"];
    let label = lower.split(':').next().unwrap_or_default();
    let labelled = radius.iter().any(|word| label.contains(word)) && label.len() < 40 && lower.contains(':');
    for number in &numbers {
        if in_radius || labelled || radius.iter().any(|word| around(&lower, *number).contains(word)) {
            number.pixels().into_iter().for_each(|length| sheet.radii.add(length));
        }
    }
    if place.is_about(&["typograph", "type scale", "font", "hierarchy"]) && !in_radius {
        take_sizes(sheet, place, &lower, &numbers, cells);
    }
    let spaced = [
        "spacing", "space", "scale", "base", "unit", "gap", "padding", "margin", "gutter", "stops", "rhythm",
        "step",
    ];
    let wide = ["max-width", "max width", "container", "breakpoint", "viewport", "letter-spacing", "column"];
    if place.is_about(&["spacing", "layout", "grid", "rhythm", "whitespace"])
        && !in_radius
        && !labelled
        && (place.part_is_about(&["spacing", "rhythm"]) || spaced.iter().any(|word| lower.contains(word)))
        && !wide.iter().any(|word| lower.contains(word))
    {
        let listed = ["scale", "stops", "steps", "spacing"].iter().any(|word| label.contains(word));
        for number in &numbers {
            let length = if listed { number.pixels_or_bare() } else { number.pixels() };
            length
                .filter(|length| *length <= 200.0)
                .into_iter()
                .for_each(|length| sheet.spacings.add(length));
        }
    }
}

/// The text close to a number.
fn around(text: &str, number: Number) -> &str {
    let mut start = number.start.saturating_sub(16);
    let mut end = (number.end + 20).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(start..end).unwrap_or_default()
}

fn take_sizes(sheet: &mut Sheet, place: &Place, lower: &str, numbers: &[Number], cells: Option<&[&str]>) {
    let likely = |length: &f32| (8.0..=240.0).contains(length);
    if let (Some(cells), Some(columns)) = (cells, &place.columns) {
        let of_size = columns.iter().position(|column| column.contains("size"));
        if let Some(cell) = of_size.and_then(|index| cells.get(index)) {
            let lengths = value::numbers(cell).into_iter().filter_map(Number::pixels_or_bare).filter(likely);
            lengths.for_each(|length| sheet.sizes.add(length));
        }
        return;
    }
    let label = lower.split(':').next().unwrap_or_default();
    let listed = ["scale", "sizes"].iter().any(|word| label.contains(word));
    for number in numbers {
        let near = around(lower, *number);
        if ["letter", "tracking", "line-height", "leading", "line height"]
            .iter()
            .any(|word| near.contains(word))
            && !listed
        {
            continue;
        }
        let length = if listed { number.pixels_or_bare() } else { number.pixels() };
        length.filter(likely).into_iter().for_each(|length| sheet.sizes.add(length));
    }
}

/// `Base unit: 8px`, `8pt grid`, `multiples of 4`.
fn take_base(sheet: &mut Sheet, text: &str) {
    if sheet.base.is_some() {
        return;
    }
    let lower = text.to_lowercase();
    if !["base", "grid", "rhythm", "multiples of"].iter().any(|word| lower.contains(word)) {
        return;
    }
    for number in value::numbers(&lower) {
        let before = around(&lower, Number { end: number.start, ..number });
        let before = before.get(..before.len().min(number.start)).unwrap_or(before);
        let after: String = lower.get(number.end..).unwrap_or_default().chars().take(24).collect();
        let after = after
            .trim_start_matches(['-', ' '])
            .trim_start_matches("point")
            .trim_start_matches("px")
            .trim_start();
        let step = ["grid", "base", "baseline", "rhythm", "spacing grid", "spacing base"]
            .iter()
            .any(|word| after.starts_with(word));
        let said = ["base unit", "base:", "base**:", "multiples of", "base spacing", "base of", "unit**:"]
            .iter()
            .any(|word| before.contains(word));
        if (step || said)
            && let Some(length) = narrow_base(number)
        {
            sheet.base = Some(length);
            return;
        }
    }
}

fn narrow_base(number: Number) -> Option<f32> {
    let is_point = number.unit == value::Unit::Other;
    let number = if is_point { Number { unit: value::Unit::None, ..number } } else { number };
    number.pixels_or_bare().filter(|length| [2.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0].contains(length))
}

#[cfg(test)]
mod tests {
    use super::super::role::PaletteJob;
    use super::*;

    fn hexes(tokens: &[super::super::sheet::ColourToken]) -> Vec<String> {
        tokens.iter().map(|token| token.colour.hex()).collect()
    }

    #[test]
    fn lists_and_tables_name_colours_families_and_steps() {
        let sheet = read(
            "# Acme\n\n## 2. Color Palette & Roles\n- **Ink** (`#101820`): Primary text\n- **Primary:** `#E4572E` — buttons\n| Name | Hex |\n|---|---|\n| Canvas | #fffaf0 |\n\n## 3. Typography Rules\n### Font Family\n- **Display**: `Cal Sans`, with fallbacks: `Inter, sans-serif`\n- **Brand**: `__acme_96` (Acme Sans)\n- **Body:** Söhne — for text\n### Hierarchy\n| Role | Font | Size | Weight |\n|---|---|---|---|\n| Hero | Acme Mono | 64px (4rem) | 600 |\n\n## 5. Layout\n### Spacing System (8pt grid)\n- Scale: 4, 8, 12px\n- Max width: 1200px\n### Border Radius\n- 6–8px: buttons\n\n## 7. Do's and Don'ts\n### Do\n- Use `#0099ff` for links\n### Don't\n- Use warm darks (no `#1a1a1a`, `#2d2d2d`)\n- Use `#0099ff` on large areas\n- Don't use pure black — use `#101820`\n",
            0,
        );
        assert_eq!(hexes(&sheet.colours), ["#101820", "#e4572e", "#fffaf0", "#0099ff"]);
        assert_eq!(hexes(&sheet.banned), ["#1a1a1a", "#2d2d2d", "#000000"]);
        let hex = |job| sheet.jobs.get(job).map(crate::colour::Rgb::hex);
        assert_eq!(hex(PaletteJob::Foreground).as_deref(), Some("#101820"));
        assert_eq!(hex(PaletteJob::Accent).as_deref(), Some("#e4572e"));
        assert_eq!(hex(PaletteJob::Background).as_deref(), Some("#fffaf0"));
        assert_eq!(sheet.families, ["Cal Sans", "Inter", "__acme_96", "Acme Sans", "Söhne", "Acme Mono"]);
        assert_eq!((sheet.sizes.list, sheet.base), (vec![64.0], Some(8.0)));
        assert_eq!((sheet.spacings.list, sheet.radii.list), (vec![4.0, 8.0, 12.0], vec![6.0, 8.0]));
    }

    #[test]
    fn what_a_block_of_code_shows_is_no_heading_and_no_end_of_it() {
        let sheet = read(
            "## Colours\n````md\n```css\n## Don't\n```\n````\n- **Ink**: `#101820`\n| Use | Hex |\n|---|---|\n| A \\| B | #fffaf0 |\n",
            0,
        );
        assert_eq!(
            (hexes(&sheet.colours), hexes(&sheet.banned)),
            (vec!["#101820".to_owned(), "#fffaf0".to_owned()], vec![])
        );
        assert_eq!(sheet.colours.last().map(|token| token.name.as_str()), Some("A \\| B"));
    }

    #[test]
    fn faces_are_read_from_sentences_and_labels() {
        for (said, families) in [
            ("Headlines are set in Fraunces, everything else in Work Sans.", vec!["Fraunces", "Work Sans"]),
            (
                "Display family: \"Playfair Display\"\n\nBody family: \"Source Sans 3\"",
                vec!["Playfair Display", "Source Sans 3"],
            ),
            (
                "Font for headings: Bricolage Grotesque\nFont for text: Inter",
                vec!["Bricolage Grotesque", "Inter"],
            ),
            ("- Headings: **Space Grotesk**\n- Body: **Inter**", vec!["Space Grotesk", "Inter"]),
            (
                "Body text in **IBM Plex Sans**, 16px. Code in `IBM Plex Mono`.",
                vec!["IBM Plex Sans", "IBM Plex Mono"],
            ),
            ("Labels are set in Title Case. Headings are set in bold.", vec![]),
        ] {
            let sheet = read(&format!("## Typography\n\n{said}\n"), 0);
            assert_eq!(sheet.families, families, "{said}");
        }
        assert!(
            read("## Voice\nWe believe in Bread. Set in Berlin, the story begins.\n", 0).families.is_empty()
        );
    }

    #[test]
    fn the_short_family_of_texts_is_read() {
        let sheet = read(
            "## 2. Color\n- **Primary:** `#1C202B` — Token.\n## 3. Typography\n- **Scale:** 12/14/16\n- **Families:** primary=Bangers, mono=JetBrains Mono\n- **Weights:** 100, 200\n## 4. Spacing & Grid\n- **Spacing scale:** 4/8/12\n## 9. Anti-patterns\n- Do not use `#ff00ff`.\n",
            0,
        );
        assert_eq!(sheet.families, ["Bangers", "JetBrains Mono"]);
        assert_eq!((sheet.sizes.list, sheet.spacings.list), (vec![12.0, 14.0, 16.0], vec![4.0, 8.0, 12.0]));
        assert_eq!(hexes(&sheet.banned), ["#ff00ff"]);
    }
}
