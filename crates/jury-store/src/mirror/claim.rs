//! The one question that is asked of the Redis: whether another machine has a run of the same idea and type.

use jury_core::run::RunState;
use std::time::Duration;

use jury_core::content::{ContentType, IdeaId};
use jury_core::id::RunId;

use super::reflection::{HOLD, RELEASE, active_key};
use super::{KEPT_FOR, Mirror, MirrorState};

/// How long the answer may take. A run is asked for by somebody who waits.
const PATIENCE: Duration = Duration::from_millis(800);

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// This process has the claim.
    Ours,
    /// Another run goes on.
    Theirs(RunId),
    /// The Redis is gone, or has something else there. Nobody is kept from working by that.
    Unknown,
}

impl Mirror {
    /// Puts a run down as the one of its idea and type, unless there is one.
    pub async fn claim(&self, idea: &IdeaId, content_type: &ContentType, run: RunId) -> Claim {
        let key = active_key(idea, content_type);
        tokio::time::timeout(PATIENCE, self.ask(&key, run)).await.unwrap_or(Claim::Unknown)
    }

    /// Gives the name back of a run that was not begun after all.
    pub async fn release(&self, idea: &IdeaId, content_type: &ContentType, run: RunId) {
        let Some(mut link) = self.inner.link() else { return };
        let key = active_key(idea, content_type);
        let mut command = redis::cmd("EVAL");
        command.arg(RELEASE).arg(1).arg(key).arg(run.to_string());
        // Where it does not work, the name is free in two hours.
        drop(tokio::time::timeout(PATIENCE, command.exec_async(&mut link)).await);
    }

    async fn ask(&self, key: &str, run: RunId) -> Claim {
        // Who has only just begun waits for the first connection.
        let mut state = self.inner.state.subscribe();
        while *state.borrow_and_update() == MirrorState::Connecting {
            if state.changed().await.is_err() {
                return Claim::Unknown;
            }
        }
        for _ in 0..2 {
            let Some(mut link) = self.inner.link() else { return Claim::Unknown };
            let held: redis::RedisResult<String> = redis::cmd("EVAL")
                .arg(HOLD)
                .arg(1)
                .arg(key)
                .arg(run.to_string())
                .arg(KEPT_FOR.as_secs())
                .query_async(&mut link)
                .await;
            let Some(holder) = held.ok().and_then(|held| held.parse::<RunId>().ok()) else {
                return Claim::Unknown;
            };
            if holder == run {
                return Claim::Ours;
            }
            // One of ours that has ended while the Redis was gone left its name behind.
            let over = self.inner.store.run(holder).await;
            if !over.is_ok_and(|row| row.is_some_and(|row| row.state == RunState::Ended)) {
                return Claim::Theirs(holder);
            }
            let released: redis::RedisResult<i64> = redis::cmd("EVAL")
                .arg(RELEASE)
                .arg(1)
                .arg(key)
                .arg(holder.to_string())
                .query_async(&mut link)
                .await;
            if released.is_err() {
                return Claim::Unknown;
            }
        }
        Claim::Unknown
    }
}
