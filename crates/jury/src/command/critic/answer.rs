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
    named("USER").or_else(|| named("LOGNAME")).unwrap_or_else(name_of_system)
}

/// Whom the system takes whoever sits here for, where the environment does not say it: in containers and in hooks.
fn name_of_system() -> String {
    let id = rustix::process::getuid().as_raw();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    name_in(&users, id).unwrap_or_else(|| format!("user {id}"))
}

/// The name of a user in a list like `/etc/passwd`.
fn name_in(users: &str, id: u32) -> Option<String> {
    let mut named = users.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id) && !name.is_empty()).then(|| name.to_owned())
    });
    named.next()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_number() {
        let users = "root:x:0:0:root:/:/bin/sh\nbroken\nada:x:1000:1000::/:/bin/sh\n";
        assert_eq!(name_in(users, 1000).as_deref(), Some("ada"));
        assert_eq!(name_in(users, 0).as_deref(), Some("root"));
        assert_eq!(name_in(users, 7), None);
    }
}
