//! Our side of the conversation: what goes to the agent's stdin.

#![expect(clippy::disallowed_methods, reason = "dropping the voice ends the task, so it is not left behind")]

use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::AgentError;

/// How many replies may wait for an agent to read them.
const WAITING: usize = 64;

/// Writes to the agent without ever waiting for it: it may never read.
#[derive(Debug)]
pub(super) struct StdinWriter {
    /// Absent when everything was said.
    replies: Option<mpsc::Sender<Vec<u8>>>,
    task: JoinHandle<()>,
}

impl StdinWriter {
    /// Says the prompt; in a dialogue nothing but what it is told to say: the prompt has its turn there.
    pub(super) fn new(stdin: ChildStdin, prompt: Vec<u8>, dialogue: bool) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        let prompt = if dialogue { Vec::new() } else { prompt };
        let task = tokio::spawn(speak(stdin, prompt, receiver));
        Self { replies: Some(sender).filter(|_| dialogue), task }
    }

    /// Puts bytes into the queue for stdin.
    pub(super) fn say(&self, bytes: &[u8]) -> Result<(), AgentError> {
        let Some(replies) = &self.replies else {
            return Ok(());
        };
        match replies.try_send(bytes.to_owned()) {
            // An agent that has closed its stdin wants to hear no more. What it makes of that shows.
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => Ok(()),
            Err(mpsc::error::TrySendError::Full(_)) => Err(AgentError::Deaf),
        }
    }

    /// Closes the agent's stdin when it has read what was said.
    pub(super) fn finish(&mut self) {
        self.replies = None;
    }

    /// Closes the agent's stdin now.
    pub(super) fn stop(&mut self) {
        self.replies = None;
        self.task.abort();
    }
}

impl Drop for StdinWriter {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn speak(mut stdin: ChildStdin, prompt: Vec<u8>, mut replies: mpsc::Receiver<Vec<u8>>) {
    let mut next = Some(prompt);
    while let Some(bytes) = next {
        if stdin.write_all(&bytes).await.is_err() {
            return;
        }
        next = replies.recv().await;
    }
}
