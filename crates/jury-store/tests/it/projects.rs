//! Projects: made once, changed by merging, and never by forgetting what others keep with them.

use jiff::Timestamp;
use jury_core::id::ProjectId;
use jury_store::{ProjectChange, Store};
use serde_json::{Map, Value, json};

use crate::support::{PanelRun, Place, moment, new_run, tamper};

fn id(name: &str) -> ProjectId {
    name.parse().unwrap()
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn change(metadata: &Value) -> ProjectChange {
    ProjectChange { name: None, metadata: object(metadata) }
}

#[tokio::test]
async fn a_project_is_made_once_and_listed() {
    let place = Place::new().await;
    let metadata = object(&json!({"theirs": {"deep": [1, null]}}));
    let (made, new) =
        place.store.create_project(&id("shop"), "The shop", &metadata, moment(1)).await.unwrap();
    assert!(new);
    assert_eq!((made.name.as_str(), &made.metadata, made.created_at), ("The shop", &metadata, moment(1)));
    let (again, new) =
        place.store.create_project(&id("shop"), "Other", &Map::new(), moment(2)).await.unwrap();
    assert!(!new);
    assert_eq!(again, made, "the second changes nothing");
    place.store.create_project(&id("a"), "a", &Map::new(), moment(3)).await.unwrap();
    let all: Vec<ProjectId> = place.store.projects().await.unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(all, [id("a"), id("shop")]);
    assert_eq!(place.store.project(&id("nobody")).await.unwrap(), None);
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_null_removes() {
    let place = Place::new().await;
    let metadata = object(&json!({"theirs": {"a": 1, "b": {"c": 2}}, "list": [1, 2], "gone": true}));
    place.store.create_project(&id("shop"), "shop", &metadata, moment(0)).await.unwrap();
    let merged =
        json!({"theirs": {"b": {"c": null, "d": 3}}, "list": [9], "gone": null, "new": {"x": null, "y": 1}});
    let row = place.store.change_project(&id("shop"), &change(&merged), moment(5)).await.unwrap().unwrap();
    let expected = json!({"theirs": {"a": 1, "b": {"d": 3}}, "list": [9], "new": {"y": 1}});
    assert_eq!(Value::Object(row.metadata.clone()), expected);
    assert_eq!((row.created_at, row.updated_at, row.name.as_str()), (moment(0), moment(5), "shop"));
    let renamed = ProjectChange { name: Some("The shop".to_owned()), metadata: Map::new() };
    let row = place.store.change_project(&id("shop"), &renamed, moment(6)).await.unwrap().unwrap();
    assert_eq!((row.name.as_str(), Value::Object(row.metadata)), ("The shop", expected));
    assert_eq!(place.store.change_project(&id("nobody"), &renamed, moment(6)).await.unwrap(), None);
    // Something becomes an object, and an object becomes something.
    let turned = change(&json!({"list": {"a": 1}, "theirs": 5}));
    let row = place.store.change_project(&id("shop"), &turned, moment(7)).await.unwrap().unwrap();
    assert_eq!(Value::Object(row.metadata), json!({"list": {"a": 1}, "theirs": 5, "new": {"y": 1}}));
}

#[tokio::test]
async fn of_many_who_change_at_once_everybody_gets_their_way() {
    let place = Place::new().await;
    place.store.create_project(&id("shop"), "shop", &Map::new(), moment(0)).await.unwrap();
    // Some through this store, some through another process's connection to the same file.
    let other = Store::open(place.dir()).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..24 {
        let store = if number % 2 == 0 { place.store.clone() } else { other.clone() };
        tasks.spawn(async move {
            let change = change(&json!({"all": {format!("k{number}"): number}}));
            store.change_project(&id("shop"), &change, moment(number)).await.unwrap().unwrap();
        });
    }
    tasks.join_all().await;
    let row = place.store.project(&id("shop")).await.unwrap().unwrap();
    assert_eq!(row.metadata["all"].as_object().unwrap().len(), 24);
}

#[tokio::test]
async fn a_run_makes_its_project_and_leaves_one_that_is_there() {
    let place = Place::new().await;
    let metadata = object(&json!({"mine": 1}));
    place.store.create_project(&id("shop"), "The shop", &metadata, moment(0)).await.unwrap();
    for project in ["shop", "fresh"] {
        let run = PanelRun { project: id(project), ..new_run() };
        place.store.enqueue(run.queued(), None, moment(1)).await.unwrap();
    }
    let shop = place.store.project(&id("shop")).await.unwrap().unwrap();
    assert_eq!((shop.name.as_str(), shop.metadata, shop.updated_at), ("The shop", metadata, moment(0)));
    let fresh = place.store.project(&id("fresh")).await.unwrap().unwrap();
    assert_eq!((fresh.name.as_str(), fresh.created_at), ("fresh", moment(1)));
}

#[tokio::test]
async fn an_older_directory_gets_projects_for_its_runs_and_can_go_back() {
    let place = Place::new().await;
    for (project, second) in [("b", 7), ("a", 5), ("b", 3)] {
        let run = PanelRun { project: id(project), ..new_run() };
        place.store.enqueue(run.queued(), None, moment(second)).await.unwrap();
    }
    let runs = place.store.runs(&jury_store::RunFilter::default()).await.unwrap();
    let (dir, _root) = place.left().await;
    Store::migrate(&dir, 3, false).await.unwrap();
    for table in ["SELECT 1 FROM project", "SELECT 1 FROM run_request"] {
        assert!(tamper(&dir, table).await.is_err(), "{table}");
    }
    let store = Store::open(&dir).await.unwrap();
    assert_eq!(store.runs(&jury_store::RunFilter::default()).await.unwrap(), runs, "runs stay as they were");
    let rows = store.projects().await.unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.id.as_str(), row.created_at)).collect();
    assert_eq!(rows, [("a", moment(5)), ("b", moment(3))]);
    assert_eq!(store.waiting(Timestamp::now()).await.unwrap().len(), 2, "what waited waits");
}
