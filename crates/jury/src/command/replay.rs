//! `jury replay`: the run again, at the pace at which it happened or faster.

use std::path::Path;
use std::time::Duration;

use jury_core::content::ContentState;
use jury_core::critic::CriticState;
use jury_core::id::RunId;
use jury_core::judge::JudgeState;
use jury_core::record::Record;
use jury_core::unit::Millis;

use crate::cli::{Global, ReplayArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::content;
use crate::render::critic::{self, CriticCase};
use crate::render::judge::{self, JudgeCase};
use crate::render::{Progress, case, human, is_run_of};

/// How fast a replay goes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Speed {
    /// So many times as fast as it happened.
    Times(f64),
    /// All events at once, without waiting.
    Instant,
    /// A fixed time between events.
    Every(Millis),
}

impl Speed {
    fn parse(text: &str) -> Option<Self> {
        if text == "instant" {
            return Some(Self::Instant);
        }
        if let Some(interval) = text.strip_suffix("ms") {
            return interval.parse().ok().filter(|ms| *ms <= 600_000).map(|ms| Self::Every(Millis(ms)));
        }
        let times: f64 = text.strip_suffix('x')?.parse().ok()?;
        (0.01..=1000.0).contains(&times).then_some(Self::Times(times))
    }

    /// How long to wait between two records.
    fn pause(self, before: Millis, after: Millis) -> Duration {
        match self {
            Self::Instant => Duration::ZERO,
            Self::Every(interval) => Duration::from_millis(interval.0),
            Self::Times(times) => Duration::from_millis(after.0.saturating_sub(before.0)).div_f64(times),
        }
    }
}

pub(crate) async fn replay(args: ReplayArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let speed = Speed::parse(&args.speed).ok_or_else(|| {
        Refusal::usage(format!(
            "--speed is '{}': it must be 1x, 4x, instant, or an interval such as 250ms",
            args.speed
        ))
    })?;
    let path = Path::new(&args.run);
    let (records, dir) = if path.is_file() {
        (jury_store::read_transcript(path).await?, None)
    } else {
        let store = super::open_to_read(global).await?;
        let run = store.find_run(&args.run).await?;
        (store.transcript(run).await?, Some(store.dir().to_owned()))
    };
    let mut progress = Progress::new(output);
    let mut last = Millis(0);
    for record in &records {
        let pause = speed.pause(last, record.at);
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        last = record.at;
        progress.show(std::slice::from_ref(record));
    }
    progress.end();
    let dir = dir.as_deref().unwrap_or(&global.data_dir);
    Output::result(&if is_run_of::<CriticState>(&records) {
        critic::human::verdict(&CriticCase::new(&records).kept_in(dir), output)
    } else if is_run_of::<ContentState>(&records) {
        content::human::verdict(run_of(&records), &content::state(&records), output)
    } else if is_run_of::<JudgeState>(&records) {
        judge::human::verdict(&JudgeCase::of(&records), output)
    } else {
        human::verdict(&case(&records, dir), dir, output)
    });
    // A replay gates nothing: it succeeded in replaying.
    Ok(0)
}

/// The run that records belong to.
fn run_of(records: &[Record]) -> RunId {
    records.first().map_or(RunId(uuid::Uuid::nil()), |record| record.run_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_factors_intervals_or_instant() {
        assert_eq!(Speed::parse("4x"), Some(Speed::Times(4.0)));
        assert_eq!(Speed::parse("250ms"), Some(Speed::Every(Millis(250))));
        assert_eq!(Speed::parse("instant"), Some(Speed::Instant));
        for bad in ["", "x", "0x", "-1x", "fast", "ms", "1"] {
            assert_eq!(Speed::parse(bad), None, "{bad}");
        }
        assert_eq!(Speed::Times(4.0).pause(Millis(100), Millis(500)), Duration::from_millis(100));
    }
}
