//! The API client against a scripted service, over a real socket.

mod asking;
mod content;
mod failures;
mod money;
mod safety;
mod sse;
mod streaming;
mod vendors;

use std::time::Duration;

use jury_agents::api::{
    ApiError, ApiPiece, ApiSession, Client, ModelPrompt, Retries, Secret, Settings, Vendor,
};
use jury_agents::decoder::SelfReport;
use jury_core::event::{AgentNote, AgentNoteKind};
use jury_testkit::model::{ModelServer, Script, ScriptedAnswer};

/// Both formats, by a vendor that speaks them.
const FORMATS: [&str; 2] = ["anthropic", "openai"];

const KEY: &str = "sk-3f9a-not-in-any-output";

/// How long a test waits for what has to happen.
const PATIENCE: Duration = Duration::from_secs(20);

fn serve(answers: impl IntoIterator<Item = ScriptedAnswer>) -> ModelServer {
    ModelServer::start(Script::new(answers)).unwrap()
}

fn settings(server: &ModelServer) -> Settings {
    Settings {
        base_url: Some(format!("{}/v1", server.url())),
        allow_hosts: vec!["127.0.0.1".to_owned()],
        retries: Retries { first: Duration::from_millis(1), ..Retries::default() },
        ..Settings::default()
    }
}

fn client(server: &ModelServer, vendor: &str) -> Client {
    client_with(vendor, settings(server))
}

fn client_with(vendor: &str, settings: Settings) -> Client {
    Client::with_key(Vendor::find(vendor).unwrap(), settings, Some(Secret::new(KEY))).unwrap()
}

fn prompt() -> ModelPrompt {
    ModelPrompt::new("What is snow?").system("Be brief.").max_tokens(1000)
}

/// Everything a session said.
#[derive(Debug)]
struct Said {
    pieces: Vec<String>,
    notes: Vec<AgentNote>,
    verdict: SelfReport,
}

impl Said {
    fn text(&self) -> String {
        self.pieces.concat()
    }

    fn kinds(&self) -> Vec<AgentNoteKind> {
        self.notes.iter().map(|note| note.kind).collect()
    }
}

async fn listen(session: &mut ApiSession) -> Result<Said, ApiError> {
    let mut said = Said { pieces: Vec::new(), notes: Vec::new(), verdict: SelfReport::Fine };
    loop {
        match session.next().await? {
            ApiPiece::Text(text) => said.pieces.push(text.to_owned()),
            ApiPiece::Note(note) => said.notes.push(note),
            ApiPiece::End(verdict) => {
                said.verdict = verdict;
                return Ok(said);
            }
        }
    }
}

async fn say(client: &Client) -> Said {
    listen(&mut client.session(&prompt()).unwrap()).await.unwrap()
}

fn failed(verdict: &SelfReport) -> (Option<u16>, &str) {
    match verdict {
        SelfReport::Fine => panic!("it should have failed"),
        SelfReport::Failed { status, detail } => (*status, detail),
    }
}
