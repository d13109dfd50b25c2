//! The name of a model's tokenizer, as far as engines tell it.

use serde_json::Value;

/// The number of entries of Gemma's vocabularies at least; others of their kind have a tenth.
const GEMMA_ENTRIES: u64 = 250_000;

/// The tokenizer by the metadata of a GGUF file, which `/api/show` returns; empty if they do not tell it.
#[must_use]
pub fn tokenizer_of_gguf(info: &Value) -> String {
    let text = |key: &str| info.get(key).and_then(Value::as_str).unwrap_or_default();
    let pre = text("tokenizer.ggml.pre");
    // Gemma's files give its tokenizer the kind that Llama 2's has, whose vocabulary is much smaller.
    if text("general.architecture").starts_with("gemma") {
        return "gemma".to_owned();
    }
    let name = match pre {
        "" | "default" => text("tokenizer.ggml.model"),
        _ => pre,
    };
    name.to_owned()
}

/// The tokenizer by the kind and the number of entries of its vocabulary, which `llama-server` lists; empty if they do
/// not tell it.
#[must_use]
pub fn tokenizer_of_vocabulary(kind: Option<u64>, entries: Option<u64>) -> &'static str {
    const SENTENCE_PIECE: u64 = 1;
    const BYTE_PAIRS: u64 = 2;
    match (kind, entries) {
        (Some(SENTENCE_PIECE), Some(GEMMA_ENTRIES..)) => "gemma",
        (Some(SENTENCE_PIECE), Some(1..40_000)) => "llama",
        (Some(BYTE_PAIRS), Some(entries)) => match entries {
            32_256 => "deepseek-coder",
            49_152 => "starcoder",
            50_257 => "gpt-2",
            50_280 | 50_432 => "mpt",
            65_024 => "falcon",
            100_352 => "dbrx",
            102_400 => "deepseek-llm",
            128_256 => "llama-bpe",
            151_646..=152_064 => "qwen2",
            199_998..=201_088 => "gpt-4o",
            255_000..=256_000 => "command-r",
            262_144..=262_208 => "gemma",
            _ => "",
        },
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_name_is_the_way_of_splitting_or_the_kind() {
        for (pre, model, architecture, expected) in [
            ("llama-bpe", "gpt2", "llama", "llama-bpe"),
            ("default", "llama", "llama", "llama"),
            ("", "llama", "phi3", "llama"),
            ("default", "llama", "gemma3", "gemma"),
            ("gemma4", "gemma4", "gemma4", "gemma"),
            ("", "", "", ""),
        ] {
            let info = json!({"tokenizer.ggml.pre": pre, "tokenizer.ggml.model": model,
                "general.architecture": architecture});
            assert_eq!(tokenizer_of_gguf(&info), expected);
        }
        for none in [json!(null), json!({"tokenizer.ggml.pre": 3}), json!([])] {
            assert_eq!(tokenizer_of_gguf(&none), "");
        }
    }

    #[test]
    fn a_vocabulary_is_known_by_its_kind_and_size() {
        for (kind, entries, expected) in [
            (Some(2), Some(128_256), "llama-bpe"),
            (Some(2), Some(151_936), "qwen2"),
            (Some(1), Some(32_064), "llama"),
            (Some(1), Some(256_000), "gemma"),
            (Some(2), Some(256_000), "command-r"),
            (Some(2), Some(262_144), "gemma"),
            (Some(2), Some(32_000), ""),
            (Some(2), None, ""),
            (None, Some(128_256), ""),
        ] {
            assert_eq!(tokenizer_of_vocabulary(kind, entries), expected);
        }
    }
}
