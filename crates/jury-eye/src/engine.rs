//! Driving the style engine: its settings, its thread, and the wall around its panics.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::thread;

use blitz_dom::{DocumentConfig, StyleThreading, UserAgentStylesheet};
use blitz_html::HtmlDocument;
use blitz_traits::net::DummyNetProvider;
use blitz_traits::shell::{ColorScheme, Viewport as EngineViewport};

use rustix::time::{ClockId, clock_gettime};

use crate::{EyeError, Sight, Snapshot, Viewport, collect, fonts, nesting, prepare};

/// The engine recurses over the tree several frames per level. The stack is reserved, not used: pages
/// that are not deep touch a few hundred kilobytes of it.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Far enough after the start for every animation a page is likely to have to be over.
const SETTLED_SECONDS: f64 = 3_600.0;

thread_local! {
    /// Set on threads whose panics are caught and reported, so that they are not printed as well.
    static PANICS_ARE_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What looking has cost this process so far.
static SPENT_NANOSECONDS: AtomicU64 = AtomicU64::new(0);

/// The CPU time this process has spent in the engine, in nanoseconds. For benchmarks: nothing that is measured
/// on a page depends on it.
pub fn nanoseconds_spent() -> u64 {
    SPENT_NANOSECONDS.load(Ordering::Relaxed)
}

/// Runs `work` on a thread with a deep stack and turns a panic into an error.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, EyeError> {
    keep_caught_panics_quiet();
    thread::scope(|scope| {
        let handle = thread::Builder::new()
            .name("jury-eye".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || {
                PANICS_ARE_CAUGHT.set(true);
                let result = panic::catch_unwind(AssertUnwindSafe(work));
                // The thread does nothing else, so its clock is the price of this look.
                let spent = clock_gettime(ClockId::ThreadCPUTime);
                let nanoseconds = u64::try_from(spent.tv_sec * 1_000_000_000 + spent.tv_nsec).unwrap_or(0);
                SPENT_NANOSECONDS.fetch_add(nanoseconds, Ordering::Relaxed);
                result
            })
            .map_err(|error| EyeError::NoThread { reason: error.to_string() })?;
        handle
            .join()
            .and_then(|result| result)
            .map_err(|payload| EyeError::EnginePanic { message: panic_message(payload.as_ref()) })
    })
}

/// Parses, styles and lays out the page, then reads it off.
pub(crate) fn measure(sight: Sight<'_>) -> Result<Vec<Snapshot>, EyeError> {
    sight.viewports.iter().map(|viewport| measure_in(sight.html, *viewport)).collect()
}

fn measure_in(html: &str, viewport: Viewport) -> Result<Snapshot, EyeError> {
    // Off by default in the engine, and used by real pages.
    stylo_static_prefs::set_pref!("layout.css.has-selector.enabled", true);
    stylo_static_prefs::set_pref!("layout.css.nth-child-of.enabled", true);

    let settled = prepare::prefer_reduced_motion(html);
    let config = DocumentConfig {
        viewport: Some(EngineViewport::new(viewport.width, viewport.height, 1.0, ColorScheme::Light)),
        // Without a base the engine panics on relative addresses.
        base_url: Some("https://page.invalid/".to_owned()),
        ua_stylesheets: vec![
            UserAgentStylesheet::default_sheet(),
            UserAgentStylesheet::parse(&prepare::extra_rules(html)),
        ],
        net_provider: Some(Arc::new(DummyNetProvider)),
        font_ctx: Some(fonts::embedded()),
        // Several documents may resolve at once, which only sequential styling allows.
        style_threading: StyleThreading::Sequential,
        ..DocumentConfig::default()
    };
    let mut document = HtmlDocument::from_html(&settled, config);
    nesting::refuse_beyond_limit(collect::depth(&document))?;
    document.resolve(0.0);
    if document.is_animating() {
        document.resolve(SETTLED_SECONDS);
    }
    Ok(collect::snapshot(&document, html, viewport))
}

/// Installs, once, a panic hook that passes everything on except what this crate catches itself.
fn keep_caught_panics_quiet() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !PANICS_ARE_CAUGHT.get() {
                previous(info);
            }
        }));
    });
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|message| (*message).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let result: Result<(), _> = on_deep_stack(|| panic!("box {} has no parent", 7));
        assert_eq!(result, Err(EyeError::EnginePanic { message: "box 7 has no parent".to_owned() }));
    }
}
