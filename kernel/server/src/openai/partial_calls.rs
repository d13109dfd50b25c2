//! Puts tool calls together. This API streams a call in pieces: the first has its index, its id and its name, the
//! others more of its arguments, which are a text that holds JSON. Not every server counts the index on, so a new id, or a
//! new name behind whole arguments, begins a call, too.

use crate::engine::joiner::{TextJoiner, join_whole};
use crate::engine::reader::{MAX_VALUES, ReplyShape, parse_text};
use sash_chat::{MAX_CALLS, ToolCall, ToolFunction};
use sash_wire::{DoneReason, Fault};
use serde_json::{Map, Value};

/// The most bytes of all calls of one answer.
const MAX_BYTES: usize = 1_000_000;

/// The calls of an answer so far.
#[derive(Debug, Default)]
pub struct PartialCalls {
    calls: Vec<PartialCall>,
    /// How many of them were returned.
    returned: usize,
    bytes: usize,
    /// How many calls came when there were as many as an answer may have. Nothing of them is kept.
    left_out: usize,
    /// The index of the last call, if that was left out.
    skipping: Option<Option<u64>>,
    /// Whether a call came in the piece of a message.
    has_deltas: bool,
}

#[derive(Debug)]
struct PartialCall {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
    joiner: TextJoiner,
    /// The shape of the arguments so far; `None` if they cannot be an object.
    shape: Option<ReplyShape>,
    /// The value of the arguments so far, once it was asked for; `null` if they are not JSON.
    value: Option<Value>,
    /// Whether its name came again behind its whole arguments: arguments that follow are those of a further call.
    is_named_again: bool,
}

/// One piece of a call.
struct Piece {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: Option<PieceArguments>,
    mark: Option<char>,
}

enum PieceArguments {
    /// More of a text.
    Text(String),
    /// All of them as JSON.
    Whole(String),
}

impl PartialCalls {
    /// Whether none came.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Adds the calls of the piece of a message.
    pub fn add_delta(&mut self, delta: &Value, mark: Option<char>) {
        for (piece, function) in calls_of(delta) {
            self.has_deltas = true;
            self.add_piece(piece, function, mark);
        }
    }

    /// Adds the calls of a message. Behind pieces it has their calls again.
    pub fn add_message(&mut self, message: &Value, mark: Option<char>) {
        let mut others: Vec<usize> = match self.has_deltas {
            true => (0..self.calls.len()).collect(),
            false => Vec::new(),
        };
        for (piece, function) in calls_of(message) {
            let read = Piece::read(piece, function, mark);
            let same = others.iter().position(|at| {
                let call = self.calls.get_mut(*at);
                call.is_some_and(|call| call.is_same(&read))
            });
            match same {
                // A message that has a call twice has two.
                Some(at) => _ = others.remove(at),
                // It is counted among the calls that were left out.
                None if self.has_deltas && self.skipping.is_some() => {}
                None => self.add_piece(piece, function, mark),
            }
        }
    }

    fn add_piece(&mut self, piece: &Value, function: &Value, mark: Option<char>) {
        let bytes = piece.to_string().len();
        let piece = Piece::read(piece, function, mark);
        if self.is_left_out(&piece) {
            return;
        }
        let found = self.call_of(&piece);
        if found.is_none() && self.calls.len() == MAX_CALLS {
            self.left_out += 1;
            self.skipping = Some(piece.index);
            return;
        }
        self.bytes += bytes;
        // What is over the limit is refused at the end.
        if self.bytes <= MAX_BYTES {
            match found.and_then(|at| self.calls.get_mut(at)) {
                Some(call) => call.add(piece),
                None => self.begin(piece),
            }
        }
    }

    fn begin(&mut self, mut piece: Piece) {
        let former = self.calls.last_mut().filter(|call| call.is_named_again);
        if let Some(former) = former.filter(|_| piece.is_bare()) {
            former.is_named_again = false;
            piece.name = former.name.clone();
        }
        let mut call = PartialCall::new(piece.index);
        call.add(piece);
        self.calls.push(call);
    }

    /// Whether a piece is of the last call, and that is left out. The pieces of a call come one after another.
    fn is_left_out(&self, piece: &Piece) -> bool {
        self.skipping.is_some_and(|index| match piece.index {
            None => piece.is_bare(),
            _ => index == piece.index && piece.id.is_none(),
        })
    }

    /// The call that a piece belongs to; `None` for a new one.
    fn call_of(&self, piece: &Piece) -> Option<usize> {
        if piece.index.is_none() && self.skipping.is_some() {
            return None;
        }
        let by_index = |call: &PartialCall| piece.index.is_none() || call.index == piece.index;
        let by_id = |call: &PartialCall| {
            piece.id.is_some() && call.id == piece.id && (call.index.is_none() || by_index(call))
        };
        let unnumbered = |call: &PartialCall| piece.is_bare() && call.index.is_none();
        let calls = &self.calls;
        let found = calls.iter().rposition(by_id);
        let found = found.or_else(|| calls.iter().rposition(by_index));
        let found = found.or_else(|| calls.iter().rposition(unnumbered))?;
        let is_next = calls.get(found)?.is_followed_by(piece);
        (!is_next).then_some(found)
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
        let read = self.calls.iter_mut().skip(self.returned);
        let read = read.map(PartialCall::finish);
        let calls = match reason {
            DoneReason::Stop => read.collect::<Result<_, _>>()?,
            DoneReason::Length | DoneReason::Limit => read.filter_map(Result::ok).collect(),
        };
        self.returned = self.calls.len();
        Ok((calls, std::mem::take(&mut self.left_out)))
    }
}

/// The calls of a message, or their pieces, each with its function.
fn calls_of(message: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let calls = &message["tool_calls"];
    let listed = calls.as_array().map_or(&[][..], Vec::as_slice);
    let alone = Some(calls).filter(|call| call.is_object());
    // The form that this API had before.
    let former = Some(&message["function_call"]).filter(|call| call.is_object());
    let calls = listed.iter().chain(alone);
    let calls = calls.map(|call| (call, &call["function"]));
    calls.chain(former.map(|call| (call, call)))
}

/// The arguments that a text has: an empty one none, and `null` for what is not JSON.
fn parse_arguments(text: &str) -> Value {
    match text.trim().is_empty() {
        true => Value::Object(Map::new()),
        false => parse_text(text).unwrap_or_default(),
    }
}

impl Piece {
    fn read(piece: &Value, function: &Value, mark: Option<char>) -> Self {
        let text = |value: &Value| {
            let text = value.as_str().filter(|text| !text.is_empty());
            text.map(|text| join_whole(text, mark))
        };
        Self {
            index: piece["index"].as_u64(),
            id: text(&piece["id"]),
            name: text(&function["name"]).unwrap_or_default(),
            arguments: match &function["arguments"] {
                Value::String(more) if more.is_empty() => None,
                Value::String(more) => Some(PieceArguments::Text(more.clone())),
                whole @ Value::Object(_) => {
                    Some(PieceArguments::Whole(join_whole(&whole.to_string(), mark)))
                }
                _ => None,
            },
            mark,
        }
    }

    /// Whether it has neither an id nor a name.
    fn is_bare(&self) -> bool {
        self.id.is_none() && self.name.is_empty()
    }
}

impl PartialCall {
    fn new(index: Option<u64>) -> Self {
        Self {
            index,
            id: None,
            name: String::new(),
            arguments: String::new(),
            joiner: TextJoiner::default(),
            shape: Some(ReplyShape::new(MAX_VALUES)),
            value: None,
            is_named_again: false,
        }
    }

    /// Whether its arguments are of this value.
    fn has_value(&mut self, text: &str) -> bool {
        let arguments = &self.arguments;
        let value = self.value.get_or_insert_with(|| parse_arguments(arguments));
        !value.is_null() && *value == parse_arguments(text)
    }

    /// Whether a call of a whole message is this one. An engine may leave out the id there, and write the arguments in
    /// another way.
    fn is_same(&mut self, piece: &Piece) -> bool {
        let is_other_id = piece.id.is_some() && self.id.is_some() && piece.id != self.id;
        if piece.name != self.name || is_other_id {
            return false;
        }
        let text = match &piece.arguments {
            None => "",
            Some(PieceArguments::Text(text) | PieceArguments::Whole(text)) => text,
        };
        let text = join_whole(text, piece.mark);
        text == self.arguments || self.has_value(&text)
    }

    /// Whether its arguments are a whole object.
    fn is_whole(&self) -> bool {
        self.shape.as_ref().is_some_and(ReplyShape::is_whole)
    }

    /// Whether a piece, of this index or of none, is of the next call and not of this one.
    fn is_followed_by(&self, piece: &Piece) -> bool {
        let is_same_id = piece.id.is_some() && self.id == piece.id;
        match (&self.id, &piece.id) {
            // A server may make an id for each piece; only the first has the name.
            (Some(own), Some(id)) if own != id => {
                self.is_whole() || !piece.name.is_empty() || piece.arguments.is_none()
            }
            _ if piece.is_bare() => self.is_named_again && piece.arguments.is_some(),
            _ if piece.name.is_empty() => false,
            // A server may repeat the name with each piece.
            _ if piece.name == self.name => match piece.index {
                _ if is_same_id => false,
                None => self.is_whole() || self.arguments.is_empty(),
                Some(_) => self.is_whole() && piece.arguments.is_some(),
            },
            // The name may come in pieces, too, if the index says of what.
            _ => self.is_whole() || (piece.index.is_none() && !self.name.is_empty()),
        }
    }

    fn add(&mut self, piece: Piece) {
        self.id = self.id.take().or(piece.id);
        let is_repeated = piece.name == self.name;
        if !is_repeated {
            self.name += &piece.name;
        }
        match piece.arguments {
            None => self.is_named_again |= is_repeated && self.is_whole(),
            // All of the call may be repeated behind its pieces, and blanks may follow.
            Some(PieceArguments::Text(more) | PieceArguments::Whole(more)) if self.is_whole() => {
                let whole = join_whole(&more, piece.mark);
                let is_object = whole.trim_start().starts_with('{');
                let is_known = is_object && self.has_value(&whole);
                if !is_known && !whole.trim().is_empty() {
                    let more = self.joiner.push(&more, piece.mark);
                    self.push_arguments(&more);
                }
            }
            Some(PieceArguments::Text(more)) => {
                let more = self.joiner.push(&more, piece.mark);
                self.push_arguments(&more);
            }
            Some(PieceArguments::Whole(whole)) => {
                self.arguments.clear();
                self.shape = Some(ReplyShape::new(MAX_VALUES));
                self.push_arguments(&whole);
            }
        }
    }

    fn push_arguments(&mut self, more: &str) {
        let fits = self.shape.as_mut().map(|shape| shape.push(more.as_bytes()));
        if fits.is_some_and(|fits| fits.is_err()) {
            self.shape = None;
        }
        self.arguments += more;
        self.value = None;
    }

    fn finish(&mut self) -> Result<ToolCall, Fault> {
        self.arguments += &self.joiner.finish();
        let arguments = match self.arguments.trim() {
            "" => Some(Map::new()),
            text => match parse_text(text) {
                Some(Value::Object(arguments)) => Some(arguments),
                _ => None,
            },
        };
        let arguments = arguments.filter(|_| !self.name.is_empty());
        Ok(ToolCall {
            id: self.id.clone(),
            function: ToolFunction {
                name: self.name.clone(),
                arguments: arguments.ok_or(Fault::InvalidToolCall)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn add(calls: &mut PartialCalls, pieces: &Value) {
        calls.add_delta(&json!({ "tool_calls": pieces }), None);
    }

    fn read(events: &[Value], reason: DoneReason) -> Result<Value, Fault> {
        let mut calls = PartialCalls::default();
        for event in events {
            add(&mut calls, event);
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
            let begin =
                json!([{"index": index, "function": {"name": "f", "arguments": "{\"x\":"}}]);
            add(&mut calls, &begin);
            add(
                &mut calls,
                &json!([{"index": index, "function": {"arguments": "1}"}}]),
            );
        }
        add(
            &mut calls,
            &json!([{"function": {"name": "f"}}, {"function": {"name": "f"}}]),
        );
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

    fn check(events: &[Value], calls: Value) {
        assert_eq!(read(events, DoneReason::Stop), Ok(calls), "{events:?}");
    }

    /// Regression: two calls with one index became one, whose arguments were not JSON.
    #[test]
    fn a_new_id_is_a_new_call_whatever_its_index() {
        let call = |id: &str, name: &str, x: u64| json!({"index":0,"id":id,"type":"function","function":{"name":name,"arguments":format!("{{\"x\":{x}}}")}});
        let two = json!([{"id":"a","function":{"name":"f","arguments":{"x":1}}},
            {"id":"b","function":{"name":"f","arguments":{"x":2}}}]);
        check(
            &[json!([call("a", "f", 1)]), json!([call("b", "f", 2)])],
            two.clone(),
        );
        check(
            &[json!([call("a", "f", 1), call("b", "f", 2)])],
            two.clone(),
        );
        // In pieces, the rest of which has the index alone.
        let begin = |id: &str| json!([{"index":0,"id":id,"function":{"name":"f","arguments":""}}]);
        let more = |text: &str| json!([{"index":0,"function":{"arguments":text}}]);
        check(
            &[
                begin("a"),
                more("{\"x\":"),
                more("1}"),
                begin("b"),
                more("{\"x\""),
                more(":2}"),
            ],
            two.clone(),
        );
        // Calls without arguments.
        check(
            &[
                json!([{"index":0,"id":"a","function":{"name":"f"}}]),
                json!([{"index":0,"id":"b","function":{"name":"f"}}]),
            ],
            json!([{"id":"a","function":{"name":"f","arguments":{}}},{"id":"b","function":{"name":"f","arguments":{}}}]),
        );
        // The id and the name come with each piece, and the whole call again behind them.
        let piece =
            |text: &str| json!([{"index":0,"id":"a","function":{"name":"f","arguments":text}}]);
        check(
            &[
                piece("{\"x\":"),
                piece("1}"),
                piece(""),
                piece("{\"x\":1}"),
                json!([call("b", "f", 2)]),
            ],
            two,
        );
    }

    #[test]
    fn a_new_name_behind_whole_arguments_is_a_new_call() {
        let named = |index: Value, name: &str, text: &str| json!([{"index":index,"function":{"name":name,"arguments":text}}]);
        let more = |text: &str| json!([{"function":{"arguments":text}}]);
        let two = json!([{"function":{"name":"f","arguments":{"x":1}}},{"function":{"name":"g","arguments":{"y":2}}}]);
        for index in [json!(0), json!(null)] {
            check(
                &[
                    named(index.clone(), "f", "{\"x\":1}"),
                    named(index.clone(), "g", "{\"y\":2}"),
                ],
                two.clone(),
            );
            // A piece without index, id and name belongs to the last call.
            check(
                &[
                    named(index.clone(), "f", ""),
                    more("{\"x\":"),
                    more("1}"),
                    named(index.clone(), "g", "{\"y\":"),
                    more("2}"),
                ],
                two.clone(),
            );
            check(
                &[
                    named(index.clone(), "f", "{\"x\":1}"),
                    named(index, "f", "{\"x\":2}"),
                ],
                json!([{"function":{"name":"f","arguments":{"x":1}}},{"function":{"name":"f","arguments":{"x":2}}}]),
            );
        }
        // A name in pieces, and one that is repeated.
        let twice = [named(json!(0), "get_", ""), named(json!(0), "sum", "{}")];
        check(
            &twice,
            json!([{"function":{"name":"get_sum","arguments":{}}}]),
        );
        let same = [
            named(json!(0), "f", "{\"x\":"),
            named(json!(0), "f", "1}"),
            named(json!(0), "f", ""),
        ];
        check(
            &same,
            json!([{"function":{"name":"f","arguments":{"x":1}}}]),
        );
        let again = [
            named(json!(0), "f", "{\"x\":1}"),
            named(json!(0), "f", ""),
            more("{\"x\":2}"),
        ];
        check(
            &again,
            json!([{"function":{"name":"f","arguments":{"x":1}}},{"function":{"name":"f","arguments":{"x":2}}}]),
        );
    }

    #[test]
    fn other_forms_of_a_call_are_read() {
        let mut calls = PartialCalls::default();
        calls.add_message(&json!({"function_call":{"name":"f","arguments":""}}), None);
        calls.add_message(&json!({"function_call":{"arguments":"{\"x\":"}}), None);
        calls.add_message(&json!({"function_call":{"arguments":"1}"}}), None);
        let (calls, _) = calls.finish(DoneReason::Stop).unwrap();
        assert_eq!(
            json!(calls),
            json!([{"function":{"name":"f","arguments":{"x":1}}}])
        );
        check(
            &[json!({"id":"a","function":{"name":"f","arguments":{"x":1}}})],
            json!([{"id":"a","function":{"name":"f","arguments":{"x":1}}}]),
        );
        // The id comes behind the name, and half a character in the arguments has no other half.
        check(
            &[
                json!([{"index":0,"function":{"name":"f","arguments":"{\"x\":\"\\ud83d"}}]),
                json!([{"index":0,"id":"a","function":{"arguments":"\"}"}}]),
            ],
            json!([{"id":"a","function":{"name":"f","arguments":{"x":"\u{fffd}"}}}]),
        );
    }

    /// Regression: the calls of a message behind its pieces were made twice, unless they had ids.
    #[test]
    fn a_message_behind_pieces_has_their_calls_again() {
        let call = |x: u64| json!({"type":"function","function":{"name":"f","arguments":format!("{{\"x\":{x}}}")}});
        let numbered =
            |at: u64, x: u64| json!({"index":at,"function":{"name":"f","arguments":{"x":x}}});
        let read = |deltas: &[Value], message: Value| {
            let mut calls = PartialCalls::default();
            for delta in deltas {
                add(&mut calls, delta);
            }
            for _ in 0..2 {
                calls.add_message(&json!({ "tool_calls": message }), None);
            }
            let (calls, _) = calls.finish(DoneReason::Stop).unwrap();
            let all = calls
                .iter()
                .map(|call| call.function.arguments["x"].clone());
            all.collect::<Vec<_>>()
        };
        let one = [json!([call(1)])];
        assert_eq!(read(&one, json!([call(1)])), [1]);
        assert_eq!(read(&one, json!([numbered(0, 1)])), [1]);
        assert_eq!(
            read(
                &one,
                json!([{"id":"a","function":{"name":"f","arguments":" { \"x\": 1 }"}}])
            ),
            [1]
        );
        // Two equal calls are two, and one that is new is one more.
        let two = [json!([numbered(0, 1)]), json!([numbered(1, 1)])];
        assert_eq!(read(&two, json!([call(1), call(1)])), [1, 1]);
        assert_eq!(read(&one, json!([call(1), call(2)])), [1, 2]);
        // In pieces.
        let pieces = [
            json!([{"index":0,"function":{"name":"f","arguments":"{\"x\":"}}]),
            json!([{"index":0,"function":{"arguments":"1}"}}]),
        ];
        assert_eq!(read(&pieces, json!([call(1)])), [1]);
        // Without pieces each message is one.
        let mut calls = PartialCalls::default();
        calls.add_message(&json!({"tool_calls":[call(1)]}), None);
        calls.add_message(&json!({"tool_calls":[call(2)]}), None);
        assert_eq!(calls.finish(DoneReason::Stop).unwrap().0.len(), 2);
    }

    /// Regression: each blank behind whole arguments had all of them parsed again.
    #[test]
    fn blanks_behind_whole_arguments_cost_nothing() {
        let mut calls = PartialCalls::default();
        let piece = |text: &str| json!([{"index":0,"function":{"name":"f","arguments":text}}]);
        let long = json!({"x": "y".repeat(400_000)}).to_string();
        add(&mut calls, &piece(&long));
        let began = std::time::Instant::now();
        for _ in 0..5_000 {
            add(
                &mut calls,
                &json!([{"index":0,"function":{"arguments":" "}}]),
            );
        }
        assert!(began.elapsed() < std::time::Duration::from_secs(2));
        let (calls, _) = calls.finish(DoneReason::Stop).unwrap();
        assert_eq!(calls.len(), 1);
        assert_eq!(
            calls.first().unwrap().function.arguments.len(),
            1,
            "nothing was added"
        );
    }

    #[test]
    fn what_follows_whole_arguments_is_their_repetition_or_a_fault() {
        let piece = |text: &str| json!([{"index":0,"function":{"arguments":text}}]);
        let first = json!([{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}]);
        for again in ["\n", "{\"x\":1}", " {\"x\": 1} "] {
            check(
                &[first.clone(), piece(again), piece(again)],
                json!([{"function":{"name":"f","arguments":{"x":1}}}]),
            );
        }
        for more in ["}", "{\"x\":2}", "true"] {
            let read = read(&[first.clone(), piece(more)], DoneReason::Stop);
            assert_eq!(read, Err(Fault::InvalidToolCall), "{more}");
        }
    }
}
