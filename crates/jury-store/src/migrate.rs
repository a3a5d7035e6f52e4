//! Taking a data directory to another schema: up to the newest one, or down for a program that knows no newer one.
//!
//! Whoever opens a directory brings it up by itself. Going down drops what the older schema has no place for. What of
//! that is there is counted first, and without leave nothing is dropped.

use std::fmt;
use std::path::Path;

use sqlx::SqliteConnection;

use crate::daemon::Daemon;
use crate::error::{StoreError, sql};
use crate::owner;
use crate::schema::{self, LATEST, NEWEST};
use crate::store::{Store, begin};

/// Something that an older schema has no place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaLoss {
    /// How many there are.
    pub count: u64,
    /// What it is, for one of them and for several.
    pub name: [&'static str; 2],
    /// Whether the log has it, so that it is there again after the way up.
    pub in_log: bool,
}

impl fmt::Display for SchemaLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, several] = self.name;
        write!(f, "{} {}", self.count, if self.count == 1 { one } else { several })?;
        if self.in_log {
            f.write_str(" (the log keeps them; the way up lists them again)")?;
        }
        Ok(())
    }
}

/// How a migration went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaMigration {
    /// The schema before.
    pub from: u32,
    /// The schema now.
    pub to: u32,
    /// What was dropped on the way down.
    pub dropped: Vec<SchemaLoss>,
    /// How many runs have rows again, of those that are in the log. On the way up to the newest schema only.
    pub rebuilt: Option<u64>,
}

/// What the way down from a schema drops, and how it is counted while the schema stands.
struct Drops {
    from: i64,
    count: &'static str,
    name: [&'static str; 2],
}

const DROPS: [Drops; 7] = [
    Drops {
        from: 8,
        count: "SELECT count(*) FROM run WHERE not_before IS NOT NULL AND state <> 'ended'",
        name: ["run that is held back until later", "runs that are held back until later"],
    },
    Drops {
        from: 6,
        count: "SELECT count(*) FROM decision WHERE state = 'answered'",
        name: ["answer that no run has taken up yet", "answers that no run has taken up yet"],
    },
    Drops {
        from: 4,
        count: "SELECT count(*) FROM run_request",
        name: [
            "request, without which a run cannot begin or be repeated",
            "requests, without which a run cannot begin or be repeated",
        ],
    },
    Drops {
        from: 4,
        count: "SELECT count(*) FROM project WHERE name <> id OR metadata <> '{}'",
        name: ["project with a name or settings", "projects with a name or settings"],
    },
    Drops {
        from: 3,
        count: "SELECT count(*) FROM conformance_cycle",
        name: ["conformance test of an agent", "conformance tests of agents"],
    },
    Drops {
        from: 3,
        count: "SELECT count(*) FROM agent_degraded",
        name: ["agent that is marked as degraded", "agents that are marked as degraded"],
    },
    Drops {
        from: 2,
        count: "SELECT count(*) FROM artifacts WHERE run_id IS NULL AND critique_status IS NOT NULL",
        name: ["verdict on an artifact of no run", "verdicts on artifacts of no run"],
    },
];

impl Store {
    /// The oldest schema to which this program takes a data directory back, and the newest that it knows.
    pub const SCHEMAS: [u32; 2] = [1, NEWEST];

    /// Takes a data directory to this schema. Nobody may be using it. Unless `force`, nothing is done when the older
    /// schema has no place for something.
    pub async fn migrate(dir: impl AsRef<Path>, to: u32, force: bool) -> Result<SchemaMigration, StoreError> {
        let (store, turn) = Self::open_as_it_is(dir.as_ref()).await?;
        let to = i64::from(to.clamp(Self::SCHEMAS[0], Self::SCHEMAS[1]));
        // Whoever opens it from now on waits for the turn. These are the ones who have opened it before.
        let _daemon = Daemon::register(&store)?;
        if let Some(owner) = owner::any_alive(store.layout())? {
            return Err(StoreError::InUse { dir: store.dir().to_owned(), owner });
        }
        let mut writer = store.writer().await?;
        let database = store.layout().database();
        let mut transaction = begin(&mut writer).await.map_err(sql(database))?;
        let from = schema::version(&mut transaction, database).await?;
        let listed = runs(&mut transaction, database, from).await?;
        let mut dropped = Vec::new();
        for version in (to + 1..=from).rev() {
            dropped.extend(losses(&mut transaction, database, version).await?);
            schema::step_down(&mut transaction, database, version).await?;
        }
        // An older program cannot read runs of workflows that it does not know.
        if let Some(count @ 1..) = listed.checked_sub(runs(&mut transaction, database, from.min(to)).await?) {
            let name = ["run in the list of runs", "runs in the list of runs"];
            dropped.push(SchemaLoss { count, name, in_log: true });
        }
        if !force && !dropped.is_empty() {
            return Err(StoreError::WouldLose { schema: to, losses: dropped });
        }
        schema::up(&mut transaction, database, to).await?;
        transaction.commit().await.map_err(sql(database))?;
        writer.keep();
        // An older program left rows as it knew them, and none for runs that it did not know.
        let rebuilt = if from < to && to == LATEST { Some(store.reindex().await?) } else { None };
        store.close().await?;
        drop(turn);
        let number = |schema: i64| u32::try_from(schema).unwrap_or_default();
        Ok(SchemaMigration { from: number(from), to: number(to), dropped, rebuilt })
    }
}

/// How many runs are listed.
async fn runs(connection: &mut SqliteConnection, database: &Path, schema: i64) -> Result<u64, StoreError> {
    if schema == 0 {
        return Ok(0);
    }
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM run").fetch_one(connection).await.map_err(sql(database))?;
    Ok(u64::try_from(count).unwrap_or_default())
}

async fn losses(
    connection: &mut SqliteConnection,
    database: &Path,
    version: i64,
) -> Result<Vec<SchemaLoss>, StoreError> {
    let mut losses = Vec::new();
    for drops in DROPS.iter().filter(|drops| drops.from == version) {
        let count: i64 =
            sqlx::query_scalar(drops.count).fetch_one(&mut *connection).await.map_err(sql(database))?;
        if let Ok(count @ 1..) = u64::try_from(count) {
            losses.push(SchemaLoss { count, name: drops.name, in_log: false });
        }
    }
    Ok(losses)
}
