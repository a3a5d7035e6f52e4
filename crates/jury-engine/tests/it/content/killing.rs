//! Killed at every step: what is taken up afterwards ends as if nothing had happened.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use jury_agents::Invocation;
use jury_agents::decoder::Format;
use jury_core::content::{ContentStatus, Quality};
use jury_core::record::Record;

use super::*;

const CHILD: &str = "JURY_ENGINE_TEST_CONTENT_CHILD";

/// An agent that answers by what it is asked, and by nothing else: whoever asks twice hears the same.
const SCRIPT: &str = r#"
prompt=$(cat)
case "$prompt" in
*"You choose who reviews"*) printf '["ann","bob"]' ;;
*"from documents that somebody else has written"*) printf '# A title\n\nFirst words of it.\n' ;;
*"that advisors have reviewed"*) printf '# A title\n\nSecond words of it.\n' ;;
*"Your field: Ann. You look"*"First words"*)
    printf '{"score":5,"pass":false,"issues":[{"severity":"high","description":"It is wrong","suggestion":"Mend it"}]}' ;;
*) printf '{"score":8,"pass":true,"issues":[],"statuses":[{"id":"EARLIER","fixed":true}]}' ;;
esac
"#;

fn scripted(dir: &Path) -> ContentCast {
    let dir = dir.to_owned();
    let earlier = FindingId::of("ann", "It is wrong");
    let script = SCRIPT.replace("EARLIER", earlier.as_str());
    ContentCast::with_agent(Arc::new(move |prompt| {
        let mut invocation = Invocation::new("/bin/sh").arg("-c").arg(&script).prompt(prompt);
        invocation.dir = Some(dir.clone());
        Ok(Agent::Program { invocation, format: Format::Plain, silence: None })
    }))
}

/// Not a test of its own: what the child process does. It drives a run up to a record, says so, and waits to be killed.
#[tokio::test]
async fn child_drives_a_run_up_to_a_record() {
    let Ok(given) = std::env::var(CHILD) else {
        return;
    };
    let (dir, most) = given.rsplit_once(':').unwrap();
    let (dir, most) = (PathBuf::from(dir), most.parse::<u64>().unwrap());
    let store = Store::open(dir.join(".od")).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let job = ContentJob {
        run: RunId(Uuid::now_v7()),
        project: ProjectId::default_project(),
        artifact: ArtifactId(Uuid::now_v7()),
        request: ContentRequest { concurrency: 1, ..request() },
        draft: None,
        cast: scripted(&dir),
    };
    let run = job.run;
    let mut observer = |records: &[Record]| {
        if records.last().is_some_and(|last| last.seq.0 >= most) {
            writeln!(std::io::stdout(), "\nready {run}").unwrap();
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
    };
    run_content(&store, &owner, job, &mut observer, CancellationToken::new()).await.unwrap();
}

fn spawn_child(dir: &Path, most: u64) -> (Child, RunId) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "content::killing::child_drives_a_run_up_to_a_record"])
        .env(CHILD, format!("{}:{most}", dir.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let run = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .find_map(|line| line.unwrap().strip_prefix("ready ")?.parse().ok())
        .unwrap();
    (child, run)
}

/// What a run came to, without the times and without how often somebody was asked.
fn essence(mut state: ContentState) -> ContentState {
    if let Some(queued) = &mut state.queued {
        queued.artifact_id = ArtifactId(Uuid::nil());
    }
    if let Some(started) = &mut state.started {
        started.started_at = jiff::Timestamp::UNIX_EPOCH;
    }
    state.usage = jury_core::event::Usage::default();
    for round in &mut state.rounds {
        round.asked.clear();
    }
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_any_event_a_run_ends_as_one_that_was_left_alone() {
    let room = Room::new().await;
    let job = room.job(ContentRequest { concurrency: 1, ..request() }, scripted(room.dir.path()));
    let (run, whole) = room.run(job).await;
    assert_eq!(whole.status(), ContentStatus::Approved, "{whole:#?}");
    assert_eq!(whole.rounds.len(), 2);
    let last = room.store.run(run).await.unwrap().unwrap().head.0;
    let whole = essence(whole);
    for most in 1..=last {
        let room = Room::new().await;
        let (mut child, run) = spawn_child(room.dir.path(), most);
        child.kill().unwrap();
        child.wait().unwrap();
        let before = room.store.records(run).await.unwrap();
        assert!(before.len() as u64 >= most, "{most}");
        room.store.recover().await.unwrap();
        let state = if room.store.state::<ContentState>(run).await.unwrap().ended.is_some() {
            assert_eq!(most, last);
            room.store.state::<ContentState>(run).await.unwrap()
        } else {
            assert_eq!(
                room.store.state::<ContentState>(run).await.unwrap().status(),
                ContentStatus::Paused,
                "{most}"
            );
            room.resume(run, scripted(room.dir.path())).await
        };
        room.holds(run, &state).await;
        let log = room.store.records(run).await.unwrap();
        assert_eq!(log[..before.len()], before, "{most}: what was in the log stays");
        assert_eq!(state.saved.as_ref().unwrap().quality, Quality::Approved);
        let artifact = room.store.run(run).await.unwrap().unwrap().artifact;
        let kept = room.store.read_final(artifact).await.unwrap().unwrap();
        assert_eq!(String::from_utf8(kept).unwrap(), "# A title\n\nSecond words of it.\n");
        assert_eq!(essence(state), whole, "{most}");
    }
}
