//! The mirror against a real Redis: keys, values, times to live, and a Redis that dies, is emptied, or is not there.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jury_core::artifact::Blob;
use jury_core::content::draft::TEXT_MIME;
use jury_core::content::event::{
    ContentCriticStarted, ContentQueued, ContentStarted, Critiqued, Drafted, Revised, Summarised,
};
use jury_core::content::{
    ContentEvent, ContentIssue, ContentRequest, ContentSeat, ContentState, Critique, Form, Foundation, How,
    PanelSelection, Recipe, Step, Writer,
};
use jury_core::event::Event;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::severity::Severity;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{Claim, Mirror, MirrorState, NewRun, Owner, Store};
use jury_testkit::redis_server::Redis;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Place, moment};

/// Long enough for a busy machine; nobody waits that long.
const PATIENCE: Duration = Duration::from_secs(30);

/// A run that is made by hand, step by step.
struct Piece {
    store: Store,
    owner: jury_store::OwnerId,
    run: RunId,
    artifact: ArtifactId,
    head: Seq,
    state: ContentState,
}

fn recipe() -> Recipe {
    Recipe {
        content_type: "blog-post".parse().unwrap(),
        form: Form::Article,
        author_advisor: "copywriter".parse().unwrap(),
        author_context_docs: Vec::new(),
        author_framework: None,
        evaluation_needs: "search".to_owned(),
        evaluation_emphasis: None,
        named_critics: Vec::new(),
        min_aggregate_score: 4.0,
        max_revision_rounds: 3,
        publish: false,
    }
}

impl Piece {
    async fn asked_for(store: &Store, owner: &Owner, idea: &str) -> Self {
        let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
        let recipe = recipe();
        let queued = ContentQueued {
            project_id: ProjectId::default_project(),
            artifact_id: artifact,
            idea_id: idea.parse().unwrap(),
            content_type: recipe.content_type.clone(),
            agent: None,
        };
        let request = ContentRequest {
            idea: idea.parse().unwrap(),
            recipe: recipe.clone(),
            advisors: Vec::new(),
            foundation: Foundation::default(),
            topic: None,
            agent: None,
            model: None,
            publish: false,
            remote: None,
            base_url: None,
            evidence: jury_core::evidence::EvidenceMode::Gate,
            concurrency: 2,
            call_seconds: 10,
            retries: 0,
            max_cost_usd: None,
            max_tokens: None,
        };
        let queued = store
            .enqueue(
                NewRun::<ContentState> {
                    run,
                    queued: ContentEvent::Queued(queued),
                    request: Some(request.clone()),
                },
                Some(owner.id()),
                moment(0),
            )
            .await
            .unwrap();
        store.claim(run, owner.id(), moment(1)).await.unwrap();
        let mut piece = Self {
            store: store.clone(),
            owner: owner.id(),
            run,
            artifact,
            head: queued.head,
            state: ContentState::default(),
        };
        let started = ContentStarted {
            idea_id: idea.parse().unwrap(),
            recipe,
            author: "Copywriter".to_owned(),
            agent: None,
            docs: Vec::new(),
            publish: false,
            evidence: None,
            started_at: moment(1),
        };
        piece.append(ContentEvent::RunStarted(started)).await;
        piece
    }

    async fn append(&mut self, event: ContentEvent) {
        self.state.apply(&event);
        let at = Millis(self.head.0 * 1000);
        let events = [(at, Event::Content(event))];
        self.head = self.store.append(self.run, self.owner, self.head, &events).await.unwrap().head;
    }

    async fn keep(&self, round: u32, text: &str) -> Blob {
        self.store.keep_round(self.artifact, Round(round), text.as_bytes()).await.unwrap();
        Blob::of(text.as_bytes(), TEXT_MIME)
    }

    async fn draft(&mut self, text: &str) {
        let draft = self.keep(1, text).await;
        let drafted = Drafted {
            round: Round(1),
            draft,
            writer: Writer::Template,
            words: 2,
            remarks: Vec::new(),
            usage: None,
        };
        self.append(ContentEvent::Drafted(drafted)).await;
        let seats = vec![ContentSeat {
            advisor_id: "seo-expert".parse().unwrap(),
            name: "SEO Expert".to_owned(),
            domain: "seo".to_owned(),
            named: true,
            clauses: Vec::new(),
        }];
        self.append(ContentEvent::PanelSelected(PanelSelection {
            seats,
            how: How::Vote,
            warnings: Vec::new(),
        }))
        .await;
    }

    async fn critique(&mut self, round: u32, high: bool) {
        let round = Round(round);
        let who: jury_core::content::AdvisorId = "seo-expert".parse().unwrap();
        self.append(ContentEvent::CriticStarted(ContentCriticStarted {
            round,
            advisor_id: who.clone(),
            attempt: 1,
        }))
        .await;
        let issue = || {
            let text = |text: &str| text.to_owned();
            ContentIssue::measured(
                &who,
                "title",
                "title",
                Severity::Serious,
                text("No title"),
                text("Write one"),
            )
        };
        let issues = if high { vec![issue()] } else { Vec::new() };
        let critique = Critique::of_measured(who.clone(), "SEO Expert".to_owned(), issues);
        self.append(ContentEvent::Critiqued(Critiqued { round, critique })).await;
        let decided = self.state.decide(round).unwrap();
        self.append(ContentEvent::Decided(decided)).await;
        let summary = self.state.summarise(round).unwrap();
        self.append(ContentEvent::Summarised(Summarised { summary })).await;
    }

    async fn revise(&mut self, round: u32, text: &str) {
        let draft = self.keep(round, text).await;
        let revised = Revised {
            round: Round(round),
            draft,
            writer: Writer::Repairs,
            words: 2,
            done: Vec::new(),
            brought: Vec::new(),
            lost: Vec::new(),
            usage: None,
        };
        self.append(ContentEvent::Revised(revised)).await;
    }

    async fn finish(&mut self) {
        assert!(matches!(self.state.next(), Step::Save { .. }));
        let saved = self.state.save().unwrap();
        self.append(ContentEvent::Saved(saved)).await;
        let finished = self.state.finish().unwrap();
        self.append(ContentEvent::Finished(finished)).await;
    }

    fn key(&self, kind: &str) -> String {
        format!("{kind}:{}", self.run)
    }
}

/// What the herald said.
type Heard = Arc<Mutex<Vec<String>>>;

fn mirror(store: &Store, url: &str) -> (Mirror, Heard) {
    let heard = Heard::default();
    let ear = Arc::clone(&heard);
    let herald = Box::new(move |state: &MirrorState| ear.lock().unwrap().push(state.as_str().to_owned()));
    (Mirror::start(store.clone(), url.parse().unwrap(), herald), heard)
}

async fn stands(mirror: &Mirror, wanted: fn(&MirrorState) -> bool) -> MirrorState {
    tokio::time::timeout(PATIENCE, mirror.stands(wanted)).await.unwrap()
}

fn is_gone(state: &MirrorState) -> bool {
    matches!(state, MirrorState::Gone { .. })
}

fn is_there(state: &MirrorState) -> bool {
    *state == MirrorState::Reachable
}

fn parsed(redis: &Redis, key: &str) -> Value {
    serde_json::from_str(&redis.get(key).unwrap_or_else(|| panic!("no {key}"))).unwrap()
}

#[track_caller]
fn assert_lives_two_hours(redis: &Redis, key: &str) {
    let ttl = redis.ttl(key);
    assert!((7100..=7200).contains(&ttl), "{key} lives {ttl} seconds");
}

const ACTIVE: &str = "active_run:content-critique:acme:blog-post";

#[tokio::test]
async fn a_run_is_there_key_by_key_and_what_was_kept_stays() {
    let redis = Redis::start().unwrap();
    let place = Place::new().await;
    let (mirror, heard) = mirror(&place.store, &redis.url());
    let mut piece = Piece::asked_for(&place.store, &place.owner, "acme").await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(redis.keys(), [ACTIVE.to_owned(), piece.key("pipeline_progress")]);
    assert_eq!(redis.get(ACTIVE), Some(piece.run.to_string()));
    assert_lives_two_hours(&redis, ACTIVE);

    piece.draft("# First\n").await;
    piece.critique(1, true).await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(redis.get(&piece.key("draft")).as_deref(), Some("# First\n"));
    let first = format!("critique_round:{}:1", piece.run);
    let round = parsed(&redis, &first);
    assert_eq!(round["round"], 1);
    assert_eq!(round["editorDecision"], "revise");
    assert_eq!(round["critiques"][0]["advisorId"], "seo-expert");
    assert_eq!(round["critiques"][0]["issues"][0]["description"], "No title");
    assert!(round["revisionBrief"].as_str().unwrap().contains("Write one"));
    assert_eq!((&round["fixedItems"], &round["wellScoredAspects"]), (&json!([]), &json!([])));

    piece.revise(2, "# Second\n").await;
    piece.critique(2, false).await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(redis.get(&piece.key("draft")).as_deref(), Some("# Second\n"));
    let second = format!("critique_round:{}:2", piece.run);
    assert_eq!(parsed(&redis, &second)["fixedItems"], json!(["No title"]));
    let progress = parsed(&redis, &piece.key("pipeline_progress"));
    assert_eq!(
        (&progress["status"], &progress["round"], &progress["currentStep"]),
        (&json!("running"), &json!(2), &json!("save_content"))
    );
    assert_eq!(progress["critiqueHistory"].as_array().unwrap().len(), 2);
    for key in [ACTIVE, &first, &second, &piece.key("draft"), &piece.key("pipeline_progress")] {
        assert_lives_two_hours(&redis, key);
    }
    assert_eq!(redis.get(&piece.key("approved_content")), None);

    piece.finish().await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(redis.get(ACTIVE), None);
    assert_eq!(parsed(&redis, &piece.key("pipeline_progress"))["status"], "complete");
    assert_lives_two_hours(&redis, &piece.key("pipeline_progress"));
    let kept = parsed(&redis, &piece.key("approved_content"));
    let saved_at = moment(1 + i64::try_from(piece.head.0).unwrap() - 2).to_string();
    assert_eq!(
        kept,
        json!({"content": "# Second\n", "quality": "approved", "unreviewed": false, "contentType": "blog-post", "savedAt": saved_at})
    );
    assert_eq!(redis.ttl(&piece.key("approved_content")), -1);
    assert_eq!(*heard.lock().unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_redis_that_dies_costs_nothing_and_has_everything_when_it_is_back() {
    let mut redis = Redis::start().unwrap();
    let place = Place::new().await;
    let (mirror, heard) = mirror(&place.store, &redis.url());
    let mut earlier = Piece::asked_for(&place.store, &place.owner, "earlier").await;
    earlier.draft("# Earlier\n").await;
    earlier.critique(1, false).await;
    earlier.finish().await;
    let mut piece = Piece::asked_for(&place.store, &place.owner, "acme").await;
    piece.draft("# First\n").await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(mirror.state(), MirrorState::Reachable);

    redis.kill().unwrap();
    let began = Instant::now();
    piece.critique(1, true).await;
    piece.revise(2, "# Second\n").await;
    // A run that begins and ends while it is away.
    let mut other = Piece::asked_for(&place.store, &place.owner, "other").await;
    other.draft("# Other\n").await;
    other.critique(1, false).await;
    other.finish().await;
    let took = began.elapsed();
    assert!(took < PATIENCE, "appending took {took:?}");
    stands(&mirror, is_gone).await;
    assert!(!mirror.settle(PATIENCE).await, "nobody waits for one that is gone");
    assert_eq!(
        mirror.claim(&"new".parse().unwrap(), &"blog-post".parse().unwrap(), piece.run).await,
        Claim::Unknown
    );

    redis.go().unwrap();
    stands(&mirror, is_there).await;
    assert_eq!(redis.get(&piece.key("draft")).as_deref(), Some("# Second\n"));
    assert_eq!(parsed(&redis, &format!("critique_round:{}:1", piece.run))["editorDecision"], "revise");
    assert_eq!(redis.get(ACTIVE), Some(piece.run.to_string()));
    // What ended meanwhile, and what had been kept before: it does not expire, so it is there again.
    assert_eq!(parsed(&redis, &other.key("approved_content"))["content"], "# Other\n");
    assert_eq!(parsed(&redis, &other.key("pipeline_progress"))["status"], "complete");
    assert_eq!(redis.get("active_run:content-critique:other:blog-post"), None);
    assert_eq!(parsed(&redis, &earlier.key("approved_content"))["content"], "# Earlier\n");
    assert_eq!(redis.ttl(&earlier.key("approved_content")), -1);

    piece.critique(2, false).await;
    piece.finish().await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(parsed(&redis, &piece.key("approved_content"))["content"], "# Second\n");
    assert_eq!(*heard.lock().unwrap(), ["gone", "reachable"], "one word when it goes, one when it is back");
}

#[tokio::test]
async fn a_redis_that_is_emptied_has_the_whole_run_with_its_next_event() {
    let redis = Redis::start().unwrap();
    let place = Place::new().await;
    let (mirror, _) = mirror(&place.store, &redis.url());
    let mut piece = Piece::asked_for(&place.store, &place.owner, "acme").await;
    piece.draft("# First\n").await;
    piece.critique(1, true).await;
    assert!(mirror.settle(PATIENCE).await);
    let before = redis.keys();
    redis.ask(&["FLUSHALL"]).unwrap();
    assert_eq!(redis.keys(), [""; 0]);
    piece.revise(2, "# Second\n").await;
    assert!(mirror.settle(PATIENCE).await);
    assert_eq!(redis.keys(), before);
    assert_eq!(redis.get(&piece.key("draft")).as_deref(), Some("# Second\n"));
}

#[tokio::test]
async fn a_redis_that_was_never_there_holds_nobody_up() {
    let mut redis = Redis::start().unwrap();
    let url = redis.url();
    redis.kill().unwrap();
    let place = Place::new().await;
    let (mirror, heard) = mirror(&place.store, &url);
    let mut piece = Piece::asked_for(&place.store, &place.owner, "acme").await;
    piece.draft("# First\n").await;
    stands(&mirror, is_gone).await;
    redis.go().unwrap();
    stands(&mirror, is_there).await;
    assert_eq!(redis.get(&piece.key("draft")).as_deref(), Some("# First\n"));
    assert_eq!(*heard.lock().unwrap(), ["gone", "reachable"]);
}

#[tokio::test]
async fn a_redis_that_refuses_is_gone_and_says_why() {
    let redis = Redis::start().unwrap();
    redis.ask(&["CONFIG", "SET", "requirepass", "secret"]).unwrap();
    let place = Place::new().await;
    let (mirror, _) = mirror(&place.store, &redis.url());
    stands(&mirror, is_gone).await;
    let MirrorState::Gone { why } = mirror.state() else { panic!() };
    assert!(why.contains("NOAUTH") || why.contains("Authentication"), "{why}");
    let address: jury_store::MirrorAddress = redis.url().parse().unwrap();
    assert!(address.ping(PATIENCE).await.is_err());
    let with_password = redis.url().replace("redis://", "redis://:secret@");
    let address: jury_store::MirrorAddress = with_password.parse().unwrap();
    assert_eq!(address.ping(PATIENCE).await, Ok(()));
    assert!(!address.to_string().contains("secret"));
}

#[tokio::test]
async fn a_second_machine_is_told_which_run_goes_on() {
    let redis = Redis::start().unwrap();
    let (here, there) = (Place::new().await, Place::new().await);
    let ((one, _), (two, _)) = (mirror(&here.store, &redis.url()), mirror(&there.store, &redis.url()));
    let (idea, kind) = ("acme".parse().unwrap(), "blog-post".parse().unwrap());
    let theirs = RunId(Uuid::now_v7());

    let mut piece = Piece::asked_for(&here.store, &here.owner, "acme").await;
    assert_eq!(one.claim(&idea, &kind, piece.run).await, Claim::Ours);
    assert_eq!(one.claim(&idea, &kind, piece.run).await, Claim::Ours);
    assert_eq!(two.claim(&idea, &kind, theirs).await, Claim::Theirs(piece.run));
    assert_eq!(two.claim(&"other".parse().unwrap(), &kind, theirs).await, Claim::Ours);
    // One that was begun all the same takes nothing away.
    let mut second = Piece::asked_for(&there.store, &there.owner, "acme").await;
    second.draft("# Theirs\n").await;
    assert!(two.settle(PATIENCE).await);
    assert_eq!(redis.get(ACTIVE), Some(piece.run.to_string()));
    second.critique(1, false).await;
    second.finish().await;
    assert!(two.settle(PATIENCE).await);
    assert_eq!(redis.get(ACTIVE), Some(piece.run.to_string()), "only whoever has the name gives it back");

    piece.draft("# First\n").await;
    piece.critique(1, false).await;
    piece.finish().await;
    assert!(one.settle(PATIENCE).await);
    assert_eq!(two.claim(&idea, &kind, theirs).await, Claim::Ours);
    // A name that a run of ours left behind when it ended is free.
    redis.ask(&["SET", ACTIVE, &piece.run.to_string()]).unwrap();
    assert_eq!(one.claim(&idea, &kind, theirs).await, Claim::Ours);
    one.release(&idea, &kind, piece.run).await;
    assert_eq!(redis.get(ACTIVE), Some(theirs.to_string()));
    one.release(&idea, &kind, theirs).await;
    assert_eq!(redis.get(ACTIVE), None);
    redis.ask(&["SET", ACTIVE, "something else"]).unwrap();
    assert_eq!(one.claim(&idea, &kind, theirs).await, Claim::Unknown);
}
