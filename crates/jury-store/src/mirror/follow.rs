//! The task that follows the log and writes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use jury_core::content::event::ContentEvent;
use jury_core::content::{ContentState, Draft, PipelineProgress};
use jury_core::id::RunId;
use jury_core::run::RunState;
use jury_core::unit::{Millis, Pos, Round};
use jury_core::workflow::WorkflowEvent as _;
use jury_core::workflow::WorkflowState as _;
use redis::aio::MultiplexedConnection;
use tokio::sync::watch;
use tokio::time::Instant;

use super::address::in_one_line;
use super::reflection::{Kept, Reflection, approved_key, keep};
use super::{Inner, KEPT_FOR, MirrorState, link};
use crate::error::{StoreError, sql};
use crate::read;
use crate::row::{RunRow, integer};
use crate::store::Store;

/// The event that says that something was kept.
const SAVED: &str = "content.saved";

/// How soon it is tried again at first, and at most.
const SOON: Duration = Duration::from_millis(50);
const LATER: Duration = Duration::from_secs(5);
/// How often it is looked whether the Redis is there, and whether other processes have appended.
const TICK: Duration = Duration::from_secs(2);
/// How often the keys of runs that have not ended are written again, so that none of them expires.
const REFRESH: Duration = Duration::from_secs(KEPT_FOR.as_secs() / 4);

/// Why a connection is given up.
enum Trouble {
    Redis(redis::RedisError),
    /// The log cannot be read. That is not for the mirror to say; it tries again.
    Store,
}

impl From<redis::RedisError> for Trouble {
    fn from(error: redis::RedisError) -> Self {
        Self::Redis(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(_: StoreError) -> Self {
        Self::Store
    }
}

/// Follows the log until nobody wants the mirror any more.
pub(super) async fn follow(inner: Arc<Inner>, mut ended: watch::Receiver<()>) {
    let work = async {
        // What was there before is looked at once there is a connection; what comes from now on counts as changed.
        let mut done = loop {
            match inner.store.head().await {
                Ok(head) => break head,
                Err(_) => tokio::time::sleep(TICK).await,
            }
        };
        let mut pause = SOON;
        loop {
            let trouble = match link::connect(&inner.address).await {
                Ok(link) => session(&inner, link, &mut done, &mut pause).await,
                Err(error) => Trouble::Redis(error),
            };
            inner.set_link(None);
            if let Trouble::Redis(error) = trouble {
                inner.set_state(&MirrorState::Gone { why: in_one_line(&error) });
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LATER);
        }
    };
    tokio::select! {
        () = work => {}
        // The sender is gone.
        _ = ended.changed() => {}
    }
}

/// Writes for as long as the connection lasts.
async fn session(
    inner: &Inner,
    mut link: MultiplexedConnection,
    done: &mut Pos,
    pause: &mut Duration,
) -> Trouble {
    match write(inner, &mut link, done, pause).await {
        Ok(never) => match never {},
        Err(trouble) => trouble,
    }
}

async fn write(
    inner: &Inner,
    link: &mut MultiplexedConnection,
    done: &mut Pos,
    pause: &mut Duration,
) -> Result<std::convert::Infallible, Trouble> {
    let store = &inner.store;
    let mut news = store.appended();
    // One that lets nobody in is not there.
    redis::cmd("PING").exec_async(link).await?;
    // It may be another Redis than before, or an empty one.
    let head = store.head().await?;
    let mut runs = changed(store, *done, head).await?;
    runs.extend(unfinished(store).await?);
    for run in runs {
        reflect(store, link, run).await?;
    }
    restore(store, link).await?;
    *done = head;
    *pause = SOON;
    inner.set_link(Some(link.clone()));
    inner.set_state(&MirrorState::Reachable);
    inner.reflected.send_replace(head);
    let mut refreshed = Instant::now();
    loop {
        let head = store.head().await?;
        if head > *done {
            for run in changed(store, *done, head).await? {
                reflect(store, link, run).await?;
            }
            *done = head;
            inner.reflected.send_replace(head);
        }
        if refreshed.elapsed() >= REFRESH {
            for run in unfinished(store).await? {
                reflect(store, link, run).await?;
            }
            refreshed = Instant::now();
        }
        if tokio::time::timeout(TICK, news.changed()).await.is_err() {
            redis::cmd("PING").exec_async(link).await?;
        }
    }
}

/// Writes all keys of a run.
async fn reflect(store: &Store, link: &mut MultiplexedConnection, run: RunId) -> Result<(), Trouble> {
    let Some(reflection) = reflection(store, run).await? else { return Ok(()) };
    let Ok(commands) = reflection.commands() else { return Err(Trouble::Store) };
    commands.exec_async(link).await?;
    Ok(())
}

/// Writes what was kept by earlier runs and is not there. What was approved does not expire, so it must be there.
async fn restore(store: &Store, link: &mut MultiplexedConnection) -> Result<(), Trouble> {
    for runs in saved(store).await?.chunks(256) {
        let mut asked = redis::pipe();
        for run in runs {
            asked.cmd("EXISTS").arg(approved_key(*run));
        }
        let there: Vec<bool> = asked.query_async(link).await?;
        for (run, _) in runs.iter().zip(there).filter(|(_, there)| !there) {
            let Some(kept) = reflection(store, *run).await?.and_then(|reflection| reflection.kept) else {
                continue;
            };
            let mut pipe = redis::pipe();
            keep(&mut pipe, *run, &kept).map_err(|_| Trouble::Store)?;
            pipe.exec_async(link).await?;
        }
    }
    Ok(())
}

/// A run as it is. None when it is not one of the content pipeline.
async fn reflection(store: &Store, run: RunId) -> Result<Option<Reflection>, StoreError> {
    let Some(row) = store.run(run).await?.filter(|row| row.workflow == ContentState::WORKFLOW) else {
        return Ok(None);
    };
    let mut state = ContentState::default();
    let mut asked = None;
    let mut saved_at = None;
    let mut reader = store.reader().await?;
    read::walk(&mut reader, store.layout().database(), run, |_, record| {
        let Some(event) = ContentEvent::of(&record.event) else { return };
        state.apply(event);
        if let ContentEvent::Queued(queued) = event {
            asked = Some((queued.idea_id.clone(), queued.content_type.clone()));
        }
        if let ContentEvent::Saved(_) = event {
            saved_at = Some(record.at);
        }
    })
    .await?;
    reader.keep();
    let Some((idea, content_type)) = asked else { return Ok(None) };
    let draft = match state.rounds.last() {
        Some(round) => markdown(store, &row, round.round, &round.draft.mime).await?,
        None => None,
    };
    let kept = match (&state.saved, saved_at) {
        (Some(saved), Some(at)) => {
            let content = markdown(store, &row, saved.round, &saved.draft.mime).await?;
            content.map(|content| Kept {
                content,
                quality: saved.quality,
                unreviewed: saved.unreviewed,
                content_type: content_type.clone(),
                saved_at: moment(&row, at),
            })
        }
        _ => None,
    };
    Ok(Some(Reflection {
        run,
        idea,
        content_type,
        draft,
        progress: PipelineProgress::of(&state),
        kept,
        has_ended: row.state == RunState::Ended,
    }))
}

/// The draft of a round as people read it.
async fn markdown(
    store: &Store,
    row: &RunRow,
    round: Round,
    mime: &str,
) -> Result<Option<String>, StoreError> {
    let body = store.read_round(row.artifact, round).await?;
    Ok(body.and_then(|body| Draft::read(&body, mime)).map(|draft| draft.markdown()))
}

/// When an event happened.
fn moment(row: &RunRow, at: Millis) -> Timestamp {
    let since = SignedDuration::from_millis(integer(at.0));
    row.started_at.unwrap_or(row.created_at).saturating_add(since).unwrap_or(Timestamp::MAX)
}

/// The runs of the content pipeline that something was appended to between two positions.
async fn changed(store: &Store, after: Pos, until: Pos) -> Result<BTreeSet<RunId>, StoreError> {
    ids(
        store,
        sqlx::query_scalar(
            "SELECT DISTINCT run FROM event JOIN run ON run.id = event.run \
             WHERE pos > ?1 AND pos <= ?2 AND run.workflow = ?3",
        )
        .bind(integer(after.0))
        .bind(integer(until.0))
        .bind(ContentState::WORKFLOW.as_str()),
    )
    .await
    .map(BTreeSet::from_iter)
}

/// Those that have not ended.
async fn unfinished(store: &Store) -> Result<Vec<RunId>, StoreError> {
    ids(
        store,
        sqlx::query_scalar("SELECT id FROM run WHERE workflow = ?1 AND state <> 'ended' ORDER BY id")
            .bind(ContentState::WORKFLOW.as_str()),
    )
    .await
}

/// Those that have kept something.
async fn saved(store: &Store) -> Result<Vec<RunId>, StoreError> {
    ids(
        store,
        sqlx::query_scalar(
            "SELECT DISTINCT run.id FROM run JOIN event ON event.run = run.id \
             WHERE run.workflow = ?1 AND event.kind = ?2 ORDER BY run.id",
        )
        .bind(ContentState::WORKFLOW.as_str())
        .bind(SAVED),
    )
    .await
}

type Query<'q> = sqlx::query::QueryScalar<'q, sqlx::Sqlite, String, sqlx::sqlite::SqliteArguments>;

async fn ids(store: &Store, query: Query<'_>) -> Result<Vec<RunId>, StoreError> {
    let mut reader = store.reader().await?;
    let ids = query.fetch_all(&mut *reader).await.map_err(sql(store.layout().database()))?;
    reader.keep();
    Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
}
