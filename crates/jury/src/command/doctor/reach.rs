//! What `jury doctor` finds outside of jury: agent programs, keys, and models' servers on this machine.
//!
//! The values of keys are never read, and nothing but this machine is asked.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use jury_agents::api::Vendor;
use jury_core::line;
use jury_store::Store;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{Finding, State, find_program};
use crate::command::agents::seats::{Seat, Seats, lock_note};
use crate::settings::{AgentSettings, FILE, Settings};

/// The variable that says on which ports of this machine models' servers may be.
pub(super) const PORTS: &str = "JURY_LOCAL_PORTS";

/// Where a server usually is, what people call it, which service of jury fits, and whom it says its models
/// belong to.
type Known = (u16, &'static str, &'static str, &'static str);

const KNOWN: [Known; 3] = [
    (11434, "Ollama", "ollama", "library"),
    (8080, "llama.cpp", "llama.cpp", "llamacpp"),
    (1234, "LM Studio", "lmstudio", "organization_owner"),
];

/// A server of this machine answers at once, or is none.
const CONNECT: Duration = Duration::from_millis(200);

/// How long it may take to list its models.
const ANSWER: Duration = Duration::from_millis(800);

/// The most of a list of models that is read.
const LONGEST_LIST_BYTES: u64 = 256 * 1024;

/// The programs that are there, and the services whose key is set.
pub(super) fn agents(settings: &Settings) -> Vec<Finding> {
    let seats = match Seats::load(settings) {
        Ok(seats) => seats,
        Err(refusal) => return vec![Finding::new("adapters", State::Broken, refusal.message)],
    };
    let (mut there, mut set, mut unset) = (Vec::new(), Vec::new(), Vec::new());
    for (id, seat) in seats.all() {
        match seat {
            Seat::Program(adapter) => {
                if let Some(path) = find_program(&adapter.detect.command) {
                    let use_it = lock_note(adapter).unwrap_or("use it with --agent");
                    there.push(format!("{id} ({}); {use_it}", path.display()));
                }
            }
            Seat::Service(_) => {
                if let Some(variable) = seats.key_variable(seat) {
                    let is_set = std::env::var_os(variable).is_some_and(|key| !key.is_empty());
                    let list = if is_set { &mut set } else { &mut unset };
                    list.push(format!("{variable} ({id})"));
                }
            }
            Seat::House | Seat::Own(_) => {}
        }
    }
    let mut findings = Vec::new();
    if there.is_empty() {
        let says = "none of the agent programs that jury knows is on PATH; 'jury agents list' names them";
        findings.push(Finding::new("programs", State::Worth, says));
    }
    findings.extend(there.into_iter().map(|program| Finding::new("program", State::Fine, program)));
    findings.push(if set.is_empty() {
        Finding::new("keys", State::Worth, format!("none set; one of {} opens a service", unset.join(", ")))
    } else {
        Finding::new("keys", State::Fine, format!("set: {}", set.join(", ")))
    });
    findings
}

/// Who is marked as degraded.
pub(super) async fn degraded(store: &Store) -> Vec<Finding> {
    let marks = match store.degraded(jiff::Timestamp::now()).await {
        Ok(marks) => marks,
        Err(error) => return vec![Finding::new("agents", State::Broken, error.to_string())],
    };
    marks
        .into_iter()
        .map(|mark| {
            let until = mark.until.strftime("%Y-%m-%d %H:%M UTC");
            let says = format!(
                "critique:degraded until {until}: {}; 'jury agents clear-degraded {}' takes it away",
                mark.reason, mark.agent
            );
            Finding::new(&format!("agent {}", mark.agent), State::Worth, says)
        })
        .collect()
}

/// Models' servers on this machine, each with the command that uses it.
pub(super) async fn servers(settings: Option<&Settings>) -> Vec<Finding> {
    let ports = match ports() {
        Ok(ports) => ports,
        Err(finding) => return vec![finding],
    };
    let mut findings = Vec::new();
    for port in ports {
        if let Some(server) = ask(port).await {
            findings.push(Finding::new("local server", State::Fine, describe(port, &server, settings)));
        }
    }
    if findings.is_empty() {
        let says = format!("none on this machine; start Ollama, llama.cpp or LM Studio, or set {PORTS}");
        findings.push(Finding::new("local server", State::Worth, says));
    }
    findings
}

/// What a server is, how to use it, and whether it can be held to the form of an answer.
fn describe(port: u16, server: &Listed, settings: Option<&Settings>) -> String {
    let known = server.kind(port);
    let name = known.map_or("a server that speaks OpenAI's API", |(_, name, ..)| name);
    let models =
        if server.models.is_empty() { "no model loaded".to_owned() } else { server.models.join(", ") };
    let model = server.models.first().map_or_else(|| "NAME".to_owned(), |model| quoted(model));
    let own = settings.and_then(|settings| settings.agents.iter().find(|(_, agent)| is_at(agent, port)));
    let (before, agent, constrained) = if let Some((id, agent)) = own {
        let vendor = agent.vendor.as_deref().and_then(|vendor| Vendor::find(vendor).ok());
        let can = vendor.is_some_and(|vendor| vendor.constraint.is_some());
        (String::new(), id.as_str(), can && agent.constrain != Some(false))
    } else if let Some((usual, _, service, _)) = known {
        let can = Vendor::find(service).is_ok_and(|vendor| vendor.constraint.is_some());
        let before = if usual == port { String::new() } else { setup(service, port, "") };
        (before, if usual == port { service } else { "local" }, can)
    } else {
        (setup("llama.cpp", port, ", constrain = false"), "local", false)
    };
    let form = if constrained {
        "its answers are constrained to the form of a transcript"
    } else {
        "its answers are not constrained, so small models may lose the form"
    };
    format!(
        "{name} on port {port}: {models}; use it with {before}'jury run page.html --agent {agent} --model {model}'; {form}"
    )
}

/// The lines of jury.toml that name a server which is not where it usually is.
fn setup(vendor: &str, port: u16, more: &str) -> String {
    format!(
        "[agents.local] vendor = \"{vendor}\", base_url = \"http://127.0.0.1:{port}/v1\"{more} in {FILE}, then "
    )
}

/// Whether an agent of jury.toml is a service on this port of this machine.
fn is_at(agent: &AgentSettings, port: u16) -> bool {
    let local = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("http://{host}:{port}"));
    let is_there = |url: &String| {
        let rest = local.iter().find_map(|start| url.strip_prefix(start.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    agent.vendor.is_some() && agent.base_url.as_ref().is_some_and(is_there)
}

/// A name as a shell takes it for one word.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@+".contains(c);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace(['"', '\\', '$', '`'], "?"))
    }
}

fn ports() -> Result<Vec<u16>, Finding> {
    let Some(given) = std::env::var_os(PORTS) else {
        return Ok(KNOWN.iter().map(|(port, ..)| *port).collect());
    };
    let given = given.to_string_lossy();
    let parsed: Result<Vec<u16>, _> =
        given.split(',').map(str::trim).filter(|port| !port.is_empty()).map(str::parse).collect();
    parsed.ok().filter(|ports| ports.len() <= 32 && !ports.contains(&0)).ok_or_else(|| {
        let says =
            format!("{PORTS} is '{given}': it must be up to 32 ports from 1 to 65535, such as 11434,8080");
        Finding::new("local server", State::Broken, says)
    })
}

/// The models of a server on this port of this machine, if one answers there as `OpenAI`'s API would.
pub(in crate::command) async fn models(port: u16) -> Option<Vec<String>> {
    ask(port).await.map(|server| server.models)
}

/// What a server says about itself.
#[derive(Debug, PartialEq, Eq)]
struct Listed {
    models: Vec<String>,
    /// Whom its models belong to, which tells servers from each other.
    owner: String,
}

impl Listed {
    /// Which of the known servers it is: by what it says, or else by where it is.
    fn kind(&self, port: u16) -> Option<Known> {
        let named = KNOWN.into_iter().find(|(.., owner)| *owner == self.owner);
        named.or_else(|| KNOWN.into_iter().find(|(usual, ..)| *usual == port))
    }
}

async fn ask(port: u16) -> Option<Listed> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = tokio::time::timeout(CONNECT, TcpStream::connect(address)).await.ok()?.ok()?;
    let request = format!(
        "GET /v1/models HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
    );
    let exchange = async {
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.take(LONGEST_LIST_BYTES).read_to_end(&mut answer).await.ok()?;
        Some(answer)
    };
    let answer = tokio::time::timeout(ANSWER, exchange).await.ok()??;
    listed(&String::from_utf8_lossy(&answer))
}

/// The names in an answer, if it is a list of models.
fn listed(answer: &str) -> Option<Listed> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.lines().next()?.split_whitespace().nth(1)?;
    if status != "200" {
        return None;
    }
    // Without its chunk sizes, if it has any: the document is what stands between the braces.
    let document = body.get(body.find('{')?..=body.rfind('}')?)?;
    let document: serde_json::Value = serde_json::from_str(document).ok()?;
    let names = document.get("data")?.as_array()?.iter().filter_map(|model| model.get("id")?.as_str());
    let models = names.take(5).map(|name| line::cut(name, 60)).collect();
    let owner = document.pointer("/data/0/owned_by").and_then(|owner| owner.as_str()).unwrap_or_default();
    Some(Listed { models, owner: owner.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_models_is_told_from_any_other_answer() {
        let good = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n1f\r\n{\"data\":[{\"id\":\"llama3\"},{\"id\":\"x\\u001b\"}]}\r\n0\r\n";
        let models = vec!["llama3".to_owned(), "x".to_owned()];
        assert_eq!(listed(good), Some(Listed { models, owner: String::new() }));
        for bad in [
            "",
            "HTTP/1.1 404 Not Found\r\n\r\n{\"data\":[]}",
            "HTTP/1.1 200 OK\r\n\r\n<html>",
            "HTTP/1.1 200 OK\r\n\r\n{\"models\":[]}",
            "SSH-2.0-OpenSSH\r\n\r\n",
        ] {
            assert_eq!(listed(bad), None, "{bad}");
        }
    }

    fn says(port: u16, owner: &str, models: &[&str], agents: &str) -> String {
        let models = models.iter().map(|model| (*model).to_owned()).collect();
        let server = Listed { models, owner: owner.to_owned() };
        let agents = toml::from_str(agents).unwrap();
        let critique = jury_core::settings::CritiqueConfig::default();
        let nightly = jury_core::conformance::NightlyPlan::default();
        let settings =
            Settings { critique, enabled_given: None, agents, ideas: std::path::PathBuf::new(), nightly };
        describe(port, &server, Some(&settings))
    }

    #[test]
    fn every_server_is_named_with_the_command_that_uses_it() {
        let own = "[small]\nvendor = \"llama.cpp\"\nbase_url = \"http://localhost:9000/v1\"\n";
        let free = format!("{own}constrain = false\n");
        insta::assert_snapshot!([
            says(11434, "library", &["qwen3:8b", "llama3.2"], ""),
            says(8080, "llamacpp", &["a b.gguf"], ""),
            says(1234, "organization_owner", &[], ""),
            says(9000, "llamacpp", &["m"], ""),
            says(9000, "llamacpp", &["m"], own),
            says(9000, "llamacpp", &["m"], &free),
            says(9001, "vllm", &["m"], own),
        ]
        .join("\n"), @r#"
        Ollama on port 11434: qwen3:8b, llama3.2; use it with 'jury run page.html --agent ollama --model qwen3:8b'; its answers are not constrained, so small models may lose the form
        llama.cpp on port 8080: a b.gguf; use it with 'jury run page.html --agent llama.cpp --model "a b.gguf"'; its answers are constrained to the form of a transcript
        LM Studio on port 1234: no model loaded; use it with 'jury run page.html --agent lmstudio --model NAME'; its answers are not constrained, so small models may lose the form
        llama.cpp on port 9000: m; use it with [agents.local] vendor = "llama.cpp", base_url = "http://127.0.0.1:9000/v1" in jury.toml, then 'jury run page.html --agent local --model m'; its answers are constrained to the form of a transcript
        llama.cpp on port 9000: m; use it with 'jury run page.html --agent small --model m'; its answers are constrained to the form of a transcript
        llama.cpp on port 9000: m; use it with 'jury run page.html --agent small --model m'; its answers are not constrained, so small models may lose the form
        a server that speaks OpenAI's API on port 9001: m; use it with [agents.local] vendor = "llama.cpp", base_url = "http://127.0.0.1:9001/v1", constrain = false in jury.toml, then 'jury run page.html --agent local --model m'; its answers are not constrained, so small models may lose the form
        "#);
    }
}
