//! Files: bodies and transcripts, whole or not at all.

use std::fs;
use std::io::Read as _;

use jury_core::event::{Event, PanelistClose, TheaterEvent};
use jury_core::outcome::FallbackPolicy;
use jury_core::record::Record;
use jury_core::role::Role;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{Conflict, StoreError, read_transcript};

use crate::support::{PanelRun, Place, interrupted, started, timed, whole_run};

const LIMIT: usize = 256 * 1024;

#[tokio::test]
async fn bodies_keep_their_bytes() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let store = &place.store;
    let body = b"<p>\r\n\0\xff</p>";
    assert_eq!(store.read_round(run.artifact, Round(1)).await.unwrap(), None);
    assert_eq!(store.read_final(run.artifact).await.unwrap(), None);
    store.keep_round(run.artifact, Round(1), b"first").await.unwrap();
    store.keep_round(run.artifact, Round(1), body).await.unwrap();
    store.keep_final(run.artifact, b"").await.unwrap();
    let kept = store.read_round(run.artifact, Round(1)).await.unwrap();
    assert_eq!(kept.as_deref(), Some(&body[..]));
    assert_eq!(store.read_final(run.artifact).await.unwrap(), Some(vec![]));
    let folder = place.folder(run.artifact);
    assert_eq!(fs::read(folder.join("rounds/1.html")).unwrap(), body);
    assert_eq!(names(&folder), ["final.html", "rounds"]);
    assert_eq!(names(&folder.join("rounds")), ["1.html"]);
}

#[tokio::test]
async fn a_body_that_cannot_be_kept_leaves_the_old_one() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let folder = place.folder(run.artifact);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rounds"), "a file where the folder should be").unwrap();
    let error = place.store.keep_round(run.artifact, Round(1), b"x").await.unwrap_err();
    assert!(matches!(error, StoreError::NotADirectory(_) | StoreError::Io { .. }), "{error:?}");
    // A place that cannot be renamed to.
    fs::create_dir(folder.join("final.html")).unwrap();
    place.store.keep_final(run.artifact, b"x").await.unwrap_err();
    assert_eq!(names(&folder), ["final.html", "rounds"]);
}

#[tokio::test]
async fn a_transcript_is_the_log_line_by_line() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.append(&run, 1, &whole_run(&run)).await;
    let path = place.store.export(run.run).await.unwrap();
    assert_eq!(path, place.folder(run.artifact).join("transcript.ndjson"));
    let log = place.store.records(run.run).await.unwrap();
    let lines: String = log.iter().map(|record| record.to_line().unwrap() + "\n").collect();
    assert_eq!(fs::read_to_string(&path).unwrap(), lines);
    assert!(lines.starts_with(r#"{"seq":1,"at":0,"runId":""#), "{lines}");
    let artifact = place.store.artifact(run.artifact).await.unwrap().unwrap();
    assert_eq!(artifact.transcript_path.as_deref(), Some("transcript.ndjson"));
    assert_eq!(place.store.transcript(run.run).await.unwrap(), log);
    assert_eq!(read_transcript(&path).await.unwrap(), log);
    assert_eq!(place.store.export(run.run).await.unwrap(), path);
    assert_eq!(names(&place.folder(run.artifact)), ["transcript.ndjson"]);
}

#[tokio::test]
async fn the_log_stands_in_for_a_transcript_that_is_not_there() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let events = whole_run(&run);
    place.append(&run, 1, &events[..3]).await;
    assert_eq!(place.store.transcript(run.run).await.unwrap().len(), 4);
    let early = place.store.export(run.run).await.unwrap_err();
    assert!(matches!(early, StoreError::Conflict { conflict: Conflict::NotEnded, .. }));
    place.append(&run, 4, &events[3..]).await;
    let log = place.store.records(run.run).await.unwrap();
    assert_eq!(place.store.transcript(run.run).await.unwrap(), log);
    let path = place.store.export(run.run).await.unwrap();
    fs::remove_file(path).unwrap();
    assert_eq!(place.store.transcript(run.run).await.unwrap(), log);
}

#[tokio::test]
async fn a_name_in_the_database_does_not_lead_out_of_its_folder() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.append(&run, 1, &[interrupted()]).await;
    fs::write(place.dir().join("secret"), "not a record").unwrap();
    place.tamper("UPDATE artifacts SET critique_transcript_path = '../../secret'").await.unwrap();
    assert_eq!(place.store.transcript(run.run).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_damaged_transcript_is_named_with_its_line() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.append(&run, 1, &[interrupted()]).await;
    let path = place.store.export(run.run).await.unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text.as_bytes()[..text.len() - 9]).unwrap();
    let error = place.store.transcript(run.run).await.unwrap_err();
    assert_eq!(error.kind(), "not_a_transcript");
    assert!(error.to_string().contains("line 2"), "{error}");
}

/// Fills a run so that its transcript has exactly this size, and ends it.
async fn fill(place: &Place, run: &PanelRun, size: usize) {
    let close = |notes: String| {
        Event::Theater(TheaterEvent::PanelistClose(PanelistClose {
            round: Round(1),
            role: Role::Critic,
            score: None,
            notes,
            artifact: None,
        }))
    };
    let mut events = vec![started(run, FallbackPolicy::Fail)];
    events.extend((0..300).map(|_| close("x".repeat(500))));
    events.push(close("y".to_owned()));
    events.push(interrupted());
    let queued = place.store.records(run.run).await.unwrap().remove(0);
    let bytes = |events: &[Event]| -> usize {
        let appended: usize = (2..)
            .zip(timed(1, events))
            .map(|(seq, (at, event))| {
                let record = Record { seq: Seq(seq), at, run_id: run.run, event };
                record.to_line().unwrap().len() + 1
            })
            .sum();
        appended + queued.to_line().unwrap().len() + 1
    };
    let last_note = size + 1 - bytes(&events);
    let position = events.len() - 2;
    events[position] = close("y".repeat(last_note));
    assert_eq!(bytes(&events), size);
    place.append(run, 1, &events).await;
}

#[tokio::test]
async fn a_transcript_at_the_limit_is_plain_and_one_byte_more_is_compressed() {
    let place = Place::new().await;
    for (size, name, other) in [
        (LIMIT, "transcript.ndjson", "transcript.ndjson.gz"),
        (LIMIT + 1, "transcript.ndjson.gz", "transcript.ndjson"),
    ] {
        let run = place.claimed().await;
        fill(&place, &run, size).await;
        let folder = place.folder(run.artifact);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(other), "from another time").unwrap();
        let path = place.store.export(run.run).await.unwrap();
        assert_eq!(names(&folder), [name]);
        let artifact = place.store.artifact(run.artifact).await.unwrap().unwrap();
        assert_eq!(artifact.transcript_path.as_deref(), Some(name));

        let mut text = Vec::new();
        let file = fs::File::open(&path).unwrap();
        if size > LIMIT {
            flate2::read::GzDecoder::new(file).read_to_end(&mut text).unwrap();
            assert!(fs::metadata(&path).unwrap().len() < 32 * 1024);
        } else {
            (&file).read_to_end(&mut text).unwrap();
        }
        assert_eq!(text.len(), size);
        let log = place.store.records(run.run).await.unwrap();
        assert_eq!(place.store.transcript(run.run).await.unwrap(), log);
        assert_eq!(read_transcript(&path).await.unwrap(), log);
        assert_eq!(log.last().unwrap().at, Millis(303 * 100));
    }
}

pub(crate) fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
