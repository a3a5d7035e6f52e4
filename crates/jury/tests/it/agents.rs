//! Who can play the panel, how that is tested, and what happens to those who cannot.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use jury_core::protocol::gbnf;
use jury_core::settings::CritiqueConfig;
use jury_testkit::model::{ModelServer, Script, ScriptedAnswer};
use serde_json::Value;

use crate::harness::{Context, GOOD_PAGE};

/// An answer by the book, whose page holds this.
fn answer(page: &str) -> String {
    let panel = ["critic", "brand", "a11y", "copy"]
        .map(|role| {
            format!(
                "<PANELIST role=\"{role}\" score=\"9.0\" must_fix=\"0\"><DIM name=\"d\" score=\"9\">Fine.</DIM></PANELIST>"
            )
        })
        .concat();
    format!(
        "<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\"><ROUND n=\"1\">\
         <PANELIST role=\"designer\"><NOTES>Calm.</NOTES><ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT></PANELIST>\
         {panel}<ROUND_END n=\"1\" composite=\"9.0\" must_fix=\"0\" decision=\"ship\"><REASON>Met.</REASON></ROUND_END></ROUND>\
         <SHIP round=\"1\" composite=\"9.0\" status=\"shipped\"><ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>\
         <SUMMARY>Done.</SUMMARY></SHIP></CRITIQUE_RUN>"
    )
}

/// An agent that leaves a trace of being started and prints this file.
fn configure(cx: &Context, name: &str, prints: &str) {
    let script = format!(
        "cat > /dev/null; echo x >> {}; cat {}",
        cx.path("started").display(),
        cx.path(prints).display()
    );
    cx.write("jury.toml", format!("[agents.{name}]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n"));
}

fn starts(cx: &Context) -> usize {
    std::fs::read_to_string(cx.path("started")).map_or(0, |text| text.lines().count())
}

fn json(cx: &Context, args: &[&str]) -> (Option<i32>, Value) {
    let output = cx.jury().args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), value)
}

fn of<'a>(list: &'a Value, id: &str) -> &'a Value {
    list.as_array().unwrap().iter().find(|agent| agent["id"] == id).unwrap()
}

#[test]
fn the_house_conforms() {
    let cx = Context::new();
    let (code, list) = json(&cx, &["agents", "test", "house", "--json", "--quiet"]);
    for result in list[0]["results"].as_array().unwrap() {
        assert_eq!(result["class"], "shipped", "{result:#}");
    }
    assert_eq!(
        (code, &list[0]["runs"], &list[0]["shipped"], &list[0]["conforms"]),
        (Some(0), &Value::from(10), &Value::from(10), &Value::from(true))
    );
    let (_, agents) = json(&cx, &["agents", "list", "--json"]);
    let house = of(&agents, "house");
    assert_eq!((&house["state"], &house["conformance"]["shipped"]), (&"ready".into(), &Value::from(10)));
    // What the documents print is the grade of this run.
    let share = |key: &str| list[0][key].as_u64().unwrap() * 100 / list[0]["runs"].as_u64().unwrap();
    let (shipped, clean) = (share("shipped"), share("clean"));
    for (document, row) in [
        (include_str!("../../../../README.md"), format!("| `house` | {shipped} % | {clean} % | conforms |")),
        (
            include_str!("../../../../docs/critique-theater.md"),
            format!("| `house` | conforms: {shipped} % shipped, {clean} % read cleanly |"),
        ),
    ] {
        assert!(document.contains(&row), "put this row into the table of grades: {row}");
    }
}

#[test]
fn an_agent_that_writes_by_the_book_conforms() {
    let cx = Context::new();
    cx.write("answer.txt", answer(GOOD_PAGE));
    configure(&cx, "good", "answer.txt");
    let shown = cx.show(cx.jury().args(["agents", "test", "good", "--briefs", "2"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("2 of 2 shipped (100 %), 2 read cleanly (100 %): conforms so far"), "{shown}");
    let table = cx.show(cx.jury().args(["agents", "test", "good", "--briefs", "1", "--markdown", "-q"]));
    assert!(table.contains("| `good` | 01-bakery | shipped | yes | 9.0 |  |"), "{table}");
    assert_eq!(starts(&cx), 3);
}

#[test]
fn a_ship_that_names_its_round_and_repeats_no_page_conforms() {
    let cx = Context::new();
    let whole = answer(GOOD_PAGE);
    let (start, end) =
        (whole.rfind("<ARTIFACT").unwrap(), whole.rfind("</ARTIFACT>").unwrap() + "</ARTIFACT>".len());
    let (head, tail) = (whole.get(..start).unwrap(), whole.get(end..).unwrap());
    cx.write("answer.txt", format!("{head}{tail}"));
    configure(&cx, "brief", "answer.txt");
    let shown = cx.show(cx.jury().args(["agents", "test", "brief", "--briefs", "1"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("1 of 1 shipped (100 %), 1 read cleanly (100 %)"), "{shown}");
}

#[test]
fn a_service_is_tested_at_temperature_zero_and_asked_as_it_likes_otherwise() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let server = ModelServer::start(Script::new([ScriptedAnswer::text(answer(GOOD_PAGE))])).unwrap();
    let agent = format!("[agents.local]\nvendor = \"lmstudio\"\nbase_url = \"{}/v1\"\n", server.url());
    cx.write("jury.toml", agent);
    let shown = cx.show(cx.jury().args(["agents", "test", "local", "--briefs", "1"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let shown = cx.show(cx.jury().args(["run", "page.html", "--agent", "local"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let sent: Vec<Value> = server.calls().iter().map(|call| call.body["temperature"].clone()).collect();
    assert_eq!(sent, [Value::from(0.0), Value::Null]);
}

#[test]
fn what_is_wrong_with_an_answer_is_said() {
    let cx = Context::new();
    cx.write("answer.txt", answer("<main><h1>Hi</h1><p>Words.</p></body>"));
    configure(&cx, "loose", "answer.txt");
    let shown = cx.show(cx.jury().args(["agents", "test", "loose", "--briefs", "1", "--evidence", "warn"]));
    assert!(shown.starts_with("exit: 1"), "{shown}");
    assert!(shown.contains("degraded   9.0  html: </body> closes nothing (line 1)"), "{shown}");
}

#[test]
fn two_poor_cycles_mark_an_agent_and_it_is_not_asked_again() {
    let cx = Context::new();
    cx.write("answer.txt", "I would rather not.");
    cx.write("page.html", GOOD_PAGE);
    configure(&cx, "bad", "answer.txt");
    let first = cx.show(cx.jury().args(["agents", "test", "bad", "-q"]));
    assert!(first.starts_with("exit: 1"), "{first}");
    assert!(first.contains("a second cycle like this marks it as degraded"), "{first}");
    let second = cx.show(cx.jury().args(["agents", "test", "bad", "-q"]));
    assert!(second.contains("marked critique:degraded until"), "{second}");
    assert_eq!(starts(&cx), 20);

    let (code, run) = json(&cx, &["run", "page.html", "--agent", "bad", "--format", "json", "-q"]);
    assert_eq!((code, &run["status"]), (Some(3), &"degraded".into()));
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.starts_with("adapter_unsupported: bad is marked critique:degraded until"), "{reason}");
    assert!(reason.contains("jury agents clear-degraded bad"), "{reason}");
    assert_eq!(starts(&cx), 20, "it is not started");
    assert_eq!(
        cx.show(cx.jury().args(["replay", "last", "--speed", "instant"])).lines().next(),
        Some("exit: 0")
    );
    let (_, agents) = json(&cx, &["agents", "list", "--json"]);
    assert_eq!(of(&agents, "bad")["state"], "degraded");
    let doctor = cx.show(cx.jury().arg("doctor"));
    assert!(doctor.contains("critique:degraded until"), "{doctor}");

    // A try does not clear; a whole good cycle does.
    cx.write("answer.txt", answer(GOOD_PAGE));
    cx.show(cx.jury().args(["agents", "test", "bad", "--briefs", "1", "-q"]));
    let (_, agents) = json(&cx, &["agents", "list", "--json"]);
    assert_eq!(of(&agents, "bad")["state"], "degraded");
    cx.show(cx.jury().args(["agents", "test", "bad", "-q"]));
    let (_, agents) = json(&cx, &["agents", "list", "--json"]);
    assert_eq!(of(&agents, "bad")["state"], "ready");
    let shown = cx.show(cx.jury().args(["run", "page.html", "--agent", "bad", "-q"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
}

#[test]
fn a_mark_can_be_taken_away_by_hand() {
    let cx = Context::new();
    cx.write("answer.txt", "No.");
    cx.write("page.html", GOOD_PAGE);
    configure(&cx, "bad", "answer.txt");
    for _ in 0..2 {
        cx.show(cx.jury().args(["agents", "test", "bad", "-q"]));
    }
    let shown = cx.show(cx.jury().args(["agents", "clear-degraded", "bad"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("bad is not marked any more"), "{shown}");
    let shown = cx.show(cx.jury().args(["agents", "clear-degraded", "bad"]));
    assert!(shown.contains("bad was not marked"), "{shown}");
    let before = starts(&cx);
    cx.show(cx.jury().args(["run", "page.html", "--agent", "bad", "-q"]));
    assert_eq!(starts(&cx), before + 1, "it is asked again");
}

#[test]
fn calls_that_cannot_be_meant() {
    let cx = Context::new();
    for args in [
        &["agents", "test", "nobody"][..],
        &["agents", "test", "house", "--briefs", "0"],
        &["agents", "test", "house", "--briefs", "11"],
        &["agents", "clear-degraded", "../x"],
        &["agents", "list", "--json", "--markdown"],
        &["agents"],
    ] {
        let shown = cx.show(cx.jury().args(args));
        assert!(shown.starts_with("exit: 2"), "{args:?}: {shown}");
    }
    assert!(!cx.path(".od").exists(), "nothing was made");
    let (code, list) = json(&cx, &["agents", "list", "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(of(&list, "house")["kind"], "built-in");
    assert!(!cx.path(".od").exists(), "looking makes nothing");
}

#[test]
fn a_local_model_is_held_to_the_grammar_of_this_run_unless_told_otherwise() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let server = ModelServer::start(Script::new([ScriptedAnswer::text(answer(GOOD_PAGE))])).unwrap();
    let run = |agent: &str| {
        cx.write("jury.toml", format!("[agents.local]\n{agent}\nbase_url = \"{}/v1\"\n", server.url()));
        cx.show(cx.jury().args(["run", "page.html", "--agent", "local", "--max-rounds", "2"]))
    };
    assert!(run("vendor = \"llama.cpp\"").starts_with("exit: 0"));
    assert!(run("vendor = \"llama.cpp\"\nconstrain = false").starts_with("exit: 0"));
    assert!(run("vendor = \"lmstudio\"").starts_with("exit: 0"));
    let sent: Vec<Value> = server.calls().iter().map(|call| call.body["grammar"].clone()).collect();
    let config = CritiqueConfig { max_rounds: 2, ..CritiqueConfig::default() };
    let grammar = gbnf(&config, GOOD_PAGE.chars().count()).unwrap();
    assert_eq!(sent, [Value::from(grammar), Value::Null, Value::Null]);
    let shown = run("vendor = \"lmstudio\"\nconstrain = true");
    assert!(shown.starts_with("exit: 2") && shown.contains("LM Studio is none"), "{shown}");
    let shown = run("adapter = \"claude\"\nconstrain = true");
    assert!(shown.starts_with("exit: 2") && shown.contains("goes with a vendor"), "{shown}");
    assert_eq!(server.calls().len(), 3, "a refused run asks nobody");
}

#[test]
fn a_prompt_of_the_users_own_is_used() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    std::fs::create_dir(cx.path("prompts")).unwrap();
    cx.write("prompts/panel.md.j2", "mine {{ threshold }} {{ page | length }}");
    let script = format!("cat > {}", cx.path("asked").display());
    cx.write("jury.toml", format!("[agents.mine]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n"));
    cx.show(cx.jury().args(["run", "page.html", "--agent", "mine"]));
    let asked = std::fs::read_to_string(cx.path("asked")).unwrap();
    assert_eq!(asked, format!("mine 8.0 {}", GOOD_PAGE.chars().count()));
    cx.write("prompts/panel.md.j2", "one\n{{ nothing }}\n");
    let shown = cx.show(cx.jury().args(["run", "page.html", "--agent", "mine"]));
    assert!(shown.starts_with("exit: 2") && shown.contains("panel.md.j2 line 2"), "{shown}");
}

#[test]
fn doctor_finds_keys_and_servers_and_shows_no_secret() {
    let cx = Context::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 512];
        let length = stream.read(&mut request).unwrap();
        let body = "{\"object\":\"list\",\"data\":[{\"id\":\"tiny-model\"}]}";
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let mut doctor = cx.jury();
    doctor.arg("doctor").env("JURY_LOCAL_PORTS", port.to_string()).env("PATH", cx.path("bin"));
    doctor.env("OPENAI_API_KEY", "sk-do-not-show").env("ANTHROPIC_API_KEY", "");
    let shown = cx.show(&mut doctor);
    assert!(server.join().unwrap().starts_with("GET /v1/models HTTP/1.0\r\nHost: 127.0.0.1"));
    assert!(shown.contains(&format!("port {port}: tiny-model")), "{shown}");
    assert!(shown.contains("'jury run page.html --agent local --model tiny-model'"), "{shown}");
    assert!(shown.contains("set: OPENAI_API_KEY (openai)"), "{shown}");
    assert!(!shown.contains("do-not-show"), "{shown}");
    let shown = cx.show(cx.jury().arg("doctor").env("JURY_LOCAL_PORTS", "http://x"));
    assert!(shown.starts_with("exit: 2") && shown.contains("JURY_LOCAL_PORTS is 'http://x'"), "{shown}");
}

#[test]
fn an_agent_in_a_dialogue_is_asked_about_the_page() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let update = serde_json::json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s", "update":
        { "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": answer(GOOD_PAGE) } } } });
    cx.write("update.json", format!("{update}\n"));
    let script = format!(
        r#"while IFS= read -r line; do
  printf '%s\n' "$line" >> '{heard}'
  case "$line" in
    *'"method":"initialize"'*) echo '{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":1}}}}' ;;
    *'"method":"session/new"'*) echo '{{"jsonrpc":"2.0","id":2,"result":{{"sessionId":"s"}}}}' ;;
    *'"method":"session/prompt"'*)
      cat '{update}'
      echo '{{"jsonrpc":"2.0","id":3,"result":{{"stopReason":"end_turn"}}}}' ;;
  esac
done
"#,
        heard = cx.path("heard").display(),
        update = cx.path("update.json").display(),
    );
    let script = cx.write("talker.sh", script);
    std::fs::create_dir(cx.path("adapters")).unwrap();
    cx.write(
        "adapters/talker.toml",
        format!(
            "id = \"talker\"\ntitle = \"Talker\"\ndecoder = \"acp\"\nargs = [\"{}\"]\n[lock]\n[detect]\ncommand = \"sh\"\n\
             [prompt]\nby = \"dialogue\"\n",
            script.display()
        ),
    );
    let (code, document) = json(&cx, &["run", "page.html", "--agent", "talker", "--format", "json"]);
    assert_eq!((code, &document["status"]), (Some(0), &"shipped".into()), "{document:#}");
    let heard = std::fs::read_to_string(cx.path("heard")).unwrap();
    let asked = heard.lines().find(|line| line.contains("session/prompt")).unwrap();
    let asked: Value = serde_json::from_str(asked).unwrap();
    let prompt = asked["params"]["prompt"][0]["text"].as_str().unwrap();
    assert!(prompt.contains(GOOD_PAGE.trim()), "the page is not in what the agent was asked: {prompt}");
    // The prompt has its turn, and is no line of its own.
    assert_eq!(heard.lines().count(), 3, "{heard}");
}
