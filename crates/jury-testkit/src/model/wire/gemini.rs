//! Gemini's `generateContent` and `streamGenerateContent`.

use serde_json::{Value, json};

use super::{Frame, Turn, data, pieces};

pub(super) fn whole(turn: &Turn) -> Value {
    let mut parts = Vec::new();
    if !turn.thinking.is_empty() {
        parts.push(json!({"text": turn.thinking, "thought": true}));
    }
    if !turn.text.is_empty() {
        parts.push(json!({"text": turn.text}));
    }
    parts.extend(calls(turn));
    chunk(turn, &parts, true)
}

pub(super) fn frames(turn: &Turn) -> Vec<Frame> {
    let mut frames = Vec::new();
    for part in pieces(&turn.thinking, turn.chunk) {
        frames.push(data(&chunk(turn, &[json!({"text": part, "thought": true})], false), true));
    }
    for part in pieces(&turn.text, turn.chunk) {
        frames.push(data(&chunk(turn, &[json!({"text": part})], false), true));
    }
    for call in calls(turn) {
        frames.push(data(&chunk(turn, &[call], false), true));
    }
    frames.push(data(&chunk(turn, &[json!({"text": ""})], true), false));
    frames
}

fn calls(turn: &Turn) -> Vec<Value> {
    let call = |name: &str, input: &Value| json!({"functionCall": {"name": name, "args": input}});
    turn.tools.iter().map(|tool| call(&tool.name, &tool.input)).collect()
}

fn chunk(turn: &Turn, parts: &[Value], last: bool) -> Value {
    let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": parts}});
    if last {
        candidate["finishReason"] = finish(turn).into();
    }
    json!({"candidates": [candidate], "modelVersion": turn.model,
        "responseId": format!("response-{}", turn.number),
        "usageMetadata": {"promptTokenCount": turn.usage.input_tokens,
            "candidatesTokenCount": turn.usage.output_tokens, "totalTokenCount": turn.total_tokens()}})
}

fn finish(turn: &Turn) -> &str {
    match turn.stop.as_str() {
        "end_turn" | "stop_sequence" | "tool_use" => "STOP",
        "max_tokens" => "MAX_TOKENS",
        "refusal" => "SAFETY",
        other => other,
    }
}
