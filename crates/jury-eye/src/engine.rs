//! Driving the style engine: its settings, its thread, and the wall around its panics.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::thread;

use blitz_dom::{BaseDocument, DocumentConfig, StyleThreading, UserAgentStylesheet};
use blitz_html::HtmlDocument;
use blitz_traits::shell::{ColorScheme, Viewport as EngineViewport};

use rustix::time::{ClockId, clock_gettime};

use crate::collect::Reading;
use crate::pictures::Pictures;
use crate::prepare::Canvas;
use crate::references::Addresses;
use crate::resources::Resources;
use crate::tags::tags;
use crate::{EyeError, Sight, Snapshot, Viewport, collect, complexity, fonts, nesting, pixels, prepare};

/// The engine recurses over the tree several frames per level. The stack is reserved, not used: pages
/// that are not deep touch a few hundred kilobytes of it.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// What is left of a page without the pictures it carries may be this large: layout grows with it.
const MAX_CONTENT_BYTES: usize = 2 * 1024 * 1024;

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

/// Parses the page once, lays it out in every window and reads each of them off.
pub(crate) fn measure(sight: Sight<'_>) -> Result<Vec<Snapshot>, EyeError> {
    let Some(first) = sight.viewports.first() else {
        return Ok(Vec::new());
    };
    let (prepared, carried) = prepare::page(sight.html);
    if prepared.len() > MAX_CONTENT_BYTES {
        return Err(EyeError::TooLarge { bytes: prepared.len(), limit: MAX_CONTENT_BYTES });
    }
    complexity::check(&prepared, sheets(&sight))?;
    let addresses = Addresses::of(&prepared, sight.beside);
    let missing = addresses.missing.clone();
    let resources = Resources::new(addresses, carried);
    let mut pictures = Pictures::default();
    let mut document = parse(&prepared, *first, &resources, Canvas::Light);
    let mut sources = sheets(&sight).chain(std::iter::once(&*prepared));
    // Most pages do not speak of it, and need not be styled to know.
    let speaks_of_it = sources.any(|source| source.to_ascii_lowercase().contains("color-scheme"));
    if speaks_of_it && asks_for_dark(&prepared, &mut document) {
        document = parse(&prepared, *first, &resources, Canvas::Dark);
    }
    resources.place_pictures(&mut document, &mut pictures);
    nesting::refuse_beyond_limit(collect::depth(&document))?;
    let mut snapshots = Vec::with_capacity(sight.viewports.len());
    for viewport in sight.viewports {
        document.set_viewport(window(*viewport));
        forget_boxes(&mut document);
        // No time has to pass: what moves is at its end from the start, see `prepare::extra_rules`.
        document.resolve(0.0);
        // Those that style sheets ask for; they take no room.
        resources.place_pictures(&mut document, &mut pictures);
        let Reading { mut snapshot, ids } = collect::read(&document, &missing, *viewport);
        if snapshots.is_empty()
            && let Some(undecided) = sight.pixels
        {
            let wanted = undecided(&snapshot);
            for (id, behind) in pixels::behind(&mut document, &ids, &snapshot, &pictures, &wanted) {
                if let Some(node) = snapshot.nodes.get_mut(id.index()) {
                    node.behind = Some(behind);
                }
            }
        }
        snapshots.push(snapshot);
    }
    Ok(snapshots)
}

/// The style sheets beside the page.
fn sheets<'a>(sight: &Sight<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    sight.beside.iter().filter_map(|(address, bytes)| {
        address.to_ascii_lowercase().ends_with(".css").then(|| std::str::from_utf8(bytes).ok()).flatten()
    })
}

/// The page as a document of the engine, not yet styled.
fn parse(html: &str, viewport: Viewport, resources: &Arc<Resources>, canvas: Canvas) -> HtmlDocument {
    // Off by default in the engine, and used by real pages.
    stylo_static_prefs::set_pref!("layout.css.has-selector.enabled", true);
    stylo_static_prefs::set_pref!("layout.css.nth-child-of.enabled", true);

    // Without a base the engine panics on relative addresses.
    let base_url = Some(resources.base().to_owned());
    let config = DocumentConfig {
        viewport: Some(window(viewport)),
        base_url,
        ua_stylesheets: vec![
            UserAgentStylesheet::default_sheet(),
            UserAgentStylesheet::parse(&prepare::extra_rules(html, canvas)),
        ],
        net_provider: Some(Arc::<Resources>::clone(resources)),
        font_ctx: Some(fonts::embedded()),
        // Several documents may resolve at once, which only sequential styling allows.
        style_threading: StyleThreading::Sequential,
        // A box must not remember what it was in the window before.
        incremental: Some(false),
        ..DocumentConfig::default()
    };
    HtmlDocument::from_html(html, config)
}

/// Whether a page asks for dark colours and nothing else: then it is dark for whoever prefers light ones, too.
fn asks_for_dark(html: &str, document: &mut HtmlDocument) -> bool {
    document.resolve(0.0);
    let Some(root) = document.try_root_element().map(|root| root.id) else { return false };
    let asked = document.resolved_style_value(root, "color-scheme");
    let by_meta = tags(html)
        .find(|tag| tag.name == "meta" && tag.has_word("name", "color-scheme"))
        .and_then(|tag| tag.attribute("content").map(str::to_ascii_lowercase));
    let asked = if asked == "normal" { by_meta.unwrap_or_default() } else { asked };
    asked.split_ascii_whitespace().any(|word| word == "dark")
        && !asked.split_ascii_whitespace().any(|word| word == "light")
}

/// The engine builds all boxes anew for each window, but an element that stops having one stays marked as if it had.
fn forget_boxes(document: &mut BaseDocument) {
    let mut open = vec![document.root_node().id];
    while let Some(id) = open.pop() {
        if let Some(node) = document.get_node_mut(id) {
            node.flags.reset_construction_flags();
            open.extend(node.children.iter().copied());
        }
    }
}

fn window(viewport: Viewport) -> EngineViewport {
    EngineViewport::new(viewport.width, viewport.height, 1.0, ColorScheme::Light)
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
