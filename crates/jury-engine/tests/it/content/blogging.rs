//! The articles of a site: what was reviewed and approved is there, word for word, and nothing else is.

use std::path::{Path, PathBuf};

use jury_core::content::ContentStatus;
use jury_engine::content::site::{Publishing, SiteFolder, publish_with};

use super::publishing::{asked, page};
use super::*;

/// An article about something, with a title of its own.
fn article(about: &str) -> String {
    format!(
        "---\ntitle: \"{about}, found by this\"\ndescription: \"What there is to say about {about}.\"\n---\n\n\
         # All about {about}\n\nFirst words *about* {about} & <others>.\n\n## Why {about}\n\n- One `{about}`\n- Two\n\n\
         [Read on](../../#main)\n"
    )
}

impl Room {
    /// Has a text written that critics give these scores, a round each, and says what became of it.
    async fn written(&self, request: ContentRequest, text: &str, scores: &[f64]) -> (RunId, ContentStatus) {
        let seats: &[&str] = if scores.is_empty() { &[] } else { &["ann"] };
        let mut answers = vec![ScriptedAnswer::text(text).when(AUTHOR), panel(seats)];
        let issues = |score: f64| if score < 6.0 { vec![("medium", "It is long")] } else { Vec::new() };
        answers.extend(scores.iter().map(|score| says(ANN, *score, &issues(*score))));
        answers.extend(
            (1..scores.len()).map(|n| ScriptedAnswer::text(format!("{text}\nAgain {n}.\n")).when(REVISER)),
        );
        let server = serve(answers);
        let (run, state) = self.run(self.job(request, cast(&server))).await;
        (run, state.status())
    }

    async fn approved(&self, text: &str) -> RunId {
        let (run, status) = self.written(request(), text, &[8.0]).await;
        assert_eq!(status, ContentStatus::Approved);
        run
    }

    /// Publishes the page of the idea.
    async fn published(&self) -> ContentState {
        let server = site_server();
        let cast = cast(&server).publishing(publish_with(Publishing::default()));
        let (_, state) = self.run(self.job(asked(), cast)).await;
        assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
        state
    }

    fn site(&self) -> PathBuf {
        SiteFolder::new(self.store.dir(), &asked().idea).current()
    }

    fn file(&self, path: &str) -> String {
        std::fs::read_to_string(self.site().join(path)).unwrap()
    }
}

fn site_server() -> ModelServer {
    let page = serde_json::to_value(page("mailto:hello@acme.example")).unwrap();
    serve(vec![ScriptedAnswer::json(page).when(AUTHOR), panel(&["ann"]), fine(ANN)])
}

/// Every file under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

fn runs(state: &ContentState) -> Vec<RunId> {
    state.site.assembled.as_ref().unwrap().posts.iter().map(|post| post.run_id).collect()
}

fn left(state: &ContentState) -> Vec<(RunId, &str)> {
    let left = &state.site.assembled.as_ref().unwrap().left_out;
    left.iter().map(|left| (left.run_id, left.why.as_str())).collect()
}

#[tokio::test]
async fn what_is_approved_is_on_the_site_newest_first_and_nothing_else_is() {
    let room = Room::new().await;
    let anvils = room.approved(&article("anvils")).await;
    // What the gate did not let through, in each way that there is, and what is another idea's.
    let capped =
        ContentRequest { recipe: Recipe { max_revision_rounds: 1, ..request().recipe }, ..request() };
    let other = ContentRequest { idea: "other".parse().unwrap(), ..request() };
    let cases: Vec<(ContentRequest, &str, Vec<f64>, ContentStatus)> = vec![
        (capped, "capped", vec![3.0], ContentStatus::MaxRoundsReached),
        (request(), "stalled", vec![5.0, 4.0], ContentStatus::Stalled),
        (request(), "unreviewed", vec![], ContentStatus::Unreviewed),
        (other, "elsewhere", vec![8.0], ContentStatus::Approved),
    ];
    for (request, about, scores, wanted) in cases {
        assert_eq!(room.written(request, &article(about), &scores).await.1, wanted, "{about}");
    }
    let mut social = request();
    social.recipe.content_type = "social-post".parse().unwrap();
    social.recipe.form = Form::Post;
    let words = "The anvil fell off the bench.\n\nNobody was under it.\n\n#anvils\n";
    let (post, status) = room.written(social, words, &[8.0]).await;
    assert_eq!(status, ContentStatus::Approved);
    let state = room.published().await;
    assert_eq!((runs(&state), left(&state)), (vec![anvils, post], vec![]));
    let text = room.file("blog/all-about-anvils/index.html");
    for said in [
        "<h1>All about anvils</h1>",
        "First words <em>about</em> anvils &amp; &lt;others&gt;.",
        "<title>anvils, found by this</title>",
        "What there is to say about anvils.",
        "<li>One <code>anvils</code></li>",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(
        room.file("blog/the-anvil-fell-off-the-bench/index.html").contains("<p>Nobody was under it.</p>")
    );
    assert!(room.file("index.html").contains("href=\"blog/\""));
    let list = room.file("blog/index.html");
    let places = ["the-anvil-fell-off", "all-about-anvils/"].map(|slug| list.find(slug).expect(slug));
    assert!(places.is_sorted(), "the newest first: {list}");
    assert!(room.file("feed.xml").contains("<title>All about anvils</title>"));
    for path in files(&room.site()) {
        let said = std::fs::read_to_string(&path).unwrap();
        for about in ["capped", "stalled", "unreviewed", "elsewhere"] {
            assert!(!said.contains(about), "{about} in {}", path.display());
        }
    }
    // The page has three pieces of copy, the article six, the post three; all of it was fetched and compared.
    assert_eq!(state.site.validated.as_ref().unwrap().sentences, 3 + 6 + 3);
}

#[tokio::test]
async fn a_site_without_articles_has_no_blog() {
    let room = Room::new().await;
    let state = room.published().await;
    assert_eq!((runs(&state), left(&state)), (vec![], vec![]));
    assert!(!room.site().join("blog").exists() && !room.site().join("feed.xml").exists());
    assert!(!room.file("index.html").contains("blog"));
    let assembled = serde_json::to_value(state.site.assembled.as_ref().unwrap()).unwrap();
    assert_eq!((assembled.get("posts"), assembled.get("leftOut")), (None, None));
}

#[tokio::test]
async fn what_cannot_stand_on_a_site_is_left_out_and_named() {
    let room = Room::new().await;
    let older = room.approved(&article("anvils")).await;
    let newer = room.approved(&article("anvils").replace("First words", "Better words")).await;
    let dead = room.approved(&article("prices").replace("../../#main", "/pricing")).await;
    let changed = room.approved(&article("secrets")).await;
    let is_secret =
        |path: &PathBuf| std::fs::read(path).is_ok_and(|bytes| bytes == article("secrets").as_bytes());
    let kept: Vec<PathBuf> = files(room.store.dir()).into_iter().filter(is_secret).collect();
    assert!(!kept.is_empty(), "the draft is there");
    for path in kept {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, article("secrets").replace("First words", "Words that nobody approved"))
            .unwrap();
    }
    let state = room.published().await;
    assert_eq!(runs(&state), [newer]);
    assert!(room.file("blog/all-about-anvils/index.html").contains("Better words"));
    let mut said = left(&state);
    said.sort_by_key(|(run, _)| run.0);
    let [(first, replaced), (second, leads), (third, tampered)] = said[..] else { panic!("{said:?}") };
    assert_eq!([first, second, third], [older, dead, changed]);
    assert_eq!(replaced, "a newer one has the same title");
    assert!(
        leads.starts_with("it does not pass the checks of the site: blog/all-about-prices/index.html"),
        "{leads}"
    );
    assert!(leads.contains("'/pricing'"), "{leads}");
    assert_eq!(tampered, "its draft is gone or not the one that was approved");
}

#[tokio::test]
async fn what_was_assembled_stays_whatever_is_approved_meanwhile() {
    let room = Room::new().await;
    let anvils = room.approved(&article("anvils")).await;
    let server = site_server();
    // A port on which nobody listens: it was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let publishing = Publishing { origin: Some(format!("http://127.0.0.1:{port}")), ..Publishing::default() };
    let base = cast(&server);
    let (run, state) = room.run(room.job(asked(), base.clone().publishing(publish_with(publishing)))).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    let hammers = room.approved(&article("hammers")).await;
    let state = room.resume(run, base.publishing(publish_with(Publishing::default()))).await;
    assert_eq!((state.status(), runs(&state)), (ContentStatus::Approved, vec![anvils]), "{state:#?}");
    assert!(!room.site().join("blog/all-about-hammers").exists());
    // The next site has both.
    let state = room.published().await;
    assert_eq!(runs(&state), [anvils, hammers]);
    assert!(room.site().join("blog/all-about-hammers/index.html").is_file());
}
