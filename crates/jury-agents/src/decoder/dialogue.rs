//! Dialogues in JSON-RPC, one message a line. What both of them share: our requests are numbered, theirs are
//! answered with the id they came with.

use serde_json::{Value, json};

use super::answer::Out;
use super::json::Json;
use super::trouble::Trouble;

/// What we are called in a dialogue.
const NAME: &str = "jury";

/// How far a dialogue has come: which of our requests waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Who speaks, and which version of the protocol.
    Greeting = 1,
    /// Where the work takes place.
    Opening = 2,
    /// The prompt has been sent.
    Asking = 3,
}

/// A line from the program.
pub(super) enum Incoming<'a> {
    /// The answer to the request of this stage.
    Answer(Json<'a>),
    /// It could not be answered.
    Refusal(Trouble),
    /// The program wants something: the id as it is written, the method, the details.
    Request(&'a str, Json<'a>, Option<Json<'a>>),
    /// The program tells something: the method, the details.
    Notice(Json<'a>, Json<'a>),
    /// A message without any meaning here.
    Nothing,
}

impl<'a> Incoming<'a> {
    /// What this line is, when the request of this stage waits.
    pub(super) fn read(line: Json<'a>, stage: Stage) -> Self {
        let id = line.get("id").filter(|id| !id.is_null());
        if let Some(method) = line.get("method") {
            let params = line.get("params");
            return match (id.and_then(Json::raw), params) {
                (Some(id), params) => Self::Request(id, method, params),
                (None, Some(params)) => Self::Notice(method, params),
                (None, None) => Self::Nothing,
            };
        }
        if id.and_then(Json::count) != Some(stage as u64) {
            return Self::Nothing;
        }
        if let Some(error) = line.get("error").filter(|error| !error.is_null()) {
            return Self::Refusal(refusal(error));
        }
        line.get("result").map_or(Self::Nothing, Self::Answer)
    }
}

/// What a refusal says. Programs put the better half of it into its data.
fn refusal(error: Json<'_>) -> Trouble {
    let data = error.get("data");
    let inner = data.and_then(|data| data.get("message").or(data.get("details"))).or(data);
    let status = data.and_then(|data| data.get("status").or(data.get("statusCode"))).or(error.get("code"));
    let mut trouble = Trouble::told(status, error.get("message")).or(Trouble::told(None, inner));
    // The Agent Client Protocol has a code of its own for what is 401 elsewhere.
    if error.get("code").and_then(Json::number) == Some(-32000.0) {
        trouble.status = trouble.status.or(Some(401));
    }
    trouble
}

/// Sends the request of a stage.
pub(super) fn ask(stage: Stage, method: &str, params: &Value, out: &mut Out<'_>) {
    send(&json!({ "jsonrpc": "2.0", "id": stage as u64, "method": method, "params": params }), out);
}

/// Tells the program something that needs no answer.
pub(super) fn tell(method: &str, out: &mut Out<'_>) {
    send(&json!({ "jsonrpc": "2.0", "method": method }), out);
}

/// Answers a request of the program.
pub(super) fn answer(id: &str, result: &Value, out: &mut Out<'_>) {
    out.reply(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n"));
}

/// Declines a request that we do not understand. Without an answer the program would wait for ever.
pub(super) fn decline(id: &str, out: &mut Out<'_>) {
    let error = json!({ "code": -32601, "message": "not supported" });
    out.reply(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{error}}}\n"));
}

/// The name and version that jury gives itself.
pub(super) fn client() -> Value {
    json!({ "name": NAME, "title": NAME, "version": env!("CARGO_PKG_VERSION") })
}

fn send(message: &Value, out: &mut Out<'_>) {
    out.reply(&format!("{message}\n"));
}
