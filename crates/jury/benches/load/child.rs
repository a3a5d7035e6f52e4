//! The scripted child: an agent that writes a transcript. It stamps every element with the time at which it
//! hands it to the system, so that whoever sees it in the end knows how long it took.
//!
//! `child SCRIPT TAG`: the tag only serves to find it among all processes.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use jury_testkit::random::TestRandom;
use jury_testkit::transcript::page;

use crate::process::micros;

/// What a page of a round measures in the large scripts. Four of them and the panel make a megabyte.
const PAGE: usize = 250_000;

const ROLES: [&str; 4] = ["critic", "brand", "a11y", "copy"];

/// How a child behaves.
#[derive(Debug, Clone, Copy)]
struct Script {
    /// The bytes of each draft.
    page: usize,
    /// The elements of each panelist in each round.
    elements: usize,
    /// The longest pause between two elements.
    pause: Duration,
    /// Where it breaks off, in elements; the whole if nowhere.
    until: Option<usize>,
    /// Whether it hangs where it breaks off, and what it leaves behind.
    hangs: bool,
    forks: bool,
}

/// A script by name.
fn script(name: &str) -> Option<Script> {
    let quick =
        Script { page: 8_000, elements: 4, pause: Duration::ZERO, until: None, hangs: false, forks: false };
    Some(match name {
        "pages" => Script { page: PAGE, elements: 7, ..quick },
        "chat" => Script { page: 1_000, elements: 620, ..quick },
        "quick" => quick,
        "slow" => Script { pause: Duration::from_millis(40), ..quick },
        "broken" => Script { until: Some(23), ..quick },
        "hanging" => Script { until: Some(23), hangs: true, ..quick },
        "forking" => Script { pause: Duration::from_millis(20), forks: true, ..quick },
        _ => return None,
    })
}

/// The names of all scripts.
pub(crate) const SCRIPTS: [&str; 7] = ["pages", "chat", "quick", "slow", "broken", "hanging", "forking"];

/// Plays the script of this name.
pub(crate) fn play(words: &[String]) -> ExitCode {
    let (name, tag) = match words {
        [name, tag, ..] => (name.as_str(), tag.as_str()),
        _ => ("", ""),
    };
    if name == "lingering" {
        // What a fork leaves behind: it writes nothing and ends by itself only after the soak.
        std::thread::sleep(Duration::from_hours(2));
        return ExitCode::SUCCESS;
    }
    let Some(script) = script(name) else { return ExitCode::FAILURE };
    if script.forks {
        leave_behind(tag);
    }
    match (Player { script, random: TestRandom::new(u64::from(std::process::id())), said: 0 }).transcript() {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody listens any more.
        Err(_) => ExitCode::FAILURE,
    }
}

/// Starts a process in a group of its own, which outlives this one unless somebody looks for it.
fn leave_behind(tag: &str) {
    let Ok(program) = std::env::current_exe() else { return };
    Command::new(program)
        .args(["child", "lingering", tag])
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok();
}

struct Player {
    script: Script,
    random: TestRandom,
    said: usize,
}

impl Player {
    fn transcript(&mut self) -> io::Result<()> {
        let page = page(self.script.page);
        self.say("<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\">\n")?;
        for round in 1..=3 {
            let last = round == 3;
            let (score, fixes) = if last { ("8.6", 0) } else { ("7.4", self.script.elements.min(2)) };
            self.say(&format!(
                "<ROUND n=\"{round}\">\n<PANELIST role=\"designer\">\n<NOTES>Draft.</NOTES>\n"
            ))?;
            self.say(&format!("<ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>\n</PANELIST>\n"))?;
            for role in ROLES {
                self.say(&format!("<PANELIST role=\"{role}\" score=\"{score}\" must_fix=\"{fixes}\">\n"))?;
                for number in 0..self.script.elements {
                    self.element(number, number < fixes)?;
                }
                self.say("</PANELIST>\n")?;
            }
            let (decision, composite) = if last { ("ship", "8.60") } else { ("continue", "7.40") };
            let open = fixes * ROLES.len();
            self.say(&format!(
                "<ROUND_END n=\"{round}\" composite=\"{composite}\" must_fix=\"{open}\" decision=\"{decision}\">\n\
                 <REASON>As it is.</REASON>\n</ROUND_END>\n</ROUND>\n"
            ))?;
        }
        self.say(&format!(
            "<SHIP round=\"3\" composite=\"8.60\" status=\"shipped\">\n<ARTIFACT mime=\"text/html\">\
             <![CDATA[{page}]]></ARTIFACT>\n<SUMMARY>Done.</SUMMARY>\n</SHIP>\n</CRITIQUE_RUN>\n"
        ))
    }

    fn element(&mut self, number: usize, fix: bool) -> io::Result<()> {
        let mut text = String::with_capacity(160);
        // Writing to a string cannot fail.
        let now = micros();
        let _ = if fix {
            writeln!(text, "<MUST_FIX>t={now} Push the background down by 8% to clear AA.</MUST_FIX>")
        } else {
            let note = "Vertical gaps of 12, 16, 24 and 40 follow no system.";
            writeln!(text, "<DIM name=\"d{number}\" score=\"7\">t={now} {note}</DIM>")
        };
        self.say(&text)
    }

    /// One write: what a viewer sees of it carries a time from right before it.
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.said += 1;
        if self.script.until.is_some_and(|until| self.said > until) {
            if self.script.hangs {
                std::thread::sleep(Duration::from_hours(2));
            }
            return Err(io::ErrorKind::Other.into());
        }
        if !self.script.pause.is_zero() {
            let most = usize::try_from(self.script.pause.as_micros()).unwrap_or(1);
            std::thread::sleep(Duration::from_micros(self.random.below(most) as u64));
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}
