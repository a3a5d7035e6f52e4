//! Briefs, and what they allow to be lost.

use super::*;

#[test]
fn a_brief_allows_what_it_names_and_nothing_else() {
    assert_eq!(permits(""), Permit::default());
    for nothing in [
        "A landing page for a bakery",
        "Make the header blue. Keep the copy.",
        "Do not rewrite the text",
        "Never remove links",
        "Improve contrast without changing the copy",
        "The page should say that we bake every day",
    ] {
        let permit = Permit { said: String::new(), ..permits(nothing) };
        assert_eq!(permit, Permit::default(), "{nothing}");
    }
    assert!(permits("Please rewrite the copy.").words && !permits("Please rewrite the copy.").links);
    assert!(permits("Shorten the text, it is too long").words || permits("Shorten the text").words);
    assert!(permits("Remove all scripts").scripts);
    assert!(permits("Replace the page with a new one").page);
    assert!(permits("Start from scratch").page);
    let page = permits("Rewrite the page");
    assert!(page.words && page.headings && !page.page && !page.links && !page.figures);
    assert!(permits("Translate everything into German").words);
}

#[test]
fn a_part_that_is_named_may_go() {
    let permit = permits("Remove the testimonials section and make the rest bigger.");
    assert!(permit.covers("section.testimonial What people say") && permit.covers("#testimonials"));
    assert!(!permit.covers("pricing table") && !permit.words && !permit.page);
    assert!(permits("Delete the newsletter form").covers("form newsletter-signup"));
    assert!(!permits("Delete the newsletter form").forms);
}

#[test]
fn what_stands_around_what_goes_stays() {
    for brief in [
        "Remove the extra spacing between rules and prices.",
        "Remove the accessibility errors in the rules.",
        "Remove the typos from the rules and prices.",
        "Should we remove the rules? Ask me later.",
        "Write the styles from scratch.",
    ] {
        let permit = permits(brief);
        assert!(!permit.covers("rules") && !permit.page && !permit.figures, "{brief}: {permit:?}");
    }
    assert!(permits("Remove the testimonial.").covers("blockquote quote"));
    assert!(permits("Remove the phone number from the footer.").addresses);
}

#[test]
fn a_page_may_reach_what_the_brief_asks_for() {
    assert!(permits("Add Plausible analytics to the page.").reaches("plausible.io"));
    assert!(permits("Add a map of where we are.").reaches("www.openstreetmap.org"));
    assert!(permits("Let people pay with Stripe.").reaches("js.stripe.com"));
    assert!(
        permits("Send the form to https://forms.example/row instead.").names("https://forms.example/row")
    );
    for brief in
        ["", "Make the page more modern.", "Never add tracking.", "Add more space around the prices."]
    {
        assert!(!permits(brief).reaches("tracker.example"), "{brief}");
    }
}
