//! A long history: how soon the daemon is there, and how soon a page of it is.

use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use jury_core::event::{
    BestSoFar, Event, Failed, Interrupted, PanelistDim, PanelistOpen, Queued, TheaterEvent,
};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::role::Role;
use jury_core::score::Score;
use jury_core::theater::Board;
use jury_core::unit::{Millis, Round};
use jury_store::{NewRun, Owner, Store};
use uuid::Uuid;

use crate::daemon::Home;
use crate::table::{Table, share};
use crate::{Ask, Outcome};

/// How many events each of the runs has.
const EVENTS: usize = 30;

/// How often each page is asked for, and the daemon started.
const PAGES: usize = 200;
const STARTS: usize = 11;

/// Measures the start and the pages.
pub(crate) async fn history(ask: &Ask, table: &mut Table) -> Outcome<()> {
    let runs = ask.runs.unwrap_or(10_000);
    let home = Home::new(ask, 2)?;
    seed(&home.data(), runs).await?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let daemon = home.start().await?;
        starts.push(u32::try_from(daemon.ready.as_micros())?);
        daemon.stop().await?;
    }
    starts.sort_unstable();
    table.below(format!("history: ready after {runs} runs, median"), share(&starts, 0.5), 50.0, "ms");
    table.note("history: ready, slowest", share(&starts, 1.0), "ms");

    let daemon = home.start().await?;
    let mut connection = daemon.connect().await?;
    let first = "/api/projects/default/critique";
    let mut path = first.to_owned();
    // By steps of 50 to the hundredth page.
    for _ in 1..100.min(runs / 50) {
        let next = connection.get(&path).await?.json()?["next"].as_str().map(str::to_owned);
        path = format!("{first}?before={}", next.ok_or("the history ended too soon")?);
    }
    let pages = [
        ("first page", first.to_owned(), 50),
        ("page 100", path, 50),
        ("by status, every tenth", format!("{first}?status=failed"), 50),
        ("by agent, one in a thousand", format!("{first}?agent=rare"), 10),
        ("by text, one in a thousand", format!("{first}?q=needle"), 10),
        ("by text, nowhere", format!("{first}?q=nowhere"), 0),
    ];
    for (name, path, least) in pages {
        let mut times = Vec::new();
        for _ in 0..PAGES {
            let began = Instant::now();
            let answer = connection.get(&path).await?;
            times.push(u32::try_from(began.elapsed().as_micros())?);
            let found = answer.json()?["runs"].as_array().map_or(0, Vec::len);
            if answer.status != 200 || found < least.min(runs / 1000) {
                return Err(format!("{path} gave {} with {found} runs", answer.status).into());
            }
        }
        times.sort_unstable();
        table.note(format!("history: {name}, median"), share(&times, 0.5), "ms");
        table.below(format!("history: {name}, p99"), share(&times, 0.99), 20.0, "ms");
    }
    daemon.stop().await?;
    Ok(())
}

/// Makes a store with this many runs that have ended. In memory if there is a place for that, and then moved:
/// thirty thousand commits wait for no disk.
async fn seed(place: &Path, runs: usize) -> Outcome<()> {
    let memory = Path::new("/dev/shm");
    let workshop = if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? };
    let data = workshop.path().join(".od");
    let store = Store::open(&data).await?;
    let owner = Owner::register(&store)?;
    for number in 0..runs {
        let (run, now) = (RunId(Uuid::now_v7()), Timestamp::now());
        let rare = number % 1000 == 500;
        let queued = TheaterEvent::Queued(Queued {
            project_id: ProjectId::default_project(),
            artifact_id: ArtifactId(Uuid::now_v7()),
            agent: if rare { "rare".parse()? } else { AgentId::house() },
            title: if rare {
                format!("page {number} with a needle")
            } else {
                format!("page {number} of a site")
            },
            skill: None,
        });
        let new = NewRun::<Board> { run, queued, request: None };
        let head = store.enqueue(new, Some(owner.id()), now).await?.head;
        store.claim(run, owner.id(), now).await?;
        store.append(run, owner.id(), head, &events(number)).await?;
        store.export(run).await?;
    }
    store.close().await?;
    drop(owner);
    let copied = std::process::Command::new("cp").arg("-a").arg(&data).arg(place).status()?;
    if !copied.success() {
        return Err("the history could not be moved".into());
    }
    Ok(())
}

fn events(number: usize) -> Vec<(Millis, Event)> {
    let open =
        Event::Theater(TheaterEvent::PanelistOpen(PanelistOpen { round: Round(1), role: Role::Critic }));
    let dimension = Event::Theater(TheaterEvent::PanelistDim(PanelistDim {
        round: Round(1),
        role: Role::Critic,
        dim_name: "contrast".to_owned(),
        dim_score: Some(Score(6.4)),
        dim_note: "3.9:1 on 42 of 310 characters, needs 4.5:1 (p.lead)".to_owned(),
    }));
    let end = if number % 10 == 3 {
        let detail = "the agent ended".to_owned();
        Event::Theater(TheaterEvent::Failed(Failed {
            cause: FailedCause::AgentError,
            detail,
            best: BestSoFar::default(),
        }))
    } else {
        Event::Theater(TheaterEvent::Interrupted(Interrupted {
            best: BestSoFar::default(),
            recovery_reason: None,
        }))
    };
    let said = std::iter::once(open).chain(std::iter::repeat_n(dimension, EVENTS - 3)).chain([end]);
    said.zip(1..).map(|(event, at)| (Millis(at), event)).collect()
}
