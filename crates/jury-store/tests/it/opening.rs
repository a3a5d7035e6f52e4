//! Opening: fresh, shared, foreign, newer, damaged and impossible directories.

use jury_store::{RunFilter, Store, StoreError};

use crate::support::{Place, ask, tamper};

#[tokio::test]
async fn eight_at_once_can_open_a_fresh_directory() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("deep/.od");
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let dir = dir.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    let store = Store::open(&dir).await?;
                    assert_eq!(store.runs(&RunFilter::default()).await?, []);
                    store.close().await
                })
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_store_survives_closing_and_opening() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let row = place.store.run(run.run).await.unwrap();
    place.store.clone().close().await.unwrap();
    assert!(!place.dir().join("jury.sqlite-wal").exists());
    let store = Store::open_existing(place.dir()).await.unwrap();
    assert_eq!(store.run(run.run).await.unwrap(), row);
    assert_eq!(store.dir(), place.dir());
}

#[tokio::test]
async fn reading_makes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join(".od");
    let error = Store::open_existing(&dir).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "no runs here: {} does not exist; start one with 'jury run', or name another --data-dir",
            dir.display()
        )
    );
    assert!(!dir.exists());
    std::fs::create_dir(&dir).unwrap();
    let error = Store::open_existing(&dir).await.unwrap_err();
    assert_eq!(error.kind(), "no_runs");
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
}

#[tokio::test]
async fn a_path_at_or_below_a_file_is_no_directory() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for dir in [file.clone(), file.join(".od")] {
        let error = Store::open(&dir).await.unwrap_err();
        assert!(matches!(error, StoreError::NotADirectory(_)), "{error:?}");
    }
}

#[tokio::test]
async fn a_file_that_is_something_else_is_refused_and_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let database = root.path().join("jury.sqlite");
    let text = "this is somebody's shopping list\n".repeat(200);
    std::fs::write(&database, &text).unwrap();
    let error = Store::open(root.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::NotADatabase(_)), "{error:?}");
    assert_eq!(std::fs::read_to_string(&database).unwrap(), text);
}

#[tokio::test]
async fn a_damaged_database_is_told_from_a_foreign_one() {
    let place = Place::new().await;
    place.claimed().await;
    place.store.clone().close().await.unwrap();
    let database = place.dir().join("jury.sqlite");
    let mut bytes = std::fs::read(&database).unwrap();
    for byte in &mut bytes[4096..] {
        *byte = 0xAB;
    }
    std::fs::write(&database, bytes).unwrap();
    let error = match Store::open(place.dir()).await {
        Ok(store) => store.runs(&RunFilter::default()).await.unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(error.kind(), "corrupt", "{error:?}");
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let place = Place::new().await;
    place
        .tamper(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9, 'tomorrow', TRUE, x'00', 0)",
        )
        .await
        .unwrap();
    for result in [Store::open(place.dir()).await, Store::open_existing(place.dir()).await] {
        let error = result.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{} has schema 9, this jury knows 8; update jury",
                place.dir().join("jury.sqlite").display()
            )
        );
    }
}

#[tokio::test]
async fn an_older_schema_is_brought_up_to_date_and_can_be_taken_back() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let (dir, _root) = place.left().await;
    Store::migrate(&dir, 1, false).await.unwrap();
    assert!(tamper(&dir, "SELECT critique_status FROM artifacts").await.is_err());
    let store = Store::open(&dir).await.unwrap();
    assert_eq!(store.records(run.run).await.unwrap().len(), 1);
    let artifact = store.artifact(run.artifact).await.unwrap().unwrap();
    assert_eq!(artifact.status, None);
}

#[tokio::test]
async fn the_status_of_an_artifact_is_one_of_seven() {
    let place = Place::new().await;
    place.claimed().await;
    let error = place.tamper("UPDATE artifacts SET critique_status = 'approved'").await.unwrap_err();
    assert!(error.to_string().contains("CHECK constraint failed"), "{error}");
    place.tamper("UPDATE artifacts SET critique_status = 'legacy'").await.unwrap();
}

#[tokio::test]
async fn the_log_refuses_to_be_rewritten() {
    let place = Place::new().await;
    place.claimed().await;
    for statement in ["UPDATE event SET at = 5", "DELETE FROM event"] {
        let error = place.tamper(statement).await.unwrap_err();
        assert!(error.to_string().contains("the event log is append-only"), "{error}");
    }
}

#[tokio::test]
async fn an_artifact_has_every_column_of_the_critique_and_its_index() {
    let place = Place::new().await;
    let columns = ask(&place.dir(), "SELECT name || ' ' || type FROM pragma_table_info('artifacts')").await;
    for column in [
        "critique_score REAL",
        "critique_rounds_json TEXT",
        "critique_transcript_path TEXT",
        "critique_status TEXT",
        "critique_protocol_version INTEGER",
    ] {
        assert!(columns.iter().any(|known| known == column), "{column} is not among {columns:?}");
    }
    let index = "SELECT name FROM pragma_index_info('idx_artifacts_critique_status')";
    assert_eq!(ask(&place.dir(), index).await, ["critique_status"]);
}
