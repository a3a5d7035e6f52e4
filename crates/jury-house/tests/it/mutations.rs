//! The pages of this project are clean, and every defect put into one is noticed by the check it belongs to.

use std::fmt::Write as _;

use crate::mutated::PAGES;
use crate::mutated::defects::DEFECTS;
use crate::mutated::judge::{design_of, judge, look};

/// One page with all its defects: what is noticed on it is compared with what was said before.
#[track_caller]
fn holds(name: &str) {
    let (_, page) = PAGES.iter().find(|(page, _)| *page == name).expect("a page of that name");
    let design = design_of(page);
    let clean = look(page, &design).expect("a page that can be measured");
    let open: Vec<_> =
        clean.findings.iter().filter(|one| one.severity.is_must_fix()).map(|one| &one.what).collect();
    assert!(open.is_empty(), "{name} is clean and yet: {open:?}");
    let mut wrong = String::new();
    for defect in DEFECTS {
        let Some(broken) = (defect.put_into)(page) else {
            continue;
        };
        assert_ne!(&broken, page, "{}: nothing was put into {name}", defect.name);
        let outcome = judge(&clean, &look(&broken, &design).expect("a page that can be measured"), defect);
        if !outcome.holds() {
            writeln!(wrong, "{}, for {}: {outcome:?}", defect.name, defect.check)
                .expect("a string takes all");
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{wrong}");
}

macro_rules! pages {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            holds(stringify!($name));
        })*

        #[test]
        fn no_page_is_left_out() {
            let tested = [$(stringify!($name)),*];
            assert_eq!(PAGES.iter().map(|(name, _)| *name).collect::<Vec<_>>(), tested);
        }
    };
}

pages! { article dashboard deck docs form gallery hofladen landing night pricing tea }

#[test]
fn every_defect_has_a_place_somewhere() {
    for defect in DEFECTS {
        assert!(PAGES.iter().any(|(_, page)| (defect.put_into)(page).is_some()), "{}", defect.name);
    }
}
