//! Keys that do not leak, and addresses that are not spoken to.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use jury_agents::api::{Client, ModelQuestion, Secret, Settings, Vendor};
use jury_testkit::model::{BreakKind, ScriptedAnswer};

use super::{FORMATS, KEY, client, listen, prompt, say, serve, settings};

#[tokio::test]
async fn a_key_appears_in_nothing_that_is_shown() {
    let echo = format!("Incorrect API key provided: {KEY}. Bearer {KEY}");
    for vendor in FORMATS {
        let mut seen = String::new();
        for answer in [
            ScriptedAnswer { text: Some(echo.clone()), ..ScriptedAnswer::status(401) },
            ScriptedAnswer { text: Some(echo.clone()), ..ScriptedAnswer::status(500) },
            ScriptedAnswer::status(307).header("location", &format!("http://{KEY}.example.com/?key={KEY}")),
            ScriptedAnswer::text("fine"),
            ScriptedAnswer::text("cut").breaks(BreakKind::Error, 1),
        ] {
            let server = serve([answer]);
            let client = client(&server, vendor);
            let mut session = client.session(&prompt()).unwrap();
            write!(seen, "{client:?} {session:?} {:?}", client.vendor()).unwrap();
            match listen(&mut session).await {
                Ok(said) => write!(seen, "{said:?}").unwrap(),
                Err(error) => write!(seen, "{error} {error:?}").unwrap(),
            }
            let question = ModelQuestion::new("colour", "A colour.", prompt());
            let answer = client.ask::<String>(&question).await;
            write!(seen, "{answer:?} {:?}", server.requests()).unwrap();
        }
        let key = Secret::new(KEY);
        write!(seen, "{key} {key:?}").unwrap();
        assert!(seen.contains("(secret)"), "{seen}");
        assert!(!seen.contains(KEY), "{seen}");
    }
}

#[test]
fn a_key_that_no_header_can_carry_is_not_repeated() {
    let vendor = Vendor::find("openai").unwrap();
    let error =
        Client::with_key(vendor, Settings::default(), Some(Secret::new("sk-1\nhost: x"))).unwrap_err();
    assert_eq!(error.kind(), "bad_key");
    assert!(!format!("{error} {error:?}").contains("sk-1"));
}

#[test]
fn a_key_file_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    fs::write(&path, format!(" {KEY}\n")).unwrap();
    for (mode, fine) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o660, false)] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let key = Secret::from_file(&path);
        assert_eq!(key.as_ref().ok() == Some(&Secret::new(KEY)), fine, "{mode:o}");
        assert!(!format!("{key:?}").contains(KEY));
    }
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "\n").unwrap();
    assert!(Secret::from_file(&path).unwrap_err().to_string().contains("is empty"));
    assert_eq!(Secret::from_file(&folder.path().join("none")).unwrap_err().kind(), "key_file");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
    assert!(Secret::from_file(folder.path()).unwrap_err().to_string().contains("is not a file"));
}

#[tokio::test]
async fn a_key_file_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    fs::write(&path, KEY).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let server = serve([ScriptedAnswer::text("ok")]);
    let settings = Settings { key_file: Some(path), ..settings(&server) };
    say(&Client::new(Vendor::find("openai").unwrap(), settings).unwrap()).await;
    assert!(server.calls()[0].has_credential(KEY));
}

#[test]
fn a_key_that_is_not_there_is_asked_for_by_name() {
    let vendor =
        Vendor { key_variable: Some("JURY_TEST_NO_SUCH_KEY".to_owned()), ..Vendor::find("groq").unwrap() };
    let error = Client::new(vendor, Settings::default()).unwrap_err().to_string();
    assert_eq!(error, "no key for Groq: set JURY_TEST_NO_SUCH_KEY, or name a file that holds the key");
}

#[tokio::test]
async fn private_addresses_are_refused_unless_they_are_allowed() {
    let server = serve([ScriptedAnswer::text("ok")]);
    let port = server.address().port();
    let with = |base: String, allow: &[&str]| {
        let allow_hosts = allow.iter().map(|host| (*host).to_owned()).collect();
        let settings = Settings { base_url: Some(base), allow_hosts, ..settings(&server) };
        Client::with_key(Vendor::find("openai").unwrap(), settings, None)
    };
    assert_eq!(with(format!("https://127.0.0.1:{port}/v1"), &[]).unwrap_err().kind(), "private_address");
    assert_eq!(with("https://169.254.169.254/latest".to_owned(), &[]).unwrap_err().kind(), "private_address");
    assert_eq!(with(format!("http://localhost:{port}/v1"), &[]).unwrap_err().kind(), "address");
    // A name is only known to be private when it is resolved.
    let client = with(format!("https://localhost:{port}/v1"), &["127.0.0.1"]).unwrap();
    let error = listen(&mut client.session(&prompt()).unwrap()).await.unwrap_err();
    assert_eq!(error.to_string(), "localhost is a private address; add it to allow_hosts if it is meant");
    assert_eq!(server.requests(), []);
    let client = with(format!("http://localhost:{port}/v1"), &["localhost"]).unwrap();
    assert_eq!(say(&client).await.text(), "ok");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = serve([ScriptedAnswer::text("stolen")]);
    for status in [301, 302, 303, 307, 308] {
        let server =
            serve([ScriptedAnswer::status(status).header("location", &format!("{}/v1/x", elsewhere.url()))]);
        let error = listen(&mut client(&server, "anthropic").session(&prompt()).unwrap()).await.unwrap_err();
        assert_eq!(error.kind(), "redirect");
        assert_eq!(server.requests().len(), 1);
    }
    assert_eq!(elsewhere.requests(), []);
}
