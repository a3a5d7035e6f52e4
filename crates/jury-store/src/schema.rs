//! The schema and its history: numbered SQL files that go up and down. A file that was released is never
//! edited; a change is a new number.

use std::path::Path;

use sqlx::migrate::{Migrate as _, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{SqlSafeStr as _, SqliteConnection};

use crate::error::{StoreError, sql};
use crate::store::begin;

macro_rules! files {
    ($($version:literal $name:literal),+ $(,)?) => {
        [$((
            $version,
            $name,
            include_str!(concat!("../migrations/sqlite/", $name, ".up.sql")),
            include_str!(concat!("../migrations/sqlite/", $name, ".down.sql")),
        )),+]
    };
}

const FILES: [(i64, &str, &str, &str); 8] = files![
    1 "0001_base",
    2 "0002_critique",
    3 "0003_agents",
    4 "0004_daemon",
    5 "0005_scores",
    6 "0006_decisions",
    7 "0007_content",
    8 "0008_not_before",
];

/// The newest schema that this build knows.
pub(crate) const NEWEST: u32 = 8;

/// The same as the database counts.
pub(crate) const LATEST: i64 = NEWEST as i64;

/// The schema of a database: 0 for an empty one.
pub(crate) async fn version(connection: &mut SqliteConnection, database: &Path) -> Result<i64, StoreError> {
    let known: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')")
            .fetch_one(&mut *connection)
            .await
            .map_err(sql(database))?;
    if !known {
        return Ok(0);
    }
    let found: i64 = sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations")
        .fetch_one(connection)
        .await
        .map_err(sql(database))?;
    if found > LATEST {
        return Err(StoreError::NewerSchema { path: database.to_owned(), found, known: LATEST });
    }
    Ok(found)
}

/// Brings a database up to this schema, in one transaction. One that is newer stays as it is.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    database: &Path,
    to: i64,
) -> Result<(), StoreError> {
    let mut transaction = begin(connection).await.map_err(sql(database))?;
    up(&mut transaction, database, to).await?;
    transaction.commit().await.map_err(sql(database))
}

/// The same within a transaction.
pub(crate) async fn up(
    connection: &mut SqliteConnection,
    database: &Path,
    to: i64,
) -> Result<(), StoreError> {
    if version(connection, database).await? < to {
        migrator().run_direct(Some(to), connection, false).await.map_err(failed(database))?;
    }
    Ok(())
}

/// Takes a database from this schema to the one before, within a transaction.
pub(crate) async fn step_down(
    connection: &mut SqliteConnection,
    database: &Path,
    from: i64,
) -> Result<(), StoreError> {
    let migrator = migrator();
    let down = migrator
        .iter()
        .find(|migration| migration.migration_type.is_down_migration() && migration.version == from);
    match down {
        Some(down) => connection.revert(&migrator.table_name, down).await.map(drop).map_err(failed(database)),
        None => Ok(()),
    }
}

fn failed(database: &Path) -> impl Fn(MigrateError) -> StoreError {
    move |error| {
        if let MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) = error {
            return sql(database)(error);
        }
        StoreError::Database { path: database.to_owned(), source: Box::new(error) }
    }
}

fn migrator() -> Migrator {
    let both = FILES.into_iter().flat_map(|(version, name, up, down)| {
        [(MigrationType::ReversibleUp, up), (MigrationType::ReversibleDown, down)]
            .map(|(way, text)| Migration::new(version, name.into(), way, text.into_sql_str(), false))
    });
    Migrator::with_migrations(both.collect())
}

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;

    const SHAPE: &str = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> '_sqlx_migrations' \
                         AND name <> 'sqlite_sequence' ORDER BY name";

    async fn shape(connection: &mut SqliteConnection) -> Vec<String> {
        sqlx::query_scalar(SHAPE).fetch_all(connection).await.unwrap()
    }

    #[tokio::test]
    async fn the_schema_goes_up_and_down_and_up_again() {
        let nowhere = Path::new(":memory:");
        let options = SqliteConnectOptions::new().in_memory(true);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        assert_eq!(version(&mut connection, nowhere).await.unwrap(), 0);

        migrate(&mut connection, nowhere, 1).await.unwrap();
        let base = shape(&mut connection).await;
        migrate(&mut connection, nowhere, LATEST).await.unwrap();
        let full = shape(&mut connection).await;
        assert_ne!(base, full);
        assert_eq!(version(&mut connection, nowhere).await.unwrap(), LATEST);

        for version in (2..=LATEST).rev() {
            step_down(&mut connection, nowhere, version).await.unwrap();
        }
        assert_eq!(shape(&mut connection).await, base);
        step_down(&mut connection, nowhere, 1).await.unwrap();
        assert_eq!(shape(&mut connection).await, Vec::<String>::new());
        migrate(&mut connection, nowhere, LATEST).await.unwrap();
        assert_eq!(shape(&mut connection).await, full);
    }

    #[test]
    fn the_latest_schema_is_the_last_file() {
        assert_eq!(FILES.map(|(version, ..)| version).last(), Some(&LATEST));
    }
}
