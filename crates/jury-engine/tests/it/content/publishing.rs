//! The second phase with the real publisher: an approved page is designed, assembled, checked, committed, released and
//! compared, and what stops it says why.

use jury_core::content::page::{Cta, Hero};
use jury_core::content::{ContentStatus, Page, Tool};
use jury_engine::content::site::{Publishing, SiteFolder, publish_with, served};

use super::*;

pub(super) fn page(href: &str) -> Page {
    Page {
        name: "Acme".to_owned(),
        title: "Acme counts what is on your shelves".to_owned(),
        description:
            "Acme reads the till and the delivery notes and keeps one list of your shelves that is right."
                .to_owned(),
        hero: Hero {
            headline: "Know what is on your shelves for $0 & <nothing> hidden".to_owned(),
            subheadline: "One list that is right.".to_owned(),
            cta: Some(Cta { label: "Count a shelf".to_owned(), href: href.to_owned() }),
            note: None,
        },
        sections: Vec::new(),
    }
}

pub(super) fn asked() -> ContentRequest {
    let mut asked = request();
    asked.recipe.form = Form::Page;
    asked.recipe.content_type = "website".parse().unwrap();
    asked.publish = true;
    asked
}

fn written(page: &Page) -> ModelServer {
    serve(vec![
        ScriptedAnswer::json(serde_json::to_value(page).unwrap()).when(AUTHOR),
        panel(&["ann"]),
        fine(ANN),
    ])
}

#[tokio::test]
async fn an_approved_page_is_served_word_for_word() {
    let room = Room::new().await;
    let server = written(&page("mailto:hello@acme.example"));
    let cast = cast(&server).publishing(publish_with(Publishing::default()));
    let asked = asked();
    let site = SiteFolder::new(room.store.dir(), &asked.idea);
    let (run, state) = room.run(room.job(asked, cast)).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    room.holds(run, &state).await;
    let release = state.site.deployed.as_ref().unwrap().release.clone();
    assert_eq!(served(&site).unwrap(), Some(release));
    let index = std::fs::read_to_string(site.current().join("index.html")).unwrap();
    assert!(
        index.contains("Know what is on your shelves for $0 &amp; &lt;nothing&gt; hidden</h1>"),
        "{index}"
    );
    assert!(site.repo().join("index.html").is_file());
    assert_eq!(state.site.validated.as_ref().unwrap().sentences, 3);
    assert!(state.site.verified.as_ref().unwrap().fetched > 8, "{:?}", state.site.verified);
    assert!(state.site.pushed.as_ref().unwrap().changed > 0);
}

#[tokio::test]
async fn a_page_that_is_no_good_site_is_not_published() {
    let room = Room::new().await;
    let server = written(&page("javascript:alert(1)"));
    let cast = cast(&server).publishing(publish_with(Publishing::default()));
    let asked = asked();
    let site = SiteFolder::new(room.store.dir(), &asked.idea);
    let (run, state) = room.run(room.job(asked, cast.clone())).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    let halted = state.halted.unwrap();
    assert_eq!(halted.tool, Tool::ValidateCode);
    assert!(halted.detail.starts_with("the site has 1 error"), "{}", halted.detail);
    assert!(halted.detail.contains("javascript:alert(1)"), "{}", halted.detail);
    assert_eq!(served(&site).unwrap(), None);
    // A person mends it: the same critics read it, and then it is built.
    let mended = jury_core::content::Draft::Page(Box::new(page("mailto:hello@acme.example")));
    let (nobody, token) = (&mut |_: &[jury_core::record::Record]| {}, CancellationToken::new());
    let state = resume_content(&room.store, &room.owner, run, Some(mended.into()), cast, nobody, token);
    let state = state.await.unwrap();
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.saved.as_ref().unwrap().round, jury_core::unit::Round(2));
    assert!(served(&site).unwrap().is_some());
}

#[tokio::test]
async fn what_nobody_serves_is_not_called_published() {
    let room = Room::new().await;
    let server = written(&page("mailto:hello@acme.example"));
    // A port on which nobody listens: it was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let publishing = Publishing { origin: Some(format!("http://127.0.0.1:{port}")), ..Publishing::default() };
    let base = cast(&server);
    let (run, state) = room.run(room.job(asked(), base.clone().publishing(publish_with(publishing)))).await;
    assert_eq!(state.halted.as_ref().unwrap().tool, Tool::Verify, "{state:#?}");
    // The address that was assembled stays, wherever the run is taken up again.
    let state = room.resume(run, base.publishing(publish_with(Publishing::default()))).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert!(state.site.assembled.unwrap().base_url.starts_with(&format!("http://127.0.0.1:{port}/s/")));
}
