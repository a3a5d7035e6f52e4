//! The burst: more runs than there are places, each writing as fast as it can, and a crowd that looks on.

use std::collections::HashMap;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::daemon::{Home, submit};
use crate::table::{Table, share};
use crate::viewer::{Seen, Sum, transcript};
use crate::{Ask, Outcome, process, until};

/// How many runs go on at once.
const PLACES: usize = 16;

/// How many ask for runs at once.
const ASKING: usize = 4;

/// How long everything together may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// What the transcripts are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Four pages of 250 KB and a panel that says what panels say.
    Pages,
    /// A megabyte of small elements.
    Chat,
}

/// Measures a burst.
pub(crate) async fn burst(ask: &Ask, kind: Kind, table: &mut Table) -> Outcome<()> {
    let (name, script, runs) = match kind {
        Kind::Pages => ("pages", "pages", ask.runs.unwrap_or(200)),
        Kind::Chat => ("chat", "chat", ask.runs.unwrap_or(32)),
    };
    let viewers = ask.viewers.unwrap_or(100);
    let home = Home::new(ask, ask.places.unwrap_or(PLACES))?;
    let daemon = home.start().await?;
    let probe = Probe::start(&home.data())?;
    let there = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(AtomicUsize::new(0));
    let mut watching = JoinSet::new();
    for _ in 0..viewers {
        let mut stream = daemon.connect().await?.stream("/api/projects/default/events?after=0", None).await?;
        let (there, ended) = (Arc::clone(&there), Arc::clone(&ended));
        watching.spawn(async move {
            let mut seen = Seen::default();
            let mut greeted = false;
            while seen.ended < runs && stream.more(seen.text()).await? {
                seen.take();
                if !greeted {
                    greeted = true;
                    there.fetch_add(1, Ordering::Relaxed);
                }
            }
            ended.fetch_add(1, Ordering::Relaxed);
            Outcome::Ok((seen, stream))
        });
    }
    if !until(Duration::from_secs(20), || there.load(Ordering::Relaxed) == viewers).await {
        return Err("not every viewer was let in".into());
    }
    let (began, cpu, own) = (Instant::now(), process::cpu(daemon.pid()), process::cpu(std::process::id()));
    // Asked for by many at once, so that there is always somebody who waits for a place.
    let mut asking = JoinSet::new();
    for number in 0..ASKING {
        let mut connection = daemon.connect().await?;
        asking.spawn(async move {
            for _ in (number..runs).step_by(ASKING) {
                submit(&mut connection, "default", script).await?;
            }
            Outcome::Ok(())
        });
    }
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    let asked = began.elapsed();
    let complete = until(PATIENCE, || ended.load(Ordering::Relaxed) == viewers).await;
    let (took, cpu) = (began.elapsed(), process::cpu(daemon.pid()).saturating_sub(cpu));
    let own = process::cpu(std::process::id()).saturating_sub(own);
    let children = process::children_cpu(daemon.pid());
    let sync = probe.stop();
    let peak = process::megabytes(daemon.pid(), "VmHWM");
    if !complete {
        return Err(format!("after {PATIENCE:?} not every viewer has seen the end of every run").into());
    }

    let mut all = Vec::new();
    // A viewer keeps its connection until all have seen everything.
    while let Some(seen) = watching.join_next().await {
        all.push(seen??.0);
    }
    let mut connection = daemon.connect().await?;
    let mut transcripts: HashMap<String, Sum> = HashMap::new();
    for run in all.first().map(|seen| seen.runs.keys().cloned().collect::<Vec<_>>()).unwrap_or_default() {
        let sum = transcript(&mut connection, "default", &run).await?;
        transcripts.insert(run, sum);
    }
    let differ = all.iter().filter(|seen| seen.runs != transcripts).count();
    let wrong: usize = all.iter().map(|seen| seen.wrong).sum();
    let unended = transcripts.values().filter(|sum| sum.ends != 1 || !sum.ended).count();
    // Only runs that go all their way measure anything.
    let unshipped = transcripts.values().filter(|sum| !sum.shipped).count();
    let events: u64 = transcripts.values().map(|sum| sum.events).sum();
    let mut delays: Vec<u32> = all.iter().flat_map(|seen| seen.delays.iter().copied()).collect();
    delays.sort_unstable();

    #[expect(clippy::cast_precision_loss, reason = "counts for a table")]
    let (runs_f, events_f, frames_f) = (runs as f64, events as f64, all.len() as f64 * events as f64);
    table.none(format!("{name}: viewers whose log differs from the transcripts"), differ);
    table.none(format!("{name}: events repeated or out of order"), wrong);
    table.none(format!("{name}: runs without exactly one end"), unended + runs.abs_diff(transcripts.len()));
    table.none(format!("{name}: runs that did not ship"), unshipped);
    table.below(format!("{name}: peak memory of the daemon"), peak, 150.0, "MB");
    let (p50, p99) = (share(&delays, 0.5), share(&delays, 0.99));
    table.note(format!("{name}: delay from the child's write to a viewer, median"), p50, "ms");
    match kind {
        Kind::Pages => {
            table.below(format!("{name}: delay from the child's write to a viewer, p99"), p99, 50.0, "ms");
        }
        Kind::Chat => table.note(format!("{name}: delay from the child's write to a viewer, p99"), p99, "ms"),
    }
    table.note(format!("{name}: the disk's own sync meanwhile, median"), share(&sync, 0.5), "ms");
    table.note(format!("{name}: the disk's own sync meanwhile, p99"), share(&sync, 0.99), "ms");
    table.note(format!("{name}: runs"), runs_f, "");
    table.note(format!("{name}: runs a second"), runs_f / took.as_secs_f64(), "");
    table.note(format!("{name}: events in the log"), events_f, "");
    table.note(format!("{name}: events to viewers a second"), (frames_f / took.as_secs_f64()).round(), "");
    table.note(format!("{name}: CPU of the daemon per run"), cpu.as_secs_f64() * 1000.0 / runs_f, "ms");
    table.note(
        format!("{name}: CPU of the children per run"),
        children.as_secs_f64() * 1000.0 / runs_f,
        "ms",
    );
    table.note(format!("{name}: CPU of the viewers per run"), own.as_secs_f64() * 1000.0 / runs_f, "ms");
    table.note(format!("{name}: to ask for all runs"), asked.as_secs_f64() * 1000.0, "ms");
    daemon.stop().await?;
    Ok(())
}

/// Measures what a sync of four kilobytes costs while something else goes on: nobody is faster than the disk.
struct Probe {
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<Vec<u32>>,
}

impl Probe {
    fn start(dir: &Path) -> Outcome<Self> {
        let file = tempfile::tempfile_in(dir)?;
        file.set_len(4096 * 64)?;
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut taken = Vec::new();
            let page = [7; 4096];
            while !asked.load(Ordering::Relaxed) {
                let began = Instant::now();
                let synced = file.write_all_at(&page, (taken.len() as u64 % 64) * 4096);
                synced.and_then(|()| file.sync_data()).ok();
                taken.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
                std::thread::sleep(Duration::from_millis(25));
            }
            taken.sort_unstable();
            taken
        });
        Ok(Self { stop, thread })
    }

    fn stop(self) -> Vec<u32> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}
