//! Who may come in, and what they may send. The attack is the input; the answer is never a 5xx that they caused.

use std::fmt::Write as _;
use std::io::{BufRead as _, Read as _, Write as _};

use jury_testkit::client::{HttpReply, read_answer};
use serde_json::{Value, json};

use super::harness::{Daemon, OPEN, agents, round, ship};
use crate::harness::{Context, GOOD_PAGE};

const TOKEN: &str = "a-secret-of-some-length";

fn refusal(answer: &HttpReply) -> (u16, String) {
    (answer.status, answer.code())
}

#[test]
fn a_name_that_leads_here_is_not_ours_for_that() {
    let cx = agents(&[]);
    let daemon = Daemon::start_with(&cx, &["--allow-host", "jury.lan"]);
    let port = daemon.client.address().port();
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.2",
        "0.0.0.0",
        "[::2]",
        "localhost:x",
        "",
    ] {
        let answer = daemon.client.clone().with("host", Some(host)).get("/api/projects").unwrap();
        assert_eq!(refusal(&answer), (421, "wrong_host".to_owned()), "{host}");
    }
    let twice = daemon.client.send("GET", "/api/projects", &[("host", "evil.example")], b"").unwrap();
    assert_eq!(twice.status, 421);
    let none = daemon.client.clone().with("host", None);
    assert!(matches!(none.get("/api/projects").unwrap().status, 400 | 421));
    assert_eq!(none.raw(b"GET /api/projects HTTP/1.0\r\n\r\n").unwrap().status, 421);
    // What the line says counts as little as what a name leads to.
    let absolute =
        "GET http://evil.example/api/projects HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    assert_eq!(daemon.client.raw(absolute.as_bytes()).unwrap().status, 421);
    for host in [format!("localhost:{port}"), "jury.lan".to_owned(), format!("JURY.lan:{port}")] {
        assert_eq!(daemon.client.clone().with("host", Some(&host)).get("/api/projects").unwrap().status, 200);
    }
}

#[test]
fn pages_of_other_sites_cannot_act_in_their_readers_name() {
    let cx = agents(&[]);
    let daemon = Daemon::start(&cx);
    let own = format!("http://{}", daemon.client.address());
    let create = |headers: &[(&str, &str)], id: &str| {
        let body = json!({"id": id}).to_string();
        let mut all = vec![("content-type", "application/json")];
        all.extend(headers);
        daemon.client.send("POST", "/api/projects", &all, body.as_bytes()).unwrap()
    };
    let other_port = format!("http://127.0.0.1:{}", u32::from(daemon.client.address().port()) % 60_000 + 1);
    for origin in ["http://evil.example", "null", "file://", &other_port, "https://127.0.0.1", ""] {
        assert_eq!(refusal(&create(&[("origin", origin)], "x")), (403, "cross_site".to_owned()), "{origin}");
    }
    assert_eq!(create(&[("sec-fetch-site", "cross-site")], "x").status, 403);
    // What a form or an image of another site can send is no JSON, or says where it comes from.
    for mime in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx",
    ] {
        let answer = daemon
            .client
            .send("POST", "/api/projects", &[("content-type", mime)], b"{\"id\":\"x\"}")
            .unwrap();
        assert_eq!(refusal(&answer), (415, "not_json".to_owned()), "{mime}");
    }
    assert_eq!(daemon.client.send("POST", "/api/projects", &[], b"{\"id\":\"x\"}").unwrap().status, 415);
    // A preflight is not answered with leave.
    let asked =
        daemon.client.send("OPTIONS", "/api/projects", &[("origin", "http://evil.example")], b"").unwrap();
    assert!(asked.header("access-control-allow-origin").is_none() && asked.status >= 400);
    assert_eq!(daemon.get("/api/projects/x").status, 404, "nothing was made");
    assert_eq!(create(&[("origin", &own)], "x").status, 201, "its own page may");
    for answer in [daemon.get("/api/projects"), daemon.get("/nothing"), daemon.get("/api/health")] {
        assert!(answer.headers.iter().all(|(name, _)| !name.starts_with("access-control-")));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(
            answer.header("content-security-policy"),
            Some("default-src 'none'; frame-ancestors 'none'")
        );
    }
}

#[test]
fn an_address_that_others_reach_needs_a_token_and_the_token_is_asked_for_everywhere() {
    let cx = agents(&[]);
    for addr in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let shown = cx.show(cx.jury().args(["serve", "--addr", addr]));
        assert!(shown.starts_with("exit: 2") && shown.contains("needs a token"), "{shown}");
    }
    let shown = cx.show(cx.jury().args(["serve", "--addr", "0.0.0.0:0"]).env("JURY_TOKEN", "short"));
    assert!(shown.starts_with("exit: 2") && shown.contains("shorter than 16"), "{shown}");
    let shown = cx.show(cx.jury().args(["serve", "--addr", "nowhere"]));
    assert!(shown.starts_with("exit: 2") && shown.contains("--addr is 'nowhere'"), "{shown}");

    let daemon = Daemon::run(cx.jury().args(["serve", "--addr", "0.0.0.0:0"]).env("JURY_TOKEN", TOKEN));
    let document: Value = serde_json::from_str(&jury_server::openapi().unwrap()).unwrap();
    let right = format!("Bearer {TOKEN}");
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "default").replace("{runId}", "x").replace("{n}", "1");
        for method in methods.as_object().unwrap().keys().map(|method| method.to_ascii_uppercase()) {
            let ask = |headers: &[(&str, &str)]| daemon.client.send(&method, &path, headers, b"").unwrap();
            if path == "/api/health" {
                assert_eq!(ask(&[]).status, 200);
                continue;
            }
            let answer = ask(&[]);
            assert_eq!(refusal(&answer), (401, "unauthorized".to_owned()), "{method} {path}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            let long = format!("{right}x");
            for wrong in
                ["Bearer", "Bearer ", "Bearer x", &right[..right.len() - 1], &long, TOKEN, "Basic YTpi"]
            {
                assert_eq!(ask(&[("authorization", wrong)]).status, 401, "{method} {path} {wrong}");
            }
            assert_eq!(ask(&[("cookie", "jury_token=x")]).status, 401);
            if !path.ends_with("/events") {
                assert_ne!(ask(&[("authorization", &right)]).status, 401, "{method} {path}");
            }
        }
    }
    let cookie = format!("a=b; jury_token={TOKEN}");
    assert_eq!(daemon.client.send("GET", "/api/projects", &[("cookie", &cookie)], b"").unwrap().status, 200);
    assert_eq!(daemon.get("/api/health?token=x").status, 200);
    assert_eq!(daemon.get("/api/health/../projects").status, 401);
    assert_eq!(daemon.get("/metrics").status, 401);
    let (_, said) = daemon.stop();
    assert!(!said.contains(TOKEN), "{said}");
}

#[test]
fn a_browser_without_the_token_is_asked_for_it_and_a_program_is_told() {
    let cx = agents(&[]);
    let daemon = Daemon::run(cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("JURY_TOKEN", TOKEN));
    let ask = |path: &str, accept: &str| daemon.client.send("GET", path, &[("accept", accept)], b"").unwrap();
    for path in ["/", "/p", "/p/default/run/x?round=2"] {
        let form = ask(path, "text/html,*/*");
        assert_eq!((form.status, form.header("content-type")), (401, Some("text/html; charset=utf-8")));
        assert!(form.header("content-security-policy").unwrap().starts_with("default-src 'none';"));
        assert!(form.text().contains("<form method=\"get\">") && !form.text().contains("role=\"alert\""));
        assert_eq!(refusal(&ask(path, "*/*")), (401, "unauthorized".to_owned()));
    }
    assert!(ask("/?token=not-the-token-at-all", "text/html").text().contains("role=\"alert\""));
    for path in ["/api/projects", "/assets/main.js", "/metrics"] {
        assert_eq!(refusal(&ask(path, "text/html")), (401, "unauthorized".to_owned()), "{path}");
    }
    let link = ask(&format!("/p?token={TOKEN}"), "text/html");
    assert_eq!((link.status, link.header("location")), (303, Some("/p")));
}

#[test]
fn every_loopback_address_is_ours_alone() {
    let cx = agents(&[]);
    let daemon = Daemon::run(cx.jury().args(["serve", "--addr", "127.0.0.2:0"]));
    assert_eq!(daemon.get("/api/projects").status, 200);
    let other = daemon.client.clone().with("host", Some("127.0.0.3"));
    assert_eq!(other.get("/api/projects").unwrap().status, 421);
}

#[test]
fn bodies_have_a_bound_announced_or_not() {
    let cx = agents(&[]);
    let daemon = Daemon::start_with(&cx, &["--limits", "body=1000"]);
    let host = daemon.client.address();
    let large = json!({"id": "x", "name": "n".repeat(2_000)}).to_string();
    let post = |body: &str| {
        daemon
            .client
            .send("POST", "/api/projects", &[("content-type", "application/json")], body.as_bytes())
            .unwrap()
    };
    assert_eq!(refusal(&post(&large)), (413, "too_large".to_owned()));
    let mut chunked = format!(
        "POST /api/projects HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    for piece in large.as_bytes().chunks(100) {
        write!(chunked, "{:x}\r\n{}\r\n", piece.len(), String::from_utf8_lossy(piece)).unwrap();
    }
    chunked.push_str("0\r\n\r\n");
    assert_eq!(refusal(&daemon.client.raw(chunked.as_bytes()).unwrap()), (413, "too_large".to_owned()));
    // A body that is announced and huge is not waited for.
    let announced = format!(
        "POST /api/projects HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 9999999999\r\n\r\n"
    );
    assert_eq!(daemon.client.raw(announced.as_bytes()).unwrap().status, 413);
    // Two lengths are the beginning of a smuggled request.
    for head in [
        "content-length: 5\r\ncontent-length: 6\r\n",
        "content-length: -1\r\n",
        "content-length: 5\r\ntransfer-encoding: gzip\r\n",
    ] {
        let request = format!(
            "POST /api/projects HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n{head}\r\n{{}}x"
        );
        let status = daemon.client.raw(request.as_bytes()).map_or(400, |answer| answer.status);
        assert!((400..500).contains(&status), "{status}: {head}");
    }
    assert_eq!(post("{\"id\":\"x\"}").status, 201);
}

/// A client that sends its body after its head gets its answer, and not a broken connection.
#[test]
fn who_is_refused_early_hears_it_and_can_ask_again_on_the_same_connection() {
    let cx = agents(&[]);
    let daemon = Daemon::start(&cx);
    let body = "x".repeat(200_000);
    let length = body.len().to_string();
    for (path, mime, status) in [
        ("/api/projects", "text/plain", 415),
        ("/api/nothing", "application/json", 404),
        ("/api/health", "application/json", 405),
        ("/api/projects/nobody/runs", "application/json", 400),
    ] {
        let head = [("content-type", mime), ("content-length", length.as_str())];
        let mut connection = daemon.client.open("POST", path, &head, None).unwrap();
        for piece in body.as_bytes().chunks(20_000) {
            std::thread::yield_now();
            connection.get_mut().write_all(piece).unwrap();
        }
        assert_eq!(read_answer(&mut connection).unwrap().status, status, "{path}");
        let again = format!("GET /api/projects HTTP/1.1\r\nhost: {}\r\n\r\n", daemon.client.address());
        connection.get_mut().write_all(again.as_bytes()).unwrap();
        assert_eq!(read_answer(&mut connection).unwrap().status, 200, "{path}");
    }
}

#[test]
fn heads_have_a_bound_in_size_in_number_and_in_time() {
    let cx = agents(&[]);
    let daemon = Daemon::start_with(&cx, &["--limits", "head=150,body_time=150"]);
    let host = daemon.client.address();
    let start = format!("GET /api/projects HTTP/1.1\r\nhost: {host}\r\n");
    let flood: String = (0..200).fold(start.clone(), |mut head, number| {
        write!(head, "x-{number}: y\r\n").unwrap();
        head
    });
    assert_eq!(daemon.client.raw(format!("{flood}\r\n").as_bytes()).unwrap().status, 431);
    let long = format!("{start}x: {}\r\n\r\n", "y".repeat(100_000));
    assert_eq!(daemon.client.raw(long.as_bytes()).unwrap().status, 431);
    let long = format!("GET /{} HTTP/1.1\r\nhost: {host}\r\n\r\n", "y".repeat(100_000));
    assert!(matches!(daemon.client.raw(long.as_bytes()).unwrap().status, 414 | 431));
    // Slow: nothing, half a line, and silence after an answer. Each ends by itself.
    for said in ["", "GET /api/pro", &start] {
        let mut connection = daemon.client.connect().unwrap();
        connection.get_mut().write_all(said.as_bytes()).unwrap();
        let mut rest = Vec::new();
        connection.read_to_end(&mut rest).ok();
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&rest));
    }
    let mut connection = daemon.client.open("GET", "/api/projects", &[], None).unwrap();
    assert_eq!(read_answer(&mut connection).unwrap().status, 200);
    let mut rest = Vec::new();
    connection.read_to_end(&mut rest).ok();
    assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
    // A body that does not come.
    let head = [("content-type", "application/json"), ("content-length", "100")];
    let mut connection = daemon.client.open("POST", "/api/projects", &head, None).unwrap();
    connection.get_mut().write_all(b"{").unwrap();
    assert_eq!(refusal(&read_answer(&mut connection).unwrap()), (408, "too_slow".to_owned()));
    for nonsense in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"G\xffT / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ] {
        let status = daemon.client.raw(nonsense).map_or(400, |answer| answer.status);
        assert!((400..500).contains(&status), "{status}");
    }
    assert_eq!(daemon.get("/api/projects").status, 200);
}

#[test]
fn a_crowd_is_told_to_come_back_and_the_daemon_still_says_that_it_lives() {
    let cx = agents(&[]);
    let daemon = Daemon::start_with(&cx, &["--limits", "requests=1"]);
    let head = [("content-type", "application/json"), ("content-length", "10"), ("expect", "100-continue")];
    let mut slow = daemon.client.open("POST", "/api/projects", &head, None).unwrap();
    // Whoever is told to go on has a place.
    let mut go_on = String::new();
    while !go_on.ends_with("\r\n\r\n") {
        slow.read_line(&mut go_on).unwrap();
    }
    assert!(go_on.starts_with("HTTP/1.1 100"), "{go_on}");
    let refused = daemon.get("/api/projects");
    assert_eq!(refusal(&refused), (503, "busy".to_owned()));
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(daemon.get("/api/health").status, 200);
    slow.get_mut().write_all(b"{\"id\":\"x\"}").unwrap();
    assert_eq!(read_answer(&mut slow).unwrap().status, 201);
    assert_eq!(daemon.get("/api/projects").status, 200);
}

#[test]
fn no_id_leads_out_of_its_place() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    cx.write("secret", "do not show");
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("scripted");
    daemon.finish(&run);
    let long = "a".repeat(5_000);
    let bad = [
        "..",
        ".",
        "%2e%2e",
        "..%2f..%2fsecret",
        "%2e%2e%2f%2e%2e%2fsecret",
        "..%5c..",
        "%00",
        "default%00",
        "default%2f",
        "%2fetc%2fpasswd",
        "%c0%ae%c0%ae",
        "%ff%fe",
        "%",
        "%zz",
        "default%0d%0aset-cookie:x",
        "*",
        "'%20OR%201=1--",
        "%25",
        "default%20",
        "DEFAULT",
        "%F0%9F%92%A3",
        "..;",
        "-",
        "__proto__",
        "0",
        "null",
        &long,
    ];
    let document: Value = serde_json::from_str(&jury_server::openapi().unwrap()).unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for hole in ["{id}", "{runId}", "{n}"].into_iter().filter(|hole| path.contains(hole)) {
            for id in bad {
                let path = path.replace(hole, id);
                let path = path.replace("{id}", "default").replace("{runId}", &run.id).replace("{n}", "1");
                for method in methods.as_object().unwrap().keys().map(|method| method.to_ascii_uppercase()) {
                    let answer = daemon
                        .client
                        .send(&method, &path, &[("content-type", "application/json")], b"{}")
                        .unwrap();
                    assert!((400..500).contains(&answer.status), "{method} {path}: {}", answer.text());
                    assert!(!answer.text().contains("do not show"), "{path}");
                    assert!(answer.header("set-cookie").is_none(), "{path}");
                }
            }
        }
    }
    for path in [
        "/../../secret",
        "//etc/passwd",
        "/api//projects",
        "/api/projects/../../../secret",
        "/.od/jury.sqlite",
        "/%2e%2e/secret",
        "*",
        "/api/projects/default/critique/../../../x",
    ] {
        let answer = daemon.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.text().contains("do not show"), "{path}");
    }
    for id in ["..", ".hidden", "a/b", "", " ", "ä", "a\u{0}b", &long] {
        let answer = daemon.post("/api/projects", &json!({"id": id}));
        assert_eq!(refusal(&answer), (400, "bad_request".to_owned()), "{id:?}");
    }
}

#[test]
fn a_hostile_artifact_is_shown_and_does_nothing() {
    let hostile = "<!doctype html><html lang=\"en\"><head><title>t</title><style>h1{color:#111}</style></head><body><h1>Hi</h1>\
                   <p>Words.</p><script>fetch('/api/projects')</script><img src=x onerror=alert(1)><iframe src=/></iframe>\
                   <form action=/api/projects method=post></form></body></html>";
    let cx = Context::new();
    super::harness::add_agents(&cx, &[("hostile", "cat hostile.txt")]);
    cx.write("hostile.txt", format!("{OPEN}{}{}", round(1, 9, hostile), ship(1, hostile)));
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("hostile");
    daemon.finish(&run);
    for path in ["artifact", "rounds/1/artifact"] {
        let answer = daemon.get(&format!("{}/{path}", run.path()));
        assert_eq!((answer.status, answer.text()), (200, hostile.to_owned()));
        let mut headers: Vec<(&str, &str)> = answer
            .headers
            .iter()
            .filter(|(name, _)| name != "date")
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        headers.sort_unstable();
        let length = hostile.len().to_string();
        assert_eq!(
            headers,
            [
                ("cache-control", "no-store"),
                ("connection", "close"),
                ("content-length", length.as_str()),
                (
                    "content-security-policy",
                    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
                ),
                ("content-type", "text/html; charset=utf-8"),
                ("cross-origin-resource-policy", "same-origin"),
                ("referrer-policy", "no-referrer"),
                ("x-content-type-options", "nosniff"),
            ]
        );
    }
}

#[test]
fn nothing_that_others_write_can_steer_the_log() {
    let attack = "x\r\nnote: all is well\u{1b}[2J\u{7}\u{9b}31m\u{2028}y";
    let cx = agents(&[("rude", "printf 'ab\\033[31m\\r\\nnote: owned' >&2; exit 3")]);
    let daemon = Daemon::start(&cx);
    daemon.post("/api/projects", &json!({"id": "p", "name": attack, "metadata": {attack: attack}}));
    daemon.post("/api/projects", &json!({"id": attack}));
    daemon.get("/api/projects/x%0d%0anote:%20all%20is%20well%1b%5b2J/critique");
    let run = daemon.ask_in("p", &json!({"agent": "rude", "page": GOOD_PAGE, "title": attack}));
    let frames = daemon.finish(&run);
    let text: String = frames.iter().map(|frame| frame.data.clone()).collect();
    assert!(!text.contains(|c: char| c.is_control()), "{text:?}");
    let (code, said) = daemon.stop();
    assert_eq!(code, Some(0));
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    // Every line is one of ours: an object, in which whatever others wrote is a value.
    for line in said.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(line["level"].is_string() && line["target"].is_string(), "{line}");
    }
    assert!(said.lines().count() >= 5 && !said.contains("all is well"), "{said}");
}

#[test]
fn bodies_that_are_not_what_they_should_be_are_refused_in_words() {
    let cx = agents(&[]);
    let daemon = Daemon::start(&cx);
    let send = |method: &str, path: &str, body: &[u8]| {
        daemon.client.send(method, path, &[("content-type", "application/json")], body).unwrap()
    };
    let deep =
        format!("{{\"id\":\"x\",\"metadata\":{{\"a\":{}{}}}}}", "[".repeat(100_000), "]".repeat(100_000));
    let wide = format!("{{\"id\":\"x\",\"metadata\":{{\"a\":\"{}\"}}}}", "y".repeat(70_000));
    for (body, status) in [
        (&b""[..], 400),
        (b"null", 400),
        (b"[]", 400),
        (b"{", 400),
        (b"{\"id\":\"x\",\"idd\":1}", 400),
        (b"{\"id\":\"x\",\"id\":\"y\"}", 400),
        (b"{\"id\":1}", 400),
        (b"{\"id\":\"\xff\xfe\"}", 400),
        (b"\xef\xbb\xbf{\"id\":\"x\"}", 400),
        (b"{\"id\":\"\\ud800\"}", 400),
        (b"{\"id\":\"x\",\"metadata\":[]}", 400),
        (b"{\"id\":\"x\",\"metadata\":{\"critiqueTheaterEnabled\":\"yes\"}}", 400),
        (b"{\"id\":\"x\",\"name\":\" \"}", 400),
        (deep.as_bytes(), 400),
        (wide.as_bytes(), 400),
    ] {
        let answer = send("POST", "/api/projects", body);
        assert_eq!(
            (answer.status, answer.code()),
            (status, "bad_request".to_owned()),
            "{:?}",
            &body[..body.len().min(60)]
        );
        assert!(answer.text().len() < 1_000, "{}", answer.text());
    }
    let runs = "/api/projects/default/runs";
    for (body, status) in [
        (json!({"page": GOOD_PAGE, "owner": "me"}), 400),
        (json!({"page": GOOD_PAGE, "agent": "../x"}), 400),
        (json!({"page": GOOD_PAGE, "skill": "../x"}), 400),
        (json!({"page": GOOD_PAGE, "maxRounds": -1}), 400),
        (json!({"page": GOOD_PAGE, "fallbackPolicy": "always"}), 400),
        (json!({"page": GOOD_PAGE, "maxRounds": 21}), 422),
        (json!({"page": GOOD_PAGE, "threshold": 1e300}), 422),
        (json!({"page": GOOD_PAGE, "agent": "nobody"}), 422),
        (json!({"page": GOOD_PAGE, "model": "x"}), 422),
        (json!({"page": " "}), 422),
        (json!({}), 422),
        (json!({"brief": "b".repeat(70_000)}), 422),
        (json!({"page": "p".repeat(300_000)}), 422),
    ] {
        let answer = daemon.post(runs, &body);
        assert_eq!(answer.status, status, "{}", answer.text());
        assert!(!answer.code().is_empty() && !answer.json()["error"]["hint"].as_str().unwrap().is_empty());
    }
    assert_eq!(daemon.patch("/api/projects/default", &json!({"metadata": {"x": 1}, "id": "y"})).status, 400);
    assert_eq!(daemon.get("/api/projects").json()["projects"].as_array().unwrap().len(), 1);
}
