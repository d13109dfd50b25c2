//! Reads a message of a client, or says in the protocol's form why it is none.

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, JsonRpcError, RequestId};
use sash_wire::{Fault, FaultBody};

/// Reads one message.
///
/// # Errors
/// What is wrong with it: no JSON, or no message of JSON-RPC.
pub fn parse(bytes: &[u8]) -> Result<ClientJsonRpcMessage, ErrorData> {
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => {
            ErrorData::invalid_request("This is no message of JSON-RPC 2.0.", None)
        }
        _ => ErrorData::parse_error("This is not JSON.", None),
    })
}

/// A fault of a message as a whole, in the form of the protocol: its sentence, and as data what the page would get.
pub fn refusal(fault: &Fault) -> ErrorData {
    let data = serde_json::to_value(FaultBody::from(fault.clone())).ok();
    let says = match fault {
        // Its sentence is for the page, where a window can be made smaller.
        Fault::TooLarge { bytes, limit, .. } => {
            format!("This message has {bytes} bytes and Sash takes {limit}. Shorten the question.")
        }
        fault => fault.to_string(),
    };
    ErrorData::new(ErrorCode::INVALID_REQUEST, says, data)
}

/// An error as JSON. One that is the answer to no single call has no `id`.
pub fn error_json(error: ErrorData, id: Option<RequestId>) -> Vec<u8> {
    serde_json::to_vec(&JsonRpcError::new(id, error)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_named() {
        for (text, code) in [
            ("", -32700),
            ("{", -32700),
            ("nonsense", -32700),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,}", -32700),
            ("{}", -32600),
            ("[]", -32600),
            ("1", -32600),
            ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1}", -32600),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().code.0, code, "{text}");
        }
        let deep = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{}{}}}",
            "[".repeat(500),
            "]".repeat(500)
        );
        assert!(parse(deep.as_bytes()).is_err());
        let ping = parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        assert!(matches!(ping, Ok(ClientJsonRpcMessage::Request(_))));
    }

    #[test]
    fn a_refusal_has_the_sentence_of_its_fault_and_an_id_if_it_answers_a_call() {
        let json = |fault: &Fault, id| -> serde_json::Value {
            serde_json::from_slice(&error_json(refusal(fault), id)).unwrap()
        };
        let slow = json(&Fault::RequestTimeout, None);
        assert!(slow.get("id").is_none());
        assert_eq!(slow["error"]["message"], Fault::RequestTimeout.to_string());
        assert_eq!(slow["error"]["data"]["error"]["code"], "request_timeout");
        let many = json(&Fault::TooComplex, Some(RequestId::Number(7)));
        assert_eq!(many["id"], 7);
    }

    #[test]
    fn a_message_that_is_too_large_is_not_told_of_the_page_s_window() {
        let error = refusal(&Fault::TooLarge {
            bytes: 2,
            limit: 1,
            body: sash_wire::BodyKind::Other,
        });
        let says = "This message has 2 bytes and Sash takes 1. Shorten the question.";
        assert_eq!(error.message, says);
        assert_eq!(error.data.unwrap()["error"]["code"], "too_large");
    }
}
