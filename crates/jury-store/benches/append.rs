//! What it costs to append to the log: one transaction per batch, with the batch growing.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::Instant;

use jury_core::event::{Event, PanelistDim, Queued, TheaterEvent};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::role::Role;
use jury_core::score::Score;
use jury_core::theater::Board;
use jury_core::unit::{Millis, Round};
use jury_store::{NewRun, Owner, Store};
use uuid::Uuid;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let store = Store::open(dir.path().join(".od")).await?;
    let owner = Owner::register(&store)?;
    println!("log append            events/s   µs per batch   against one by one");
    let mut one_by_one = None;
    for size in [1_usize, 16, 256] {
        let run = RunId(Uuid::now_v7());
        let queued = TheaterEvent::Queued(Queued {
            project_id: ProjectId::default_project(),
            artifact_id: ArtifactId(Uuid::now_v7()),
            agent: AgentId::house(),
            title: "bench".to_owned(),
            skill: None,
        });
        let new = NewRun::<Board> { run, queued, request: None };
        let now = jiff::Timestamp::now();
        let mut head = store.enqueue(new, Some(owner.id()), now).await?.head;
        store.claim(run, owner.id(), now).await?;
        let batch: Vec<(Millis, Event)> = (0..size).map(|_| (Millis(1), dimension())).collect();
        let batches = (4096 / size).clamp(16, 256);
        let began = Instant::now();
        for _ in 0..batches {
            head = store.append(run, owner.id(), head, &batch).await?.head;
        }
        let seconds = began.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "counts for a table")]
        let (rate, cost) = ((batches * size) as f64 / seconds, seconds * 1e6 / batches as f64);
        let base = *one_by_one.get_or_insert(rate);
        println!("{size:>4} per transaction {rate:>11.0} {cost:>14.0} {:>19.1}x", rate / base);
    }
    Ok(())
}

fn dimension() -> Event {
    Event::Theater(TheaterEvent::PanelistDim(PanelistDim {
        round: Round(1),
        role: Role::Critic,
        dim_name: "contrast".to_owned(),
        dim_score: Some(Score(6.4)),
        dim_note: "3.9:1 on 42 of 310 characters, needs 4.5:1 (p.lead)".to_owned(),
    }))
}
