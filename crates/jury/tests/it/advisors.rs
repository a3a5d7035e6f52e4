//! Advisors, recipes and evals of the content pipeline, as people and scripts ask for them.

use insta::assert_snapshot;
use serde_json::Value;

use crate::harness::Context;

fn json(cx: &Context, args: &[&str]) -> Value {
    let output = cx.jury().args(["content"]).args(args).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{args:?}: {error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

#[test]
fn advisors_are_listed_and_explained() {
    let cx = Context::new();
    assert_snapshot!("content_advisors", cx.show(cx.jury().args(["content", "advisors"])));
    assert_snapshot!("content_advisor", cx.show(cx.jury().args(["content", "advisors", "seo-expert"])));
    assert_snapshot!("content_author", cx.show(cx.jury().args(["content", "advisors", "richard-rumelt"])));
    let all = json(&cx, &["advisors"]);
    assert_eq!(all["file"], Value::Null);
    assert_eq!(all["advisors"].as_array().unwrap().len(), 6);
    assert_eq!(json(&cx, &["advisors", "april-dunford"])["measuredBy"], "positioning");
    let nobody = cx.show(cx.jury().args(["content", "advisors", "nobody"]));
    assert!(nobody.starts_with("exit: 2") && nobody.contains("there is no advisor 'nobody'"), "{nobody}");
}

#[test]
fn recipes_are_listed_and_say_whom_they_choose_and_why() {
    let cx = Context::new();
    assert_snapshot!("content_recipes", cx.show(cx.jury().args(["content", "recipes"])));
    assert_snapshot!("content_recipe_website", cx.show(cx.jury().args(["content", "recipes", "website"])));
    assert_snapshot!("content_recipe_article", cx.show(cx.jury().args(["content", "recipes", "blog-post"])));
    let website = json(&cx, &["recipes", "website"]);
    assert_eq!(website["panel"]["seats"][0]["advisorId"], "april-dunford");
    assert_eq!(website["recipe"]["publish"], true);
    assert!(website["ballots"].as_array().unwrap().iter().any(|ballot| ballot["elected"] == "copy-chief"));
    assert_eq!(json(&cx, &["recipes"])["recipes"].as_array().unwrap().len(), 3);
    for name in ["nothing", "../website", "a/b"] {
        let shown = cx.show(cx.jury().args(["content", "recipes", name]));
        assert!(shown.starts_with("exit: 2") && shown.contains("there is no recipe"), "{shown}");
    }
}

const OWN: &str = "[[advisor]]\nid = \"poet\"\nname = \"Poet\"\nrole = \"author\"\n\n[[advisor]]\nid = \"reader\"\nname = \"Reader\"\nrole = \"critic\"\nevaluation_expertise = \"Rhyme and metre.\"\n";
const TALE: &str = "content_type = \"tale\"\nform = \"article\"\nauthor_advisor = \"poet\"\nauthor_context_docs = []\nevaluation_needs = \"Rhyme and metre.\"\nmin_aggregate_score = 5\nmax_revision_rounds = 2\n";

#[test]
fn the_users_own_take_the_place_of_those_that_come_with_the_program() {
    let cx = Context::new();
    for folder in ["advisors", "recipes"] {
        std::fs::create_dir(cx.path(folder)).unwrap();
    }
    cx.write("advisors/registry.toml", OWN);
    cx.write("recipes/tale.toml", TALE);
    assert_snapshot!("content_own_advisors", cx.show(cx.jury().args(["content", "advisors"])));
    // The others name advisors who are not there any more: they are left out, and that is said.
    assert_snapshot!("content_own_recipes", cx.show(cx.jury().args(["content", "recipes"])));
    assert_snapshot!("content_own_recipe", cx.show(cx.jury().args(["content", "recipes", "tale"])));
    let refused = |file: &str, text: &str, args: &[&str], what: &str| {
        cx.write(file, text);
        let shown = cx.show(cx.jury().arg("content").args(args));
        assert!(shown.starts_with("exit: 2") && shown.contains(what), "{what}\n{shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    };
    let tale = |from: &str, to: &str| TALE.replace(from, to);
    refused(
        "recipes/tale.toml",
        &tale("\"poet\"", "\"nobody\""),
        &["recipes", "tale"],
        "recipes/tale.toml line 3: author_advisor 'nobody' is not in the registry; there are poet, reader",
    );
    refused(
        "recipes/tale.toml",
        &tale("\"tale\"", "\"story\""),
        &["recipes", "tale"],
        "content_type is 'story', but the file is called tale",
    );
    refused("recipes/tale.toml", &tale("= 2", "= 20"), &["recipes", "tale"], "recipes/tale.toml line 7: ");
    let wrong = OWN.replace("role = \"critic\"", "role = \"boss\"");
    refused(
        "advisors/registry.toml",
        &wrong,
        &["advisors"],
        "advisors/registry.toml line 9: reader: role 'boss'",
    );
    refused("advisors/registry.toml", "[[advisor]\n", &["recipes"], "advisors/registry.toml line 1: ");
}

#[test]
fn scenarios_pass_without_a_model() {
    let cx = Context::new();
    let output = cx.jury().args(["content", "eval", "--json"]).output().unwrap();
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let bad: Vec<&Value> = all["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["result"] != "passed" && one["result"] != "skipped")
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert_eq!(output.status.code(), Some(0));
    let groups =
        |name: &str| all["outcomes"].as_array().unwrap().iter().filter(|one| one["group"] == name).count();
    assert!(
        groups("selection") >= 6
            && groups("critique") >= 13
            && groups("guard") >= 3
            && groups("comparison") >= 5
    );
    let went = |group: &str, result: &str| {
        let all = all["outcomes"].as_array().unwrap().iter();
        all.filter(|one| one["group"] == group && one["result"] == result).count()
    };
    assert_eq!(went("critique", "skipped"), 1, "one that only a model can see");
    assert_eq!(all["skipped"].as_u64(), Some(1 + went("comparison", "skipped") as u64));
    assert!(went("comparison", "passed") >= 2, "the cycle makes something better: {all:#}");
}

#[test]
fn a_comparison_fails_when_nothing_got_better() {
    let cx = Context::new();
    std::fs::create_dir_all(cx.path("evals/content")).unwrap();
    let case = |name: &str, change: &str| {
        format!(
            "[[comparison]]\nname = \"{name}\"\nidea = \"acme\"\nrecipe = \"website\"\ndraft = \"acme\"\n{change}\n"
        )
    };
    // Nobody but a person can mend a headline that sells something else: it is found, sent back, and comes back as it was.
    let stuck = "change = [{ from = \"# Bike repair shop software that keeps promises\", to = \"# The payroll suite for car garages\" }]";
    let eval = |text: String| {
        cx.write("evals/content/comparison.toml", &text);
        let mut eval = cx.jury();
        let output = eval.args(["content", "eval", "--group", "comparison", "--json"]).output().unwrap();
        let all: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), all["outcomes"][0].clone())
    };
    let (code, outcome) = eval(case("stuck", stuck));
    assert_eq!((code, &outcome["result"]), (Some(1), &Value::from("failed")), "{outcome:#}");
    // What is approved as it comes was not compared with anything, and is no pass either.
    let (code, outcome) = eval(case("good at once", ""));
    assert_eq!((code, &outcome["result"]), (Some(3), &Value::from("skipped")), "{outcome:#}");
    assert!(outcome["detail"].as_str().unwrap().contains("one pass was enough"), "{outcome:#}");
    // Where a mean is wanted, that of the run's own critics passes or fails.
    let (code, outcome) = eval(case("good at once", "mean = 7\nby_round = 2"));
    assert_eq!((code, &outcome["result"]), (Some(0), &Value::from("passed")), "{outcome:#}");
    let (code, outcome) = eval(case("good, and not that good", "mean = 10\nby_round = 1"));
    assert_eq!((code, &outcome["result"]), (Some(1), &Value::from("failed")), "{outcome:#}");
    assert!(outcome["detail"].as_str().unwrap().contains("10.0 by round 1 is wanted"), "{outcome:#}");
}

/// An agent that chooses always the same, and finds fault with everything.
const AGENT: &str = "cat > prompt.txt\n\
    if grep -q 'You choose who reviews' prompt.txt; then\n\
    echo 'My choice: [\"april-dunford\", \"seo-expert\", \"shirin-oreizy\", \"copy-chief\"]'\n\
    else cat answer.txt; fi\n";

#[test]
fn a_model_is_tried_on_the_same_scenarios() {
    let cx = Context::new();
    cx.write("agent.sh", AGENT);
    cx.write("jury.toml", "[agents.mine]\ncommand = [\"sh\", \"agent.sh\"]\n");
    cx.write(
        "answer.txt",
        r#"{"score": 3, "pass": false, "issues": [{"severity": "high", "description": "The headline and the headings claim what no document says.", "suggestion": "Mend the call to action, the description, the list and the words."}]}"#,
    );
    std::fs::create_dir_all(cx.path("evals/content")).unwrap();
    // Of each kind one is enough here.
    for (name, text) in [
        (
            "selection",
            "[[selection]]\nname = \"one\"\nrecipe = \"website\"\nincludes = [\"seo-expert\"]\n\n[[selection]]\nname = \"two\"\nrecipe = \"social-post\"\nexcludes = [\"seo-expert\"]\n",
        ),
        (
            "critique",
            "[[critique]]\nname = \"loud\"\nidea = \"acme\"\nrecipe = \"website\"\ndraft = \"acme\"\ncritic = \"seo-expert\"\nfinds = \"high\"\nwords = [\"heading\"]\n\n[[critique]]\nname = \"quiet\"\nidea = \"acme\"\nrecipe = \"website\"\ndraft = \"acme\"\ncritic = \"copy-chief\"\nquiet = \"high\"\n",
        ),
        ("guard", ""),
        ("comparison", ""),
    ] {
        cx.write(&format!("evals/content/{name}.toml"), text);
    }
    let eval = || cx.show(cx.jury().args(["content", "eval", "--agent", "mine"]));
    assert_snapshot!("content_eval_agent", eval());
    // A model may choose otherwise the next time: every answer has to fit.
    let repeated = ["content", "eval", "--agent", "mine", "--group", "selection", "--repeat", "3"];
    let shown = cx.show(cx.jury().args(repeated));
    assert!(shown.contains("3 of 3 fit") && shown.contains("0 of 3 fit"), "{shown}");
    // Whoever cannot be understood has not answered, and that is neither a pass nor a failure.
    cx.write("agent.sh", "cat > prompt.txt\necho 'All fine.'\n");
    assert_snapshot!("content_eval_absent", eval());
}

#[test]
fn mistakes_in_scenarios_are_said_in_a_line() {
    let cx = Context::new();
    std::fs::create_dir_all(cx.path("evals/content")).unwrap();
    let case = "[[critique]]\nname = \"one\"\nidea = \"acme\"\nrecipe = \"website\"\ndraft = \"acme\"\ncritic = \"seo-expert\"\n";
    let refused = |text: &str, what: &str| {
        cx.write("evals/content/mine.toml", text);
        let shown = cx.show(cx.jury().args(["content", "eval", "--group", "critique"]));
        assert!(shown.starts_with("exit: 2") && shown.contains(what), "{what}\n{shown}");
    };
    refused(case, "evals/content/mine.toml line 2: 'one' expects nothing");
    refused(
        &format!("{case}words = [\"x\"]\nlower = true\n"),
        "mine.toml line 7: 'one': words belong to finds",
    );
    refused(&format!("{case}lower = true\n"), "mine.toml line 7: 'one': lower compares");
    refused(&format!("{case}finds = \"grave\"\n"), "mine.toml line 7: ");
    let compared = "[[comparison]]\nname = \"one\"\nidea = \"acme\"\nrecipe = \"website\"\n";
    refused(&format!("{compared}mean = 11\n"), "mine.toml line 5: 'one': mean is a score from 1 to 10");
    refused(&format!("{compared}by_round = 2\n"), "mine.toml line 5: 'one': by_round is a round");
    refused(&format!("{case}quiet = \"high\"\n{case}quiet = \"high\"\n"), "line 9: 'one' is there twice");
    let named = format!("{}quiet = \"high\"\n", case.replace("seo-expert", "nobody"));
    refused(&named, "there is no advisor 'nobody'");
    let change = format!("{case}quiet = \"high\"\nchange = [{{ from = \"not there\", to = \"x\" }}]\n");
    refused(&change, "acme: the draft has no 'not there' that could be changed");
    refused(
        &format!("{}quiet = \"high\"\n", case.replace("draft = \"acme\"", "draft = \"gone.md\"")),
        "gone.md",
    );
}
