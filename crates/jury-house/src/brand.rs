//! Reading a DESIGN.md: front matter first, prose when there is none. Lenient: a line that says nothing
//! understandable is passed over.

use crate::colour::Rgb;
use crate::css_colour;

/// Where the tokens came from, which decides how much they prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Declared as tokens.
    FrontMatter,
    /// Found in sentences and tables.
    Prose,
}

/// What a brand declares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Brand {
    pub(crate) origin: Origin,
    pub(crate) colours: Vec<Rgb>,
    pub(crate) families: Vec<String>,
    /// Distances in pixels.
    pub(crate) spacings: Vec<f32>,
}

/// Words that stand where a family name could stand.
const NOT_FAMILIES: &[&str] = &["inherit", "initial", "none", "auto", "normal", "var"];

impl Brand {
    /// Reads a DESIGN.md. Absent when nothing in it can be measured.
    pub(crate) fn read(markdown: &str) -> Option<Self> {
        let brand = front_matter(markdown)
            .map(from_front_matter)
            .filter(|brand| !brand.colours.is_empty() || !brand.families.is_empty())
            .unwrap_or_else(|| from_prose(markdown));
        (!brand.colours.is_empty() || !brand.families.is_empty()).then_some(brand)
    }

    fn empty(origin: Origin) -> Self {
        Self { origin, colours: Vec::new(), families: Vec::new(), spacings: Vec::new() }
    }

    fn add_colours(&mut self, text: &str) {
        for (start, _, colour) in css_colour::find_all(text) {
            // In prose only hex and functions are colours; "white space" and "tan line" are words.
            let written_as_code =
                text.get(start..).is_some_and(|rest| rest.starts_with('#') || rest.contains('('));
            if (self.origin == Origin::FrontMatter || written_as_code) && !self.colours.contains(&colour.rgb)
            {
                self.colours.push(colour.rgb);
            }
        }
    }

    fn add_families(&mut self, stack: &str) {
        for family in stack.split(',') {
            let family = family.trim().trim_matches(['"', '\'', '`', '*', ' ', '.', ';']);
            let plausible = (2..=40).contains(&family.chars().count())
                && family.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, ' ' | '-' | '_'))
                && family.chars().any(char::is_alphabetic)
                && !NOT_FAMILIES.contains(&family.to_ascii_lowercase().as_str());
            if plausible && !self.families.iter().any(|known| known.eq_ignore_ascii_case(family)) {
                self.families.push(family.to_owned());
            }
        }
    }
}

pub(crate) fn front_matter(markdown: &str) -> Option<&str> {
    let rest = markdown.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let rest = rest.split_once('\n')?.1;
    rest.split_once("\n---").map(|(front, _)| front)
}

/// Reads the few shapes tokens have, line by line: a full YAML reader would refuse files over an unquoted
/// colon in a description, and nothing here depends on the rest.
fn from_front_matter(front: &str) -> Brand {
    let mut brand = Brand::empty(Origin::FrontMatter);
    let mut group = String::new();
    for line in front.lines() {
        let indented = line.starts_with([' ', '\t']);
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let key = key.trim().trim_matches(['"', '\'', '-', ' ']);
        let value = value.trim();
        if !indented {
            key.clone_into(&mut group);
        }
        let value = value.split(" #").next().unwrap_or(value).trim().trim_matches(['"', '\'']);
        match group.as_str() {
            "colors" | "colours" | "color" | "palette" => {
                let value = line.split_once(':').map_or("", |(_, value)| value);
                brand.add_colours(value);
            }
            "typography" | "fonts" | "type" => {
                let lower = key.to_ascii_lowercase();
                if lower.contains("family") || (group == "fonts" && !value.is_empty()) {
                    brand.add_families(value);
                }
            }
            "spacing" | "space" => brand.spacings.extend(pixels(value)),
            _ => {}
        }
    }
    brand
}

fn from_prose(markdown: &str) -> Brand {
    let mut brand = Brand::empty(Origin::Prose);
    let mut section = String::new();
    for line in markdown.lines() {
        if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
            section = line.to_lowercase();
            if !section.contains("font") {
                continue;
            }
        }
        // What must not be used is no part of the palette.
        let forbidden =
            section.contains("don't") || section.contains("anti-pattern") || section.contains("avoid");
        if !forbidden {
            brand.add_colours(line);
        }
        let lower = line.to_lowercase();
        let names_a_family = section.contains("font")
            || ["font-family", "font family", "typeface", "font stack", "**font"]
                .iter()
                .any(|word| lower.contains(word))
            || (section.contains("typograph")
                && ["display", "body", "heading", "mono", "primary", "sans", "serif", "families"]
                    .iter()
                    .any(|word| lower.contains(word)));
        if names_a_family && !forbidden {
            // Families written without code marks: "Families: primary=Inter, mono=JetBrains Mono".
            for pair in line.split([',', ';', ':']).filter_map(|part| part.split_once('=')) {
                brand.add_families(pair.1);
            }
            for quoted in line.split('`').skip(1).step_by(2) {
                let stack = quoted.rsplit(':').next().unwrap_or(quoted);
                if !stack.contains(['#', '(']) && !stack.contains("px") {
                    brand.add_families(stack);
                }
            }
        }
        if section.contains("spacing") {
            brand.spacings.extend(line.split(['/', ',', '|', ' ', '`']).filter_map(pixels));
        }
    }
    brand
}

/// A length in pixels, when it is one.
fn pixels(text: &str) -> Option<f32> {
    let text = text.trim().trim_matches(['"', '\'', '`', '*']);
    if let Some(number) = text.strip_suffix("px") {
        return number.parse().ok().filter(|value| *value > 0.0);
    }
    let number = text.strip_suffix("rem")?;
    number.parse::<f32>().ok().map(|value| value * 16.0).filter(|value| *value > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_wins_over_prose() {
        let brand = Brand::read(
            "---\nname: Acme\ndescription: a: b\ncolors:\n  primary: \"#112233\"\n  ink: black\ntypography:\n  body:\n    fontFamily: \"Inter, sans-serif\"\n    fontSize: 16px\nspacing:\n  sm: 8px\n  md: 1rem\n---\n# Acme\n\nUse `#ff0000` rarely.\n",
        )
        .expect("tokens");
        assert_eq!(brand.origin, Origin::FrontMatter);
        assert_eq!(
            brand.colours.iter().map(|colour| colour.hex()).collect::<Vec<_>>(),
            ["#112233", "#000000"]
        );
        assert_eq!(brand.families, ["Inter", "sans-serif"]);
        assert_eq!(brand.spacings, [8.0, 16.0]);
    }

    #[test]
    fn prose_gives_hex_colours_and_quoted_families() {
        let brand = Brand::read(
            "# Acme\n\n## Colour\n- **Ink** (`#101820`): text on white\n| Accent | #e4572e |\n\n## Typography\n- **Font family:** `Söhne, Helvetica`\n\n## Don't\n- never `#00ff00`\n",
        )
        .expect("tokens");
        assert_eq!(brand.origin, Origin::Prose);
        assert_eq!(
            brand.colours.iter().map(|colour| colour.hex()).collect::<Vec<_>>(),
            ["#101820", "#e4572e"]
        );
        assert_eq!(brand.families, ["Söhne", "Helvetica"]);
    }

    #[test]
    fn a_text_without_tokens_is_no_brand() {
        assert_eq!(Brand::read("Be bold. Be kind."), None);
        assert_eq!(Brand::read(""), None);
        assert_eq!(Brand::read("---\nname: x\n"), None);
    }
}
