//! How much of real DESIGN.md files is read: `JURY_TRUTH_DIR=... cargo run -p jury-text --example design_systems`.
//! Prints, for each file, what was found, and in the end the share of distinct hex colours of the colour sections that
//! are among the tokens.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a tool for developers")]

use std::collections::BTreeSet;
use std::path::Path;

use jury_text::brand::brand;

fn main() {
    let Some(truth) = std::env::var_os("JURY_TRUTH_DIR") else {
        println!("JURY_TRUTH_DIR is not set: nothing to read");
        return;
    };
    let mut systems: Vec<_> = std::fs::read_dir(Path::new(&truth).join("design-systems"))
        .expect("the folder design-systems can be read")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    systems.sort();
    let (mut found, mut there, mut lost, mut families, mut sizes, mut spacings, mut radii, mut drifts) =
        (0, 0, 0, 0, 0, 0, 0, 0);
    let mut roles: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for system in &systems {
        let name = system.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(design) = std::fs::read_to_string(system.join("DESIGN.md")) else { continue };
        let Some(read) = brand(&design, |_| None, "") else {
            println!("{name}: LOST");
            lost += 1;
            continue;
        };
        let hexes = colour_section(&design);
        let known: BTreeSet<&str> =
            read.colours.iter().chain(&read.banned).map(|colour| colour.hex.as_str()).collect();
        let missing: Vec<&String> = hexes.iter().filter(|hex| !known.contains(hex.as_str())).collect();
        found += hexes.len() - missing.len();
        there += hexes.len();
        families += usize::from(!read.families.is_empty());
        sizes += usize::from(read.sizes.len() >= 3);
        spacings += usize::from(read.spacings.len() >= 3 || read.base.is_some());
        radii += usize::from(!read.radii.is_empty());
        for role in read.roles.keys() {
            *roles.entry(role.clone()).or_default() += 1;
        }
        if let Ok(css) = std::fs::read(system.join("tokens.css")) {
            let both = brand(&design, |name| (name == "tokens.css").then_some(&*css), "");
            drifts += usize::from(both.is_some_and(|both| !both.drift.is_empty()));
        }
        println!(
            "{name}: {} colours, families {:?}, {} sizes {} spacings {} radii base {:?}, banned {}, roles {:?}, missing {missing:?} {:?}",
            read.colours.len(),
            read.families.iter().take(6).collect::<Vec<_>>(),
            read.sizes.len(),
            read.spacings.len(),
            read.radii.len(),
            read.base,
            read.banned.len(),
            read.roles,
            read.warnings.iter().take(3).collect::<Vec<_>>(),
        );
    }
    println!(
        "{} files, {lost} lost; {found} of {there} hex colours of the colour sections; families {families}, sizes {sizes}, spacing {spacings}, radii {radii}, drift {drifts}, roles {roles:?}",
        systems.len()
    );
}

/// The distinct hex colours of the section about colours, or of the group of them in a front matter.
fn colour_section(design: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut hexes = BTreeSet::new();
    for line in design.lines() {
        let lower = line.to_lowercase();
        if line.starts_with("## ") {
            inside = lower.contains("colo");
        } else if design.starts_with("---") && line.ends_with(':') && !line.starts_with(' ') {
            inside = lower.starts_with("colo");
        }
        if !inside {
            continue;
        }
        for (at, _) in line.match_indices('#') {
            let digits: String =
                line.get(at + 1..).unwrap_or_default().chars().take_while(char::is_ascii_hexdigit).collect();
            match digits.len() {
                6 => drop(hexes.insert(format!("#{}", digits.to_lowercase()))),
                3 => drop(hexes.insert(
                    digits.to_lowercase().chars().fold("#".to_owned(), |out, ch| format!("{out}{ch}{ch}")),
                )),
                _ => {}
            }
        }
    }
    hexes
}
