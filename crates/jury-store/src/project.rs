//! Projects: what runs are grouped, queued and set up by. They are facts of their own and not a fold of the
//! log; a run of a project that nobody made makes it.

use jiff::Timestamp;
use jury_core::id::ProjectId;
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::error::{StoreError, sql};
use crate::row::{moment, parsed};
use crate::store::{Store, begin};

/// A project, as its row says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectRow {
    /// The id of the project.
    pub id: ProjectId,
    /// What people call it.
    pub name: String,
    /// Whatever its users keep with it.
    pub metadata: Map<String, Value>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What is to be changed in a project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProjectChange {
    /// The new name, if it changes.
    pub name: Option<String>,
    /// Merged into what is there: objects key by key, null removes a key, anything else replaces it.
    pub metadata: Map<String, Value>,
}

impl Store {
    /// Makes a project, or tells that there is one: the second value is whether it is new.
    pub async fn create_project(
        &self,
        id: &ProjectId,
        name: &str,
        metadata: &Map<String, Value>,
        now: Timestamp,
    ) -> Result<(ProjectRow, bool), StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        let found = load(&mut transaction, id).await.map_err(fail)?;
        let new = found.is_none();
        let row = if let Some(row) = found {
            row
        } else {
            insert(&mut transaction, id, name, metadata, now).await.map_err(fail)?;
            let row = load(&mut transaction, id).await.map_err(fail)?;
            row.ok_or_else(|| fail(sqlx::Error::RowNotFound))?
        };
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        Ok((row, new))
    }

    /// Changes a project: read, merged and written in one transaction, so that two who change different keys
    /// both get their way. None if there is no such project.
    pub async fn change_project(
        &self,
        id: &ProjectId,
        change: &ProjectChange,
        now: Timestamp,
    ) -> Result<Option<ProjectRow>, StoreError> {
        let fail = sql(self.layout().database());
        let mut writer = self.writer().await?;
        let mut transaction = begin(&mut writer).await.map_err(fail)?;
        let Some(mut row) = load(&mut transaction, id).await.map_err(fail)? else {
            transaction.rollback().await.map_err(fail)?;
            writer.keep();
            return Ok(None);
        };
        if let Some(name) = &change.name {
            row.name.clone_from(name);
        }
        merge(&mut row.metadata, &change.metadata);
        sqlx::query("UPDATE project SET name = ?2, metadata = ?3, updated_at = ?4 WHERE id = ?1")
            .bind(id.as_str())
            .bind(&row.name)
            .bind(Value::Object(row.metadata.clone()).to_string())
            .bind(now.as_millisecond())
            .execute(&mut *transaction)
            .await
            .map_err(fail)?;
        let row = load(&mut transaction, id).await.map_err(fail)?;
        transaction.commit().await.map_err(fail)?;
        writer.keep();
        Ok(row)
    }

    /// A project, if there is one.
    pub async fn project(&self, id: &ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        let mut reader = self.reader().await?;
        let row = load(&mut reader, id).await.map_err(sql(self.layout().database()))?;
        reader.keep();
        Ok(row)
    }

    /// All projects, by id.
    pub async fn projects(&self) -> Result<Vec<ProjectRow>, StoreError> {
        let fail = sql(self.layout().database());
        let mut reader = self.reader().await?;
        let rows =
            sqlx::query("SELECT * FROM project ORDER BY id").fetch_all(&mut *reader).await.map_err(fail)?;
        reader.keep();
        rows.iter().map(read).collect::<sqlx::Result<_>>().map_err(fail)
    }
}

/// Makes the project of a run if nobody did before.
pub(crate) async fn ensure(
    connection: &mut SqliteConnection,
    id: &ProjectId,
    now: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO project (id, name, metadata, created_at, updated_at) VALUES (?1, ?1, '{}', ?2, ?2) \
         ON CONFLICT (id) DO NOTHING",
    )
    .bind(id.as_str())
    .bind(now.as_millisecond())
    .execute(connection)
    .await
    .map(drop)
}

async fn insert(
    connection: &mut SqliteConnection,
    id: &ProjectId,
    name: &str,
    metadata: &Map<String, Value>,
    now: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO project (id, name, metadata, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
    )
    .bind(id.as_str())
    .bind(name)
    .bind(Value::Object(metadata.clone()).to_string())
    .bind(now.as_millisecond())
    .execute(connection)
    .await
    .map(drop)
}

async fn load(connection: &mut SqliteConnection, id: &ProjectId) -> sqlx::Result<Option<ProjectRow>> {
    sqlx::query("SELECT * FROM project WHERE id = ?1")
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?
        .map(|row| read(&row))
        .transpose()
}

fn read(row: &SqliteRow) -> sqlx::Result<ProjectRow> {
    let metadata =
        serde_json::from_str(row.try_get("metadata")?).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(ProjectRow {
        id: parsed(row, "id")?,
        name: row.try_get("name")?,
        metadata,
        created_at: moment(row.try_get("created_at")?)?,
        updated_at: moment(row.try_get("updated_at")?)?,
    })
}

/// JSON merge, as RFC 7396 has it.
fn merge(into: &mut Map<String, Value>, change: &Map<String, Value>) {
    for (key, value) in change {
        match value {
            Value::Null => {
                into.remove(key);
            }
            Value::Object(change) => {
                let place = into.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                if let Value::Object(place) = place {
                    merge(place, change);
                }
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}
