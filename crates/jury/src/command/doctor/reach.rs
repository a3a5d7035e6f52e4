//! What `jury doctor` finds outside of jury: agent programs, keys, and models' servers on this machine.
//!
//! The values of keys are never read, and nothing but this machine is asked.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use jury_store::Store;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{Finding, State, find_program};
use crate::command::agents::seats::{Seat, Seats};
use crate::settings::Settings;

/// The variable that says on which ports of this machine models' servers may be.
pub(super) const PORTS: &str = "JURY_LOCAL_PORTS";

/// Where such servers usually are, and which service of jury fits.
const KNOWN: [(u16, &str, &str); 3] =
    [(11434, "Ollama", "ollama"), (8080, "llama.cpp", "llama.cpp"), (1234, "LM Studio", "lmstudio")];

/// A server of this machine answers at once, or is none.
const CONNECT: Duration = Duration::from_millis(200);

/// How long it may take to list its models.
const ANSWER: Duration = Duration::from_millis(800);

/// The most of a list of models that is read.
const LONGEST: u64 = 256 * 1024;

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
                    there.push(format!("{id} ({})", path.display()));
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
    findings.extend(there.into_iter().map(|program| {
        let says = format!("{program}; use it with --agent");
        Finding::new("program", State::Fine, says)
    }));
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

/// Models' servers on this machine.
pub(super) async fn servers() -> Vec<Finding> {
    let ports = match ports() {
        Ok(ports) => ports,
        Err(finding) => return vec![finding],
    };
    let mut findings = Vec::new();
    for port in ports {
        let known = KNOWN.iter().find(|(usual, ..)| *usual == port);
        let (name, service) = known.map_or(("a server", "openai"), |(_, name, service)| (*name, *service));
        if let Some(models) = models(port).await {
            let models = if models.is_empty() { "no model loaded".to_owned() } else { models.join(", ") };
            let says = if known.is_some() {
                format!("{name} on port {port}: {models}; use it with --agent {service} --model NAME")
            } else {
                format!(
                    "speaks OpenAI's API on port {port}: {models}; use it with [agents.local] vendor = \"llama.cpp\", base_url = \"http://127.0.0.1:{port}/v1\" in jury.toml"
                )
            };
            findings.push(Finding::new("local server", State::Fine, says));
        }
    }
    if findings.is_empty() {
        let says = format!("none on this machine; start Ollama, llama.cpp or LM Studio, or set {PORTS}");
        findings.push(Finding::new("local server", State::Worth, says));
    }
    findings
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
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = tokio::time::timeout(CONNECT, TcpStream::connect(address)).await.ok()?.ok()?;
    let request = format!(
        "GET /v1/models HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
    );
    let exchange = async {
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.take(LONGEST).read_to_end(&mut answer).await.ok()?;
        Some(answer)
    };
    let answer = tokio::time::timeout(ANSWER, exchange).await.ok()??;
    listed(&String::from_utf8_lossy(&answer))
}

/// The names in an answer, if it is a list of models.
fn listed(answer: &str) -> Option<Vec<String>> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.lines().next()?.split_whitespace().nth(1)?;
    if status != "200" {
        return None;
    }
    // Without its chunk sizes, if it has any: the document is what stands between the braces.
    let document = body.get(body.find('{')?..=body.rfind('}')?)?;
    let document: serde_json::Value = serde_json::from_str(document).ok()?;
    let models = document.get("data")?.as_array()?;
    let names = models.iter().filter_map(|model| model.get("id")?.as_str());
    Some(names.take(5).map(|name| name.chars().filter(|c| !c.is_control()).take(60).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_models_is_told_from_any_other_answer() {
        let good = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n1f\r\n{\"data\":[{\"id\":\"llama3\"},{\"id\":\"x\\u001b\"}]}\r\n0\r\n";
        assert_eq!(listed(good), Some(vec!["llama3".to_owned(), "x".to_owned()]));
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
}
