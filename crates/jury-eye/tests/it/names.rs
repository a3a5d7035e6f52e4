//! Roles and accessible names, case by case. The element asked about is the one with the id `x`.

use std::fmt::Write as _;

use crate::{by_id, see};

/// A page, the role and the name of its `#x`.
type Case = (&'static str, Option<&'static str>, &'static str);

const NAMES: &[Case] = &[
    // Attributes come before everything else.
    ("<button id=x aria-label='Save'>Store</button>", Some("button"), "Save"),
    ("<button id=x aria-label='  '>Store</button>", Some("button"), "Store"),
    ("<i id=a>Save</i><button id=x aria-labelledby=a aria-label=No>Store</button>", Some("button"), "Save"),
    (
        "<i id=a>Save</i><i id=b>all</i><button id=x aria-labelledby='b a nowhere'></button>",
        Some("button"),
        "all Save",
    ),
    ("<button id=x aria-labelledby=nowhere aria-label=Save></button>", Some("button"), "Save"),
    ("<b id=a hidden>Hid<i>den</i></b><a href=/ id=x aria-labelledby=a></a>", Some("link"), "Hidden"),
    ("<b id=a>Seen<i hidden>not</i></b><a href=/ id=x aria-labelledby=a></a>", Some("link"), "Seen"),
    ("<b id=a aria-hidden=true>Kept</b><a href=/ id=x aria-labelledby=a></a>", Some("link"), "Kept"),
    ("<b id=a aria-label=Label>text</b><a href=/ id=x aria-labelledby=a></a>", Some("link"), "Label"),
    // No chains, and no running in circles.
    (
        "<b id=b>two</b><b id=a aria-labelledby=b>one</b><a href=/ id=x aria-labelledby=a></a>",
        Some("link"),
        "one",
    ),
    ("<button id=x aria-labelledby='x a'>Delete</button><b id=a>file</b>", Some("button"), "Delete file"),
    (
        "<button id=x aria-label=Delete aria-labelledby='x a'></button><b id=a>file</b>",
        Some("button"),
        "Delete file",
    ),
    // Labels.
    ("<label for=x>City</label><input id=x>", Some("textbox"), "City"),
    ("<label>City <input id=x></label>", Some("textbox"), "City"),
    ("<label for=x>One</label><label for=x>Two</label><input id=x>", Some("textbox"), "One Two"),
    ("<label for=y>City <input id=x></label>", Some("textbox"), ""),
    ("<label>First <input> <input id=x></label>", Some("textbox"), ""),
    ("<label hidden for=x>Unseen</label><input id=x>", Some("textbox"), "Unseen"),
    ("<label for=x>City</label><div role=textbox id=x></div>", Some("textbox"), ""),
    ("<label for=x>Save</label><button id=x>Store</button>", Some("button"), "Save"),
    // A control inside a label counts with its value.
    (
        "<label for=x>Flash <input value=3> times</label><input type=checkbox id=x>",
        Some("checkbox"),
        "Flash 3 times",
    ),
    (
        "<label for=x>Flash <select><option>one<option selected>two</select> times</label><input type=checkbox id=x>",
        Some("checkbox"),
        "Flash two times",
    ),
    (
        "<label for=x>Flash <i role=slider aria-valuenow=7 aria-valuetext=seven></i> times</label><input type=radio id=x>",
        Some("radio"),
        "Flash seven times",
    ),
    // What HTML and SVG provide.
    ("<img id=x alt='A loaf'>", Some("img"), "A loaf"),
    ("<img id=x title='A loaf'>", Some("img"), "A loaf"),
    ("<img id=x alt=''>", Some("none"), ""),
    ("<img id=x>", Some("img"), ""),
    ("<img id=x alt=' '>", Some("img"), ""),
    ("<img id=x alt='' tabindex=0>", Some("img"), ""),
    ("<input id=x type=image alt=Go>", Some("button"), "Go"),
    ("<input id=x type=image title=Go>", Some("button"), "Go"),
    ("<input id=x type=image value=Go>", Some("button"), ""),
    ("<input id=x type=submit>", Some("button"), "Submit"),
    ("<input id=x type=reset>", Some("button"), "Reset"),
    ("<input id=x type=button value=Go>", Some("button"), "Go"),
    ("<input id=x placeholder='Your city'>", Some("textbox"), "Your city"),
    ("<input id=x placeholder='Your city' title=City>", Some("textbox"), "City"),
    ("<fieldset id=x><legend>Address</legend></fieldset>", Some("group"), "Address"),
    ("<table id=x><caption>Prices</caption><tr><td>1</table>", Some("table"), "Prices"),
    ("<figure id=x><img alt=a><figcaption>A loaf</figcaption></figure>", Some("figure"), "A loaf"),
    ("<svg id=x role=img><title>Loaf</title><text>drawn</text></svg>", Some("img"), "Loaf"),
    ("<svg id=x role=img><g><title>Part</title></g></svg>", Some("img"), ""),
    ("<iframe id=x title='A map'></iframe>", None, "A map"),
    ("<select><optgroup label=Fruit id=x></optgroup></select>", Some("group"), "Fruit"),
    // Names from content.
    ("<a href=/ id=x>Read <b>all</b> of it</a>", Some("link"), "Read all of it"),
    ("<a href=/ id=x><b>A</b><b>B</b></a>", Some("link"), "AB"),
    ("<a href=/ id=x><div>A</div><div>B</div></a>", Some("link"), "A B"),
    ("<a href=/ id=x>A<br>B</a>", Some("link"), "A B"),
    ("<a href=/ id=x><img alt=Home> page</a>", Some("link"), "Home page"),
    ("<a href=/ id=x><i aria-hidden=true>x</i>Close</a>", Some("link"), "Close"),
    ("<a href=/ id=x><i aria-label=Close>x</i></a>", Some("link"), "Close"),
    ("<button id=x><i title=Close></i></button>", Some("button"), "Close"),
    ("<button id=x><svg><title>Close</title></svg></button>", Some("button"), "Close"),
    ("<button id=x><svg><text>Draw</text></svg></button>", Some("button"), "Draw"),
    ("<style>#x::before{content:'No '}</style><a href=/ id=x>way</a>", Some("link"), "No way"),
    ("<style>#x::after{content:'!'}</style><h2 id=x>Now</h2>", Some("heading"), "Now!"),
    ("<button id=x title=Close></button>", Some("button"), "Close"),
    ("<h1 id=x><br></h1>", Some("heading"), ""),
    ("<div role=checkbox aria-checked=true id=x>Agree</div>", Some("checkbox"), "Agree"),
    ("<div role=textbox id=x>City</div>", Some("textbox"), ""),
    ("<p id=x>Words</p>", Some("paragraph"), ""),
];

const ROLES: &[Case] = &[
    ("<a id=x>no address</a>", None, ""),
    ("<div id=x role='nothing tab button'>A</div>", Some("tab"), "A"),
    ("<div id=x role=nothing>A</div>", None, ""),
    ("<div id=x role=BUTTON>A</div>", Some("button"), "A"),
    ("<h2 id=x role=none>A</h2>", Some("none"), ""),
    ("<h2 id=x role=none tabindex=0>A</h2>", Some("heading"), "A"),
    ("<h2 id=x role=presentation aria-live=polite>A</h2>", Some("heading"), "A"),
    ("<button id=x role=none>A</button>", Some("button"), "A"),
    ("<button id=x role=none disabled>A</button>", Some("none"), ""),
    ("<header id=x>A</header>", Some("banner"), ""),
    ("<main><header id=x>A</header></main>", None, ""),
    ("<div role=region aria-label=B><footer id=x>A</footer></div>", None, ""),
    ("<section id=x>A</section>", None, ""),
    ("<section id=x aria-label=News>A</section>", Some("region"), "News"),
    ("<form id=x>A</form>", None, ""),
    ("<form id=x aria-label=Order>A</form>", Some("form"), "Order"),
    ("<aside id=x>A</aside>", Some("complementary"), ""),
    ("<article><aside id=x>A</aside></article>", None, ""),
    ("<article><aside id=x aria-label=More>A</aside></article>", Some("complementary"), "More"),
    ("<select id=x><option>A</select>", Some("combobox"), ""),
    ("<select id=x multiple><option>A</select>", Some("listbox"), ""),
    ("<input id=x type=number>", Some("spinbutton"), ""),
    ("<input id=x type=search>", Some("searchbox"), ""),
    ("<input id=x list=y><datalist id=y></datalist>", Some("combobox"), ""),
    ("<ul role=none><li id=x>A</ul>", Some("none"), ""),
    ("<table role=none><tr><td id=x>A</table>", Some("none"), ""),
    ("<table><tr><th id=x>A<tr><td>1</table>", Some("columnheader"), "A"),
    ("<table><tr><th id=x>A<td>1</table>", Some("rowheader"), "A"),
    ("<table><tr><th id=x scope=row>A</table>", Some("rowheader"), "A"),
    ("<table role=grid><tr><td id=x>A</table>", Some("gridcell"), "A"),
    ("<details><summary id=x>A</summary></details>", Some("button"), "A"),
    ("<details><summary>B</summary><summary id=x>A</summary></details>", None, ""),
    ("<summary id=x>A</summary>", None, ""),
    ("<svg><a href=/ id=x><text>A</text></a></svg>", Some("link"), "A"),
    ("<svg><circle role=graphics-symbol aria-label=Dot id=x /></svg>", Some("graphics-symbol"), "Dot"),
];

#[test]
fn names_are_computed_as_the_standard_says() {
    assert_cases(NAMES);
}

#[test]
fn roles_are_those_of_the_standard() {
    assert_cases(ROLES);
}

fn assert_cases(cases: &[Case]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(html, role, name)| {
            let snapshot = see(html);
            let node = by_id(&snapshot, "x");
            let found = (node.role.as_deref(), node.name.as_str());
            (found != (*role, *name)).then(|| format!("{html}: {found:?}, not {:?}", (role, name)))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_words_on_a_control_are_kept_beside_its_name() {
    let snapshot = see(
        "<a href=/ id=x aria-label='Get it'>Download <i aria-hidden=true>the</i> <b hidden>no</b>file</a>\
         <a href=/ id=y>Plain</a>",
    );
    assert_eq!(by_id(&snapshot, "x").label, "Download the file");
    assert_eq!(by_id(&snapshot, "y").label, "");
}

#[test]
fn what_is_inert_or_folded_is_not_there() {
    let snapshot = see(
        "<div inert><a href=/ id=a>A</a></div><details><summary>S</summary><a href=/ id=b>B</a></details>\
         <div aria-hidden=true><a href=/ id=c>C</a></div><div style='visibility:hidden'><a href=/ id=d \
         style='visibility:visible'>D</a></div>",
    );
    let found: Vec<(&str, bool, bool)> = ["a", "b", "c", "d"]
        .into_iter()
        .map(|id| (id, by_id(&snapshot, id).is_focusable(), by_id(&snapshot, id).exposed))
        .collect();
    assert_eq!(found, [("a", false, false), ("b", false, false), ("c", true, false), ("d", true, true)]);
}

#[test]
fn names_of_a_page_that_points_at_itself_everywhere_end() {
    let mut many = String::new();
    for number in 0..400 {
        write!(many, "<b id=i{number} aria-labelledby='i{number} all'>x</b>").expect("a string takes all");
    }
    let snapshot = see(&format!("<div id=all>{many}</div>"));
    assert!(by_id(&snapshot, "i3").name.starts_with('x'));
}
