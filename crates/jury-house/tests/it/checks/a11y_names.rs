//! Checks of names: one failing and one passing page for each.

use jury_core::severity::Severity;
use jury_eye::Beside;
use jury_house::ReportedFinding;

/// What a check finds, and what it cannot decide, on a page with this body.
pub(super) fn seen(check: &str, body: &str) -> (Vec<ReportedFinding>, Vec<ReportedFinding>) {
    let page = if body.trim_start().to_lowercase().starts_with("<!doctype") {
        body.to_owned()
    } else {
        format!("<!doctype html><html lang=en><head><title>A page</title></head><body>{body}</body></html>")
    };
    let report = jury_house::report(&page, None, &Beside::nothing()).expect("the page can be measured");
    let of = |found: Vec<ReportedFinding>| found.into_iter().filter(|found| found.check == check).collect();
    (of(report.findings), of(report.undecided))
}

/// Each body makes the check find something of this severity, and each of the others nothing.
#[track_caller]
pub(super) fn tells(check: &str, severity: Severity, bad: &[&str], good: &[&str]) {
    for body in bad {
        let (found, _) = seen(check, body);
        assert!(found.iter().any(|found| found.severity == severity), "{check} on {body}: {found:?}");
    }
    for body in good {
        let (found, _) = seen(check, body);
        assert!(
            found.is_empty(),
            "{check} on {body}: {:?}",
            found.iter().map(|found| &found.what).collect::<Vec<_>>()
        );
    }
}

#[test]
fn images() {
    tells(
        "a11y/img-alt",
        Severity::Critical,
        &[
            "<img src=a.png>",
            "<img src=a.png alt=' '>",
            "<div role=img></div>",
            "<svg role=img><circle/></svg>",
            "<svg><circle role=graphics-symbol /></svg>",
            "<input type=image src=a.png>",
            "<object data=a.png></object>",
            "<img role=none tabindex=0 src=a.png>",
        ],
        &[
            "<img src=a.png alt=''>",
            "<img src=a.png alt=Loaf>",
            "<svg><circle/></svg>",
            "<svg role=img><title>Loaf</title></svg>",
            "<input type=image alt=Go>",
            "<object data=a.html></object>",
            "<object data=a.png aria-label=Loaf></object>",
            "<img src=a.png aria-hidden=true>",
            "<img src=a.png hidden>",
        ],
    );
}

#[test]
fn controls() {
    tells(
        "a11y/control-name",
        Severity::Critical,
        &[
            "<button></button>",
            "<a href=/><img alt=''></a>",
            "<details><summary></summary>x</details>",
            "<div role=button tabindex=0><i class=icon></i></div>",
            "<img usemap='#m' alt=Map><map name=m><area href=/ shape=rect coords='0,0,9,9'></map>",
            "<svg width=9 height=9><a href='/'><circle/></a></svg>",
        ],
        &[
            "<button>Go</button>",
            "<a>no link</a>",
            "<summary></summary>",
            "<a href=/ aria-label=Home></a>",
            "<input type=submit>",
            "<button hidden></button>",
        ],
    );
}

#[test]
fn a_control_that_a_script_fills_is_undecided() {
    let (found, undecided) = seen(
        "a11y/control-name",
        "<button id=go></button><script>document.getElementById('go').textContent='Go'</script>",
    );
    assert_eq!((found.len(), undecided.len()), (0, 1));
}

#[test]
fn fields() {
    tells(
        "a11y/field-label",
        Severity::Critical,
        &[
            "<input>",
            "<label>Date</label><input type=date>",
            "<select><option>A</select>",
            "<textarea></textarea>",
            "<div role=textbox>City</div>",
            "<div role=switch aria-checked=true></div>",
        ],
        &[
            "<label>City <input></label>",
            "<input type=hidden>",
            "<input aria-label=City>",
            "<div role=checkbox aria-checked=true>Agree</div>",
            "<button>Go</button>",
        ],
    );
    tells("a11y/field-label", Severity::Minor, &["<input placeholder=City>"], &["<input title=City>"]);
}

#[test]
fn widgets() {
    tells(
        "a11y/widget-name",
        Severity::Serious,
        &["<div role=progressbar aria-valuenow=3></div>", "<div role=meter aria-valuenow=3></div>"],
        &["<div role=meter aria-valuenow=3 aria-label=Load></div>", "<progress></progress>"],
    );
    tells(
        "a11y/widget-name",
        Severity::Moderate,
        &["<div role=dialog>Sure?</div>"],
        &["<div role=dialog aria-label=Question>Sure?</div>"],
    );
}

#[test]
fn words_on_controls() {
    tells(
        "a11y/label-in-name",
        Severity::Serious,
        &[
            "<a href=/ aria-label=WCAG>The rules</a>",
            "<a href=/ aria-label='Discover Italy'>Discover It</a>",
            "<a href=/ aria-label='Download file'>Download <i aria-hidden=true>big</i> file</a>",
        ],
        &[
            "<a href=/ aria-label='The rules of today'>The rules</a>",
            "<button aria-label=Close>X</button>",
            "<button aria-label=Find style='font-family:Material Icons'>search</button>",
            "<nav aria-label=Main>Pages</nav>",
            "<a href=/ aria-label='Home'><img alt='Logo'></a>",
        ],
    );
}

#[test]
fn frames() {
    tells(
        "a11y/frames",
        Severity::Serious,
        &["<iframe src=a.html></iframe>", "<iframe src=a.html title=' '></iframe>"],
        &[
            "<iframe src=a.html title=Map></iframe>",
            "<iframe src=a.html tabindex=-1></iframe>",
            "<iframe src=a.html role=none></iframe>",
            "<iframe src=a.html hidden></iframe>",
        ],
    );
    tells(
        "a11y/frame-focus",
        Severity::Serious,
        &["<iframe title=A tabindex=-1 srcdoc=\"<a href='/'>Home</a>\"></iframe>"],
        &[
            "<iframe title=A tabindex=-1 srcdoc='<h1>Hello</h1>'></iframe>",
            "<iframe title=A tabindex=-1 inert srcdoc=\"<a href='/'>Home</a>\"></iframe>",
            "<iframe title=A tabindex=0 srcdoc=\"<a href='/'>Home</a>\"></iframe>",
        ],
    );
}
