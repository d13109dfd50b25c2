//! The slots of a `llama-server`, by its `/slots`.

use crate::engine::ModelSlots;
use serde_json::Value;

/// Reads the list of slots; `None` if it is none. A slot that has not written a token yet reads its prompt.
pub fn read(list: &Value) -> Option<ModelSlots> {
    let mut slots = ModelSlots::default();
    for slot in list.as_array()? {
        let is_processing = slot.get("is_processing").and_then(Value::as_bool)?;
        // An object in older versions, and a list of one in newer ones.
        let written = ["/next_token/n_decoded", "/next_token/0/n_decoded"];
        let written = written.iter().find_map(|path| slot.pointer(path)?.as_u64());
        match (is_processing, written) {
            (false, _) => slots.idle += 1,
            (true, Some(1..)) => slots.writing += 1,
            (true, _) => slots.reading += 1,
        }
    }
    (slots.idle + slots.reading + slots.writing > 0).then_some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn slots_are_idle_read_or_write_as_old_and_new_versions_say_it() {
        let slots = json!([
            {"id":0,"is_processing":false,"next_token":[{"n_decoded":7}]},
            {"id":1,"is_processing":true,"next_token":[{"n_decoded":0}]},
            {"id":2,"is_processing":true,"next_token":[{"n_decoded":7}]},
            {"id":3,"is_processing":true,"next_token":{"n_decoded":7}},
            {"id":4,"is_processing":true},
        ]);
        let expected = ModelSlots {
            idle: 1,
            reading: 2,
            writing: 2,
        };
        assert_eq!(read(&slots), Some(expected));
        for other in [json!([]), json!({}), json!([{"id":0,"state":1}])] {
            assert_eq!(read(&other), None, "{other}");
        }
    }
}
