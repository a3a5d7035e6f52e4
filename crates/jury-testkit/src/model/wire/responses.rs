//! `OpenAI` Responses, with the events that Codex waits for.

use serde_json::{Value, json};

use super::{Frame, Turn, named, pieces};

pub(super) fn whole(turn: &Turn) -> Value {
    response(turn, &output(turn))
}

pub(super) fn frames(turn: &Turn) -> Vec<Frame> {
    let mut frames = Frames::default();
    let mut begun = response(turn, &[]);
    begun["status"] = "in_progress".into();
    begun["usage"] = Value::Null;
    frames.push("response.created", json!({"response": begun}), false);
    frames.push("response.in_progress", json!({"response": begun}), false);
    for (index, item) in output(turn).into_iter().enumerate() {
        let at = |mut value: Value| {
            value["item_id"] = item["id"].clone();
            value["output_index"] = index.into();
            value
        };
        let mut opened = item.clone();
        for emptied in ["content", "summary"] {
            if opened[emptied].is_array() {
                opened[emptied] = json!([]);
            }
        }
        frames.push("response.output_item.added", json!({"output_index": index, "item": opened}), false);
        if item["type"] == "message" {
            let empty = json!({"type": "output_text", "text": "", "annotations": []});
            frames.push("response.content_part.added", at(json!({"content_index": 0, "part": empty})), false);
            for part in pieces(&turn.text, turn.chunk) {
                let delta = at(json!({"content_index": 0, "delta": part}));
                frames.push("response.output_text.delta", delta, true);
            }
            let done = at(json!({"content_index": 0, "text": turn.text}));
            frames.push("response.output_text.done", done, false);
            let done = at(json!({"content_index": 0, "part": item["content"][0]}));
            frames.push("response.content_part.done", done, false);
        } else if item["type"] == "reasoning" {
            let empty = json!({"type": "summary_text", "text": ""});
            let added = at(json!({"summary_index": 0, "part": empty}));
            frames.push("response.reasoning_summary_part.added", added, false);
            for part in pieces(&turn.thinking, turn.chunk) {
                let delta = at(json!({"summary_index": 0, "delta": part}));
                frames.push("response.reasoning_summary_text.delta", delta, true);
            }
        } else if let Some(arguments) = item["arguments"].as_str() {
            for part in pieces(arguments, turn.chunk) {
                frames.push("response.function_call_arguments.delta", at(json!({"delta": part})), true);
            }
            let done = at(json!({"arguments": arguments}));
            frames.push("response.function_call_arguments.done", done, false);
        }
        frames.push("response.output_item.done", json!({"output_index": index, "item": item}), false);
    }
    let last = if turn.stop == "max_tokens" { "response.incomplete" } else { "response.completed" };
    frames.push(last, json!({"response": whole(turn)}), false);
    frames.all
}

#[derive(Default)]
struct Frames {
    all: Vec<Frame>,
}

impl Frames {
    fn push(&mut self, name: &str, mut value: Value, is_delta: bool) {
        value["type"] = name.into();
        value["sequence_number"] = self.all.len().into();
        self.all.push(named(name, &value, is_delta));
    }
}

fn output(turn: &Turn) -> Vec<Value> {
    let mut items = Vec::new();
    if !turn.thinking.is_empty() {
        items.push(json!({"type": "reasoning", "id": format!("rs_{}", turn.number),
            "summary": [{"type": "summary_text", "text": turn.thinking}]}));
    }
    if !turn.text.is_empty() || turn.tools.is_empty() {
        let part = json!({"type": "output_text", "text": turn.text, "annotations": []});
        items.push(json!({"type": "message", "id": format!("msg_{}", turn.number), "status": "completed",
            "role": "assistant", "content": [part]}));
    }
    for (index, tool) in turn.tools.iter().enumerate() {
        items.push(json!({"type": "function_call", "id": format!("fc_{}_{index}", turn.number),
            "call_id": format!("call_{}_{index}", turn.number), "status": "completed", "name": tool.name,
            "arguments": tool.input.to_string()}));
    }
    items
}

fn response(turn: &Turn, output: &[Value]) -> Value {
    let cut = turn.stop == "max_tokens";
    json!({"id": format!("resp_{}", turn.number), "object": "response", "created_at": 0,
        "status": if cut { "incomplete" } else { "completed" }, "model": turn.model, "output": output,
        "error": null,
        "incomplete_details": if cut { json!({"reason": "max_output_tokens"}) } else { Value::Null },
        "usage": {"input_tokens": turn.usage.input_tokens, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": turn.usage.output_tokens, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": turn.total_tokens()}})
}
