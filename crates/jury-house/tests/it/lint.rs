//! The final pass, from outside: pages that must not ship, and pages that look like them and may.

use jury_house::lint;

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><title>Acme</title><main><h1>Acme ships parcels</h1>{body}</main></html>"
    )
}

fn refused(body: &str) -> bool {
    !lint(&page(body)).is_empty()
}

#[test]
fn notes_in_comments_of_the_page_its_styles_and_its_scripts_do_not_ship() {
    for body in [
        "<!-- todo finish this -->",
        "<!-- Fixme -->",
        "<style>/* TODO colours */ p{color:red}</style>",
        "<style>p{color:red} /* tbd */</style>",
        "<script>// TODO: wire this up\nvar a = 1</script>",
        "<script>var a = 1; // fixme later</script>",
        "<script type=module>/* XXX */ import 'a'</script>",
        "<script>const u = 'https://a.b/c'; // todo: real address</script>",
        "<p style=\"color:red /* TODO */\">x</p>",
        "<button onclick=\"go() // TODO\">Go</button>",
    ] {
        assert!(refused(body), "{body}");
    }
}

#[test]
fn words_and_strings_are_no_comments() {
    for body in [
        "<h2>The TODO app for teams</h2>",
        "<p>We find TODO and FIXME comments in your code.</p>",
        "<script>var a = 'https://x.y // TODO: no'; var b = `/* FIXME */`; var c = /\\/\\/ TODO/;</script>",
        "<script type=\"application/ld+json\">{\"name\": \"// TODO\"}</script>",
        "<style>.todo{color:red} .todo::before{content:'/* TODO */'}</style>",
        "<script>const todo = []; // the todo list\ntodo.push(1)</script>",
        "<!-- Todo list -->",
        "<!-- the to-do app -->",
    ] {
        assert_eq!(lint(&page(body)), [], "{body}");
    }
}

#[test]
fn lorem_ipsum_is_found_across_tags() {
    for body in [
        "<p>Lorem <b>ipsum</b> dolor</p>",
        "<p><i>Lorem</i> <b>ipsum</b></p>",
        "<p>Lo<span>rem</span> ip<span>sum</span></p>",
        "<p>Lorem&nbsp;ipsum</p>",
        "<p>Lorem<br>ipsum</p>",
        "<p>LOREM\n   IPSUM</p>",
        "<p>Lo&shy;rem ip&#173;sum</p>",
        "<p>dolor <em>sit</em> amet</p>",
    ] {
        assert!(refused(body), "{body}");
    }
    assert!(!refused("<p>Lorem is a town, and Ipsum is its river.</p><pre>lorem ipsum</pre>"));
}

#[test]
fn addresses_that_lead_nowhere_do_not_ship() {
    for body in [
        "<a href=\"http://\">Book a pickup</a>",
        "<a href=\"https:///\">Book a pickup</a>",
        "<a href=\"//\">Book a pickup</a>",
        "<a href=\" # \">Book a pickup</a>",
        "<a href>Book a pickup</a>",
        "<img src=\"a.png\" alt=\"Map\" usemap=\"#m\"><map name=m><area href=\"#\" alt=\"Berlin\" coords=\"0,0,9,9\"></map>",
        "<form action=\"#\"><button>Book</button></form>",
        "<form action=\"\"><button>Book</button></form>",
        "<form action=\"http://\"><button>Book</button></form>",
        "<form action=\"/book\"><button formaction=\"#\">Book</button></form>",
    ] {
        assert!(refused(body), "{body}");
    }
    for body in [
        "<a href=\"https://example.org/book\">Book a pickup</a>",
        "<a href=\"#\">Back to top</a>",
        "<a href=\"#\">Nach oben</a>",
        "<a href=\"#\" aria-expanded=\"false\" aria-controls=\"menu\">Menu</a><ul id=menu></ul>",
        "<a href=\"#\" data-bs-toggle=\"collapse\">More</a>",
        "<a href=\"#\" role=\"button\">Open</a>",
        "<a href=\"#\" aria-current=\"page\">Home</a>",
        "<a href=\"#\" id=\"open-cart\">Cart</a><script>document.getElementById('open-cart').onclick = f</script>",
        "<form action=\"/book\"><button>Book</button></form>",
        "<form><button>Book</button></form>",
        "<form action=\"#\" onsubmit=\"return send(this)\"><button>Book</button></form>",
        "<form action=\"#\"><button>Book</button></form><script>f.addEventListener('submit', send)</script>",
        "<form method=\"dialog\" action=\"\"><button>Close</button></form>",
        "<form role=\"search\" action=\"\"><input type=search><button>Search</button></form>",
    ] {
        assert_eq!(lint(&page(body)), [], "{body}");
    }
}
