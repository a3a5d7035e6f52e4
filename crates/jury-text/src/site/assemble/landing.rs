//! The landing page: its copy, word for word, in the order of the page.

use jury_core::content::page::{Cta, Item, Section};
use serde_json::{Value, json};

use super::super::escape::{Markup, is_safe, normal, slug, unique};
use super::Site;
use super::shell::{Head, page};

pub(super) fn landing(site: &Site<'_>) -> Vec<u8> {
    let hero = &site.page.hero;
    let mut main = Markup::default();
    main.raw("<section class=\"hero\"><div class=\"wrap\">\n").line("h1", &[], &hero.headline);
    main.line("p", &[("class", "lead")], &hero.subheadline);
    if hero.cta.is_some() || hero.note.is_some() {
        main.raw("<div class=\"ask\">\n");
        if let Some(cta) = &hero.cta {
            button(&mut main, cta);
        }
        main.line("p", &[("class", "note")], hero.note.as_deref().unwrap_or_default());
        main.raw("</div>\n");
    }
    main.raw("</div></section>\n");
    for (section, id) in site.page.sections.iter().zip(ids(site)) {
        part(&mut main, section, &id);
    }
    let head = Head {
        title: &site.page.title,
        description: &site.page.description,
        up: "",
        path: Some(""),
        kind: "website",
        data: Some(data(site)),
    };
    page(site, &head, &main)
}

/// The names of the sections. A call to action that leads to a part that nothing is called by leads to the last section
/// with an action, or else to the last section.
fn ids(site: &Site<'_>) -> Vec<String> {
    let sections = &site.page.sections;
    let mut taken = vec!["main".to_owned()];
    let mut ids: Vec<String> =
        sections.iter().map(|section| unique(&slug(section.heading()), &mut taken)).collect();
    let of_sections = sections.iter().filter_map(|section| match section {
        Section::Action { cta, .. } => Some(cta),
        Section::Text { .. }
        | Section::Features { .. }
        | Section::Steps { .. }
        | Section::Alternatives { .. }
        | Section::Proof { .. }
        | Section::Faq { .. } => None,
    });
    let wanted =
        site.page.hero.cta.iter().chain(of_sections).filter_map(|cta| cta.href.trim().strip_prefix('#'));
    let is_name = |name: &&str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let missing = wanted.filter(is_name).find(|name| !taken.iter().any(|known| known == name));
    let place = sections.iter().rposition(|section| matches!(section, Section::Action { .. }));
    let place = place.or_else(|| sections.len().checked_sub(1));
    if let Some((name, id)) = missing.zip(place.and_then(|place| ids.get_mut(place))) {
        name.clone_into(id);
    }
    ids
}

fn part(out: &mut Markup, section: &Section, id: &str) {
    let (class, heading) = (class(section), section.heading());
    out.open("section", &[("class", class), ("id", id)]).raw("<div class=\"wrap\">\n").line(
        "h2",
        &[],
        heading,
    );
    // Without a heading of its own, the titles in a section are on its level.
    let level = if normal(heading).is_empty() { "h2" } else { "h3" };
    match section {
        Section::Text { paragraphs, .. } => {
            out.raw("<div class=\"body\">\n");
            for paragraph in paragraphs {
                out.line("p", &[], paragraph);
            }
            out.raw("</div>\n");
        }
        Section::Features { intro, items, .. } => {
            out.line("p", &[("class", "intro")], intro);
            let columns = if items.len() % 3 == 0 || items.len() == 5 { "grid three" } else { "grid two" };
            list(out, ("ul", columns), Some("card"), level, items);
        }
        Section::Steps { intro, items, .. } => {
            out.line("p", &[("class", "intro")], intro);
            list(out, ("ol", "steps"), None, level, items);
        }
        Section::Alternatives { intro, items, .. } => {
            out.line("p", &[("class", "intro")], intro);
            list(out, ("ul", "rows"), None, level, items);
        }
        Section::Proof { quotes, .. } => {
            out.open("div", &[("class", if quotes.len() > 1 { "grid two" } else { "grid" })]).raw("\n");
            for quote in quotes {
                out.raw("<figure class=\"quote\">\n<blockquote>")
                    .line("p", &[], &quote.text)
                    .raw("</blockquote>\n");
                out.line("figcaption", &[], &quote.source).raw("</figure>\n");
            }
            out.raw("</div>\n");
        }
        Section::Faq { items, .. } => {
            out.raw("<ul>\n");
            for item in items {
                out.raw("<li>\n")
                    .line(level, &[], &item.question)
                    .line("p", &[], &item.answer)
                    .raw("</li>\n");
            }
            out.raw("</ul>\n");
        }
        Section::Action { text, cta, .. } => {
            out.line("p", &[], text);
            button(out, cta);
        }
    }
    out.raw("</div></section>\n");
}

fn class(section: &Section) -> &'static str {
    match section {
        Section::Text { .. } => "part aside",
        Section::Features { .. } => "part raised",
        Section::Steps { .. } | Section::Alternatives { .. } => "part",
        Section::Proof { .. } => "part tinted",
        Section::Faq { .. } => "part aside faq",
        Section::Action { .. } => "part action",
    }
}

fn list(
    out: &mut Markup,
    (name, class): (&'static str, &str),
    item_class: Option<&str>,
    level: &'static str,
    items: &[Item],
) {
    if items.is_empty() {
        return;
    }
    out.open(name, &[("class", class)]).raw("\n");
    for item in items {
        match item_class {
            Some(class) => out.open("li", &[("class", class)]),
            None => out.open("li", &[]),
        };
        // The number of a step stands beside its text.
        let is_step = name == "ol";
        out.raw(if is_step { "<div>\n" } else { "\n" });
        out.line(level, &[], &item.title).line("p", &[], &item.text);
        out.raw(if is_step { "</div></li>\n" } else { "</li>\n" });
    }
    out.close(name).raw("\n");
}

/// A call to action. One that would lead somewhere that no page may lead is shown and leads nowhere: validation says so.
fn button(out: &mut Markup, cta: &Cta) {
    if normal(&cta.label).is_empty() {
        return;
    }
    let address = cta.href.trim();
    if is_safe(address) {
        out.line("a", &[("class", "button"), ("href", address)], &cta.label);
    } else {
        out.line("span", &[("class", "button")], &cta.label);
    }
}

/// What the page is, for machines.
fn data(site: &Site<'_>) -> Value {
    let (organization, website) = (site.address("#organization"), site.address("#website"));
    let name = normal(&site.page.name);
    let mut graph = vec![
        json!({ "@type": "Organization", "@id": organization, "name": name, "url": site.base }),
        json!({
            "@type": "WebSite",
            "@id": website,
            "name": name,
            "url": site.base,
            "description": normal(&site.page.description),
            "inLanguage": site.lang,
            "publisher": { "@id": organization },
        }),
    ];
    let mut questions = Vec::new();
    for section in &site.page.sections {
        if let Section::Faq { items, .. } = section {
            let answered = |text: &str| !normal(text).is_empty();
            let items = items.iter().filter(|item| answered(&item.question) && answered(&item.answer));
            questions.extend(items.map(|item| {
                json!({
                    "@type": "Question",
                    "name": normal(&item.question),
                    "acceptedAnswer": { "@type": "Answer", "text": normal(&item.answer) },
                })
            }));
        }
    }
    if !questions.is_empty() {
        graph.push(json!({ "@type": "FAQPage", "@id": site.address("#faq"), "mainEntity": questions }));
    }
    json!({ "@context": "https://schema.org", "@graph": graph })
}
