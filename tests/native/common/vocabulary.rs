//! Vocabularies of real models, with which a stand-in can count tokens. They are compiled in.
//! Parsing one takes a moment and happens once per test program.

use ollama_double::{Tokenizer, Vocabulary};
use tiktoken_rs::CoreBPE;

fn of(name: &'static str, bpe: &'static CoreBPE) -> Tokenizer {
    Tokenizer::Vocabulary(Vocabulary::new(name, |text| bpe.encode_ordinary(text)))
}

/// 50,000 tokens, from 2019: the coarsest vocabulary.
pub fn r50k() -> Tokenizer {
    of("r50k", tiktoken_rs::r50k_base_singleton())
}

/// 100,000 tokens; the vocabularies of Llama 3 and Qwen build on it.
pub fn cl100k() -> Tokenizer {
    of("cl100k", tiktoken_rs::cl100k_base_singleton())
}

/// 200,000 tokens; the vocabulary of gpt-oss.
pub fn o200k() -> Tokenizer {
    of("o200k", tiktoken_rs::o200k_base_singleton())
}

/// All three vocabularies.
pub fn all() -> [Tokenizer; 3] {
    [r50k(), cl100k(), o200k()]
}
