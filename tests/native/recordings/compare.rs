//! Compares a response with the recorded one, after normalizing values that cannot be equal.

use super::exchange::Exchange;
use super::rules::Rules;
use super::socket::Got;
use serde_json::Value;

/// All differences, in words.
pub fn differences(exchange: &Exchange, got: &Got) -> Vec<String> {
    let want = &exchange.response;
    let mut out = Vec::new();
    if want.status != got.status {
        out.push(format!("status {} wanted, {} got", want.status, got.status));
    }
    headers(exchange, got, &mut out);
    let bodies = match (&want.chunks, &got.chunks) {
        (Some(want), Some(got)) => (want.clone(), got.clone()),
        (None, None) => {
            let want = want.body.clone().unwrap_or_default();
            (vec![want], vec![got.body.clone()])
        }
        (want, got) => {
            let (want, got) = (want.is_some(), got.is_some());
            out.push(format!("chunked: {want} wanted, {got} got"));
            return out;
        }
    };
    let rules = Rules::of(&exchange.name);
    let (want, got) = (
        rules.all(&bodies.0, &mut out),
        rules.all(&bodies.1, &mut out),
    );
    if want != got {
        let show = |lines: &[String]| lines.join("\n      ");
        out.push(format!(
            "body\n  want {}\n  got  {}",
            show(&want),
            show(&got)
        ));
    }
    out
}

fn headers(exchange: &Exchange, got: &Got, out: &mut Vec<String>) {
    let want = &exchange.response.headers;
    let mut wanted: Vec<(String, String)> = Vec::new();
    for (name, value) in want {
        let name = name.to_lowercase();
        match value {
            Value::Array(values) => {
                let values = values.iter().filter_map(Value::as_str);
                wanted.extend(values.map(|value| (name.clone(), value.to_owned())));
            }
            value => wanted.push((name, value.as_str().unwrap_or("").to_owned())),
        }
    }
    let mut had = got.headers.clone();
    let head = exchange.request.method == "HEAD";
    for list in [&mut wanted, &mut had] {
        list.sort();
        for (name, value) in list {
            // The body's length differs with the text; whether the header is correct is checked
            // below.
            if name == "content-length" && (!head || exchange.name == "tags-HEAD") {
                value.clear();
            }
        }
    }
    if wanted != had {
        out.push(format!("headers\n  want {wanted:?}\n  got  {had:?}"));
    }
    let length = got
        .headers
        .iter()
        .find(|(name, _)| name == "content-length");
    if let Some((_, length)) = length
        && !head
        && *length != got.body.len().to_string()
    {
        out.push(format!("content-length {length}, but {}", got.body.len()));
    }
}
