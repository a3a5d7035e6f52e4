//! Anthropic Messages.

use serde_json::{Value, json};

use super::{Frame, Turn, named, pieces};

pub(super) fn whole(turn: &Turn) -> Value {
    let mut content = Vec::new();
    if !turn.thinking.is_empty() {
        content.push(json!({"type": "thinking", "thinking": turn.thinking, "signature": "c2NyaXB0ZWQ="}));
    }
    if !turn.text.is_empty() {
        content.push(json!({"type": "text", "text": turn.text}));
    }
    for (index, tool) in turn.tools.iter().enumerate() {
        content.push(json!({"type": "tool_use", "id": tool_id(turn, index), "name": tool.name,
            "input": tool.input}));
    }
    let mut message = message(turn, turn.usage.output_tokens);
    message["content"] = content.into();
    message["stop_reason"] = turn.stop.as_str().into();
    message
}

pub(super) fn frames(turn: &Turn) -> Vec<Frame> {
    let mut frames = Frames::default();
    frames.push("message_start", json!({"message": message(turn, 1)}));
    frames.push("ping", json!({}));
    if !turn.thinking.is_empty() {
        frames.block(&json!({"type": "thinking", "thinking": "", "signature": ""}), |piece| {
            for part in pieces(&turn.thinking, turn.chunk) {
                piece(json!({"type": "thinking_delta", "thinking": part}));
            }
            piece(json!({"type": "signature_delta", "signature": "c2NyaXB0ZWQ="}));
        });
    }
    if !turn.text.is_empty() || turn.tools.is_empty() {
        frames.block(&json!({"type": "text", "text": ""}), |piece| {
            for part in pieces(&turn.text, turn.chunk) {
                piece(json!({"type": "text_delta", "text": part}));
            }
        });
    }
    for (index, tool) in turn.tools.iter().enumerate() {
        let start = json!({"type": "tool_use", "id": tool_id(turn, index), "name": tool.name, "input": {}});
        frames.block(&start, |piece| {
            piece(json!({"type": "input_json_delta", "partial_json": ""}));
            for part in pieces(&tool.input.to_string(), turn.chunk) {
                piece(json!({"type": "input_json_delta", "partial_json": part}));
            }
        });
    }
    frames.push(
        "message_delta",
        json!({"delta": {"stop_reason": turn.stop, "stop_sequence": null},
            "usage": {"output_tokens": turn.usage.output_tokens}}),
    );
    frames.push("message_stop", json!({}));
    frames.all
}

#[derive(Default)]
struct Frames {
    all: Vec<Frame>,
    blocks: usize,
}

impl Frames {
    fn push(&mut self, name: &str, mut value: Value) {
        value["type"] = name.into();
        self.all.push(named(name, &value, name == "content_block_delta"));
    }

    fn block(&mut self, start: &Value, deltas: impl FnOnce(&mut dyn FnMut(Value))) {
        let index = self.blocks;
        self.blocks += 1;
        self.push("content_block_start", json!({"index": index, "content_block": start}));
        deltas(&mut |delta| self.push("content_block_delta", json!({"index": index, "delta": delta})));
        self.push("content_block_stop", json!({"index": index}));
    }
}

fn message(turn: &Turn, output_tokens: u64) -> Value {
    json!({"id": format!("msg_{}", turn.number), "type": "message", "role": "assistant", "model": turn.model,
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": turn.usage.input_tokens, "output_tokens": output_tokens,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}})
}

fn tool_id(turn: &Turn, index: usize) -> String {
    format!("toolu_{}_{index}", turn.number)
}
