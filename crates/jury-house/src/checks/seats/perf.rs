//! What a page weighs and what it waits for. It is measured without a network, so there are sizes and no times.

use std::collections::BTreeMap;

use jury_core::line::shortened;
use jury_eye::{Beside, Coverage, Node, NodeId};
use jury_text::css::Sheet;

use crate::finding::{Finding, Outcome, Severity, count, counted};
use crate::page::Page;

/// The bytes that a page may weigh, and those at which it is worth nothing.
const LIGHT: usize = 500_000;
const HEAVY: usize = 2_000_000;

/// The files that a page may ask for, and those at which it is worth nothing.
const FEW: usize = 25;
const MANY: usize = 75;

/// The bytes that one image may weigh.
const IMAGE: usize = 200_000;

/// The bytes of a picture from which on it is not read.
const UNREAD: usize = 2 * 1024 * 1024;

/// The share of heavy images at which the check is worth nothing.
const IMAGES_ZERO_AT: f64 = 0.5;

/// Ways of `font-display` that show text before its font is there.
const SHOWN_AT_ONCE: [&str; 3] = ["swap", "fallback", "optional"];

/// A file that a page asks for, and the elements that do.
type Files<'a> = BTreeMap<&'a str, Vec<NodeId>>;

fn asked(node: &Node) -> Option<&str> {
    let address = match node.tag.as_str() {
        "link" if says(node, "stylesheet") && !says(node, "alternate") => node.attribute("href"),
        "script" if node.runs_script() => node.attribute("src"),
        "img" | "iframe" | "video" | "audio" | "source" | "embed" => node.attribute("src"),
        _ => None,
    };
    address.map(str::trim).filter(|address| !address.is_empty())
}

fn says(node: &Node, word: &str) -> bool {
    node.attribute("rel")
        .is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
}

fn is_inline(address: &str) -> bool {
    address.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"))
}

fn files<'a>(page: &'a Page<'_>) -> Files<'a> {
    let mut files = Files::new();
    for node in &page.snapshot.nodes {
        if let Some(address) = asked(node).filter(|address| !is_inline(address)) {
            files.entry(address).or_default().push(node.id);
        }
    }
    files
}

/// The bytes of a file that lies beside the page.
fn size(page: &Page<'_>, address: &str) -> Option<usize> {
    let name = Beside::name_of(address)?;
    let beside = page.subject.beside;
    beside.get(&name).or_else(|| beside.get(name.trim_start_matches('/'))).map(<[u8]>::len)
}

/// The bytes of a picture. One that lies beside the page and was not read was too large for that, and has so many at least.
fn picture_size(page: &Page<'_>, address: &str) -> Option<usize> {
    let is_there = || page.subject.beside.has(&Beside::name_of(address)?);
    size(page, address).or_else(|| is_there().filter(|there| *there).map(|_| UNREAD))
}

/// Thousands of bytes, as people say it.
fn kilobytes(bytes: usize) -> String {
    format!("{} kB", bytes.div_ceil(1000))
}

pub(in crate::checks) fn weight(page: &Page<'_>) -> Outcome {
    let files = files(page);
    let is_picture =
        |nodes: &[NodeId]| nodes.first().and_then(|id| page.node(*id)).is_some_and(|node| node.tag == "img");
    let sizes: Vec<Option<usize>> = files
        .iter()
        .map(
            |(address, nodes)| {
                if is_picture(nodes) { picture_size(page, address) } else { size(page, address) }
            },
        )
        .collect();
    let elsewhere = sizes.iter().filter(|size| size.is_none()).count();
    let bytes = page.html.len() + sizes.into_iter().flatten().sum::<usize>();
    let over = bytes.saturating_sub(LIGHT);
    let severity = if bytes > HEAVY { Severity::Serious } else { Severity::Moderate };
    let finding = (over > 0).then(|| {
        let what = format!("the page weighs {}, needs {} or less", kilobytes(bytes), kilobytes(LIGHT));
        Finding::page(severity, what).because("weight").figure("weighs", count(bytes), "bytes").figure(
            "needs",
            count(LIGHT),
            "bytes",
        )
    });
    let mut note = format!("{} with what lies beside it", kilobytes(bytes));
    if elsewhere > 0 {
        note.extend([", without ", &counted(elsewhere, "file"), " elsewhere"]);
    }
    Outcome::share(over, HEAVY - LIGHT, 1.0, note, finding.into_iter().collect())
}

pub(in crate::checks) fn requests(page: &Page<'_>) -> Outcome {
    let number = files(page).len();
    let over = number.saturating_sub(FEW);
    let finding = (over > 0).then(|| {
        let what = format!("the page asks for {number} files, needs {FEW} or fewer");
        Finding::page(Severity::Moderate, what).because("requests").figure("files", count(number), "")
    });
    let note = counted(number, "file");
    Outcome::share(over, MANY - FEW, 1.0, format!("asks for {note}"), finding.into_iter().collect())
}

/// Scripts in the head that the first picture waits for.
pub(in crate::checks) fn blocking(page: &Page<'_>) -> Outcome {
    let head = page.snapshot.nodes.iter().find(|node| node.tag == "head");
    let Some(head) = head else { return Outcome::not_applicable() };
    let scripts: Vec<&Node> = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| (head.id..head.subtree_end).contains(&node.id))
        .filter(|node| node.tag == "script" && node.runs_script() && node.attribute("src").is_some())
        .collect();
    let waits = |node: &&&Node| {
        let module = node.attribute("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("module"));
        !module && node.attribute("async").is_none() && node.attribute("defer").is_none()
    };
    let blocking: Vec<NodeId> = scripts.iter().filter(waits).map(|node| node.id).collect();
    let note =
        format!("{} of {} in the head block the page", blocking.len(), counted(scripts.len(), "script"));
    let finding = (!blocking.is_empty()).then(|| {
        let what = format!(
            "{} in the head without defer or async, needs one of them ({})",
            counted(blocking.len(), "script"),
            page.places(&blocking)
        );
        Finding::on(Severity::Moderate, blocking.clone(), what).because("blocking scripts")
    });
    Outcome::share(blocking.len(), scripts.len(), 1.0, note, finding.into_iter().collect())
}

pub(in crate::checks) fn images(page: &Page<'_>) -> Outcome {
    let mut seen: BTreeMap<&str, (usize, Vec<NodeId>)> = BTreeMap::new();
    for node in page.snapshot.nodes.iter().filter(|node| node.tag == "img") {
        let Some(address) = asked(node) else { continue };
        let bytes =
            if is_inline(address) { Some(address.len() / 4 * 3) } else { picture_size(page, address) };
        if let Some(bytes) = bytes {
            seen.entry(address).or_insert((bytes, Vec::new())).1.push(node.id);
        }
    }
    let heavy: Vec<_> = seen.iter().filter(|(_, (bytes, _))| *bytes > IMAGE).collect();
    let findings = heavy
        .iter()
        .map(|(address, (bytes, nodes))| {
            let what = format!(
                "image of {}, needs {} or less ({})",
                kilobytes(*bytes),
                kilobytes(IMAGE),
                page.places(nodes)
            );
            let cause = shortened(if is_inline(address) { "in the page" } else { address }, 100);
            Finding::on(Severity::Moderate, nodes.clone(), what).because(cause).figure(
                "weighs",
                count(*bytes),
                "bytes",
            )
        })
        .collect();
    let note = format!("{} of {} over {}", heavy.len(), counted(seen.len(), "image"), kilobytes(IMAGE));
    Outcome::share(heavy.len(), seen.len(), IMAGES_ZERO_AT, note, findings)
}

/// Fonts that hide their text until they are there.
pub(in crate::checks) fn fonts(page: &Page<'_>) -> Outcome {
    let own = page.source.styles.iter().filter_map(|span| page.html.get(span.clone())).map(str::to_owned);
    let linked = files(page);
    let linked = linked.keys().filter_map(|address| {
        let name = Beside::name_of(address).filter(|name| name.to_ascii_lowercase().ends_with("css"))?;
        page.subject.beside.get(&name).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    });
    let (mut total, mut hidden) = (0, Vec::new());
    for sheet in own.chain(linked) {
        for (family, display) in faces(&sheet) {
            total += 1;
            if !SHOWN_AT_ONCE.contains(&display.as_str()) {
                hidden.push(family);
            }
        }
    }
    for address in files(page).into_keys().filter(|address| Coverage::serves_fonts(address)) {
        total += 1;
        if !SHOWN_AT_ONCE.iter().any(|way| address.contains(&format!("display={way}"))) {
            hidden.push(shortened(address.split(['?', '#']).next().unwrap_or_default(), 80));
        }
    }
    let findings = hidden
        .iter()
        .map(|name| {
            let what = format!("font {name} hides its text until it is there, needs font-display: swap");
            Finding::page(Severity::Minor, what).because(format!("font {name}"))
        })
        .collect();
    let note = format!("{} of {} hide their text", hidden.len(), counted(total, "font"));
    Outcome::share(hidden.len(), total, 1.0, note, findings)
}

/// The family and the `font-display` of each `@font-face` rule that loads a file, in lower case.
fn faces(css: &str) -> Vec<(String, String)> {
    let sheet = Sheet::read(css);
    let faces =
        sheet.blocks.iter().enumerate().filter(|(_, block)| block.head.eq_ignore_ascii_case("@font-face"));
    faces
        .filter_map(|(at, _)| {
            let (mut family, mut display, mut loads) = (String::new(), String::new(), false);
            for declaration in sheet.declarations_of(at) {
                let value = declaration.value.to_ascii_lowercase();
                match declaration.property.as_str() {
                    "font-family" => value.trim_matches(['"', '\'']).clone_into(&mut family),
                    "font-display" => display = value,
                    "src" => loads |= value.contains("url("),
                    _ => {}
                }
            }
            loads.then_some((family, display))
        })
        .collect()
}
