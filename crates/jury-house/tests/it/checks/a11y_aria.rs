//! Checks of ARIA: one failing and one passing page for each.

use super::a11y_names::{seen, tells};
use jury_core::severity::Severity;

#[test]
fn roles_attributes_and_values() {
    tells(
        "a11y/aria",
        Severity::Serious,
        &[
            "<span role=lnik>A</span>",
            "<span role=widget>A</span>",
            "<div role=checkbox aria-not-checked=true>A</div>",
            "<div role=button aria-pressed=perhaps>A</div>",
            "<div role=gridcell aria-rowindex=2.5>A</div>",
            "<main aria-live=page>A</main>",
        ],
        &[
            "<span role='lnik link'>A</span>",
            "<div role>A</div>",
            "<div role=button aria-pressed=mixed>A</div>",
            "<a href=/ aria-current=page>A</a>",
            "<div aria-hidden=true role=lnik>A</div>",
            "<div role=textbox aria-required=''>A</div>",
        ],
    );
    tells(
        "a11y/aria",
        Severity::Moderate,
        &[
            "<button aria-describedby=nowhere>A</button>",
            "<button aria-describedby=a>A</button><p id=a>x</p><p id=a>y</p>",
        ],
        &[
            "<button aria-controls=later aria-expanded=false>A</button>",
            "<button aria-describedby=a>A</button><p id=a>x</p>",
        ],
    );
    let (found, undecided) =
        seen("a11y/aria", "<button aria-describedby=later>A</button><script>make()</script>");
    assert_eq!((found.len(), undecided.len()), (0, 1));
}

#[test]
fn one_cause_is_one_finding() {
    let (found, _) = seen("a11y/aria", &"<b role=lnik>A</b>".repeat(9));
    assert_eq!(found.len(), 1);
    assert_eq!(found.first().map(|found| found.places.len()), Some(9));
}

#[test]
fn states_that_are_needed() {
    tells(
        "a11y/aria-required",
        Severity::Serious,
        &[
            "<div role=heading>A</div>",
            "<div role=checkbox aria-label=A></div>",
            "<input role=combobox aria-label=A aria-controls=b><ul id=b role=listbox></ul>",
            "<div role=separator tabindex=0></div>",
        ],
        &[
            "<div role=heading aria-level=2>A</div>",
            "<input type=checkbox role=switch aria-label=A>",
            "<div role=separator></div>",
            "<li role=option>A</li>",
        ],
    );
}

#[test]
fn states_that_are_allowed() {
    tells(
        "a11y/aria-allowed",
        Severity::Serious,
        &[
            "<audio controls aria-orientation=horizontal></audio>",
            "<div role=button aria-checked=true>A</div>",
        ],
        &[
            "<div role=switch aria-checked=false aria-required=true>A</div>",
            "<button aria-expanded=true>A</button>",
            "<button role=none aria-pressed=false>A</button>",
            "<div aria-live=polite>A</div>",
        ],
    );
}

#[test]
fn names_that_are_prohibited() {
    tells(
        "a11y/aria-prohibited",
        Severity::Moderate,
        &["<div aria-label=A>x</div>", "<p aria-label=A>x</p>", "<div aria-roledescription=A>x</div>"],
        &[
            "<section aria-label=A>x</section>",
            "<div role=group aria-label=A>x</div>",
            "<div aria-label=A hidden></div>",
        ],
    );
}

#[test]
fn roles_that_belong_together() {
    tells(
        "a11y/aria-parent",
        Severity::Serious,
        &[
            "<div role=listitem>A</div>",
            "<div role=list><div aria-live=polite><div role=listitem>A</div></div></div>",
            "<div role=list><div role=tabpanel><div role=listitem>A</div></div></div>",
        ],
        &[
            "<div role=list><div role=presentation><div role=listitem>A</div></div></div>",
            "<ul><div role=listitem>A</div></ul>",
            "<div role=listbox aria-label=B><div role=group><div role=option>A</div></div></div>",
            "<div role=list aria-owns=a></div><div role=listitem id=a>A</div>",
            "<div role=listitem hidden>A</div>",
        ],
    );
    tells(
        "a11y/aria-children",
        Severity::Serious,
        &[
            "<div role=list><span>A</span></div>",
            "<ol role=tablist><li role=listitem>A</li></ol>",
            "<div role=list><div role=listitem>A</div><div role=group><div role=listitem>B</div></div></div>",
        ],
        &[
            "<div role=list><span role=listitem>A</span></div>",
            "<div role=list aria-busy=true><span>A</span></div>",
            "<ul role=menu><li role=none><a role=menuitem href=/>A</a></li><li role=separator></li></ul>",
        ],
    );
    let (found, undecided) = seen("a11y/aria-children", "<div role=list></div>");
    assert_eq!((found.len(), undecided.len()), (0, 1));
}

#[test]
fn focus_in_what_is_hidden() {
    tells(
        "a11y/aria-hidden",
        Severity::Serious,
        &[
            "<div aria-hidden=true><a href=/>A</a></div>",
            "<p tabindex=0 aria-hidden=true>A</p>",
            "<div aria-hidden=true><div aria-hidden=false><button>A</button></div></div>",
            "<details aria-hidden=true><summary>A</summary></details>",
        ],
        &[
            "<p aria-hidden=true>A</p>",
            "<div aria-hidden=true><a href=/ tabindex=-1>A</a></div>",
            "<div aria-hidden=true style='visibility:hidden'><a href=/>A</a></div>",
            "<div aria-hidden=true inert><a href=/>A</a></div>",
            "<input disabled aria-hidden=true>",
            "<fieldset disabled><div aria-hidden=true><input></div></fieldset>",
        ],
    );
    tells(
        "a11y/aria-hidden",
        Severity::Critical,
        &["<!doctype html><html lang=en><title>A</title><body aria-hidden=true><p>A</p>"],
        &["<p>A</p>"],
    );
}

#[test]
fn controls_in_controls() {
    tells(
        "a11y/nested",
        Severity::Serious,
        &[
            "<button>A <span role=button tabindex=0>B</span></button>",
            "<div role=button tabindex=0>A <a href=/ tabindex=-1>B</a></div>",
            "<span role=img aria-label=A><a href=/>B</a></span>",
            "<div role=tab tabindex=0>A <button>B</button></div>",
        ],
        &[
            "<button>A</button><button>B</button>",
            "<a href=/><b>A</b></a>",
            "<button>A <b tabindex=-1>B</b></button>",
            "<details><summary>A <a href=/>B</a></summary>C</details>",
        ],
    );
}

#[test]
fn decoration_that_is_heard() {
    tells(
        "a11y/decoration",
        Severity::Minor,
        &["<svg role=none aria-label=A></svg>", "<img alt='' tabindex=0 src=a.png>"],
        &["<img alt='' src=a.png>", "<nav role=presentation>A</nav>", "<svg role=none></svg>"],
    );
}
