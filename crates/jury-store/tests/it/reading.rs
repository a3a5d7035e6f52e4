//! Reading: cursors, filters, and names that people type.

use jiff::Timestamp;
use jury_core::id::RunId;
use jury_core::outcome::TheaterStatus;
use jury_core::run::RunState;
use jury_core::unit::Seq;
use jury_store::{RunFilter, StoreError};

use crate::support::{PanelRun, Place, interrupted, moment, new_run, whole_run};

#[tokio::test]
async fn a_cursor_walks_the_log_in_pages() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.append(&run, 1, &whole_run(&run)).await;
    let whole = place.store.records(run.run).await.unwrap();
    assert_eq!(whole.len(), 9);
    let mut paged = Vec::new();
    loop {
        let after = Seq(paged.len() as u64);
        let page = place.store.events(run.run, after, 4).await.unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 4);
        paged.extend(page.into_iter().map(|(_, record)| record));
    }
    assert_eq!(paged, whole);
    assert_eq!(place.store.events(new_run().run, Seq(0), 4).await.unwrap(), []);
    assert_eq!(place.store.run(new_run().run).await.unwrap(), None);
    assert_eq!(place.store.artifact(new_run().artifact).await.unwrap(), None);
}

#[tokio::test]
async fn runs_are_filtered_and_the_newest_comes_first() {
    let place = Place::new().await;
    let mut runs: Vec<PanelRun> = Vec::new();
    for number in 0..4 {
        let mut run = new_run();
        if number % 2 == 0 {
            run.agent = "claude".parse().unwrap();
            run.project = "shop".parse().unwrap();
        }
        let owner = place.owner.id();
        place.store.enqueue(run.clone().queued(), Some(owner), moment(number)).await.unwrap();
        runs.push(run);
    }
    place.append(&runs[1], 1, &[interrupted()]).await;
    place.store.claim(runs[2].run, place.owner.id(), moment(9)).await.unwrap();

    let found = async |filter: RunFilter| -> Vec<usize> {
        let rows = place.store.runs(&filter).await.unwrap();
        rows.iter().map(|row| runs.iter().position(|run| run.run == row.run).unwrap()).collect()
    };
    let all = RunFilter::default();
    assert_eq!(found(all.clone()).await, [3, 2, 1, 0]);
    let agent = Some("claude".parse().unwrap());
    assert_eq!(found(RunFilter { agent, ..all.clone() }).await, [2, 0]);
    let project = Some("default".parse().unwrap());
    assert_eq!(found(RunFilter { project, ..all.clone() }).await, [3, 1]);
    let status = Some(TheaterStatus::Interrupted.into());
    assert_eq!(found(RunFilter { status, ..all.clone() }).await, [1]);
    let state = Some(RunState::Running);
    assert_eq!(found(RunFilter { state, ..all.clone() }).await, [2]);
    assert_eq!(found(RunFilter { limit: Some(2), ..all }).await, [3, 2]);
}

#[tokio::test]
async fn a_history_is_walked_page_by_page_and_searched_word_for_word() {
    let place = Place::new().await;
    let titles =
        ["50% off", "500 off", "under_score", "underXscore", "back\\slash", "ÄPFEL", "äpfel and more"];
    let mut runs: Vec<PanelRun> = Vec::new();
    for (number, title) in titles.iter().enumerate() {
        // Several at the same moment: then the id decides.
        let run = PanelRun { title: (*title).to_owned(), ..new_run() };
        place
            .store
            .enqueue(run.clone().queued(), None, moment(i64::try_from(number / 3).unwrap()))
            .await
            .unwrap();
        runs.push(run);
    }
    let found = async |filter: RunFilter| -> Vec<usize> {
        let rows = place.store.runs(&filter).await.unwrap();
        rows.iter().map(|row| runs.iter().position(|run| run.run == row.run).unwrap()).collect()
    };
    for project in [None, Some("default".parse().unwrap())] {
        let all = RunFilter { project: project.clone(), ..RunFilter::default() };
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = found(RunFilter { before, limit: Some(2), ..all.clone() }).await;
            let Some(last) = page.last() else { break };
            before = Some(runs[*last].run);
            seen.extend(page);
        }
        assert_eq!(seen, [6, 5, 4, 3, 2, 1, 0]);
        let search = async |text: &str| found(RunFilter { text: Some(text.to_owned()), ..all.clone() }).await;
        assert_eq!(search("50%").await, [0]);
        assert_eq!(search("%").await, [0]);
        assert_eq!(search("UNDER_score").await, [2]);
        assert_eq!(search("\\").await, [4]);
        assert_eq!(search("off").await, [1, 0]);
        assert_eq!(search("'; --").await, [] as [usize; 0]);
        assert_eq!(found(RunFilter { before: Some(new_run().run), ..all.clone() }).await, [] as [usize; 0]);
    }
}

#[tokio::test]
async fn a_run_is_found_by_what_tells_it_apart() {
    let place = Place::new().await;
    let ids = [
        "0190aaaa-0000-7000-8000-000000000001",
        "0190aaaa-0000-7000-8000-000000000002",
        "0190bbbb-0000-7000-8000-000000000003",
    ]
    .map(|id| id.parse::<RunId>().unwrap());
    for (id, second) in ids.iter().zip([0, 2, 1]) {
        let run = PanelRun { run: *id, ..new_run() };
        place.store.enqueue(run.queued(), None, moment(second)).await.unwrap();
    }
    let find = async |given: &str| place.store.find_run(given).await;
    assert_eq!(find("last").await.unwrap(), ids[1]);
    assert_eq!(find("0190b").await.unwrap(), ids[2]);
    assert_eq!(find("0190BBBB-00").await.unwrap(), ids[2]);
    assert_eq!(find(&ids[0].to_string()).await.unwrap(), ids[0]);
    assert_eq!(
        find("0190a").await.unwrap_err().to_string(),
        format!("'0190a' could be {} or {}; give more of the id", ids[1], ids[0])
    );
    for nonsense in ["", "0190c", "latest", "%", "0190a%", "g", "ä"] {
        let error = find(nonsense).await.unwrap_err();
        assert!(matches!(error, StoreError::NoSuchRun(_)), "{nonsense}: {error:?}");
    }
    assert_eq!(find("feed").await.unwrap_err().to_string(), "no run 'feed'; list them with 'jury runs'");
}

#[tokio::test]
async fn there_is_no_last_run_in_an_empty_store() {
    let place = Place::new().await;
    assert!(matches!(place.store.find_run("last").await, Err(StoreError::NoSuchRun(_))));
}

#[tokio::test]
async fn times_keep_their_milliseconds() {
    let place = Place::new().await;
    let run = new_run();
    let precise: Timestamp = "2026-11-15T10:00:00.123456789Z".parse().unwrap();
    place.store.enqueue(run.clone().queued(), None, precise).await.unwrap();
    let row = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(row.created_at.to_string(), "2026-11-15T10:00:00.123Z");
    let json = serde_json::to_value(&row).unwrap();
    assert_eq!(json["createdAt"], "2026-11-15T10:00:00.123Z");
    assert_eq!(json["state"], "queued");
}

#[tokio::test]
async fn many_readers_do_not_wait_for_ever() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.append(&run, 1, &whole_run(&run)).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let (store, run) = (place.store.clone(), run.run);
        tasks.spawn(async move { store.records(run).await.unwrap().len() });
    }
    assert_eq!(tasks.join_all().await, [9; 32]);
}
