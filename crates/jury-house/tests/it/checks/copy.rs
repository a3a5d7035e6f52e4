//! The words.

use jury_core::severity::Severity;
use jury_eye::Beside;

use super::{clean, examined, finds, leaves_open, lowers, must_fix, of, page, passes, review};
use crate::transcript::note;

#[test]
fn placeholders_are_found_in_words_not_in_code() {
    must_fix(&page("", "<p>Lorem ipsum dolor sit amet.</p>"), "lorem ipsum in 1 place");
    must_fix(&page("", "<p>TODO: write this</p>"), "a TODO");
    must_fix(&page("", "<p>Call [Your Name] today</p>"), "a bracketed blank");
    must_fix(&page("", "<p>Hello {{ name }}</p>"), "an unfilled template variable");
    finds(
        "copy/placeholder",
        &page("", "<!-- TODO: later -->"),
        Severity::Minor,
        "1 TODO comment must not ship",
    );
    clean(&page("", "<h2>TODO</h2><code>{{ name }}</code><p>Plain words.</p><!-- fine -->"));
}

#[test]
fn links_lead_somewhere() {
    must_fix(&page("", "<a href='#'>Shop</a>"), "1 link to # only");
    must_fix(&page("", "<a href=''>Shop</a>"), "without an address");
    must_fix(&page("", "<a href='javascript:void(0)'>Shop</a>"), "javascript:");
    must_fix(&page("", "<a href='#shop'>Shop</a>"), "an id that is not on the page");
    clean(&page(
        "",
        "<a href='#shop'>Shop</a><p id=shop>Here.</p><a href='#'>Back to top</a><a href='#Top'>Up</a><a href=/x>Else</a>",
    ));
}

#[test]
fn vague_words_lower_the_links() {
    lowers(
        "copy",
        "action",
        &page("", "<a href=/x>Prices for wholesale</a>"),
        &page("", "<a href=/x>Click here</a>"),
    );
}

#[test]
fn hard_sentences_lower_the_clarity() {
    let easy = "<p>We bake at night. The bread is warm at six. You can take it home. It keeps for two days and more.</p>".repeat(6);
    let hard = "<p>Notwithstanding organisational considerations regarding contemporary distribution infrastructure, \
        the aforementioned institution endeavours to systematically operationalise interdepartmental collaboration opportunities \
        that facilitate comprehensive transformation of the underlying administrative architecture and its governance.</p>"
        .repeat(4);
    lowers("copy", "clear", &page("", &easy), &page("", &hard));
    let short = review(&page("", ""));
    assert!(note(&short, "copy", "clear").is_none_or(|note| !note.contains("grade")));
}

#[test]
fn placeholders_are_found_in_attributes_and_links() {
    let check = "copy/placeholder";
    for (body, words) in [
        ("<img alt='TODO: describe' src=x.png>", "a TODO"),
        ("<p>Call +1 XXX XXX</p>", "a TODO"),
        ("<h2>Feature one</h2>", "a numbered stand-in"),
        ("<p>Jane Doe, baker</p>", "a name that stands for anybody"),
        ("<a href='https://www.example.com/shop'>The shop</a>", "a link to a host that stands for any"),
    ] {
        finds(check, &page("", body), Severity::Critical, words);
    }
    passes(check, &page("", "<label>Name <input placeholder='Jane Doe'></label><p>Plain words.</p>"));
    passes(check, &page("", "<a href='https://bakery.org/example.com'>The shop</a>"));
}

#[test]
fn links_to_files_and_people_are_looked_at() {
    let check = "copy/links";
    finds(
        check,
        &page("", "<a href='mailto:nobody'>Write</a>"),
        Severity::Serious,
        "to no address or number: mailto:nobody",
    );
    finds(check, &page("", "<a href='tel:'>Call</a>"), Severity::Serious, "to no address or number");
    passes(check, &page("", "<a href='mailto:a@b.de'>Write</a><a href='tel:+49 30 1234'>Call</a>"));
    leaves_open(check, &page("", "<a href=prices.html>Prices</a>"));
    let mut beside = Beside::nothing();
    beside.link("prices.html", true);
    beside.link("people.html", false);
    beside.link("team/index.html", true);
    let report = examined(
        &page("", "<a href=prices.html#top>Prices</a><a href=people.html>People</a><a href=team/>Team</a>"),
        &beside,
    );
    let found: Vec<&str> = of(&report.findings, check).iter().map(|found| found.cause.as_str()).collect();
    assert_eq!(found, ["to a file that is not beside the page people.html"]);
}

#[test]
fn links_say_what_they_do() {
    let check = "copy/cta-words";
    finds(check, &page("", "<a href=/a>Read more</a>"), Severity::Moderate, "says nothing by itself");
    finds(
        check,
        &page("", "<a href=/a lang=de>Mehr lesen</a>"),
        Severity::Moderate,
        "says nothing by itself",
    );
    passes(check, &page("", "<a href=/a>Our prices</a><a href=/b>Our prices</a>"));
}

#[test]
fn claims_need_a_source() {
    let check = "copy/claims";
    finds(check, &page("", "<p>Bake 10x faster with us.</p>"), Severity::Moderate, "10x faster");
    passes(check, &page("", "<p>Bake 10x faster, according to the guild.</p>"));
    passes(check, &page("", "<p>Bake 10x faster<sup>1</sup></p>"));
    let sentence = "<p>We bake in the night for you.</p>";
    finds(check, &page("", &sentence.repeat(3)), Severity::Moderate, "stands here 3 times");
    passes(check, &page("", &sentence.repeat(2)));
}

#[test]
fn long_names_are_noticed() {
    let check = "copy/lengths";
    finds(
        check,
        &page("", "<button>Order the bread for tomorrow morning now</button>"),
        Severity::Minor,
        "button of 7 words",
    );
    finds(
        check,
        &page("", "").replace("A page about bread", &"A page about bread ".repeat(5)),
        Severity::Minor,
        "title of",
    );
    finds(
        check,
        &page("", "").replace("Bread for the street", &"Bread for the street ".repeat(4)),
        Severity::Minor,
        "main heading of 16 words",
    );
    passes(check, &page("", "<button>Order bread</button>"));
}

#[test]
fn other_languages_are_measured_by_their_sentences() {
    let check = "copy/readability";
    let long = "夜に焼いたパンを朝の早い時間に町の人々へ届けるために店の者は毎日とても遅くまで働き続けそして次の日の準備をしてから眠りにつくのであるが誰も文句を言わない。";
    finds(check, &page("", &format!("<p>{}</p>", long.repeat(4))), Severity::Minor, "over 60 ideographs");
    passes(check, &page("", &format!("<p>{}</p>", "夜に焼いて朝に売る。".repeat(40))));
}

#[test]
fn todo_is_a_word_in_spanish() {
    let check = "copy/placeholder";
    let spanish = |body: &str| page("", body).replace("lang=\"en\"", "lang=\"es\"");
    passes(
        check,
        &spanish("<h2>TODO EN UN SOLO LUGAR</h2><p>TODO INCLUIDO</p><!-- MÉTODO --><!-- TODO EL PAN -->"),
    );
    passes(check, &page("", "<p lang=es>TODO INCLUIDO</p><p>[production] and [email protected]</p>"));
    finds(check, &spanish("<p>TODO: escribir esto</p>"), Severity::Critical, "a TODO");
    finds(check, &page("", "<p>TODO write this</p>"), Severity::Critical, "a TODO");
    finds(check, &page("", "<p>Made by [Company name]</p>"), Severity::Critical, "a bracketed blank");
}

#[test]
fn links_that_are_switched_off_or_current_need_no_address() {
    let check = "copy/links";
    passes(
        check,
        &page(
            "",
            "<a aria-current=page>Home</a><ul><li class='page-item disabled'><a class=page-link>Previous</a></li>\
             <li class='page-item active'><a class=page-link>1</a></li>\
             <li class='page-item disabled'><a class=page-link href='#' aria-disabled=true>Next</a></li></ul>",
        ),
    );
    finds(check, &page("", "<ul><li><a>Shop</a></li></ul>"), Severity::Serious, "without an address");
}

#[test]
fn names_of_linked_files_are_read_like_those_on_disk() {
    let check = "copy/links";
    let mut beside = Beside::nothing();
    beside.link("about us.html", true);
    beside.link("team.html", true);
    beside.link("gone away.html", false);
    let body =
        "<a href='about%20us.html#top'>About</a><a href=team>Team</a><a href='./gone%20away.html'>Gone</a>";
    let report = examined(&page("", body), &beside);
    let found: Vec<&str> = of(&report.findings, check).iter().map(|found| found.cause.as_str()).collect();
    assert_eq!(found, ["to a file that is not beside the page ./gone%20away.html"]);
    assert!(of(&report.undecided, check).is_empty());
}

#[test]
fn files_that_nobody_looked_for_widen_the_score() {
    let report = examined(&page("", "<a href=prices.html>Prices</a><a href=/x>Else</a>"), &Beside::nothing());
    let check = report.checks.iter().find(|check| check.id == "copy/links").expect("the check");
    let score = check.score.expect("a score");
    assert!(score.low < score.high, "{score:?}");
}
