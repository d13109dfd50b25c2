//! Puts tool calls together. This API streams a call in pieces: the first has its index, its id and its name, the
//! others more of its arguments, which are a text that holds JSON.

use crate::server::engine::reader::is_within_limits;
use sash_chat::{MAX_CALLS, ToolCall, ToolFunction};
use sash_wire::{DoneReason, Fault};
use serde_json::{Map, Value};

/// The most bytes of all calls of one answer.
const MAX_BYTES: usize = 1_000_000;

/// The calls of an answer so far.
#[derive(Debug, Default)]
pub struct PartialCalls {
    calls: Vec<PartialCall>,
    bytes: usize,
    /// How many calls came when there were as many as an answer may have. Nothing of them is kept.
    left_out: usize,
    /// The index of the last of these.
    last_left_out: Option<u64>,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
}

impl PartialCalls {
    /// Adds the pieces of one event.
    pub fn add(&mut self, pieces: &Value) {
        for piece in pieces.as_array().into_iter().flatten() {
            let index = piece.get("index").and_then(Value::as_u64);
            // A piece without an index is a call of its own: such servers send each call whole.
            let known = self.calls.iter().position(|call| call.index == index);
            let known = known.filter(|_| index.is_some());
            if known.is_none() && self.calls.len() == MAX_CALLS {
                self.skip_call(index);
                continue;
            }
            self.bytes += piece.to_string().len();
            // What is over the limit is refused at the end.
            if self.bytes <= MAX_BYTES {
                self.add_piece(piece, index, known);
            }
        }
    }

    /// Counts a call whose pieces are not kept. The pieces of a call come one after another.
    fn skip_call(&mut self, index: Option<u64>) {
        if index.is_none() || index != self.last_left_out {
            self.left_out += 1;
        }
        self.last_left_out = index;
    }

    fn add_piece(&mut self, piece: &Value, index: Option<u64>, known: Option<usize>) {
        let at = known.unwrap_or_else(|| {
            let call = PartialCall {
                index,
                ..PartialCall::default()
            };
            self.calls.push(call);
            self.calls.len() - 1
        });
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        let text = |path: &str| piece.pointer(path).and_then(Value::as_str);
        if let Some(id) = text("/id").filter(|id| !id.is_empty()) {
            call.id = Some(id.to_owned());
        }
        call.name += text("/function/name").unwrap_or_default();
        match piece.pointer("/function/arguments") {
            Some(Value::String(more)) => call.arguments += more,
            Some(whole @ Value::Object(_)) => call.arguments = whole.to_string(),
            _ => {}
        }
    }

    /// The calls, once the answer has ended, and how many more there were.
    ///
    /// # Errors
    /// [`Fault::InvalidToolCall`] if the arguments of a call are not a JSON object. Of an answer that reached a limit
    /// the last call is incomplete; such calls are left out.
    pub fn finish(&mut self, reason: DoneReason) -> Result<(Vec<ToolCall>, usize), Fault> {
        if self.bytes > MAX_BYTES {
            return Err(Fault::InvalidToolCall);
        }
        let calls = std::mem::take(&mut self.calls);
        let read = calls.into_iter().map(PartialCall::finish);
        let calls = match reason {
            DoneReason::Stop => read.collect::<Result<_, _>>()?,
            DoneReason::Length | DoneReason::Limit => read.filter_map(Result::ok).collect(),
        };
        Ok((calls, std::mem::take(&mut self.left_out)))
    }
}

impl PartialCall {
    fn finish(self) -> Result<ToolCall, Fault> {
        let arguments = match self.arguments.trim() {
            "" => Some(Map::new()),
            text if is_within_limits(text) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let arguments = arguments.filter(|_| !self.name.is_empty());
        Ok(ToolCall {
            id: self.id,
            function: ToolFunction {
                name: self.name,
                arguments: arguments.ok_or(Fault::InvalidToolCall)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(events: &[Value], reason: DoneReason) -> Result<Value, Fault> {
        let mut calls = PartialCalls::default();
        for event in events {
            calls.add(event);
        }
        Ok(json!(calls.finish(reason)?.0))
    }

    #[test]
    fn calls_are_put_together_from_their_pieces() {
        let first = |index: u64, id: &str, name: &str| json!([{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}}]);
        let more =
            |index: u64, text: &str| json!([{"index": index, "function": {"arguments": text}}]);
        let events = [
            first(0, "a", "f"),
            more(0, "{\"x\":"),
            more(0, "1}"),
            first(1, "b", "g"),
            json!(null),
        ];
        assert_eq!(
            read(&events, DoneReason::Stop).unwrap(),
            json!([{"id":"a","function":{"name":"f","arguments":{"x":1}}},
                {"id":"b","function":{"name":"g","arguments":{}}}])
        );
        let whole = [
            json!([{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"g","arguments":{"y":2}}}]),
        ];
        assert_eq!(
            read(&whole, DoneReason::Stop).unwrap(),
            json!([{"function":{"name":"f","arguments":{}}},{"function":{"name":"g","arguments":{"y":2}}}])
        );
    }

    #[test]
    fn arguments_that_are_no_json_are_a_fault_unless_a_limit_cut_them() {
        let cut = [json!([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}])];
        assert_eq!(read(&cut, DoneReason::Stop), Err(Fault::InvalidToolCall));
        assert_eq!(read(&cut, DoneReason::Length), Ok(json!([])));
        let nameless = [json!([{"index":0,"function":{"arguments":"{}"}}])];
        assert_eq!(
            read(&nameless, DoneReason::Stop),
            Err(Fault::InvalidToolCall)
        );
    }

    #[test]
    fn calls_over_the_limit_are_counted_and_not_kept() {
        let mut calls = PartialCalls::default();
        for index in 0..10_000 {
            calls
                .add(&json!([{"index": index, "function": {"name": "f", "arguments": "{\"x\":"}}]));
            calls.add(&json!([{"index": index, "function": {"arguments": "1}"}}]));
        }
        calls.add(&json!([{"function": {"name": "f"}}, {"function": {"name": "f"}}]));
        let (kept, left_out) = calls.finish(DoneReason::Stop).unwrap();
        assert_eq!((kept.len(), left_out), (MAX_CALLS, 10_002 - MAX_CALLS));
    }

    #[test]
    fn arguments_without_end_are_refused() {
        let piece = json!([{"index":0,"function":{"arguments":"x".repeat(1_000)}}]);
        let endless = vec![piece; 1_100];
        assert_eq!(
            read(&endless, DoneReason::Stop),
            Err(Fault::InvalidToolCall)
        );
    }
}
