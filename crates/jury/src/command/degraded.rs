//! An agent that is marked as unable to run a jury is not asked. The run says so and ends.

use jury_core::event::Event;
use jury_core::id::AgentId;
use jury_core::outcome::DegradedReason;
use jury_core::protocol::Fault;
use jury_core::theater::{Board, Input, Outbox, Output, Theater};
use jury_core::unit::{Millis, Offset};
use jury_engine::{Job, Observer};
use jury_store::{DegradedMark, NewRun, Owner, Store};

use crate::refusal::Refusal;

/// The mark of this agent, if it has one now.
pub(super) async fn mark(store: &Store, agent: &AgentId) -> Result<Option<DegradedMark>, Refusal> {
    let marks = store.degraded(jiff::Timestamp::now()).await?;
    Ok(marks.into_iter().find(|mark| mark.agent == *agent))
}

/// A run that ends before its agent is started, kept and shown like any other.
pub(super) async fn refuse(
    store: &Store,
    owner: &Owner,
    job: Job,
    mark: &DegradedMark,
    observer: Observer<'_>,
) -> Result<Board, Refusal> {
    let Job { run, subject, title, config, request, .. } = job;
    let new = NewRun {
        run,
        project: subject.project.clone(),
        artifact: subject.artifact,
        agent: subject.agent.clone(),
        title,
        skill: None,
        request,
    };
    let queued = store.enqueue(new, Some(owner.id()), jiff::Timestamp::now()).await?;
    store.claim(run, owner.id(), jiff::Timestamp::now()).await?;
    let mut theater = Theater::new(config, subject);
    let mut out = Outbox::new();
    theater.handle(Input::Start, Millis(0), &mut out);
    let fault =
        Fault { reason: DegradedReason::AdapterUnsupported, detail: detail(mark), position: Offset(0) };
    theater.handle(Input::Fault(fault), Millis(0), &mut out);
    // The effects speak of an agent that is not there.
    let events: Vec<(Millis, Event)> = out
        .into_iter()
        .filter_map(|output| match output {
            Output::Event(event) => Some((Millis(0), event)),
            Output::Effect(_) => None,
        })
        .collect();
    store.append(run, owner.id(), queued.head, &events).await?;
    observer(&store.records(run).await?);
    store.export(run).await?;
    Ok(store.board(run).await?)
}

fn detail(mark: &DegradedMark) -> String {
    let DegradedMark { agent, until, reason } = mark;
    let until = until.strftime("%Y-%m-%d %H:%M");
    format!(
        "{agent} is marked critique:degraded until {until} UTC ({reason}); use another --agent, test it again with 'jury agents test {agent}', or take the mark away with 'jury agents clear-degraded {agent}'"
    )
}
