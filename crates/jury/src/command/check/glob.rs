//! Patterns: `*` and `?` within a name, `[a-z]` for one character of a set, `**` for any folders.

/// Whether a text could be a pattern at all.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a name fits. In a name without folders `*` goes over everything, a slash too.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // One star is remembered at a time: what an earlier one took can be left to a later one.
    let (mut at, mut inside) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while inside < name.len() {
        match one(&pattern, at, name.get(inside).copied()) {
            Step::Star => {
                star = Some((at, inside));
                at += 1;
            }
            Step::Fits(next) => {
                at = next;
                inside += 1;
            }
            Step::Differs => {
                let Some((before, taken)) = star else { return false };
                star = Some((before, taken + 1));
                at = before + 1;
                inside = taken + 1;
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|rest| *rest == '*')
}

enum Step {
    Star,
    /// The next place in the pattern.
    Fits(usize),
    Differs,
}

fn one(pattern: &[char], at: usize, character: Option<char>) -> Step {
    let (Some(wanted), Some(character)) = (pattern.get(at), character) else { return Step::Differs };
    match wanted {
        '*' => Step::Star,
        '?' => Step::Fits(at + 1),
        '[' => match set(pattern, at, character) {
            Some((true, next)) => Step::Fits(next),
            Some((false, _)) => Step::Differs,
            // A bracket that is never closed is a bracket.
            None if character == '[' => Step::Fits(at + 1),
            None => Step::Differs,
        },
        plain if *plain == character => Step::Fits(at + 1),
        _ => Step::Differs,
    }
}

/// Whether a character is in the set that begins here, and where the set ends.
fn set(pattern: &[char], at: usize, character: char) -> Option<(bool, usize)> {
    let mut index = at + 1;
    let negated = matches!(pattern.get(index), Some('!' | '^'));
    index += usize::from(negated);
    let first = index;
    let mut found = false;
    loop {
        let low = *pattern.get(index)?;
        if low == ']' && index > first {
            return Some((found != negated, index + 1));
        }
        match (pattern.get(index + 1), pattern.get(index + 2)) {
            (Some('-'), Some(high)) if *high != ']' => {
                found |= (low..=*high).contains(&character);
                index += 3;
            }
            _ => {
                found |= low == character;
                index += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_or_do_not() {
        for (pattern, name, expected) in [
            ("*.html", "index.html", true),
            ("*.html", "index.htm", false),
            ("a*b*c", "aXbXbXc", true),
            ("a*b*c", "aXbX", false),
            ("?at", "cat", true),
            ("?at", "at", false),
            ("[a-c]at", "bat", true),
            ("[!a-c]at", "bat", false),
            ("[]]x", "]x", true),
            ("[x", "[x", true),
            ("a11y/*", "a11y/contrast", true),
            ("*", "", true),
            ("über*", "überall", true),
            ("****a", "a", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} and {name}");
        }
    }

    #[test]
    fn many_stars_do_not_take_for_ever() {
        assert!(!fits(&format!("{}b", "a*".repeat(50)), &"a".repeat(5_000)));
    }
}
