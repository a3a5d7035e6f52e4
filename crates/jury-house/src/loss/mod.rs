//! What of a page that was handed in is missing in a draft of it.
//!
//! What could be seen must be seen, what was folded away must be there to be opened, and what was hidden must still be in
//! the page. The texts are compared by `jury-text`; links, forms, pictures and scripts are here. Numbers, names, addresses,
//! links, fields, pictures and scripts count one by one; of plain words a small share may be others.

mod acts;
mod code;
mod head;
mod inventory;
mod pairs;
mod reach;
mod sight;
mod styles;
mod tables;
mod unread;
mod windows;

use jury_core::loss::{Loss, LossKind};
use jury_eye::{Beside, Snapshot, Viewport, look_at};
use jury_text::loss::{Missing, Permit, Sight, TextBlock, TextLoss, compare, permits, shows_another_address};

use crate::HouseError;
use crate::css::Declaration;
use crate::page::is_beside;
use crate::sheets;
use crate::source::Source;
use code::{handlers, painted, scripts};
use inventory::{Field, Inventory, Link, address, leads_to};
use sight::Seeing;

/// The windows that are compared. Narrow ones may fold menus away, so only the main texts are compared there.
const VIEWPORTS: [Viewport; 2] = [Viewport::DESKTOP, Viewport::PHONE];

/// A page that was handed in.
#[derive(Debug, Clone, Copy)]
pub struct GivenPage<'a> {
    /// The page, as HTML.
    pub page: &'a str,
    /// What was asked for beside it, which may allow losses.
    pub brief: Option<&'a str>,
}

/// What is missing in a draft.
pub fn losses(given: GivenPage<'_>, draft: &str, beside: &Beside) -> Result<Vec<Loss>, HouseError> {
    if given.page == draft {
        return Ok(Vec::new());
    }
    let seen = look_at(jury_eye::Sight { html: draft, beside, viewports: &VIEWPORTS, pixels: None })?;
    match &seen[..] {
        [wide, narrow] => losses_seen(given, draft, [wide, narrow], beside),
        _ => Err(HouseError::Request { reason: "no window to look through".to_owned() }),
    }
}

/// The same, when it is known how the draft looks in a wide and in a narrow window.
pub(crate) fn losses_seen(
    given: GivenPage<'_>,
    draft: &str,
    seen: [&Snapshot; 2],
    beside: &Beside,
) -> Result<Vec<Loss>, HouseError> {
    let permit = given.brief.map(permits).unwrap_or_default();
    if given.page == draft || permit.page {
        return Ok(Vec::new());
    }
    let looked = look_at(jury_eye::Sight { html: given.page, beside, viewports: &VIEWPORTS, pixels: None })?;
    let [wide, narrow] = &looked[..] else {
        return Err(HouseError::Request { reason: "no window to look through".to_owned() });
    };
    let (given_wide, draft_wide) = (Seeing::of(wide, given.page), Seeing::of(seen[0], draft));
    let language = wide.page.lang.as_deref();
    let comparison = Comparison {
        given: Inventory::of(&given_wide),
        draft: Inventory::of(&draft_wide),
        sources: [given.page, draft],
        snapshots: [wide, seen[0]],
        language,
        beside,
        permit,
    };
    let mut losses = comparison.losses();
    let declared =
        [(given.page, wide), (draft, seen[0])].map(|(html, snapshot)| declarations(html, snapshot, beside));
    losses.extend(comparison.styled(&styles::added(&declared[0], &declared[1], &draft_wide)));
    let (given_narrow, draft_narrow) = (Seeing::of(narrow, given.page), Seeing::of(seen[1], draft));
    let narrow = [Inventory::main_blocks(&given_narrow), Inventory::of(&draft_narrow).blocks];
    losses.extend(comparison.narrow_losses(narrow, &losses));
    losses.extend(comparison.window_losses(&declared, &losses)?);
    Ok(Loss::merged(losses))
}

/// The declarations of a page: of its styles, and of those beside it.
fn declarations(html: &str, snapshot: &Snapshot, beside: &Beside) -> Vec<Declaration> {
    let source = Source::read(html);
    let mut found = sheets::own(html, &source);
    found.extend(sheets::linked(html, &source, snapshot, beside));
    found
}

struct Comparison<'a> {
    given: Inventory,
    draft: Inventory,
    /// The texts of both pages.
    sources: [&'a str; 2],
    /// How both look in a wide window.
    snapshots: [&'a Snapshot; 2],
    language: Option<&'a str>,
    beside: &'a Beside,
    permit: Permit,
}

impl Comparison<'_> {
    fn losses(&self) -> Vec<Loss> {
        let mut losses = self.seen_losses();
        losses.extend(Loss::of(LossKind::Scripts, &self.scripts()));
        losses.extend(self.cells(&losses));
        losses.extend(self.exchanged(&losses));
        losses.extend(self.head());
        losses.extend(self.reach(&losses));
        losses.extend(self.acts());
        losses
    }

    /// What is missing of the texts, links, forms and pictures, as they are seen in a window.
    fn seen_losses(&self) -> Vec<Loss> {
        let addresses: Vec<String> = self
            .draft
            .links
            .iter()
            .filter(|link| link.sight == Sight::Shown)
            // Who reads another address does not know where the link leads.
            .filter(|link| !shows_another_address(&link.name, &link.written))
            .map(|link| link.written.clone())
            .collect();
        let text = compare(&self.given.blocks, &self.draft.blocks, self.language, &addresses);
        let mut losses = self.text_losses(&text);
        losses.extend(Loss::of(LossKind::Links, &self.links()));
        losses.extend(Loss::of(LossKind::Forms, &self.forms()));
        losses.extend(Loss::of(LossKind::Pictures, &self.pictures()));
        losses
    }

    /// Parts that stand in the place of each other, and steps in another order.
    fn exchanged(&self, told: &[Loss]) -> Option<Loss> {
        // Figures in the wrong places are told as figures.
        let has_figures = told.iter().any(|loss| loss.kind == LossKind::Figures);
        let pairs = pairs::exchanged(&self.given.pairs, &self.draft.pairs).into_iter();
        let mut found: Vec<String> =
            pairs.filter(|pair| !(has_figures && pair.has_figures())).map(pairs::Pair::told).collect();
        found.extend(pairs::reordered(&self.given.orders, &self.draft.orders));
        found.retain(|one| !self.permit.covers(one));
        Loss::of(LossKind::Meaning, &found)
    }

    fn head(&self) -> Option<Loss> {
        let mut found = head::altered(self.sources, self.snapshots);
        found.retain(|one| !(self.permit.covers(one) || one.starts_with("title ") && self.permit.headings));
        Loss::of(LossKind::Head, &found)
    }

    /// What new styles do to the parts of the page.
    fn styled(&self, styled: &styles::Styled) -> Vec<Loss> {
        let mut losses = Vec::new();
        if !styled.unread.is_empty() {
            let told = styled.unread.iter().map(|(property, part)| format!("{part} ({property})"));
            let told: Vec<String> = told.filter(|one| !self.permit.covers(one)).collect();
            losses.extend(Loss::unknown(&told));
        }
        if !self.permit.words {
            losses.extend(Loss::written(&styled.written));
        }
        losses.extend(Loss::dead(&styled.dead));
        losses
    }

    /// What scripts of the draft do that those of the page did not, and nobody asked for.
    fn acts(&self) -> Option<Loss> {
        if self.permit.acts || self.permit.reach {
            return None;
        }
        let [before, after] = self.sources.map(scripts);
        // A script that reaches what the brief names is asked for, with whatever it does.
        // So is one whose new place is told already.
        let added = reach::added(self.sources, [&self.given, &self.draft]);
        let is_told = |to: &String| self.permit.reaches(to) || added.iter().any(|reach| reach.to == *to);
        let is_open = |code: &&String| !reach::of_script(code).iter().any(is_told);
        let written: Vec<String> = after.written.iter().filter(is_open).cloned().collect();
        let mut found = acts::added(&before.written, &written);
        let new = after.handlers.iter().filter(|code| !before.handlers.contains(code));
        for code in new.filter(is_open) {
            for name in acts::of_handler(code) {
                if !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        Loss::added(LossKind::Acts, &found)
    }

    /// Cells of tables that say another figure, if figures are not told already.
    fn cells(&self, told: &[Loss]) -> Option<Loss> {
        if self.permit.figures
            || told.iter().any(|loss| matches!(loss.kind, LossKind::Figures | LossKind::Page))
        {
            return None;
        }
        let altered = tables::altered(&self.given.cells, &self.draft.cells);
        let altered = altered.into_iter().filter(|cell| !self.permit.covers(&cell.about()));
        Loss::of(LossKind::Figures, &altered.map(tables::Cell::told).collect::<Vec<String>>())
    }

    /// What the draft reaches out of sight and nobody asked for.
    fn reach(&self, told: &[Loss]) -> Option<Loss> {
        let added = reach::added(self.sources, [&self.given, &self.draft]);
        // A form that leads elsewhere is told as one that is lost.
        let has_lost_form = told.iter().any(|loss| loss.kind == LossKind::Forms);
        let untold = added.iter().filter(|reach| !(has_lost_form && reach.is_form()));
        let unasked = untold.filter(|reach| !self.permit.reaches(&reach.to));
        let told: Vec<String> = unasked.map(reach::Reach::told).collect();
        Loss::added(LossKind::Reach, &told)
    }

    fn text_losses(&self, text: &TextLoss) -> Vec<Loss> {
        let Permit { words, headings, figures, names, addresses, .. } = self.permit;
        let kinds = [
            (LossKind::Words, &text.passages, words),
            (LossKind::Headings, &text.headings, headings || words),
            (LossKind::Figures, &text.figures, figures),
            (LossKind::Names, &text.names, names),
            (LossKind::Addresses, &text.addresses, addresses),
            // Other words may be asked for; the opposite has to be asked for by name.
            (LossKind::Meaning, &text.turned, false),
        ];
        let mut losses: Vec<Loss> = kinds
            .into_iter()
            .filter_map(|(kind, missing, allowed)| self.loss(kind, missing, allowed))
            .collect();
        if !words {
            let open = text.otherwise.iter().filter(|one| !self.permit.covers(&one.about));
            losses.extend(Loss::reworded(&open.map(|one| one.text.clone()).collect::<Vec<String>>()));
        }
        let TextLoss { words: all, kept, .. } = text;
        if text.is_replaced() && !words {
            let said =
                format!("the page was replaced by another one: {kept} of its {all} words are left in sight");
            losses.push(Loss::saying(LossKind::Page, 1, said));
        } else if let Some(altered) = text.altered_words().filter(|_| !words) {
            // Passages that are gone are told one by one; the others are counted.
            let reworded = text.reworded.iter().filter(|one| !self.permit.covers(&one.about)).count();
            if reworded > 0 {
                let said = format!("{altered} of the {all} words of the given page are gone or others");
                losses.push(Loss::saying(LossKind::Wording, altered, said));
            }
        }
        losses
    }

    /// What is missing in a narrow window and is not known to be missing already.
    fn narrow_losses(&self, [given, draft]: [Vec<TextBlock>; 2], known: &[Loss]) -> Vec<Loss> {
        let text = compare(&given, &draft, self.language, &[]);
        let told = |kind: LossKind| known.iter().any(|loss| loss.kind == kind);
        let on_a_phone = |missing: &[Missing]| -> Vec<Missing> {
            let said = |one: &Missing| Missing { text: format!("{} (on a phone)", one.text), ..one.clone() };
            missing.iter().map(said).collect()
        };
        let Permit { words, headings, figures, .. } = self.permit;
        [
            (LossKind::Words, &text.passages, words),
            (LossKind::Headings, &text.headings, headings || words),
            (LossKind::Figures, &text.figures, figures),
        ]
        .into_iter()
        .filter(|(kind, ..)| !told(*kind) && !told(LossKind::Page))
        .filter_map(|(kind, missing, allowed)| self.loss(kind, &on_a_phone(missing), allowed))
        .collect()
    }

    fn loss(&self, kind: LossKind, missing: &[Missing], allowed: bool) -> Option<Loss> {
        if allowed {
            return None;
        }
        let open = missing.iter().filter(|one| !self.permit.covers(&format!("{} {}", one.text, one.about)));
        Loss::of(kind, &open.map(|one| one.text.clone()).collect::<Vec<String>>())
    }

    /// Whether a file that lies beside the page is known not to be there: what leads to it is no loss.
    fn is_gone(&self, written: &str) -> bool {
        is_beside(self.beside, written) == Some(false)
    }

    fn links(&self) -> Vec<String> {
        if self.permit.links {
            return Vec::new();
        }
        let given = self.given.links.iter().filter(|link| link.alive && !self.is_gone(&link.written));
        let mut missing: Vec<String> = Vec::new();
        // Who asks for another telephone number asks for the link to it.
        let asked = |link: &Link| {
            self.permit.addresses && (link.address.starts_with("tel:") || link.address.starts_with("mailto:"))
        };
        let given = given.filter(|link| !asked(link));
        for link in given.filter(|link| !self.is_kept(link) && !self.permit.covers(&link.about)) {
            if !missing.contains(&link.written) {
                missing.push(link.written.clone());
            }
        }
        missing
    }

    fn is_kept(&self, link: &Link) -> bool {
        let draft = || self.draft.links.iter().filter(|other| other.sight >= link.sight);
        let leads_there = draft().any(|other| leads_to(&other.address, &link.address))
            || self.draft.forms.iter().any(|form| leads_to(&form.action, &link.address));
        let namesakes = |links: &[Link]| -> Vec<String> {
            let same = links.iter().filter(|other| other.words == link.words && !link.words.is_empty());
            same.map(|other| other.address.clone()).collect()
        };
        let (mut before, mut after) = (namesakes(&self.given.links), namesakes(&self.draft.links));
        before.sort();
        before.dedup();
        after.sort();
        after.dedup();
        // A part of the page may have another id; its link has the same words.
        if link.address.starts_with('#') {
            return leads_there
                || draft()
                    .any(|other| other.words == link.words && other.address.starts_with('#') && other.alive);
        }
        // A link with the same words leads to another place.
        let diverted =
            before.len() == 1 && !after.is_empty() && !after.iter().any(|now| leads_to(now, &link.address));
        leads_there && !diverted && !self.is_exchanged(link)
    }

    /// Whether the one link with these words behind this text leads now where another of the same words led.
    fn is_exchanged(&self, link: &Link) -> bool {
        let alike = |links: &[Link]| -> Vec<String> {
            let same = links.iter().filter(|other| other.words == link.words && other.behind == link.behind);
            same.map(|other| other.address.clone()).collect()
        };
        let (before, after) = (alike(&self.given.links), alike(&self.draft.links));
        let is_other = after.first().is_some_and(|now| {
            !leads_to(now, &link.address)
                && self
                    .given
                    .links
                    .iter()
                    .any(|other| other.words == link.words && leads_to(now, &other.address))
        });
        before.len() == 1 && after.len() == 1 && is_other
    }

    fn forms(&self) -> Vec<String> {
        if self.permit.forms {
            return Vec::new();
        }
        let mut missing = Vec::new();
        for form in &self.given.forms {
            let leads = !form.action.is_empty() && form.action != "#";
            let leads_there = |action: &str| leads_to(action, &form.action) || self.permit.names(action);
            let kept = self.draft.forms.iter().any(|other| {
                leads_there(&other.action)
                    && other.method == form.method
                    && (other.encoding == form.encoding || other.encoding == "multipart/form-data")
                    && (other.submits || !form.submits)
                    && other.target == form.target
                    && other.sends == form.sends
            });
            if leads && !kept && !self.permit.covers(&form.about) {
                missing.push(format!("form to {}", form.action));
            }
        }
        for field in &self.given.fields {
            if !self.has(field) && !self.permit.covers(&field.about) {
                let label = [
                    Some(field.label.join(" ")),
                    field.name.clone(),
                    field.id.clone(),
                    Some(field.kind.clone()),
                ];
                let label = label.into_iter().flatten().find(|label| !label.is_empty()).unwrap_or_default();
                missing.push(format!("field {label}"));
            }
        }
        missing
    }

    /// Whether the draft has a field: by its name, else by its id, else by its label, else one of its kind.
    fn has(&self, field: &Field) -> bool {
        let alike = |other: &&Field| {
            if field.name.is_some() {
                // One box of several with a name is told by its value.
                let boxes = matches!(field.kind.as_str(), "radio" | "checkbox" | "hidden");
                field.name == other.name && (!boxes || field.value == other.value)
            } else if field.id.is_some() {
                field.id == other.id || !field.label.is_empty() && field.label == other.label
            } else if field.label.is_empty() {
                field.kind == other.kind
            } else {
                field.label == other.label
            }
        };
        let leads = |action: &str| !action.is_empty() && action != "#";
        self.draft.fields.iter().filter(alike).any(|other| {
            other.sight >= field.sight
                && (field.kind == "hidden") == (other.kind == "hidden")
                && (!other.off || field.off)
                && (other.required || !field.required)
                // Nothing is chosen where an empty choice stands first.
                && (other.chosen == field.chosen || other.chosen == [String::new()])
                && field.offers.iter().all(|offer| other.offers.contains(offer))
                && (field.kind == "password") == (other.kind == "password")
                // A field takes what it took, and is empty as it was.
                && other.bounds.iter().all(|bound| field.bounds.contains(bound))
                && (other.value == field.value || field.kind == "hidden")
                && (field.fills.is_empty() && !other.fills.starts_with("cc-") || other.fills.ends_with(&field.fills) && !field.fills.is_empty())
                && is_still_called(&field.label, &other.label)
                && !self.is_called_like_another(field, other)
                && (!leads(&field.action)
                    || leads_to(&other.action, &field.action)
                    || self.permit.names(&other.action))
        })
    }

    /// Whether a field says now what another field of the page said: the two changed places, and what is sent as a name is a
    /// mail address.
    fn is_called_like_another(&self, field: &Field, now: &Field) -> bool {
        now.label != field.label
            && !now.label.is_empty()
            && self.given.fields.iter().any(|other| {
                other.name != field.name && other.label == now.label && other.action == field.action
            })
    }

    fn pictures(&self) -> Vec<String> {
        if self.permit.pictures {
            return Vec::new();
        }
        let mut missing: Vec<String> = Vec::new();
        let [_, draft] = self.sources;
        let behind = painted(draft);
        let painted_there = |given: &str| behind.iter().any(|painted| leads_to(painted, given));
        for picture in self.given.pictures.iter().filter(|picture| !self.is_gone(&picture.address)) {
            let kept = |other: &inventory::Picture| {
                leads_to(&other.address, &picture.address)
                    && other.sight >= picture.sight
                    && has_all_words(&picture.words, &other.words)
                    && !is_speck(picture.size, other.size)
                    && other.sources.iter().all(|one| picture.sources.iter().any(|own| leads_to(one, own)))
            };
            let kept = self.draft.pictures.iter().any(kept) || painted_there(&picture.address);
            if !kept && !missing.contains(&picture.address) && !self.permit.covers(&picture.about) {
                missing.push(picture.address.clone());
            }
        }
        let pictured: Vec<&str> =
            self.draft.pictures.iter().map(|picture| picture.address.as_str()).collect();
        for address in painted(self.sources[0]) {
            let pictured = pictured.iter().any(|picture| leads_to(picture, &address));
            if !painted_there(&address) && !pictured && !self.is_gone(&address) {
                missing.push(address);
            }
        }
        let mut left: Vec<&inventory::Drawing> = self.draft.drawings.iter().collect();
        for drawing in &self.given.drawings {
            let is_it = |other: &&inventory::Drawing| {
                drawing.shapes.iter().all(|shape| other.shapes.contains(shape))
                    && has_all_words(&drawing.words, &other.words)
            };
            match left.iter().position(is_it) {
                Some(at) => drop(left.swap_remove(at)),
                None => missing
                    .push(format!("a drawing in the page {}", drawing.words.join(" ")).trim().to_owned()),
            }
        }
        missing
    }

    fn scripts(&self) -> Vec<String> {
        if self.permit.scripts {
            return Vec::new();
        }
        let [given, draft] = self.sources;
        let (before, after) = (scripts(given), scripts(draft));
        let mut missing: Vec<String> = Vec::new();
        for loaded in before.loaded.iter().filter(|loaded| !self.is_gone(loaded)) {
            if !after.loaded.iter().any(|other| leads_to(&address(other), &address(loaded))) {
                missing.push(loaded.clone());
            }
        }
        missing.extend(before.missing_in(&after));
        missing.extend(handlers::missing(&before, &after));
        missing.retain(|one| !self.permit.covers(one));
        missing
    }
}

/// Whether a picture is still called what it was, in these words or in more.
fn has_all_words(was: &[String], is: &[String]) -> bool {
    told_words(was, is) == words_to_tell(was).count()
}

/// Whether what a field is called is still told: by half of its words, or a longer spelling of them.
fn is_still_called(was: &[String], is: &[String]) -> bool {
    told_words(was, is) * 2 >= words_to_tell(was).count()
}

fn words_to_tell(words: &[String]) -> impl Iterator<Item = &String> {
    words.iter().filter(|word| word.chars().count() > 2)
}

fn told_words(was: &[String], is: &[String]) -> usize {
    let told = |word: &&String| {
        is.iter().any(|other| {
            let (short, long) = if word.len() <= other.len() { (*word, other) } else { (other, *word) };
            short.chars().count() > 3 && long.contains(short.as_str()) || short == long
        })
    };
    words_to_tell(was).filter(told).count()
}

/// A picture that keeps less than a quarter of its size in one direction, and is smaller than this in pixels, is a speck.
const SPECK_PIXELS: f32 = 24.0;

fn is_speck(was: Option<(f32, f32)>, is: Option<(f32, f32)>) -> bool {
    let (Some(was), Some(is)) = (was, is) else { return false };
    let shrunk = |was: f32, is: f32| is < SPECK_PIXELS && is * 4.0 < was;
    shrunk(was.0, is.0) || shrunk(was.1, is.1)
}
