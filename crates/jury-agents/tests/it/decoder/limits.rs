//! Limits, noise, and what comes after the end.

use jury_agents::decoder::{DecodeLimits, Decoder, Format};
use jury_testkit::cut::Cut;

use super::{check, words};

const LINE: &str = r#"{"role":"assistant","content":"One."}"#;

#[test]
fn a_line_may_be_as_long_as_allowed_and_not_longer() {
    let output = format!("{LINE}\n{LINE} \n{LINE}\n");
    for (limit, expected) in [
        (LINE.len() + 1, ["text One.One.One.", "failed the output ended before the answer did"]),
        (LINE.len(), ["text One.", "error the agent printed a line of more than 37 bytes"]),
    ] {
        let limits = DecodeLimits { line: limit, ..DecodeLimits::default() };
        for cut in Cut::USUAL {
            assert_eq!(words(Format::Kimi, limits, cut.pieces(output.as_bytes())), expected, "{cut:?}");
        }
    }
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let limits = DecodeLimits { line: 1 << 16, ..DecodeLimits::default() };
    let pieces = std::iter::repeat_n([b'x'; 1000], 1000);
    assert_eq!(
        words(Format::Goose, limits, pieces),
        ["error the agent printed a line of more than 65536 bytes"]
    );
}

#[test]
fn plain_text_has_no_lines() {
    let limits = DecodeLimits { line: 10, steps: 0 };
    let expected = format!("text {}", "x".repeat(1000));
    assert_eq!(words(Format::Plain, limits, std::iter::repeat_n("x", 1000)), [&expected, "fine"]);
}

#[test]
fn steps_are_counted_retries_included() {
    let limits = DecodeLimits { steps: 3, ..DecodeLimits::default() };
    let retry = b"{\"role\":\"meta\",\"type\":\"turn.step.retrying\",\"status_code\":500}\n";
    let said = words(Format::Kimi, limits, std::iter::repeat_n(retry, 5));
    assert_eq!(
        said,
        [
            "retry 500",
            "retry 500",
            "retry 500",
            "retry 500",
            "error the agent took more than 3 steps; it goes round in circles"
        ]
    );
}

#[test]
fn noise_is_ignored_and_counted() {
    let noise: [&[u8]; 9] = [
        b"Warning: something\n",
        b"{\"role\":\"assistant\",\"content\":\"cut\n",
        b"[1,2]\n",
        b"{\"role\":\"assistant\",\"content\":\"One.\"} trailing\n",
        b"\x1b[2K{\"role\":\"assistant\",\"content\":\"One.\"}\n",
        b"{role:1}\n",
        b"{\"a\":}\n",
        b"{\"a\":1,}\n",
        b"null\n",
    ];
    let mut decoder = Decoder::new(Format::Kimi, DecodeLimits::default());
    for line in noise {
        decoder.feed(line, &mut |decoded| panic!("{decoded:?}")).unwrap();
    }
    decoder
        .feed(b"\n \r\n{\"role\":\"assistant\"}\r\n{\"role\":7}\n{}\n", &mut |decoded| panic!("{decoded:?}"))
        .unwrap();
    assert_eq!(decoder.ignored(), 9);
}

#[test]
fn bytes_that_are_no_text_do_not_spoil_a_line() {
    let said = words(
        Format::Kimi,
        DecodeLimits::default(),
        std::iter::once(b"{\"role\":\"assistant\",\"content\":\"a\xFFb\",\"x\":\"\xC0\"}\n"),
    );
    assert_eq!(said[0], "text a\u{FFFD}b");
}

#[test]
fn nothing_comes_after_the_end() {
    check(
        Format::CodexExec,
        &[
            r#"{"type":"item.completed","item":{"id":"h","type":"agent_message","text":"One."}}"#,
            r#"{"type":"turn.completed"}"#,
            r#"{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"more"}}"#,
            r#"{"type":"turn.failed","error":{"message":"no"}}"#,
        ],
        &["text One.", "fine"],
    );
}

#[test]
fn what_goes_wrong_is_told_briefly_and_without_secrets() {
    let line = serde_json::json!({
        "type": "turn.failed",
        "error": {"message": format!("Incorrect API key provided: sk-proj-abcdefgh12345.\nSee {}", "x ".repeat(500))},
    });
    let said = words(Format::CodexExec, DecodeLimits::default(), std::iter::once(line.to_string()));
    assert!(said[0].starts_with("failed Incorrect API key provided: … See x x"), "{said:?}");
    assert!(said[0].len() < 400, "{said:?}");
}

#[test]
fn deep_lines_are_noise() {
    let deep = |depth: usize| {
        format!(
            "{{\"role\":\"assistant\",\"x\":{}{},\"content\":\"One.\"}}\n",
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    let limits = DecodeLimits::default();
    assert_eq!(words(Format::Kimi, limits, std::iter::once(deep(100)))[0], "text One.");
    assert_eq!(
        words(Format::Kimi, limits, std::iter::once(deep(200_000))),
        ["failed the output ended before the answer did"]
    );
}
