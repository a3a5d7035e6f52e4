//! Speaks HTTP: the API that the page and other tools build on, the live streams, the metrics.

pub mod journal;
pub mod metrics;
