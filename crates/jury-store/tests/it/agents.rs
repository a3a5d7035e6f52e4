//! The history of conformance, and marks that expire.

use jury_core::conformance::{AgentDay, Assertion, Breach, BriefResult, Class, ConformanceVerdict, Cycle};
use jury_core::id::{AgentId, RunId};
use jury_core::score::Composite;
use jury_core::unit::Millis;
use jury_store::{DegradedMark, Store};
use uuid::Uuid;

use crate::support::{Place, moment};

fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

fn result(brief: &str, class: Class) -> BriefResult {
    let breaches = match class {
        Class::Shipped => Vec::new(),
        Class::Degraded | Class::Failed => {
            vec![Breach { assertion: Assertion::Html, detail: "</main> closes nothing; \"why\"".to_owned() }]
        }
    };
    BriefResult {
        brief: brief.to_owned(),
        run_id: RunId(Uuid::now_v7()),
        verdict: ConformanceVerdict { class, clean_parse: class != Class::Failed, breaches },
        composite: (class != Class::Failed).then_some(Composite(8.63)),
        took_ms: Millis(4_321),
    }
}

fn cycle(name: &str, second: i64, results: Vec<BriefResult>) -> Cycle {
    Cycle { agent: agent(name), at: moment(second), results }
}

#[tokio::test]
async fn what_is_recorded_is_what_is_read_newest_first() {
    let place = Place::new().await;
    let first = cycle("a", 1, vec![result("blog", Class::Shipped), result("form", Class::Degraded)]);
    let second = cycle("a", 2, vec![result("blog", Class::Failed)]);
    let other = cycle("b", 3, vec![result("blog", Class::Shipped)]);
    let empty = cycle("c", 4, Vec::new());
    for cycle in [&first, &second, &other, &empty] {
        place.store.record_cycle(cycle).await.unwrap();
    }
    let read = place.store.cycles(&agent("a"), 10).await.unwrap();
    assert_eq!(read.iter().map(|past| past.tally).collect::<Vec<_>>(), [second.tally(), first.tally()]);
    assert_eq!(read.into_iter().map(|past| past.cycle).collect::<Vec<_>>(), [second.clone(), first]);
    let newest = place.store.cycles(&agent("a"), 1).await.unwrap();
    assert_eq!(newest.into_iter().map(|past| past.cycle).collect::<Vec<_>>(), [second]);
    assert_eq!(place.store.cycles(&agent("c"), 10).await.unwrap()[0].tally.runs, 0);
    assert_eq!(place.store.cycles(&agent("nobody"), 10).await.unwrap(), []);
}

#[tokio::test]
async fn days_are_whole_cycles_of_every_agent_oldest_first() {
    let place = Place::new().await;
    let whole = |shipped: usize| -> Vec<BriefResult> {
        let class = |number| if number < shipped { Class::Shipped } else { Class::Failed };
        (0..10).map(|number| result(&format!("brief-{number}"), class(number))).collect()
    };
    let day = 24 * 60 * 60;
    for (name, second, results) in [
        ("a", 2 * day, whole(9)),
        ("b", day, whole(10)),
        ("a", 2 * day + 1, vec![result("blog", Class::Shipped)]),
        ("a", day - 1, whole(8)),
    ] {
        place.store.record_cycle(&cycle(name, second, results)).await.unwrap();
    }
    let date = |second| moment(second).to_zoned(jiff::tz::TimeZone::UTC).date();
    let entry = |name, second, shipped| (agent(name), AgentDay { date: date(second), runs: 10, shipped });
    assert_eq!(
        place.store.days(moment(0)).await.unwrap(),
        [entry("a", day - 1, 8), entry("b", day, 10), entry("a", 2 * day, 9)]
    );
    assert_eq!(place.store.days(moment(2 * day)).await.unwrap(), [entry("a", 2 * day, 9)]);
}

#[tokio::test]
async fn a_cycle_that_cannot_be_kept_leaves_nothing() {
    let place = Place::new().await;
    let twice = cycle("a", 1, vec![result("blog", Class::Shipped), result("blog", Class::Shipped)]);
    assert!(place.store.record_cycle(&twice).await.is_err());
    assert_eq!(place.store.cycles(&agent("a"), 10).await.unwrap(), []);
    place.store.record_cycle(&cycle("a", 2, vec![result("blog", Class::Shipped)])).await.unwrap();
}

#[tokio::test]
async fn a_mark_expires_is_replaced_and_can_be_taken_away() {
    let place = Place::new().await;
    let (a, b) = (agent("a"), agent("b"));
    place.store.mark_degraded(&b, moment(50), "poor").await.unwrap();
    place.store.mark_degraded(&a, moment(100), "worse").await.unwrap();
    let mark = |agent: &AgentId, until, reason: &str| DegradedMark {
        agent: agent.clone(),
        until: moment(until),
        reason: reason.to_owned(),
    };
    assert_eq!(
        place.store.degraded(moment(49)).await.unwrap(),
        [mark(&a, 100, "worse"), mark(&b, 50, "poor")]
    );
    assert_eq!(place.store.degraded(moment(50)).await.unwrap(), [mark(&a, 100, "worse")]);
    place.store.mark_degraded(&a, moment(200), "again").await.unwrap();
    assert_eq!(place.store.degraded(moment(150)).await.unwrap(), [mark(&a, 200, "again")]);
    assert!(place.store.clear_degraded(&a).await.unwrap());
    assert!(!place.store.clear_degraded(&a).await.unwrap());
    assert_eq!(place.store.degraded(moment(0)).await.unwrap(), [mark(&b, 50, "poor")]);
}

#[tokio::test]
async fn an_older_program_gets_its_schema_back_and_the_log_stays() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.store.record_cycle(&cycle("a", 1, vec![result("blog", Class::Shipped)])).await.unwrap();
    place.store.mark_degraded(&agent("a"), moment(100), "poor").await.unwrap();
    let before = place.store.records(run.run).await.unwrap();
    let (dir, _root) = place.left().await;
    let refused = Store::migrate(&dir, 2, false).await.unwrap_err().to_string();
    assert!(
        refused.contains("1 conformance test of an agent, 1 agent that is marked as degraded;"),
        "{refused}"
    );
    let store = Store::open(&dir).await.unwrap();
    assert_eq!(store.cycles(&agent("a"), 10).await.unwrap().len(), 1);
    store.close().await.unwrap();
    Store::migrate(&dir, 2, true).await.unwrap();
    let store = Store::open(&dir).await.unwrap();
    assert_eq!(store.records(run.run).await.unwrap(), before);
    assert_eq!(store.cycles(&agent("a"), 10).await.unwrap(), []);
    assert_eq!(store.degraded(moment(0)).await.unwrap(), []);
}
