//! The look of a site: asked of the agent of the run, held against the design document, and computed when nobody has one.

use jury_agents::Invocation;
use jury_agents::decoder::Format;
use jury_core::content::{Draft, SiteBrand};
use jury_core::event::AgentNoteKind;
use jury_engine::content::site::{Publishing, publish_with};
use jury_text::site::{contrasts, design_brand};

use super::publishing::{asked, page};
use super::*;

/// What is in the prompt for a look, and in no other.
const DESIGNER: &str = "You design how a site looks";
const DESIGN: &str = "# Design\n\n- Accent: #8a1253\n";

fn look(primary: &str) -> Value {
    let colors = json!({"primary": primary, "primaryLight": "#e4eef7", "background": "#fdfdf9",
        "backgroundElevated": "#ffffff", "textPrimary": "#16202a", "textSecondary": "#33404d",
        "textMuted": "#4d5a66", "accent": "#005500", "border": "#6d7884"});
    let fonts = json!({"headingFont": "Georgia, serif", "bodyFont": "system-ui, sans-serif", "monoFont": "monospace"});
    json!({"theme": "light", "colors": colors, "typography": fonts, "radius": 6})
}

/// Who answers to a page that everybody likes, and to the question for its look.
fn answers(looks: Vec<ScriptedAnswer>) -> ModelServer {
    let page = page("mailto:hello@acme.example");
    let mut all = vec![
        ScriptedAnswer::json(serde_json::to_value(&page).unwrap()).when(AUTHOR).usage(0, 0),
        panel(&["ann"]).usage(0, 0),
        fine(ANN).usage(0, 0),
    ];
    all.extend(looks.into_iter().map(|look| look.when(DESIGNER).block("CONTENT").usage(1_000, 10)));
    serve(all)
}

async fn designed(server: &ModelServer, design: Option<&str>) -> (ContentState, Vec<ContentEvent>) {
    let room = Room::new().await;
    let mut asked = asked();
    if let Some(design) = design {
        let positioning = ("positioning".parse().unwrap(), "We make anvils.".to_owned());
        asked.foundation = Foundation::new([positioning, ("design".parse().unwrap(), design.to_owned())]);
    }
    let cast = cast(server).publishing(publish_with(Publishing::default()));
    let (run, state) = room.run(room.job(asked, cast)).await;
    assert!(state.site.verified.is_some(), "a look never keeps a site from being published: {state:#?}");
    (state, room.events(run).await)
}

fn notes(state: &ContentState) -> &[String] {
    &state.site.branded.as_ref().unwrap().notes
}

#[tokio::test]
async fn a_look_is_asked_of_the_agent_and_the_design_document_holds() {
    let server = answers(vec![ScriptedAnswer::json(look("#154672"))]);
    let (state, events) = designed(&server, Some(DESIGN)).await;
    let brand = &state.site.branded.as_ref().unwrap().brand;
    assert_eq!((brand.colors.primary.as_str(), brand.radius), ("#154672", 6), "what the agent said");
    assert_eq!(brand.typography.heading_font, "Georgia, serif");
    assert_eq!(brand.colors.accent, "#8a1253", "what the document says, whoever says otherwise");
    assert_eq!(notes(&state), ["accent: #005500 became #8a1253: the design document says so"]);
    // The tool is forced, and the question has the approved words, the document and the schema.
    let calls = server.calls();
    let about: Vec<&Value> =
        calls.iter().map(|call| &call.body).filter(|body| body.to_string().contains(DESIGNER)).collect();
    let [body] = about[..] else { panic!("asked once: {}", about.len()) };
    assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "submit_brand"}));
    assert_eq!(body["tools"][0]["name"], "submit_brand");
    let schema: Value = serde_json::from_str(jury_core::content::brand::SCHEMA).unwrap();
    assert_eq!(body["tools"][0]["input_schema"]["properties"], schema["properties"]);
    let question = body["messages"][0]["content"].to_string();
    for part in ["Know what is on your shelves for $0", "Accent: #8a1253", "Use submit_brand if you can"] {
        assert!(question.contains(part), "{part}: {question}");
    }
    // What it took is in the log, and in what the run has used.
    let took: Vec<_> = events
        .iter()
        .filter_map(|event| {
            let ContentEvent::Agent(note) = event else { return None };
            note.usage.filter(|_| note.kind == AgentNoteKind::Usage)
        })
        .map(|usage| (usage.input_tokens, usage.output_tokens))
        .collect();
    assert!(took.contains(&(1_000, 10)), "{took:?}");
    assert_eq!((state.usage.input_tokens, state.usage.output_tokens), (1_000, 10));
}

#[tokio::test]
async fn a_look_that_cannot_be_read_is_put_right_and_said() {
    let server = answers(vec![ScriptedAnswer::json(look("#ffee00"))]);
    let (state, _) = designed(&server, None).await;
    let brand = &state.site.branded.as_ref().unwrap().brand;
    assert!(contrasts(brand).iter().all(|pair| pair.ratio >= pair.needed), "{brand:?}");
    assert_eq!(brand.colors.background, "#fdfdf9");
    let [note] = notes(&state) else { panic!("{:?}", notes(&state)) };
    assert!(note.starts_with("primary: #ffee00 became #"), "{note}");
}

#[tokio::test]
async fn without_a_look_from_the_agent_it_is_computed_and_that_is_said() {
    let mut with_copy = look("#154672");
    with_copy["tagline"] = json!("Buy now");
    let prose = || ScriptedAnswer::text("Something warm, with serifs.");
    let cases: Vec<(Vec<ScriptedAnswer>, &str, usize)> = vec![
        (vec![prose(), prose()], "", 2),
        (vec![ScriptedAnswer::json(with_copy.clone()), ScriptedAnswer::json(with_copy)], "tagline", 2),
        (vec![ScriptedAnswer::status(401)], "401", 1),
        // By another tool, twice: nothing was handed in.
        (
            vec![
                ScriptedAnswer::default().tool("submit_page", look("#154672")),
                ScriptedAnswer::default().tool("submit_page", look("#154672")),
            ],
            "",
            2,
        ),
    ];
    for (looks, why, times) in cases {
        let server = answers(looks);
        let (state, _) = designed(&server, None).await;
        let (computed, _) = design_brand(None, "acme");
        assert_eq!(state.site.branded.as_ref().unwrap().brand, computed);
        let said = &notes(&state)[0];
        let start = "the look is computed: no look came from the agent: ";
        assert!(said.starts_with(start) && said.len() > start.len() && said.contains(why), "{said}");
        let asked = server.calls().iter().filter(|call| call.body.to_string().contains(DESIGNER)).count();
        assert_eq!(asked, times, "{said}");
    }
}

#[tokio::test]
async fn a_spent_budget_asks_nobody_and_the_site_is_published() {
    let server = answers(vec![ScriptedAnswer::json(look("#154672"))]);
    let room = Room::new().await;
    let mut asked = asked();
    asked.max_tokens = Some(1);
    let person = Draft::Page(Box::new(page("mailto:hello@acme.example")));
    let cast = cast(&server).publishing(publish_with(Publishing::default()));
    let mut job = room.job(asked, cast);
    job.request.recipe.evaluation_needs = "Nothing.".to_owned();
    job.draft = Some(person.into());
    // The critic's answer is all that may be spent.
    server.set_script(Script::new([
        panel(&["ann"]).usage(0, 0),
        fine(ANN).usage(5, 5),
        ScriptedAnswer::json(look("#154672")).when(DESIGNER),
    ]));
    let (_, state) = room.run(job).await;
    assert!(state.site.verified.is_some(), "{state:#?}");
    assert!(notes(&state)[0].contains("10 of 1 tokens are used"), "{:?}", notes(&state));
    assert!(server.calls().iter().all(|call| !call.body.to_string().contains(DESIGNER)));
}

#[tokio::test]
async fn a_program_says_its_look_in_prose_and_is_asked_twice_at_the_most() {
    let said = |first: &str, second: &str| {
        let page = serde_json::to_string(&page("mailto:hello@acme.example")).unwrap();
        let script = format!(
            "case \"$(cat)\" in\n*'You choose who reviews'*) printf '%s' '[\"ann\"]' ;;\n\
             *'could not be used: '*) printf '%s' '{second}' ;;\n\
             *'{DESIGNER}'*'<CONTENT '*) printf '%s' '{first}' ;;\n\
             *'{AUTHOR}'*) printf '%s' '{page}' ;;\n\
             *) printf '%s' '{{\"score\":8,\"pass\":true,\"issues\":[]}}' ;;\nesac\n"
        );
        ContentCast::with_agent(Arc::new(move |prompt| {
            let mut invocation = Invocation::new("/bin/sh").arg("-c").arg(&script).prompt(prompt);
            invocation.dir = None;
            Ok(Agent::Program { invocation, format: Format::Plain, silence: None })
        }))
    };
    let good = format!("Here it is:\n{}\nI hope it fits.", look("#154672"));
    let wanted: SiteBrand = serde_json::from_value(look("#154672")).unwrap();
    for (first, second, own) in
        [(good.as_str(), "", true), ("Blue.", good.as_str(), true), ("Blue.", "Red.", false)]
    {
        let room = Room::new().await;
        let cast = said(first, second).publishing(publish_with(Publishing::default()));
        let (_, state) = room.run(room.job(asked(), cast)).await;
        assert!(state.site.verified.is_some(), "{state:#?}");
        let branded = state.site.branded.as_ref().unwrap();
        assert_eq!(branded.brand == wanted, own, "{first} {second}: {branded:?}");
        assert_eq!(branded.notes.iter().any(|note| note.starts_with("the look is computed")), !own);
    }
}
