//! Whole drafts for the example idea: a good one passes, the same with one defect is caught, and one about something
//! else drifts.

use jury_core::content::{Draft, Form, Severity};

use super::super::{acme, example};
use super::{CRITICS, listed, reviewed};

fn page(text: &str) -> Draft {
    let (draft, _) = jury_house::content::read::draft(text.as_bytes(), Form::Page).expect("a page");
    draft
}

fn all(draft: &Draft, form: Form) -> String {
    let foundation = acme();
    CRITICS
        .map(|critic| listed(&reviewed(critic, draft, form, &foundation).expect("it can be reviewed")))
        .concat()
}

#[test]
fn a_good_page_passes_every_critic() {
    let draft = page(&example("drafts/acme.md"));
    let foundation = acme();
    for critic in CRITICS {
        let critique = reviewed(critic, &draft, Form::Page, &foundation).expect("it can be reviewed");
        assert!(critique.score >= 7.0 && critique.count(Severity::High) == 0, "{}", listed(&critique));
    }
    insta::assert_snapshot!("good_page", all(&draft, Form::Page));
}

#[test]
fn a_flawed_page_fails_every_critic() {
    let draft = page(&example("drafts/acme-flawed.md"));
    insta::assert_snapshot!("flawed_page", all(&draft, Form::Page));
}
