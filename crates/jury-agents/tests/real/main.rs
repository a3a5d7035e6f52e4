//! The real agent programs, against a scripted model's service on a loopback socket.
//!
//! `scripts/agents install` puts them where these tests look. A program that is not there is a failure, never a
//! test less: choose programs by choosing tests, such as `-E 'test(/^claude::/)'`.
//!
//! With `JURY_RECORD=1` what the programs print is written to `tests/recorded`, for the tests of the decoders.

#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests fail by panicking")]

mod cases;
mod local_model;
mod record;
mod stage;

/// One module of tests per adapter: every program goes through the same.
macro_rules! real {
    ($($module:ident = $id:literal),* $(,)?) => {$(
        mod $module {
            use crate::cases;

            #[tokio::test]
            async fn answer_arrives_byte_for_byte() {
                cases::success($id).await;
            }

            #[tokio::test]
            async fn refused_key_is_no_answer() {
                cases::refused($id).await;
            }

            #[tokio::test]
            async fn busy_service_is_no_answer() {
                cases::busy($id).await;
            }

            #[tokio::test]
            async fn failing_service_is_no_answer() {
                cases::failing($id).await;
            }

            #[tokio::test]
            async fn broken_stream_is_never_taken_for_a_whole_answer() {
                cases::broken($id).await;
            }

            #[tokio::test]
            async fn tool_that_the_model_calls_is_not_there() {
                cases::tools($id).await;
            }

            #[tokio::test]
            async fn interrupt_leaves_nothing_behind() {
                cases::interrupt($id).await;
            }

            #[tokio::test]
            async fn silence_is_noticed_and_ended() {
                cases::silence($id).await;
            }
        }
    )*};
}

real! {
    aider = "aider",
    claude = "claude",
    claude_acp = "claude-acp",
    cline = "cline",
    cn = "cn",
    codex = "codex",
    codex_acp = "codex-acp",
    codex_app_server = "codex-app-server",
    copilot = "copilot",
    copilot_acp = "copilot-acp",
    gemini = "gemini",
    gemini_acp = "gemini-acp",
    goose = "goose",
    goose_acp = "goose-acp",
    kimi = "kimi",
    kimi_acp = "kimi-acp",
    llm = "llm",
    opencode = "opencode",
    opencode_acp = "opencode-acp",
    pi = "pi",
    qwen = "qwen",
    qwen_acp = "qwen-acp",
    vibe = "vibe",
}
