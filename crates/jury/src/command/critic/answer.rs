//! Answers: who gives them, and how they are asked for at the terminal.

use std::io::{BufRead as _, IsTerminal as _};

use jury_core::critic::{Answer, Question, format};

use crate::output::{Output, Tone};

/// Whether somebody is there to be asked.
pub(super) fn somebody_is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Who sits here.
pub(in crate::command) fn name_of_user() -> String {
    let named = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    named("USER").or_else(|| named("LOGNAME")).unwrap_or_else(|| "a person".to_owned())
}

/// Asks one question. None when nobody answers: stdin has ended, or whoever waits was told to stop.
pub(super) async fn ask(question: &Question, output: Output) -> Option<Answer> {
    output.transient("");
    Output::say(&format!("\n{}", format::write_escalation(question)));
    let options = question.options.len();
    loop {
        let wanted = format!("Answer (1 to {}, skip, or words): ", options + 1);
        Output::prompt(&output.paint(Tone::Bold, &wanted));
        let line = line_of_stdin().await?;
        match Answer::from_typed(&line, options) {
            Some(answer) => return Some(answer),
            None => Output::say(&format!("that is none of the {} options", options + 1)),
        }
    }
}

/// Waits for a line in a thread of its own: a person may take long, and a signal must still get through.
async fn line_of_stdin() -> Option<String> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        sender.send(read.ok().filter(|length| *length > 0).map(|_| line)).ok();
    });
    receiver.await.ok().flatten()
}
