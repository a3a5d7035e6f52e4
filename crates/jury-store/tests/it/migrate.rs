//! A data directory goes down for an older program, and up again.

use jury_store::{Daemon, Store, StoreError};

use crate::support::Place;

#[tokio::test]
async fn nobody_may_be_using_it() {
    let place = Place::new().await;
    assert!(matches!(Store::migrate(place.dir(), 3, true).await, Err(StoreError::InUse { .. })));
    let daemon = Daemon::register(&place.store).unwrap();
    assert!(matches!(Store::migrate(place.dir(), 3, true).await, Err(StoreError::Served { .. })));
    drop(daemon);
    let (dir, _root) = place.left().await;
    let done = Store::migrate(&dir, 3, true).await.unwrap();
    assert_eq!((done.from, done.to, done.rebuilt), (Store::SCHEMAS[1], 3, None));
}

#[tokio::test]
async fn it_stays_at_the_schema_until_somebody_opens_it() {
    let (dir, _root) = Place::new().await.left().await;
    for (to, from) in [(4, Store::SCHEMAS[1]), (2, 4), (3, 2), (3, 3)] {
        let done = Store::migrate(&dir, to, false).await.unwrap();
        assert_eq!((done.from, done.to), (from, to));
    }
    let done = Store::migrate(&dir, Store::SCHEMAS[1], false).await.unwrap();
    assert_eq!((done.from, done.rebuilt), (3, Some(0)));
}

#[tokio::test]
async fn what_is_not_there_is_not_made() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("none");
    assert!(matches!(Store::migrate(&missing, 1, true).await, Err(StoreError::NoRuns(_))));
    assert!(!missing.exists());
}
