//! `OpenAI` chat completions, as `OpenAI` and everybody who copies it speaks them.

use serde_json::{Value, json};

use super::{Frame, Turn, data, pieces};

pub(super) fn whole(turn: &Turn) -> Value {
    let mut message = json!({"role": "assistant", "content": turn.text});
    if !turn.thinking.is_empty() {
        message["reasoning_content"] = turn.thinking.as_str().into();
    }
    if !turn.tools.is_empty() {
        if turn.text.is_empty() {
            message["content"] = Value::Null;
        }
        let calls = turn.tools.iter().enumerate().map(|(index, tool)| {
            json!({"id": call_id(turn, index), "type": "function",
                "function": {"name": tool.name, "arguments": tool.input.to_string()}})
        });
        message["tool_calls"] = calls.collect();
    }
    json!({"id": id(turn), "object": "chat.completion", "created": 0, "model": turn.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish(turn)}],
        "usage": usage(turn)})
}

pub(super) fn frames(turn: &Turn) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut push = |delta: Value, finish: Value, is_delta: bool| {
        frames.push(data(
            &chunk(turn, json!([{"index": 0, "delta": delta, "finish_reason": finish}])),
            is_delta,
        ));
    };
    // The content of the first delta is null, as llama.cpp sends it.
    push(json!({"role": "assistant", "content": null}), Value::Null, false);
    for part in pieces(&turn.thinking, turn.chunk) {
        push(json!({"reasoning_content": part}), Value::Null, true);
    }
    for part in pieces(&turn.text, turn.chunk) {
        push(json!({"content": part}), Value::Null, true);
    }
    for (index, tool) in turn.tools.iter().enumerate() {
        let call = json!({"index": index, "id": call_id(turn, index), "type": "function",
            "function": {"name": tool.name, "arguments": ""}});
        push(json!({"tool_calls": [call]}), Value::Null, false);
        for part in pieces(&tool.input.to_string(), turn.chunk) {
            let call = json!({"index": index, "function": {"arguments": part}});
            push(json!({"tool_calls": [call]}), Value::Null, true);
        }
    }
    push(json!({}), finish(turn).into(), false);
    if turn.stream_usage {
        let mut last = chunk(turn, json!([]));
        last["usage"] = usage(turn);
        frames.push(data(&last, false));
    }
    frames.push(Frame { text: "data: [DONE]\n\n".to_owned(), is_delta: false });
    frames
}

fn chunk(turn: &Turn, choices: Value) -> Value {
    let mut chunk =
        json!({"id": id(turn), "object": "chat.completion.chunk", "created": 0, "model": turn.model});
    chunk["choices"] = choices;
    chunk
}

fn usage(turn: &Turn) -> Value {
    json!({"prompt_tokens": turn.usage.input_tokens, "completion_tokens": turn.usage.output_tokens,
        "total_tokens": turn.total_tokens()})
}

fn finish(turn: &Turn) -> &str {
    match turn.stop.as_str() {
        "end_turn" | "stop_sequence" => "stop",
        "max_tokens" => "length",
        "tool_use" => "tool_calls",
        "refusal" => "content_filter",
        other => other,
    }
}

fn id(turn: &Turn) -> String {
    format!("chatcmpl-{}", turn.number)
}

fn call_id(turn: &Turn, index: usize) -> String {
    format!("call_{}_{index}", turn.number)
}
