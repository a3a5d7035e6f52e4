//! Pages as blocks of text, and what is missing in another version of each.

use super::*;

fn blocks(texts: &[&str]) -> Vec<TextBlock> {
    let kind = |text: &str| if text.starts_with('#') { BlockKind::Heading } else { BlockKind::Running };
    texts
        .iter()
        .map(|text| TextBlock {
            sight: if text.starts_with('~') { Sight::Hidden } else { Sight::Shown },
            texts: vec![(kind(text), text.trim_start_matches(['#', '~']).trim().to_owned())],
            about: String::new(),
        })
        .collect()
}

const PAGE: &[&str] = &[
    "# Bread from our own oven",
    "We bake every night in Leipzig. The shop opens at 7 and closes when the shelves are empty.",
    "Sourdough",
    "€6.50",
    "Rye loaf",
    "€5.20",
    "Maria Weber has run the bakery since 1998 with her sister Anna.",
    "Call 0341 1234567 or write to hello@oven.example.",
    "Austria",
    "Belgium",
    "~ Cookies are used on this page.",
];

fn changed(change: &[(usize, &'static str)]) -> TextLoss {
    let mut texts: Vec<&str> = PAGE.to_vec();
    for (index, text) in change {
        texts[*index] = text;
    }
    texts.retain(|text| !text.is_empty());
    compare(&blocks(PAGE), &blocks(&texts), Some("en"), &[])
}

fn texts(missing: &[Missing]) -> Vec<&str> {
    missing.iter().map(|one| one.text.as_str()).collect()
}

#[test]
fn the_same_page_loses_nothing() {
    let loss = changed(&[]);
    assert_eq!(loss, TextLoss { words: loss.words, kept: loss.words, ..TextLoss::default() });
}

#[test]
fn another_order_another_wrapping_and_more_words_are_no_loss() {
    let mut texts: Vec<&str> = PAGE.to_vec();
    texts.rotate_left(4);
    texts.push("And something new with 12 of them");
    let loss = compare(&blocks(PAGE), &blocks(&texts), Some("en"), &[]);
    assert_eq!(loss, TextLoss { words: loss.words, kept: loss.words, ..TextLoss::default() });
    let split = changed(&[
        (0, "# BREAD FROM OUR OWN OVEN"),
        (1, "The shop opens at 7 and closes when the shelves are empty. We bake every night in Leipzig."),
        (3, "6,50 EUR"),
    ]);
    assert_eq!(split, TextLoss { words: split.words, kept: split.words, ..TextLoss::default() });
}

#[test]
fn a_sentence_an_item_and_a_heading_that_are_gone_are_named() {
    let loss = changed(&[(1, "The shop opens at 7 and closes when the shelves are empty.")]);
    assert_eq!(texts(&loss.passages), ["We bake every night in Leipzig."]);
    assert_eq!(texts(&changed(&[(8, "")]).passages), ["Austria"]);
    assert_eq!(texts(&changed(&[(0, "")]).headings), ["Bread from our own oven"]);
    assert_eq!(texts(&changed(&[(10, "")]).passages), ["Cookies are used on this page."]);
}

#[test]
fn what_is_hidden_is_gone_and_what_was_hidden_may_be_seen() {
    let loss = changed(&[(8, "~ Austria"), (10, "Cookies are used on this page.")]);
    assert_eq!(texts(&loss.passages), ["Austria"]);
}

#[test]
fn figures_names_and_addresses_may_not_be_others() {
    assert_eq!(texts(&changed(&[(3, "€7.50")]).figures), ["6.50"]);
    assert_eq!(texts(&changed(&[(3, "$6.50")]).figures), ["6.50"]);
    assert_eq!(
        texts(&changed(&[(3, "€5.20"), (5, "€6.50")]).figures),
        ["6.50 (now 5.20)", "5.20 (now 6.50)"]
    );
    assert_eq!(
        texts(&changed(&[(6, "Maria Weber has run the bakery since 1998 with her sister Hanna.")]).names),
        ["Anna"]
    );
    let loss = changed(&[(7, "Call 0341 7654321 or write to hi@oven.example.")]);
    assert_eq!(texts(&loss.addresses), ["0341 1234567", "hello@oven.example"]);
    let linked = compare(
        &blocks(PAGE),
        &blocks(
            &PAGE
                .iter()
                .map(|text| if text.starts_with("Call") { "Call us or write to us" } else { text })
                .collect::<Vec<_>>(),
        ),
        Some("en"),
        &["tel:0341-1234567".to_owned(), "mailto:hello@oven.example".to_owned()],
    );
    assert_eq!(texts(&linked.addresses), Vec::<&str>::new());
}

#[test]
fn figures_that_stand_beside_their_names_may_not_change_places() {
    let block = |name: &str, price: &str| TextBlock {
        sight: Sight::Shown,
        texts: vec![(BlockKind::Running, name.to_owned()), (BlockKind::Running, price.to_owned())],
        about: String::new(),
    };
    let given = [block("Sourdough", "€6.50"), block("Rye loaf", "€5.20")];
    let swapped = [block("Sourdough", "€5.20"), block("Rye loaf", "€6.50")];
    assert!(!compare(&given, &swapped, Some("en"), &[]).figures.is_empty());
    let reordered = [block("Rye loaf", "€5.20"), block("Sourdough", "€6.50")];
    assert!(compare(&given, &reordered, Some("en"), &[]).figures.is_empty());
}

#[test]
fn a_few_words_may_be_others_and_many_may_not() {
    let loss = changed(&[(0, "# Bread, baked at night"), (2, "Sour dough bread")]);
    assert_eq!((loss.altered_words(), loss.is_replaced()), (None, false));
    assert!(loss.passages.is_empty() && loss.headings.is_empty(), "{loss:?}");
    let rewritten =
        changed(&[(1, "Come in early, stay for a coffee and take some pastry home with you afterwards.")]);
    assert!(rewritten.altered_words().is_some() && !rewritten.is_replaced(), "{rewritten:?}");
}

#[test]
fn another_page_is_another_page() {
    let other = blocks(&[
        "# The larder",
        "We sell cheese and wine in a small shop near the river, and we open at 10 every day.",
        "Brie",
        "€4.00",
        "Write to larder@example.org",
    ]);
    assert!(compare(&blocks(PAGE), &other, Some("en"), &[]).is_replaced());
}

#[test]
fn numbers_in_words_and_what_they_count_may_not_be_others() {
    let page = blocks(&[
        "Orders are refunded within thirty days.",
        "Open on the first Saturday from ten to three.",
        "Made in 24 hours",
    ]);
    let figures = |texts: &[&str]| texts_of(&compare(&page, &blocks(texts), Some("en"), &[]).figures);
    let orders = "Orders are refunded within thirty days.";
    let open = "Open on the first Saturday from ten to three.";
    let made = "Made in 24 hours";
    assert_eq!(figures(&[orders, open, made]), Vec::<String>::new());
    assert_eq!(
        figures(&[
            "Orders are refunded within 30 days.",
            "Open on the 1st Saturday from 10 to 3.",
            "Made in 24h"
        ]),
        Vec::<String>::new()
    );
    assert_eq!(figures(&["Orders are refunded within ninety days.", open, made]), ["thirty"]);
    assert_eq!(figures(&["Orders are refunded within thirty weeks.", open, made]), ["thirty"]);
    assert_eq!(figures(&[orders, "Open on the first Saturday.", made]), ["ten", "three"]);
    assert_eq!(
        figures(&[orders, "Open on the third Saturday from ten to three.", made]),
        ["first (now third)"]
    );
    assert_eq!(figures(&[orders, "Open on Saturdays from ten to three.", made]), Vec::<String>::new());
    assert_eq!(figures(&[orders, open, "Made in", "24", "hours"]), Vec::<String>::new());
}

#[test]
fn a_capital_makes_a_name_where_labels_are_written_like_sentences() {
    let page = [
        "# Kettle and Clay",
        "# Visit the workshop",
        "# Letters from the kiln",
        "Order a set",
        "Maria Weber",
    ];
    let names = |change: &[(usize, &'static str)]| {
        let mut texts = page.to_vec();
        for (index, text) in change {
            texts[*index] = text;
        }
        texts_of(&compare(&blocks(&page), &blocks(&texts), Some("en"), &[]).names)
    };
    assert_eq!(names(&[]), Vec::<String>::new());
    assert_eq!(names(&[(0, "# Kettle & Claire")]), ["Clay"]);
    assert_eq!(names(&[(4, "Marta Weber")]), ["Maria"]);
    assert_eq!(names(&[(1, "# See the workshop"), (3, "Order your set")]), Vec::<String>::new());
    let titles = ["# Kettle And Clay", "# Visit The Workshop", "# Letters From The Kiln", "Order A Set"];
    let mut renamed = titles.to_vec();
    renamed[1] = "# See The Studio";
    assert_eq!(
        texts_of(&compare(&blocks(&titles), &blocks(&renamed), Some("en"), &[]).names),
        Vec::<String>::new()
    );
}

fn texts_of(missing: &[Missing]) -> Vec<String> {
    missing.iter().map(|one| one.text.clone()).collect()
}

fn turned(old: &'static str, new: &'static str) -> (usize, usize) {
    let page = |text| blocks(&["# Rowing club", text, "Adults learn to row on the river."]);
    let loss = compare(&page(old), &page(new), Some("en"), &[]);
    (loss.turned.len(), loss.names.len())
}

#[test]
fn a_sentence_that_says_the_opposite_is_told() {
    for (old, new) in [
        ("Beginners must not row alone.", "Beginners must row alone."),
        ("Beginners can't row alone.", "Beginners can row alone."),
        (
            "Lessons are not refunded unless the club cancels them.",
            "Lessons are refunded unless the club cancels them.",
        ),
        (
            "Lessons are not refunded unless the club cancels them.",
            "Lessons are not refunded if the club cancels them.",
        ),
        ("The life jacket is included in every price.", "The life jacket is excluded from every price."),
        ("The life jacket is included in every price.", "The life jacket is not included in every price."),
        ("Sign the book before you take a boat out.", "Sign the book after you take a boat out."),
        ("Wear the life jacket at all times.", "Wear the life jacket at no time."),
        ("Nobody goes out when the red flag is up.", "Everybody goes out when the red flag is up."),
        ("Open every day except Monday", "Open every day including Monday"),
        ("Groups pay up to 20 % less.", "Groups pay up to 20 % more."),
        ("I was afraid, and they never laughed.", "I was afraid, and they always laughed."),
        ("Entry is free for members.", "Entry is paid for members."),
    ] {
        assert_eq!(turned(old, new).0, 1, "{old} -> {new}");
    }
}

#[test]
fn the_same_in_other_words_is_not_the_opposite() {
    for (old, new) in [
        ("Beginners must not row alone.", "Beginners never row alone."),
        ("Beginners must not row alone.", "Beginners may not row alone."),
        (
            "Lessons are not refunded unless the club cancels them.",
            "Lessons aren't refunded unless the club cancels them.",
        ),
        (
            "Lessons are not refunded unless the club cancels them.",
            "We refund lessons only if the club cancels them.",
        ),
        (
            "The life jacket is included in every price.",
            "The life jacket is included in every price, and you need not bring your own.",
        ),
        ("Open every day except Monday", "Open every day but Monday"),
        ("No credit card needed.", "Works without a credit card."),
        ("There are no hidden fees.", "There are zero hidden fees."),
        ("We bake bread and cakes.", "We bake not only bread but also cakes."),
        ("Never lose a note again.", "Keep every note."),
        ("Don't miss our spring offer.", "See our spring offer."),
        ("Sign the book before you take a boat out.", "After you sign the book, take a boat out."),
        (
            "Marta runs the beginners' group and Conor runs the racing crew.",
            "Conor runs the racing crew, and Marta the beginners' group.",
        ),
    ] {
        assert_eq!(turned(old, new).0, 0, "{old} -> {new}");
    }
}

#[test]
fn a_name_that_begins_a_sentence_is_a_name_where_a_person_does_something() {
    assert_eq!(turned("Marta runs the group for beginners.", "Klara runs the group for beginners."), (0, 1));
    assert_eq!(
        turned("Marta runs the group for beginners.", "Marta runs the group for all beginners."),
        (0, 0)
    );
    assert_eq!(turned("Everyone runs the group in turn.", "Everybody runs the group in turn."), (0, 0));
    assert_eq!(turned("Learn the ropes with our crew.", "Master the ropes with our crew."), (0, 0));
    assert_eq!(turned("Shipping is free for members.", "Delivery is free for members."), (0, 0));
}
