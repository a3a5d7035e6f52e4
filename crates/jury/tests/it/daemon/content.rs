//! The content pipeline over HTTP: asked for, watched, stopped, taken up, given up, and done tool by tool.

use jury_testkit::client::{Frame, HttpReply};
use serde_json::{Value, json};

use super::harness::{Daemon, add_agents, lines, metric, names, until};
use crate::harness::{Context, repository};

/// A folder with an idea in it.
pub(super) fn content_context() -> Context {
    let cx = Context::new();
    furnish(&cx);
    cx
}

fn furnish(cx: &Context) {
    let to = cx.path("ideas/acme");
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(repository().join("examples/ideas/acme")).unwrap() {
        let from = entry.unwrap().path();
        std::fs::copy(&from, to.join(from.file_name().unwrap())).unwrap();
    }
}

pub(super) fn example(name: &str) -> String {
    std::fs::read_to_string(repository().join("examples/drafts").join(name)).unwrap()
}

/// A run that was taken on.
pub(super) struct Piece {
    pub(super) id: String,
    path: String,
}

pub(super) const IDEA: &str = "/api/content-pipeline/acme";

fn piece(answer: &HttpReply) -> Piece {
    let id = answer.json()["runId"].as_str().unwrap_or_else(|| panic!("{}", answer.text())).to_owned();
    Piece { path: format!("{IDEA}/runs/{id}"), id }
}

pub(super) fn ask(daemon: &Daemon, body: &Value) -> Piece {
    let answer = daemon.post(IDEA, body);
    assert_eq!(answer.status, 202, "{}", answer.text());
    piece(&answer)
}

pub(super) fn view(daemon: &Daemon, piece: &Piece) -> Value {
    let answer = daemon.get(&piece.path);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Waits until a run stands like this.
pub(super) fn stands(daemon: &Daemon, piece: &Piece, standing: &str) -> Value {
    let mut last = Value::Null;
    until(&format!("the run is {standing}"), || {
        last = view(daemon, piece);
        let settled = last["run"]["state"] == "waiting" || last["run"]["state"] == "ended";
        last["studio"]["standing"] == standing && (settled || standing == "running")
    });
    last
}

fn events(daemon: &Daemon, piece: &Piece) -> Vec<Frame> {
    daemon.stream(&format!("{}/events", piece.path), &[]).rest_of_run().unwrap()
}

/// A post that has no body.
fn poke(daemon: &Daemon, path: &str) -> HttpReply {
    daemon.client.send("POST", path, &[], b"").unwrap()
}

#[test]
fn a_good_draft_is_reviewed_watched_and_kept() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let ideas = daemon.get("/api/content-pipeline").json();
    assert_eq!(ideas["ideas"][0]["ideaId"], "acme");
    assert!(
        ideas["ideas"][0]["documents"].as_array().unwrap().iter().any(|doc| doc["kind"] == "positioning")
    );
    assert_eq!(ideas["ideas"][0]["runs"], json!([]));
    let none = daemon.get(IDEA);
    assert_eq!((none.status, none.code().as_str()), (404, "no_such_run"));

    let body = json!({"contentType": "website", "draft": example("acme.md"), "publish": false});
    let piece = ask(&daemon, &body);
    let frames = events(&daemon, &piece);
    let seen = names(&frames);
    assert_eq!(seen[..3], ["content.queued", "content.run_started", "content.drafted"]);
    assert_eq!(seen.last(), Some(&"content.finished"), "{seen:?}");
    for name in [
        "content.panel_selected",
        "content.critiqued",
        "content.decided",
        "content.summarised",
        "content.saved",
    ] {
        assert!(seen.contains(&name), "{name}: {seen:?}");
    }

    let progress = daemon.get(IDEA).json();
    assert_eq!(progress["runId"], piece.id);
    assert_eq!((&progress["status"], &progress["quality"]), (&json!("complete"), &json!("approved")));
    assert_eq!((&progress["contentType"], &progress["round"]), (&json!("website"), &json!(1)));
    let critics = progress["selectedCritics"].as_array().unwrap().len();
    assert!(critics > 0);
    assert_eq!(progress["critiqueHistory"][0]["critiques"].as_array().unwrap().len(), critics);
    assert_eq!(daemon.get(&format!("{IDEA}?contentType=website")).json()["runId"], piece.id);
    assert_eq!(daemon.get(&format!("{IDEA}?contentType=blog-post")).status, 404);

    let whole = view(&daemon, &piece);
    assert_eq!(whole["run"]["outcome"], "approved");
    assert_eq!(whole["studio"]["rounds"][0]["writer"], "person");
    assert_eq!(whole["studio"]["panel"]["seats"].as_array().unwrap().len(), critics);
    assert_eq!(daemon.get("/api/content-pipeline").json()["ideas"][0]["runs"][0]["runId"], piece.id);
    assert!(metric(&daemon, "jury_content_runs_total", &["outcome=\"approved\""]) > 0.0);
    assert!(metric(&daemon, "jury_content_rounds_count", &[]) > 0.0);

    let markdown = daemon.get(&format!("{}/rounds/1/draft", piece.path));
    assert_eq!(
        (markdown.status, markdown.header("content-type")),
        (200, Some("text/markdown; charset=utf-8"))
    );
    let page = daemon.get(&format!("{}/rounds/1/draft?format=json", piece.path));
    assert!(page.json()["hero"].is_object(), "{}", page.text());
    let same = daemon.get(&format!("{}/diff?from=1&to=1", piece.path)).json();
    assert!(same["blocks"].as_array().unwrap().iter().all(|block| block["change"] == "same"), "{same}");
    for (path, status) in [
        ("/rounds/2/draft", 404),
        ("/rounds/x/draft", 404),
        ("/rounds/1/draft?format=pdf", 400),
        ("/diff?from=1&to=9", 404),
        ("/diff?from=1", 400),
        ("/diff?from=a&to=b", 400),
    ] {
        assert_eq!(daemon.get(&format!("{}{path}", piece.path)).status, status, "{path}");
    }
    // What has ended is over.
    assert_eq!(poke(&daemon, &format!("{}/pause", piece.path)).code(), "already_ended");
    assert_eq!(daemon.post(&format!("{}/resume", piece.path), &json!({})).code(), "not_resumed");
    assert_eq!(daemon.post(&format!("{}/abandon", piece.path), &json!({})).code(), "not_resumed");
    assert_eq!(poke(&daemon, &format!("{}/tools/save_content", piece.path)).status, 409);
}

#[test]
fn an_approved_page_becomes_a_site_in_the_same_run() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let piece = ask(&daemon, &json!({"draft": example("acme.md")}));
    let done = stands(&daemon, &piece, "approved");
    let steps = done["progress"]["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["status"] == "complete"), "{steps:?}");
    assert!(!done["studio"]["site"]["pushed"]["commit"].as_str().unwrap().is_empty());
    let url = done["progress"]["url"].as_str().unwrap();
    assert!(url.contains("/s/acme"), "{url}");
    let site = daemon.get("/s/acme/");
    assert_eq!(site.status, 200, "{}", site.text());
    assert!(site.text().contains("<h1"), "{}", site.text());
}

#[test]
fn a_stream_that_is_cut_after_every_event_is_the_whole_run() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let piece = ask(&daemon, &json!({"draft": example("acme.md"), "publish": false}));
    let whole = events(&daemon, &piece);
    let mut pieces: Vec<Frame> = Vec::new();
    loop {
        let last = pieces.last().map_or(0, |frame| frame.id).to_string();
        let mut stream =
            daemon.stream(&format!("{}/events", piece.path), &[("last-event-id", last.as_str())]);
        let frame = stream.frame().unwrap().unwrap();
        let over = frame.is_terminal();
        pieces.push(frame);
        if over {
            break;
        }
    }
    assert_eq!(lines(&pieces), lines(&whole));
    let after = whole[2].id;
    let mut rest = daemon.stream(&format!("{}/events?after={after}", piece.path), &[]);
    assert_eq!(rest.frame().unwrap().unwrap(), whole[3]);
}

#[test]
fn a_run_that_needs_a_person_goes_on_with_their_draft() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let piece = ask(&daemon, &json!({"draft": example("acme-flawed.md"), "publish": false}));
    let waits = stands(&daemon, &piece, "needs-human");
    assert!(!waits["studio"]["needs"]["brief"].as_str().unwrap().is_empty());
    let rounds = waits["studio"]["rounds"].as_array().unwrap().len();
    let progress = daemon.get(IDEA).json();
    assert_eq!((&progress["status"], &progress["quality"]), (&json!("needs-human"), &json!("needs-human")));

    let resume = format!("{}/resume", piece.path);
    let without = daemon.post(&resume, &json!({}));
    assert_eq!((without.status, without.code().as_str()), (409, "not_resumed"), "{}", without.text());
    let bad = daemon.post(&resume, &json!({"draft": "{ \"hero\": }"}));
    assert_eq!((bad.status, bad.code().as_str()), (400, "bad_draft"), "{}", bad.text());
    assert!(bad.text().contains("line 1"), "{}", bad.text());
    // The same idea asked for again is the run that waits.
    let again = daemon.post(IDEA, &json!({}));
    assert_eq!((again.status, again.json()["runId"].as_str().unwrap()), (200, piece.id.as_str()));

    let resumed = daemon.post(&resume, &json!({"draft": example("acme.md")}));
    assert_eq!(resumed.status, 202, "{}", resumed.text());
    let done = stands(&daemon, &piece, "approved");
    assert_eq!(done["studio"]["rounds"].as_array().unwrap().len(), rounds + 1);
    let changed = daemon.get(&format!("{}/diff?from=1&to={}", piece.path, rounds + 1)).json();
    let changes: Vec<&Value> =
        changed["blocks"].as_array().unwrap().iter().map(|block| &block["change"]).collect();
    assert!(changes.contains(&&json!("added")) && changes.contains(&&json!("removed")), "{changed}");
}

#[test]
fn a_run_is_stopped_taken_up_and_given_up() {
    let cx = content_context();
    add_agents(&cx, &[("slow", "echo $$ >> asked\nsleep 600")]);
    let daemon = Daemon::start(&cx);
    let piece = ask(&daemon, &json!({"agent": "slow", "publish": false}));
    let asked = |times: usize| {
        let text = || std::fs::read_to_string(cx.path("asked")).unwrap_or_default();
        until("the author is asked", || text().lines().count() == times);
    };
    asked(1);
    assert_eq!(view(&daemon, &piece)["studio"]["standing"], "running");
    let busy = poke(&daemon, &format!("{}/tools/generate_draft", piece.path));
    assert_eq!((busy.status, busy.code().as_str()), (409, "busy_run"), "{}", busy.text());
    let busy = daemon.post(&format!("{}/resume", piece.path), &json!({}));
    assert_eq!((busy.status, busy.code().as_str()), (409, "busy_run"), "{}", busy.text());

    let pause = format!("{}/pause", piece.path);
    assert_eq!(poke(&daemon, &pause).status, 202);
    stands(&daemon, &piece, "paused");
    assert_eq!(poke(&daemon, &pause).status, 202, "twice is once");
    assert_eq!(daemon.post(&format!("{}/resume", piece.path), &json!({})).status, 202);
    asked(2);
    // A daemon that is killed leaves a run that can be taken up.
    daemon.kill();
    let daemon = Daemon::start(&cx);
    let found = stands(&daemon, &piece, "paused");
    assert_eq!(found["progress"]["currentStep"], "generate_draft");
    assert_eq!(daemon.post(&format!("{}/resume", piece.path), &json!({})).status, 202);
    asked(3);
    let given_up = daemon.post(&format!("{}/abandon", piece.path), &json!({"reason": "another idea"}));
    assert_eq!(
        (given_up.status, &given_up.json()["status"]),
        (202, &json!("abandoned")),
        "{}",
        given_up.text()
    );
    assert_eq!(stands(&daemon, &piece, "abandoned")["run"]["outcome"], "abandoned");
    // The next one may begin.
    let next = ask(&daemon, &json!({"draft": example("acme.md"), "publish": false}));
    assert_ne!(next.id, piece.id);
    stands(&daemon, &next, "approved");
}

#[test]
fn each_tool_works_in_a_daemon_that_was_not_there_before() {
    let cx = content_context();
    let body = json!({"stepwise": true, "draft": example("acme-flawed.md"), "publish": false});
    let piece = ask(&Daemon::start(&cx), &body);
    let call = |tool: &str| {
        let daemon = Daemon::start(&cx);
        let answer = poke(&daemon, &format!("{}/tools/{tool}", piece.path));
        assert_eq!(daemon.stop().0, Some(0));
        answer
    };
    let early = call("save_content");
    assert_eq!((early.status, early.code().as_str()), (409, "not_now"), "{}", early.text());
    assert_eq!(early.json()["next"], "run_critiques");
    assert_eq!(call("make_coffee").code(), "no_such_tool");

    let said = call("run_critiques");
    assert_eq!(said.status, 200, "{}", said.text());
    assert!(said.json()["critiques"].as_array().unwrap().len() > 1, "{}", said.text());
    let decided = call("editor_decision").json();
    assert_eq!(decided["decision"], "revise", "{decided}");
    let summary = call("summarize_round").json();
    assert_eq!((&summary["round"], &summary["editorDecision"]), (&json!(1), &json!("revise")), "{summary}");
    let revised = call("revise_draft");
    // Safe corrections are made, or a person is asked; nothing else is pretended.
    assert!(revised.status == 200 || revised.code() == "needs_human", "{}", revised.text());

    let daemon = Daemon::start(&cx);
    if revised.status == 200 {
        assert!(revised.json()["revisedDraftLength"].as_u64().unwrap() > 0);
        assert_eq!(daemon.post(&format!("{}/resume", piece.path), &json!({})).status, 202);
        stands(&daemon, &piece, "needs-human");
    }
    let resume = daemon.post(&format!("{}/resume", piece.path), &json!({"draft": example("acme.md")}));
    assert_eq!(resume.status, 202, "{}", resume.text());
    stands(&daemon, &piece, "approved");
}

#[test]
fn a_run_that_goes_tool_by_tool_is_paused_between_two_of_them() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let body = json!({"stepwise": true, "draft": example("acme.md"), "publish": false});
    let piece = ask(&daemon, &body);
    assert_eq!(view(&daemon, &piece)["studio"]["standing"], "running");
    let pause = format!("{}/pause", piece.path);
    for _ in 0..2 {
        let paused = poke(&daemon, &pause);
        assert_eq!((paused.status, &paused.json()["status"]), (202, &json!("paused")), "{}", paused.text());
    }
    assert_eq!(view(&daemon, &piece)["studio"]["standing"], "paused");
    let pauses = || {
        let lines = daemon.get(&format!("/api/runs/{}/transcript", piece.id)).text();
        lines.matches("content.paused").count()
    };
    assert_eq!(pauses(), 1, "twice is once");
    // Its next tool takes it up, and it can be paused again.
    let said = poke(&daemon, &format!("{}/tools/run_critiques", piece.path));
    assert_eq!(said.status, 200, "{}", said.text());
    let standing = view(&daemon, &piece);
    assert_eq!(
        (&standing["studio"]["standing"], &standing["progress"]["currentStep"]),
        (&json!("running"), &json!("editor_decision"))
    );
    let steps = standing["progress"]["steps"].as_array().unwrap();
    assert_eq!(
        (&steps[1]["name"], &steps[1]["status"]),
        (&json!("run_critiques"), &json!("complete")),
        "{steps:?}"
    );
    assert_eq!(poke(&daemon, &pause).json()["status"], "paused");
    assert_eq!(daemon.post(&format!("{}/resume", piece.path), &json!({})).status, 202);
    stands(&daemon, &piece, "approved");
}

#[test]
fn a_tool_takes_nothing_and_says_so() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let piece = ask(&daemon, &json!({"stepwise": true, "draft": example("acme.md"), "publish": false}));
    let tool = format!("{}/tools/run_critiques", piece.path);
    for body in [json!({"advisorIds": ["seo-expert"]}), json!({"decision": "approve", "brief": ""})] {
        let refused = daemon.post(&tool, &body);
        assert_eq!((refused.status, refused.code().as_str()), (400, "bad_request"), "{}", refused.text());
        let field = body.as_object().unwrap().keys().next().unwrap();
        let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(
            message.contains(&format!("unknown field `{field}`")) && !message.contains('\n'),
            "{message}"
        );
    }
    let text = daemon.client.send("POST", &tool, &[("content-type", "text/plain")], b"approve").unwrap();
    assert_eq!((text.status, text.code().as_str()), (415, "not_json"), "{}", text.text());
    // Nothing was done, and with nothing, or an empty object, it is.
    assert_eq!(view(&daemon, &piece)["progress"]["currentStep"], "run_critiques");
    assert_eq!(daemon.post(&tool, &json!({})).status, 200);
    assert_eq!(poke(&daemon, &format!("{}/tools/editor_decision", piece.path)).status, 200);
}

#[test]
fn of_an_idea_and_a_kind_one_run_goes_on_however_many_ask() {
    let cx = content_context();
    add_agents(&cx, &[("slow", "sleep 600")]);
    let daemon = Daemon::start(&cx);
    let answers: Vec<HttpReply> = std::thread::scope(|scope| {
        let client = &daemon.client;
        let body = json!({"agent": "slow", "publish": false});
        // All of them are begun before the first is waited for.
        #[expect(clippy::needless_collect, reason = "a lazy one would ask one after the other")]
        let asking: Vec<_> = (0..8)
            .map(|_| {
                let body = body.clone();
                scope.spawn(move || client.json("POST", IDEA, &body).unwrap())
            })
            .collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let runs: std::collections::BTreeSet<String> =
        answers.iter().map(|answer| answer.json()["runId"].as_str().unwrap().to_owned()).collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    let new = answers.iter().filter(|answer| answer.status == 202).count();
    assert_eq!((new, answers.iter().filter(|answer| answer.status == 200).count()), (1, 7));
    // Another kind is another piece.
    let other = daemon.post(IDEA, &json!({"contentType": "blog-post", "agent": "slow"}));
    assert_eq!(other.status, 202, "{}", other.text());
}

#[test]
fn what_makes_no_sense_is_refused_and_says_why() {
    let cx = content_context();
    std::fs::create_dir(cx.path("ideas/bare")).unwrap();
    cx.write("ideas/bare/positioning.md", "# Positioning\n\nA thing.\n");
    std::fs::create_dir(cx.path("secret")).unwrap();
    cx.write("secret/positioning.md", "# Secret\n");
    let daemon = Daemon::start(&cx);
    for hostile in
        ["..%2Fsecret", "..", "%2e%2e", ".", "a%2Fb", "a%00b", "%5c..%5c", "nobody", &"x".repeat(300)]
    {
        let path = format!("/api/content-pipeline/{hostile}");
        for answer in [daemon.get(&path), daemon.post(&path, &json!({}))] {
            assert!(
                matches!(answer.status, 404 | 400 | 405),
                "{hostile}: {} {}",
                answer.status,
                answer.text()
            );
            assert!(!answer.text().contains("Secret"));
        }
    }
    let refused = |idea: &str, body: &Value| {
        let answer = daemon.post(&format!("/api/content-pipeline/{idea}"), body);
        (answer.status, answer.text())
    };
    let (status, text) = refused("acme", &json!({"contentType": "poem"}));
    assert!(status == 400 && text.contains("website, blog-post, social-post"), "{status} {text}");
    assert_eq!(refused("acme", &json!({"contentType": "../website"})).0, 400);
    let (status, text) = refused("bare", &json!({}));
    assert!(status == 400 && text.contains("seo-strategy.md"), "{status} {text}");
    let (status, text) = refused("acme", &json!({"draft": "{\n \"hero\": 7\n}"}));
    assert!(status == 400 && text.contains("line 2"), "{status} {text}");
    assert_eq!(refused("acme", &json!({"draft": " "})).0, 400);
    assert_eq!(refused("acme", &json!({"agent": "nobody-here"})).0, 400);
    assert_eq!(refused("acme", &json!({"mood": "good"})).0, 400);
    assert_eq!(refused("acme", &json!({"draft": "x".repeat(600 * 1024)})).0, 400);
    let huge = json!({"draft": "x".repeat(9 * 1024 * 1024)});
    assert_eq!(refused("acme", &huge).0, 413);
    for run in ["0", "..", "00000000-0000-0000-0000-000000000000"] {
        for end in ["", "/events", "/rounds/1/draft", "/diff?from=1&to=2"] {
            let answer = daemon.get(&format!("{IDEA}/runs/{run}{end}"));
            assert!(matches!(answer.status, 404 | 400), "{run}{end}: {}", answer.status);
        }
    }
    // A run is at the address of its idea and at no other.
    let piece = ask(&daemon, &json!({"draft": example("acme.md"), "publish": false}));
    stands(&daemon, &piece, "approved");
    assert_eq!(daemon.get(&format!("/api/content-pipeline/bare/runs/{}", piece.id)).status, 404);
}

#[test]
fn a_file_that_cannot_be_used_is_no_empty_panel() {
    let cx = content_context();
    let daemon = Daemon::start(&cx);
    let built_in = daemon.get("/api/content/advisors").json();
    assert_eq!(built_in["file"], Value::Null);
    assert!(built_in["advisors"].as_array().unwrap().len() > 3);
    let recipes = daemon.get("/api/content/recipes").json();
    let kinds: Vec<&str> = recipes["recipes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["recipe"]["contentType"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["website", "blog-post", "social-post"]);

    std::fs::create_dir(cx.path("advisors")).unwrap();
    cx.write("advisors/registry.toml", "\n[[advisor]\nid = 7\n");
    for answer in [
        daemon.get("/api/content/advisors"),
        daemon.get("/api/content/recipes"),
        daemon.post(IDEA, &json!({})),
    ] {
        assert_eq!((answer.status, answer.code().as_str()), (500, "broken_file"), "{}", answer.text());
        assert!(answer.text().contains("advisors/registry.toml line 2"), "{}", answer.text());
    }
    assert_eq!(daemon.get(IDEA).status, 404, "nothing was begun");
    std::fs::remove_file(cx.path("advisors/registry.toml")).unwrap();
    std::fs::create_dir(cx.path("recipes")).unwrap();
    cx.write("recipes/website.toml", "content_type = \"website\"\nform = \"poem\"\n");
    let answer = daemon.post(IDEA, &json!({}));
    assert_eq!((answer.status, answer.code().as_str()), (500, "broken_file"), "{}", answer.text());
    assert!(answer.text().contains("recipes/website.toml line"), "{}", answer.text());
}

#[test]
fn ideas_are_where_the_settings_say() {
    let cx = content_context();
    std::fs::rename(cx.path("ideas"), cx.path("elsewhere")).unwrap();
    let by_default = Daemon::start(&cx);
    assert_eq!(by_default.get("/api/content-pipeline").json()["ideas"], json!([]));
    by_default.stop();
    cx.write("jury.toml", "[content]\nideas = \"elsewhere\"\n");
    let by_file = Daemon::start(&cx);
    assert_eq!(by_file.get("/api/content-pipeline").json()["ideas"][0]["ideaId"], "acme");
    by_file.stop();
    let mut command = cx.jury();
    command.args(["serve", "--addr", "127.0.0.1:0"]).env("JURY_IDEAS_DIR", "nowhere");
    assert_eq!(Daemon::run(&mut command).get("/api/content-pipeline").json()["ideas"], json!([]));
}
