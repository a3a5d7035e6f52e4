//! What a long-lived process says about itself: log lines on stderr, and traces to a collector.
//!
//! [`start`] is for commands that serve. The others install nothing, so their spans and events cost nothing.
//! Traces are exported over OTLP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; the other `OTEL_*` variables of the
//! exporter (headers, timeout, sampler, resource attributes) have their usual meaning. Metrics are not here:
//! they are scraped from the server.

mod export;
#[cfg(test)]
mod tests;

use std::env;
use std::io;
use std::time::Duration;

use clap::ValueEnum;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::registry;

use crate::refusal::Refusal;

/// What is logged when nobody says otherwise.
const FILTER: &str = "info";

/// How long the end of the process waits for the last traces.
const PATIENCE: Duration = Duration::from_secs(3);

/// The form of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object per line.
    #[default]
    Json,
    /// Lines for people to read.
    Text,
}

/// What to say, how, and to whom.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// The form of the log lines.
    pub(crate) format: LogFormat,
    /// Which events are logged, as `tracing` writes it: `info`, `critique=debug,warn`.
    pub(crate) filter: Option<String>,
    /// The collector's address, without the path of the signal. Nothing is traced without one.
    pub(crate) collector: Option<String>,
}

impl Options {
    /// Takes the filter from `JURY_LOG` or `RUST_LOG`, and the collector from `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub(crate) fn from_env(format: LogFormat) -> Self {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        Self {
            format,
            filter: set("JURY_LOG").or_else(|| set("RUST_LOG")),
            collector: set("OTEL_EXPORTER_OTLP_ENDPOINT"),
        }
    }
}

/// Log lines and traces of the process, until they are shut down.
#[derive(Debug)]
#[must_use = "the last traces are sent when it is shut down"]
pub(crate) struct Telemetry {
    traces: Option<SdkTracerProvider>,
}

/// Begins to log to stderr, and to trace if there is a collector. Once per process.
pub(crate) fn start(options: &Options) -> Result<Telemetry, Refusal> {
    let (subscriber, telemetry) = subscriber(options, io::stderr)?;
    tracing::subscriber::set_global_default(subscriber)
        .map_err(|error| Refusal::usage(format!("cannot begin to log: {error}")))?;
    Ok(telemetry)
}

impl Telemetry {
    /// Sends what was not sent yet. Blocks, but not for long, even if the collector is gone.
    pub(crate) fn shutdown(self) {
        self.shutdown_within(PATIENCE);
    }

    fn shutdown_within(self, patience: Duration) {
        if let Some(traces) = self.traces
            && let Err(error) = traces.shutdown_with_timeout(patience)
        {
            tracing::warn!(target: "jury", error = %error, "the last traces were not sent");
        }
    }
}

/// Log lines to this writer, and traces to the collector.
fn subscriber<Writer>(
    options: &Options,
    writer: Writer,
) -> Result<(impl Subscriber + Send + Sync + use<Writer>, Telemetry), Refusal>
where
    Writer: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = options.filter.as_deref().unwrap_or(FILTER);
    let filter = EnvFilter::try_new(filter).map_err(|error| {
        Refusal::usage(format!("'{filter}' is not a log filter: {error}; try JURY_LOG=info"))
    })?;
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines = match options.format {
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
        LogFormat::Text => lines.boxed(),
    };
    // Spans are for traces. A line stands for itself, and where nobody traces nobody pays for spans.
    let lines = lines.with_filter(filter.and(filter_fn(is_event)));
    let traces = options.collector.as_deref().map(export::provider).transpose()?;
    let spans = traces.as_ref().map(|traces| {
        tracing_opentelemetry::layer()
            .with_tracer(traces.tracer("jury"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            // Only what is about runs: the exporter's own requests must not make traces of themselves.
            .with_filter(
                filter_fn(is_part_of_a_run).with_max_level_hint(LevelFilter::DEBUG),
            )
    });
    Ok((registry().with(lines).with(spans), Telemetry { traces }))
}

fn is_event(metadata: &Metadata<'_>) -> bool {
    metadata.is_event()
}

fn is_part_of_a_run(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && metadata.target() == "critique"
}
