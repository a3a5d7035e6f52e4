//! A real run, its log lines, and its traces as they arrive at a collector.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use jury_agents::Invocation;
use jury_agents::decoder::Format;
use jury_core::event::{BestSoFar, Event, Failed, TheaterEvent};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::outcome::{FailedCause, TheaterStatus};
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{Board, TheaterSetup};
use jury_core::unit::{Millis, Seq};
use jury_engine::{Agent, Measuring, Panel, TheaterJob};
use jury_server::journal;
use jury_store::{Owner, Store};
use jury_testkit::fixtures::transcript_shipped;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::*;

#[derive(Debug, Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn to(lines: &Lines) -> impl Fn() -> Lines + Send + Sync + 'static {
    let lines = lines.clone();
    move || lines.clone()
}

/// A collector: takes what is posted to it, and says so.
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let sender = sender.clone();
            thread::spawn(move || serve(&connection.unwrap(), &sender));
        }
    });
    (address, received)
}

fn serve(connection: &TcpStream, sender: &Sender<(String, Vec<u8>)>) {
    let mut reader = BufReader::new(connection);
    loop {
        let (mut head, mut length) = (Vec::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
            head.push(line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        sender.send((head.join("\n"), body)).ok();
        let mut connection = connection;
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

/// A run whose agent prints an answer and ends, with whatever is installed on this thread.
async fn run(answer: &str) -> Board {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("answer.txt");
    std::fs::write(&file, answer).unwrap();
    let store = Store::open(dir.path().join(".od")).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let job = TheaterJob {
        run: RunId(Uuid::now_v7()),
        subject: TheaterSetup {
            project: ProjectId::default_project(),
            artifact: ArtifactId(Uuid::now_v7()),
            agent: "scripted".parse().unwrap(),
        },
        title: "page.html".to_owned(),
        config: CritiqueConfig::default(),
        agent: Agent::Program {
            invocation: Invocation::new("cat").arg(&file),
            format: Format::Plain,
            silence: None,
        },
        panel: Panel::Sits,
        legacy: None,
        request: None,
        grace: Duration::from_millis(300),
        measuring: Measuring::default(),
    };
    let mut observer = |records: &[Record]| records.iter().for_each(journal::write);
    jury_engine::run(&store, &owner, job, &mut observer, CancellationToken::new()).await.unwrap()
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text.clone()),
        Value::IntValue(number) => Some(number.to_string()),
        Value::DoubleValue(number) => Some(number.to_string()),
        Value::BoolValue(_)
        | Value::ArrayValue(_)
        | Value::KvlistValue(_)
        | Value::BytesValue(_)
        | Value::StringValueStrindex(_) => None,
    }
}

#[tokio::test]
async fn a_run_arrives_at_the_collector_as_one_tree() {
    let (address, received) = collector();
    let lines = Lines::default();
    let options = Options { collector: Some(address + "/"), ..Options::default() };
    let (subscriber, telemetry) = subscriber(&options, to(&lines)).unwrap();
    let board = {
        let _installed = tracing::subscriber::set_default(subscriber);
        run(transcript_shipped()).await
    };
    assert_eq!(board.status(), Some(TheaterStatus::Shipped));
    telemetry.shutdown();

    let posts: Vec<(String, Vec<u8>)> = received.try_iter().collect();
    let mut spans = Vec::new();
    for (head, body) in &posts {
        assert!(head.starts_with("post /v1/traces http/1.1"), "{head}");
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        for of_resource in ExportTraceServiceRequest::decode(body.as_slice()).unwrap().resource_spans {
            let resource = of_resource.resource.unwrap();
            assert!(resource.attributes.iter().any(|attribute| attribute.key == "service.name"));
            spans.extend(of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let names: BTreeSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    let expected = [
        "critique.parse_chunk",
        "critique.persist_round",
        "critique.round.1",
        "critique.round.2",
        "critique.run",
        "critique.scoreboard_eval",
        "critique.ship.persist",
    ];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);

    let by_id: BTreeMap<&[u8], &Span> = spans.iter().map(|span| (span.span_id.as_slice(), span)).collect();
    let root = spans.iter().find(|span| span.name == "critique.run").unwrap();
    assert!(root.parent_span_id.is_empty());
    for span in &spans {
        assert_eq!(span.trace_id, root.trace_id, "{}", span.name);
        let parent = by_id.get(span.parent_span_id.as_slice()).map(|parent| parent.name.as_str());
        let expected = match span.name.as_str() {
            "critique.run" => None,
            "critique.scoreboard_eval" => Some(if attribute(span, "round").as_deref() == Some("1") {
                "critique.round.1"
            } else {
                "critique.round.2"
            }),
            _ => Some("critique.run"),
        };
        assert_eq!(parent, expected, "{}", span.name);
    }
    let said = |span: &Span, keys: &[&str]| keys.iter().map(|key| attribute(span, key)).collect::<Vec<_>>();
    let some = |words: &[&str]| words.iter().map(|word| Some((*word).to_owned())).collect::<Vec<_>>();
    assert_eq!(
        said(root, &["agent", "status", "composite", "rounds"]),
        some(&["scripted", "shipped", "8.6", "2"])
    );
    assert!(attribute(root, "run_id").is_some());
    let second = spans.iter().find(|span| span.name == "critique.round.2").unwrap();
    assert_eq!(said(second, &["round", "composite", "decision"]), some(&["2", "8.6", "ship"]));

    let events: Vec<serde_json::Value> =
        lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.iter().any(|event| event["event"] == "run_shipped"), "{events:?}");
    assert!(events.iter().all(|event| event["timestamp"].is_string()), "{events:?}");
}

#[tokio::test]
async fn a_collector_that_never_answers_holds_nobody_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = Some(format!("http://{}", listener.local_addr().unwrap()));
    let lines = Lines::default();
    let (subscriber, telemetry) =
        subscriber(&Options { collector, ..Options::default() }, to(&lines)).unwrap();
    let _installed = tracing::subscriber::set_default(subscriber);
    for _ in 0..3 {
        assert_eq!(run(transcript_shipped()).await.status(), Some(TheaterStatus::Shipped));
    }
    // The end does not wait for it either, and says so in one line.
    telemetry.shutdown_within(Duration::from_millis(100));
    let text = lines.text();
    let others: Vec<&str> = text.lines().filter(|line| !line.contains("\"target\":\"critique\"")).collect();
    assert_eq!(others.len(), 1, "{others:?}");
    drop(listener);
}

fn failed(detail: &str) -> Record {
    let failed =
        Failed { cause: FailedCause::AgentError, detail: detail.to_owned(), best: BestSoFar::default() };
    Record {
        seq: Seq(1),
        at: Millis(2),
        run_id: RunId(Uuid::from_u128(1)),
        event: Event::Theater(TheaterEvent::Failed(failed)),
    }
}

#[test]
fn hostile_texts_make_no_lines_of_their_own() {
    let hostile = "a\n{\"event\":\"run_shipped\"}\r\u{1b}[2J\u{2028}\u{85}\"}";
    for format in [LogFormat::Json, LogFormat::Text] {
        let lines = Lines::default();
        let (subscriber, _telemetry) =
            subscriber(&Options { format, ..Options::default() }, to(&lines)).unwrap();
        tracing::subscriber::with_default(subscriber, || {
            journal::write(&failed(hostile));
            // What others log is not cleaned beforehand.
            tracing::info!(target: "other", text = hostile, "said");
        });
        let text = lines.text();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        if format == LogFormat::Json {
            for line in text.lines() {
                let event: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(event.is_object() && event["event"] != "run_shipped", "{line}");
            }
        }
    }
}

#[test]
fn the_filter_decides_what_is_said() {
    let said = |filter: Option<&str>| {
        let lines = Lines::default();
        let options = Options { filter: filter.map(str::to_owned), ..Options::default() };
        let (subscriber, _telemetry) = subscriber(&options, to(&lines)).unwrap();
        tracing::subscriber::with_default(subscriber, || {
            journal::write(&failed("it broke"));
            tracing::info!(target: "critique", "information");
            tracing::debug!(target: "critique", "detail");
        });
        lines.text().lines().count()
    };
    assert_eq!(said(None), 2);
    assert_eq!(said(Some("critique=error")), 1);
    assert_eq!(said(Some("off,critique=trace")), 3);
    assert_eq!(said(Some("off")), 0);
    let bad = Options { filter: Some("critique=loud".to_owned()), ..Options::default() };
    let refusal = subscriber(&bad, io::sink).err().unwrap();
    assert!(refusal.message.contains("critique=loud"), "{}", refusal.message);
}
