//! Links that stand alone in a paragraph: calls to action.

use jury_core::content::page::Cta;

/// The link that a paragraph consists of: `[label](address)`, in bold or not, with a title or not.
pub(in crate::content) fn alone(paragraph: &str) -> Option<Cta> {
    let text = unwrapped(paragraph);
    let inside = text.strip_prefix('[')?.strip_suffix(')')?;
    let (label, address) = inside.rsplit_once("](")?;
    (!label.contains("]("))
        .then(|| Cta { label: label.trim().to_owned(), href: without_title(address).to_owned() })
}

/// The links that a paragraph consists of when there are several, with nothing but marks between them.
pub(super) fn several(paragraph: &str) -> Option<Vec<Cta>> {
    let mut rest = unwrapped(paragraph);
    let mut all = Vec::new();
    while !rest.is_empty() {
        let (label, behind) = rest.strip_prefix('[')?.split_once("](")?;
        let (address, behind) = behind.split_once(')')?;
        if label.contains(['[', ']']) {
            return None;
        }
        all.push(Cta { label: label.trim().to_owned(), href: without_title(address).to_owned() });
        rest = behind.trim_start_matches([' ', '|', '·', ',', '/']);
        rest = rest.strip_prefix("or ").unwrap_or(rest).trim_start();
    }
    (all.len() > 1).then_some(all)
}

fn unwrapped(paragraph: &str) -> &str {
    let text = paragraph.trim();
    let within = |mark: &str| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    within("**").or_else(|| within("__")).map_or(text, str::trim)
}

/// An address without the title behind it.
fn without_title(address: &str) -> &str {
    let address = address.trim();
    let cut = address.strip_suffix('"').and_then(|rest| rest.split_once(" \"")).map(|(before, _)| before);
    cut.unwrap_or(address).trim()
}
