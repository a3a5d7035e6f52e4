//! A model's service that says what a script says, for shells and agent programs.
//!
//! `scripted-model [--port N] [--script FILE.json]` prints `listening on 127.0.0.1:PORT` and serves until it
//! is ended. Without a script it ships a canned transcript to every request.

use std::error::Error;
use std::fs;
use std::io::{self, Write as _};

use jury_testkit::fixtures::Fixture;
use jury_testkit::model::{ModelServer, Script, ScriptedAnswer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut port = 0;
    let mut script = Script::new([ScriptedAnswer::fixture(Fixture::Shipped)]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--port" => port = value.parse()?,
            "--script" => script = serde_json::from_str(&fs::read_to_string(&value)?)?,
            _ => {
                return Err(
                    format!("no such option: {word}; there are --port N and --script FILE.json").into()
                );
            }
        }
    }
    let server = ModelServer::start_on(port, script)?;
    let mut stdout = io::stdout();
    writeln!(stdout, "listening on {}", server.address())?;
    stdout.flush()?;
    server.serve();
    Ok(())
}
