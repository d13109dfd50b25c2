//! Reads a message of a client, or says in the protocol's form why it is none.

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, JsonRpcError};
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

/// A fault that has to do with no single call, in the form of the protocol: its sentence, and as data what the page would
/// get.
pub fn refusal(fault: &Fault) -> ErrorData {
    let data = serde_json::to_value(FaultBody::from(fault.clone())).ok();
    ErrorData::new(ErrorCode::INVALID_REQUEST, fault.to_string(), data)
}

/// An error without a request, as JSON.
pub fn error_json(error: ErrorData) -> Vec<u8> {
    serde_json::to_vec(&JsonRpcError::new(None, error)).unwrap_or_default()
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
    fn a_refusal_has_no_id_and_the_sentence_of_its_fault() {
        let fault = Fault::TooLarge {
            bytes: 2,
            limit: 1,
            body: sash_wire::BodyKind::Other,
        };
        let json: serde_json::Value = serde_json::from_slice(&error_json(refusal(&fault))).unwrap();
        assert!(json.get("id").is_none());
        assert_eq!(json["error"]["message"], fault.to_string());
        assert_eq!(json["error"]["data"]["error"]["code"], "too_large");
    }
}
