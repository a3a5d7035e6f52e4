//! What is known about agents beside their runs: the history of their conformance, and who is marked as degraded.
//! These rows are facts of their own and not a fold of the log.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use jury_core::conformance::{AgentDay, Breach, BriefResult, ConformanceVerdict, Cycle, CycleTally};
use jury_core::id::AgentId;
use jury_core::score::Composite;
use jury_core::unit::Millis;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::error::{StoreError, sql};
use crate::row::{integer, moment, natural, parsed, whole_millis};
use crate::store::{Store, begin};

/// A cycle of the history.
#[derive(Debug, Clone, PartialEq)]
pub struct PastCycle {
    /// The cycle as it was kept.
    pub cycle: Cycle,
    /// The cycle in numbers, as it was counted when it was kept.
    pub tally: CycleTally,
}

/// How the claims of an agent stand beside what was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Honesty {
    /// How many were held against a measurement.
    pub checked: u64,
    /// How many of them were overrated or contradicted.
    pub wrong: u64,
}

impl Honesty {
    /// The share of the checked claims that stood, from 0 to 1 in thousandths; none if none was checked.
    pub fn rate(&self) -> Option<f64> {
        let stood = self.checked.saturating_sub(self.wrong);
        let thousandths = stood.saturating_mul(1000).checked_div(self.checked)?;
        u32::try_from(thousandths).ok().map(|thousandths| f64::from(thousandths) / 1000.0)
    }
}

/// An agent that is not asked for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DegradedMark {
    /// The agent that is marked.
    pub agent: AgentId,
    /// The mark is void from then on.
    pub until: Timestamp,
    /// Why, in one line.
    pub reason: String,
}

impl Store {
    /// Keeps a cycle with everything in it, or nothing of it.
    pub async fn record_cycle(&self, cycle: &Cycle) -> Result<(), StoreError> {
        let fail = sql(self.layout().database());
        let tally = cycle.tally();
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        let id = sqlx::query(
            "INSERT INTO conformance_cycle (agent, at, runs, shipped, clean) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .bind(cycle.agent.as_str())
        .bind(cycle.at.as_millisecond())
        .bind(tally.runs)
        .bind(tally.shipped)
        .bind(tally.clean)
        .execute(&mut *transaction)
        .await
        .map_err(fail)?
        .last_insert_rowid();
        for result in &cycle.results {
            insert(&mut transaction, id, result).await.map_err(fail)?;
        }
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        Ok(())
    }

    /// The cycles of an agent, newest first.
    pub async fn cycles(&self, agent: &AgentId, limit: u32) -> Result<Vec<PastCycle>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query("SELECT * FROM conformance_cycle WHERE agent = ?1 ORDER BY id DESC LIMIT ?2")
            .bind(agent.as_str())
            .bind(limit)
            .fetch_all(&mut *reader)
            .await
            .map_err(fail)?;
        let mut cycles = Vec::with_capacity(rows.len());
        for row in &rows {
            let id: i64 = row.try_get("id").map_err(fail)?;
            let results = sqlx::query("SELECT * FROM conformance_result WHERE cycle = ?1 ORDER BY brief")
                .bind(id)
                .fetch_all(&mut *reader)
                .await
                .map_err(fail)?;
            let results = results.iter().map(result).collect::<sqlx::Result<_>>().map_err(fail)?;
            cycles.push(past(row, results).map_err(fail)?);
        }
        reader.keep();
        Ok(cycles)
    }

    /// The agents that have cycles, by name.
    pub async fn tested_agents(&self) -> Result<Vec<AgentId>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query("SELECT DISTINCT agent FROM conformance_cycle ORDER BY agent")
            .fetch_all(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        rows.iter().map(|row| parsed(row, "agent")).collect::<sqlx::Result<_>>().map_err(fail)
    }

    /// What agents did since this moment, one entry per cycle, oldest first. A cycle that is not whole is a try,
    /// and left out. Days are those of UTC.
    pub async fn days(&self, since: Timestamp) -> Result<Vec<(AgentId, AgentDay)>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query("SELECT * FROM conformance_cycle WHERE at >= ?1 ORDER BY at, id")
            .bind(since.as_millisecond())
            .fetch_all(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        let mut days = Vec::with_capacity(rows.len());
        for row in &rows {
            let PastCycle { cycle, tally } = past(row, Vec::new()).map_err(fail)?;
            if tally.is_whole() {
                let date = cycle.at.to_zoned(TimeZone::UTC).date();
                days.push((cycle.agent, AgentDay { date, runs: tally.runs, shipped: tally.shipped }));
            }
        }
        Ok(days)
    }

    /// Marks an agent as degraded. A mark that is there is replaced.
    pub async fn mark_degraded(
        &self,
        agent: &AgentId,
        until: Timestamp,
        reason: &str,
    ) -> Result<(), StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        sqlx::query(
            "INSERT INTO agent_degraded (agent, until, reason) VALUES (?1, ?2, ?3) \
             ON CONFLICT (agent) DO UPDATE SET until = excluded.until, reason = excluded.reason",
        )
        .bind(agent.as_str())
        .bind(until.as_millisecond())
        .bind(reason)
        .execute(&mut *writer)
        .await
        .map_err(fail)?;
        writer.keep();
        Ok(())
    }

    /// How the claims of agents stand beside what was measured, over all their runs, by name. Who was never held
    /// against a measurement is not here.
    pub async fn honesty(&self) -> Result<Vec<(AgentId, Honesty)>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query(
            "SELECT agent, sum(claims_checked) AS checked, sum(claims_wrong) AS wrong FROM run \
             GROUP BY agent HAVING sum(claims_checked) > 0 ORDER BY agent",
        )
        .fetch_all(&mut *reader)
        .await
        .map_err(fail)?;
        reader.keep();
        let read = |row: &SqliteRow| -> sqlx::Result<(AgentId, Honesty)> {
            Ok((
                parsed(row, "agent")?,
                Honesty { checked: natural(row, "checked")?, wrong: natural(row, "wrong")? },
            ))
        };
        rows.iter().map(read).collect::<sqlx::Result<_>>().map_err(fail)
    }

    /// The agents that are marked at this moment, by name. A mark that has expired is none.
    pub async fn degraded(&self, now: Timestamp) -> Result<Vec<DegradedMark>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows = sqlx::query("SELECT * FROM agent_degraded WHERE until > ?1 ORDER BY agent")
            .bind(now.as_millisecond())
            .fetch_all(&mut *reader)
            .await
            .map_err(fail)?;
        reader.keep();
        rows.iter().map(mark).collect::<sqlx::Result<_>>().map_err(fail)
    }

    /// Takes a mark away. Whether there was one, expired or not.
    pub async fn clear_degraded(&self, agent: &AgentId) -> Result<bool, StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        let done = sqlx::query("DELETE FROM agent_degraded WHERE agent = ?1")
            .bind(agent.as_str())
            .execute(&mut *writer)
            .await
            .map_err(fail)?;
        writer.keep();
        Ok(done.rows_affected() > 0)
    }
}

async fn insert(connection: &mut SqliteConnection, cycle: i64, result: &BriefResult) -> sqlx::Result<()> {
    let breaches =
        serde_json::to_string(&result.verdict.breaches).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "INSERT INTO conformance_result (cycle, brief, run, class, clean, breaches, composite, took) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )
    .bind(cycle)
    .bind(&result.brief)
    .bind(result.run_id.to_string())
    .bind(result.verdict.class.as_str())
    .bind(result.verdict.clean_parse)
    .bind(breaches)
    .bind(result.composite.map(|composite| composite.0))
    .bind(integer(result.took_ms.0))
    .execute(connection)
    .await
    .map(drop)
}

fn past(row: &SqliteRow, results: Vec<BriefResult>) -> sqlx::Result<PastCycle> {
    let count = |column| natural(row, column).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    Ok(PastCycle {
        cycle: Cycle { agent: parsed(row, "agent")?, at: whole_millis(moment(row.try_get("at")?)?), results },
        tally: CycleTally { runs: count("runs")?, shipped: count("shipped")?, clean: count("clean")? },
    })
}

fn result(row: &SqliteRow) -> sqlx::Result<BriefResult> {
    let breaches: Vec<Breach> =
        serde_json::from_str(row.try_get("breaches")?).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(BriefResult {
        brief: row.try_get("brief")?,
        run_id: parsed(row, "run")?,
        verdict: ConformanceVerdict {
            class: parsed(row, "class")?,
            clean_parse: row.try_get("clean")?,
            breaches,
        },
        composite: row.try_get::<Option<f64>, _>("composite")?.map(Composite),
        took_ms: Millis(natural(row, "took")?),
    })
}

fn mark(row: &SqliteRow) -> sqlx::Result<DegradedMark> {
    Ok(DegradedMark {
        agent: parsed(row, "agent")?,
        until: moment(row.try_get("until")?)?,
        reason: row.try_get("reason")?,
    })
}
