//! Sends traces to a collector over OTLP, as protobuf over HTTP.
//!
//! Spans wait in a bounded queue and are sent by a thread of the exporter's own; when the queue is full, spans
//! are dropped. A collector that is slow or gone costs a run nothing, and the log one line when it goes and one
//! when it is back.

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry_otlp::{Protocol, SpanExporter as Otlp, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tokio::runtime::{Builder, Runtime};

use crate::refusal::Refusal;

/// Everything that makes traces and sends them to this collector.
pub(super) fn provider(collector: &str) -> Result<SdkTracerProvider, Refusal> {
    jury_agents::api::install_provider();
    let endpoint = format!("{}/v1/traces", collector.trim_end_matches('/'));
    if !["http://", "https://"].iter().any(|scheme| endpoint.starts_with(scheme)) {
        return Err(unusable(collector, &"it begins with neither http:// nor https://"));
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("traces")
        .enable_all()
        .build()
        .map_err(|error| unusable(collector, &error))?;
    let inner = {
        // The client wants to know where it will run.
        let _entered = runtime.enter();
        Otlp::builder().with_http().with_protocol(Protocol::HttpBinary).with_endpoint(endpoint).build()
    };
    let inner = match inner {
        Ok(inner) => inner,
        Err(error) => {
            // We may be called from another runtime, in which this one must not be waited for.
            runtime.shutdown_background();
            return Err(unusable(collector, &error));
        }
    };
    let exporter = Exporter { inner, runtime, health: Health::default() };
    Ok(SdkTracerProvider::builder().with_resource(resource()).with_batch_exporter(exporter).build())
}

fn unusable(collector: &str, why: &dyn std::fmt::Display) -> Refusal {
    Refusal::usage(format!(
        "cannot send traces to '{collector}': {why}; set OTEL_EXPORTER_OTLP_ENDPOINT to an address such as http://localhost:4318, or unset it"
    ))
}

/// Who we are. The environment may say it better.
fn resource() -> Resource {
    let resource =
        Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    if env::var_os("OTEL_SERVICE_NAME").is_some() { resource } else { resource.with_service_name("jury") }
        .build()
}

/// The OTLP exporter with a runtime of its own: it is called from a thread that has none, and what it waits
/// for must not depend on ours, which may be busy or gone when the last traces are sent.
#[derive(Debug)]
struct Exporter {
    inner: Otlp,
    runtime: Runtime,
    health: Health,
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let sent = self.runtime.block_on(self.inner.export(batch));
        match (self.health.changed(sent.is_ok()), &sent) {
            (true, Err(error)) => tracing::warn!(
                target: "jury", error = %error,
                "the collector takes no traces; they are dropped until it does"
            ),
            (true, Ok(())) => tracing::info!(target: "jury", "the collector takes traces again"),
            (false, _) => {}
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// Whether the last attempt went wrong.
#[derive(Debug, Default)]
struct Health {
    ailing: AtomicBool,
}

impl Health {
    /// Whether this is news.
    fn changed(&self, well: bool) -> bool {
        self.ailing.swap(!well, Ordering::Relaxed) == well
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_that_is_gone_is_said_once_and_so_is_its_return() {
        let health = Health::default();
        let said = [true, false, false, false, true, true, false].map(|well| health.changed(well));
        assert_eq!(said, [false, true, false, false, true, false, true]);
    }

    #[tokio::test]
    async fn an_address_that_is_none_is_refused_with_advice() {
        for bad in ["localhost:4318", "http://", "http://[nowhere", "ftp://localhost"] {
            let refusal = provider(bad).unwrap_err();
            assert!(refusal.message.contains(bad) && refusal.message.contains("4318"), "{}", refusal.message);
        }
    }
}
