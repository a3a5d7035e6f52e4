//! Idleness: what it costs to be there, and to be looked at while nothing happens.

use std::time::Duration;

use crate::daemon::{Home, submit};
use crate::table::Table;
use crate::viewer::Seen;
use crate::{Ask, Outcome, process};

/// Measures a daemon without work, without and with viewers.
pub(crate) async fn idle(ask: &Ask, table: &mut Table) -> Outcome<()> {
    let viewers = ask.viewers.unwrap_or(2000);
    let home = Home::new(ask, 2)?;
    let daemon = home.start().await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let alone = process::megabytes(daemon.pid(), "VmRSS");
    let mut streams = Vec::new();
    for _ in 0..viewers {
        let stream = daemon.connect().await?.stream("/api/projects/default/events", None).await?;
        streams.push((stream, Seen::default()));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let watched = process::megabytes(daemon.pid(), "VmRSS");
    // They are all there: one run, and everybody sees its end.
    let mut connection = daemon.connect().await?;
    submit(&mut connection, "default", "quick").await?;
    let mut missed = 0;
    for (stream, seen) in &mut streams {
        let look = async {
            while seen.ended == 0 && stream.more(seen.text()).await? {
                seen.take();
            }
            Outcome::Ok(())
        };
        let looked = tokio::time::timeout(Duration::from_secs(30), look).await;
        missed += usize::from(!matches!(looked, Ok(Ok(()))) || seen.ended != 1 || seen.wrong > 0);
    }
    let after = process::megabytes(daemon.pid(), "VmRSS");
    table.below("idle: memory of the daemon", alone, 20.0, "MB");
    table.below(format!("idle: memory with {viewers} viewers"), watched, 120.0, "MB");
    table.note(format!("idle: memory after {viewers} viewers saw a run"), after, "MB");
    table.none("idle: viewers that missed the run after it", missed);
    drop(streams);
    daemon.stop().await?;
    Ok(())
}
