//! The body of a prompt's request as text: as sent, pretty-printed, and as a curl command.

use super::Response;
use sash_wire::ChatRequest;

/// A larger body does not fit into one command-line argument (Linux allows 128 KiB).
const MAX_ARGUMENT_BYTES: usize = 100_000;

/// The body exactly as [`response`](fn@super::response) sends it.
#[must_use]
pub fn body(request: ChatRequest) -> String {
    // Serialization cannot fail: every part of a request is representable in JSON.
    serde_json::to_string(&Response { request }).unwrap_or_default()
}

/// The body pretty-printed: only whitespace is added.
#[must_use]
pub fn pretty_body(request: ChatRequest) -> String {
    serde_json::to_string_pretty(&Response { request }).unwrap_or_default()
}

/// A command for a POSIX shell that sends `body` to `url`. It does not contain the token: if one is
/// needed, the command reads the variable `SASH_TOKEN`.
#[must_use]
pub fn curl(url: &str, body: &str, needs_token: bool) -> String {
    let (url, body_text) = (quoted(url), quoted(body));
    let token = match needs_token {
        true => " \\\n  -H \"Authorization: Bearer $SASH_TOKEN\"",
        false => "",
    };
    let head = format!("curl -N {url} \\\n  -H 'Content-Type: application/json'{token} \\\n  ");
    // `printf` is a shell builtin, so the limit on argument length does not apply to it.
    match body.len() > MAX_ARGUMENT_BYTES {
        true => format!("printf %s {body_text} | {head}--data-binary @-"),
        false => format!("{head}--data-raw {body_text}"),
    }
}

/// Quotes a text as one word of a POSIX shell: within single quotes only a single quote is special.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_body_is_the_request_itself() {
        let request = ChatRequest {
            model: "m".to_owned(),
            prompt: " p\n".to_owned(),
            ..ChatRequest::default()
        };
        let [sent, shown] = [body(request.clone()), pretty_body(request.clone())]
            .map(|body| serde_json::from_str::<Value>(&body).unwrap());
        assert_eq!(sent, serde_json::to_value(request).unwrap());
        assert_eq!(shown, sent);
    }

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let hostile = r#"it's $HOME `id` "\n" \ ' '' !x #"#;
        for body in [hostile.to_owned(), hostile.repeat(10_000)] {
            let command = curl("http://h/p", &body, true);
            // A real shell parses the command; `curl` is a function that prints the body.
            let script = format!(
                "curl() {{ for last; do :; done; case $last in @-) cat;; *) printf %s \"$last\";; esac; }}\n{command}"
            );
            let mut shell = std::process::Command::new("sh")
                .arg("-s")
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut input = shell.stdin.take().unwrap();
            let writer = std::thread::spawn(move || {
                std::io::Write::write_all(&mut input, script.as_bytes()).unwrap();
            });
            let output = shell.wait_with_output().unwrap();
            writer.join().unwrap();
            assert!(String::from_utf8(output.stdout).unwrap() == body);
        }
    }
}
