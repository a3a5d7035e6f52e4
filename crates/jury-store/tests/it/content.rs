//! Runs of the content pipeline: one of a subject at a time, never ended by a restart, never lost.

use jiff::Timestamp;
use jury_core::run::OutcomeWord as _;
use jury_core::run::{Outcome, RunState};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use jury_core::artifact::Blob;
use jury_core::content::event::{
    Abandoned, ContentQueued, ContentStarted, Drafted, Finished, Halted, NeedsHuman, PauseReason, Paused,
    Resumed, Saved,
};
use jury_core::content::{
    ContentEvent, ContentRequest, ContentState, ContentStatus, Form, Foundation, How, PanelSelection,
    Quality, Recipe, Tool, Writer,
};
use jury_core::event::Event;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::unit::{Millis, Round, Seq};
use jury_core::workflow::Workflow;
use jury_store::{Conflict, NewRun, Owner, RunRow, Store, StoreError};
use uuid::Uuid;

use crate::support::{Place, moment, tamper};

const CHILD: &str = "JURY_STORE_TEST_CONTENT_CHILD";

fn request(idea: &str, kind: &str) -> ContentRequest {
    ContentRequest {
        idea: idea.parse().unwrap(),
        recipe: Recipe {
            content_type: kind.parse().unwrap(),
            form: Form::Article,
            author_advisor: "copywriter".parse().unwrap(),
            author_context_docs: Vec::new(),
            author_framework: None,
            evaluation_needs: String::new(),
            evaluation_emphasis: None,
            named_critics: Vec::new(),
            min_aggregate_score: 4.0,
            max_revision_rounds: 3,
            publish: false,
        },
        advisors: Vec::new(),
        foundation: Foundation::default(),
        topic: None,
        agent: None,
        model: None,
        publish: false,
        remote: None,
        base_url: None,
        evidence: jury_core::evidence::EvidenceMode::Gate,
        concurrency: ContentRequest::CONCURRENCY,
        call_seconds: ContentRequest::CALL_SECONDS,
        retries: ContentRequest::RETRIES,
        max_cost_usd: None,
        max_tokens: None,
    }
}

fn queued(request: &ContentRequest, artifact: ArtifactId) -> ContentQueued {
    ContentQueued {
        project_id: ProjectId::default_project(),
        artifact_id: artifact,
        idea_id: request.idea.clone(),
        content_type: request.recipe.content_type.clone(),
        agent: None,
    }
}

/// Asks for a run and takes it.
async fn claimed(store: &Store, owner: &Owner, request: &ContentRequest) -> (RunId, ArtifactId) {
    let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
    let first = queued(request, artifact);
    store
        .enqueue(
            NewRun::<ContentState> {
                run,
                queued: ContentEvent::Queued(first),
                request: Some(request.clone()),
            },
            Some(owner.id()),
            moment(0),
        )
        .await
        .unwrap();
    store.claim(run, owner.id(), moment(1)).await.unwrap();
    (run, artifact)
}

async fn tell(store: &Store, owner: &Owner, run: RunId, head: u64, events: Vec<ContentEvent>) -> Seq {
    let events: Vec<_> =
        (head..).zip(events).map(|(at, event)| (Millis(at * 100), Event::Content(event))).collect();
    store.append(run, owner.id(), Seq(head), &events).await.unwrap().head
}

fn started(request: &ContentRequest) -> ContentEvent {
    ContentEvent::RunStarted(ContentStarted {
        idea_id: request.idea.clone(),
        recipe: request.recipe.clone(),
        author: "Copywriter".to_owned(),
        agent: None,
        docs: Vec::new(),
        publish: false,
        evidence: None,
        started_at: moment(1),
    })
}

fn drafted(round: u32, body: &[u8], writer: Writer) -> ContentEvent {
    ContentEvent::Drafted(Drafted {
        round: Round(round),
        draft: Blob::of(body, "text/markdown"),
        writer,
        words: 2,
        remarks: Vec::new(),
        usage: None,
    })
}

fn needs_human() -> ContentEvent {
    ContentEvent::NeedsHuman(NeedsHuman {
        round: Round(1),
        reason: "only a person".to_owned(),
        brief: "do it".to_owned(),
    })
}

fn halted() -> ContentEvent {
    ContentEvent::Halted(Halted {
        tool: Tool::RunCritiques,
        cause: FailedCause::AgentError,
        detail: "nobody answered".to_owned(),
    })
}

async fn row(store: &Store, run: RunId) -> RunRow {
    store.run(run).await.unwrap().unwrap()
}

/// What a subject without critics ends with.
fn ending(body: &[u8]) -> Vec<ContentEvent> {
    let selection = PanelSelection { seats: Vec::new(), how: How::Vote, warnings: Vec::new() };
    vec![
        ContentEvent::PanelSelected(selection),
        ContentEvent::Saved(Saved {
            quality: Quality::Approved,
            round: Round(1),
            draft: Blob::of(body, "text/markdown"),
            unreviewed: true,
            open: 0,
        }),
        ContentEvent::Finished(Finished { quality: Quality::Approved, unreviewed: true, url: None }),
    ]
}

#[tokio::test]
async fn a_second_run_of_the_same_subject_is_told_which_one_goes_on() {
    let place = Place::new().await;
    let website = request("acme", "website");
    let (run, artifact) = claimed(&place.store, &place.owner, &website).await;
    assert_eq!(row(&place.store, run).await.title, "acme/website");
    assert_eq!(place.store.request::<ContentState>(run).await.unwrap().unwrap(), website);

    let second = || async {
        let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
        let first = queued(&website, artifact);
        place
            .store
            .enqueue(
                NewRun::<ContentState> {
                    run,
                    queued: ContentEvent::Queued(first),
                    request: Some(website.clone()),
                },
                None,
                moment(2),
            )
            .await
            .map(|_| run)
    };
    let refused = second().await.unwrap_err();
    assert!(
        matches!(refused, StoreError::Conflict { run: known, conflict: Conflict::Active } if known == run),
        "{refused}"
    );
    assert!(refused.is_conflict());
    assert_eq!(place.store.active::<ContentState>("acme/website").await.unwrap().unwrap().run, run);
    // Another kind of the same idea is another subject.
    claimed(&place.store, &place.owner, &request("acme", "blog-post")).await;

    // One that waits is at work too; one that has ended is not.
    let head = tell(&place.store, &place.owner, run, 1, vec![started(&website), needs_human()]).await;
    assert!(second().await.is_err());
    place.store.claim(run, place.owner.id(), moment(3)).await.unwrap();
    place.store.keep_round(artifact, Round(1), b"two words").await.unwrap();
    let mut events = vec![drafted(1, b"two words", Writer::Person)];
    events.extend(ending(b"two words"));
    tell(&place.store, &place.owner, run, head.0, events).await;
    let ended = row(&place.store, run).await;
    assert_eq!((ended.state, ended.summary.round), (RunState::Ended, Some(Round(1))));
    assert_eq!(ended.summary.status, Some(Outcome::from(ContentStatus::Unreviewed)));
    assert!(place.store.active::<ContentState>("acme/website").await.unwrap().is_none());
    second().await.unwrap();
}

#[tokio::test]
async fn of_many_who_ask_for_the_same_subject_one_is_first() {
    let place = Place::new().await;
    let website = request("acme", "website");
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, website) = (place.store.clone(), website.clone());
        asked.spawn(async move {
            let first = queued(&website, ArtifactId(Uuid::now_v7()));
            store
                .enqueue(
                    NewRun::<ContentState> {
                        run: RunId(Uuid::now_v7()),
                        queued: ContentEvent::Queued(first),
                        request: Some(website.clone()),
                    },
                    None,
                    moment(0),
                )
                .await
        });
    }
    let mut first = 0;
    while let Some(asked) = asked.join_next().await {
        match asked.unwrap() {
            Ok(_) => first += 1,
            Err(error) => assert!(error.is_conflict(), "{error}"),
        }
    }
    assert_eq!(first, 1);
}

#[tokio::test]
async fn a_run_waits_when_somebody_has_to_take_it_up_and_goes_on_afterwards() {
    for stop in [needs_human(), halted(), ContentEvent::Paused(Paused { reason: PauseReason::Asked })] {
        let place = Place::new().await;
        let website = request("acme", "website");
        let (run, _) = claimed(&place.store, &place.owner, &website).await;
        let head = tell(
            &place.store,
            &place.owner,
            run,
            1,
            vec![started(&website), drafted(1, b"a b", Writer::Model)],
        )
        .await;
        assert_eq!(row(&place.store, run).await.state, RunState::Running);
        let head = tell(&place.store, &place.owner, run, head.0, vec![stop.clone()]).await;
        let waiting = row(&place.store, run).await;
        assert_eq!((waiting.state, waiting.owner), (RunState::Waiting, None), "{stop:?}");
        assert_eq!(waiting.workflow, Workflow::Content);
        // Nobody is owed it: it stays where it is, also for those who look for work.
        assert_eq!(place.store.waiting(Timestamp::now()).await.unwrap(), []);
        assert!(place.store.recover().await.unwrap().interrupted.is_empty());
        assert_eq!(row(&place.store, run).await.head, head);

        let before = place.store.state::<ContentState>(run).await.unwrap();
        assert!(!before.status().is_end() && before.status() != ContentStatus::Running);
        place.store.reindex().await.unwrap();
        assert_eq!(row(&place.store, run).await, waiting);

        let row_before = place.store.claim(run, place.owner.id(), moment(5)).await.unwrap();
        assert_eq!(row_before.started_at, Some(moment(1)), "it began when it began");
        let again = if matches!(stop, ContentEvent::NeedsHuman(_)) {
            drafted(2, b"a b c", Writer::Person)
        } else {
            ContentEvent::Resumed(Resumed { tool: None })
        };
        tell(&place.store, &place.owner, run, head.0, vec![again]).await;
        assert_eq!(row(&place.store, run).await.state, RunState::Running);
        assert_eq!(place.store.state::<ContentState>(run).await.unwrap().status(), ContentStatus::Running);
        // Between two tools nobody drives it, and nobody finds it in the queue.
        place.store.let_go(run, Some(place.owner.id()), jury_core::run::Wait::Resume).await.unwrap();
        assert_eq!(row(&place.store, run).await.state, RunState::Waiting);
        assert_eq!(place.store.waiting(Timestamp::now()).await.unwrap(), []);
        place.store.requeue(run).await.unwrap();
        assert_eq!(
            place.store.waiting(Timestamp::now()).await.unwrap(),
            [(ProjectId::default_project(), run)]
        );
        let queued = row(&place.store, run).await;
        place.store.reindex().await.unwrap();
        assert_eq!(row(&place.store, run).await, queued, "a place in the queue outlives a rebuild");
        let twice = place.store.requeue(run).await.unwrap_err();
        assert!(twice.is_conflict());
    }
}

#[tokio::test]
async fn one_that_has_gone_on_is_not_let_go_by_whoever_does_not_know() {
    let place = Place::new().await;
    let website = request("acme", "website");
    let (run, _) = claimed(&place.store, &place.owner, &website).await;
    let head = tell(&place.store, &place.owner, run, 1, vec![started(&website)]).await;
    let running = row(&place.store, run).await;
    place.store.release(run, place.owner.id(), Seq(1)).await.unwrap();
    assert_eq!(row(&place.store, run).await, running);
    place.store.release(run, place.owner.id(), head).await.unwrap();
    let waiting = row(&place.store, run).await;
    assert_eq!((waiting.state, waiting.owner), (RunState::Waiting, None));
}

#[tokio::test]
async fn one_that_is_given_up_has_ended_and_has_a_transcript() {
    let place = Place::new().await;
    let website = request("acme", "website");
    let (run, _) = claimed(&place.store, &place.owner, &website).await;
    let abandoned = ContentEvent::Abandoned(Abandoned { reason: "enough".to_owned() });
    tell(&place.store, &place.owner, run, 1, vec![started(&website), abandoned]).await;
    place.store.export(run).await.unwrap();
    assert_eq!(place.store.transcript(run).await.unwrap(), place.store.records(run).await.unwrap());
    let ended = row(&place.store, run).await;
    assert_eq!(ended.summary.status, Some(Outcome::from(ContentStatus::Abandoned)));
    place.store.reindex().await.unwrap();
    assert_eq!(row(&place.store, run).await, ended);
}

#[tokio::test]
async fn a_score_is_that_of_the_round_that_was_kept_also_after_a_rebuild() {
    let place = Place::new().await;
    let website = request("acme", "website");
    let (run, _) = claimed(&place.store, &place.owner, &website).await;
    let mut events = vec![started(&website), drafted(1, b"two words", Writer::Template)];
    events.extend(ending(b"two words"));
    tell(&place.store, &place.owner, run, 1, events).await;
    let live = row(&place.store, run).await;
    assert_eq!((live.summary.round, live.summary.score), (Some(Round(1)), None), "nobody has reviewed it");
    tamper(&place.dir(), "DELETE FROM artifacts; DELETE FROM run;").await.unwrap();
    place.store.reindex().await.unwrap();
    let rebuilt = row(&place.store, run).await;
    assert_eq!(
        (rebuilt.state, rebuilt.summary.status, rebuilt.summary.round, rebuilt.title),
        (live.state, live.summary.status, live.summary.round, live.title)
    );
}

/// Not a test of its own: what the child process does. It drafts, says so, and waits to be killed.
#[tokio::test]
async fn child_drafts_and_waits() {
    let Ok(dir) = std::env::var(CHILD) else {
        return;
    };
    let store = Store::open(dir).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let website = request("acme", "website");
    let (run, artifact) = claimed(&store, &owner, &website).await;
    store.keep_round(artifact, Round(1), b"two words").await.unwrap();
    tell(&store, &owner, run, 1, vec![started(&website), drafted(1, b"two words", Writer::Model)]).await;
    // One that it never began, and one that waits for a person.
    let post = request("acme", "blog-post");
    let first = queued(&post, ArtifactId(Uuid::now_v7()));
    store
        .enqueue(
            NewRun::<ContentState> {
                run: RunId(Uuid::now_v7()),
                queued: ContentEvent::Queued(first),
                request: Some(post.clone()),
            },
            Some(owner.id()),
            moment(0),
        )
        .await
        .unwrap();
    let social = request("acme", "social-post");
    let (waits, _) = claimed(&store, &owner, &social).await;
    tell(&store, &owner, waits, 1, vec![started(&social), needs_human()]).await;
    store.claim(waits, owner.id(), moment(4)).await.unwrap();
    writeln!(std::io::stdout(), "\nready {run}").unwrap();
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

fn spawn_child(dir: &Path) -> (Child, RunId) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "content::child_drafts_and_waits"])
        .env(CHILD, dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let run = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .find_map(|line| line.unwrap().strip_prefix("ready ")?.parse().ok())
        .unwrap();
    (child, run)
}

#[tokio::test]
async fn a_killed_process_leaves_runs_that_wait_where_they_were() {
    let place = Place::new().await;
    let (mut child, run) = spawn_child(&place.dir());
    let before = place.store.records(run).await.unwrap();
    assert!(place.store.recover().await.unwrap().interrupted.is_empty(), "the owner lives");
    child.kill().unwrap();
    child.wait().unwrap();
    let recovery = place.store.recover().await.unwrap();
    assert!(recovery.troubled.is_empty(), "{recovery:?}");
    assert_eq!(recovery.interrupted.len(), 3);

    let log = place.store.records(run).await.unwrap();
    assert_eq!(log[..before.len()], before);
    let paused = Event::Content(ContentEvent::Paused(Paused { reason: PauseReason::Restart }));
    assert_eq!(log.last().unwrap().event, paused);
    assert_eq!(log.len(), before.len() + 1);
    let waiting = row(&place.store, run).await;
    assert_eq!((waiting.state, waiting.owner), (RunState::Waiting, None));
    assert_eq!(place.store.state::<ContentState>(run).await.unwrap().status(), ContentStatus::Paused);
    assert_eq!(place.store.read_round(waiting.artifact, Round(1)).await.unwrap().unwrap(), b"two words");
    // None of them is begun or ended by anybody who only starts.
    assert_eq!(place.store.waiting(Timestamp::now()).await.unwrap(), []);
    for subject in ["acme/website", "acme/blog-post", "acme/social-post"] {
        let active = place.store.active::<ContentState>(subject).await.unwrap().unwrap();
        assert_eq!((active.state, active.owner), (RunState::Waiting, None), "{subject}");
    }
    let social = place.store.active::<ContentState>("acme/social-post").await.unwrap().unwrap();
    assert_eq!(
        place.store.state::<ContentState>(social.run).await.unwrap().status(),
        ContentStatus::NeedsHuman
    );
    assert!(place.store.recover().await.unwrap().interrupted.is_empty(), "once is enough");
}
