//! A language model with random weights, as a GGUF file (version 3) that llama.cpp loads: one small layer, a vocabulary
//! of a few words, and the bytes that every such vocabulary has.

/// The words that the model can say.
const WORDS: [&str; 8] = ["side", "we", "will", "as", "to", "have", "he", "in"];
const EMBEDDING: u64 = 32;
const FEED_FORWARD: u64 = 64;
/// The alignment of the weights, llama.cpp's default.
const ALIGNMENT: usize = 32;

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &str) {
        self.number(&(text.len() as u64).to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn u32(&mut self, key: &str, value: u32) {
        self.text(key);
        self.number(&4_u32.to_le_bytes());
        self.number(&value.to_le_bytes());
    }

    fn f32(&mut self, key: &str, value: f32) {
        self.text(key);
        self.number(&6_u32.to_le_bytes());
        self.number(&value.to_le_bytes());
    }

    fn string(&mut self, key: &str, value: &str) {
        self.text(key);
        self.number(&8_u32.to_le_bytes());
        self.text(value);
    }

    fn array<T>(&mut self, key: &str, kind: u32, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.text(key);
        self.number(&9_u32.to_le_bytes());
        self.number(&kind.to_le_bytes());
        self.number(&(items.len() as u64).to_le_bytes());
        for item in items {
            write(self, item);
        }
    }
}

/// Tokens with their types: unknown, control, byte, word.
fn vocabulary() -> Vec<(String, i32)> {
    let special = [("<unk>", 2), ("<s>", 3), ("</s>", 3)];
    let special = special.map(|(token, kind)| (token.to_owned(), kind));
    let bytes = (0..256).map(|byte| (format!("<0x{byte:02X}>"), 6));
    let words = WORDS.map(|word| (format!("\u{2581}{word}"), 1));
    special.into_iter().chain(bytes).chain(words).collect()
}

/// The file. `template` is the model's chat template.
pub fn random_model(template: &str) -> Vec<u8> {
    let tokens = vocabulary();
    let words_from = tokens.len() - WORDS.len();
    let vocabulary = tokens.len() as u64;
    let (square, wide) = ([EMBEDDING, EMBEDDING], [EMBEDDING, FEED_FORWARD]);
    let tensors: [(&str, &[u64]); 12] = [
        ("token_embd.weight", &[EMBEDDING, vocabulary]),
        ("blk.0.attn_norm.weight", &[EMBEDDING]),
        ("blk.0.attn_q.weight", &square),
        ("blk.0.attn_k.weight", &square),
        ("blk.0.attn_v.weight", &square),
        ("blk.0.attn_output.weight", &square),
        ("blk.0.ffn_norm.weight", &[EMBEDDING]),
        ("blk.0.ffn_gate.weight", &wide),
        ("blk.0.ffn_up.weight", &wide),
        ("blk.0.ffn_down.weight", &[FEED_FORWARD, EMBEDDING]),
        ("output_norm.weight", &[EMBEDDING]),
        ("output.weight", &[EMBEDDING, vocabulary]),
    ];
    let mut out = Writer::default();
    out.number(b"GGUF");
    out.number(&3_u32.to_le_bytes());
    out.number(&(tensors.len() as u64).to_le_bytes());
    out.number(&18_u64.to_le_bytes());
    out.string("general.architecture", "llama");
    out.string("general.name", "random");
    out.u32("llama.vocab_size", vocabulary as u32);
    out.u32("llama.context_length", 16_384);
    out.u32("llama.embedding_length", EMBEDDING as u32);
    out.u32("llama.block_count", 1);
    out.u32("llama.feed_forward_length", FEED_FORWARD as u32);
    out.u32("llama.attention.head_count", 2);
    out.u32("llama.rope.dimension_count", 16);
    out.f32("llama.attention.layer_norm_rms_epsilon", 1e-5);
    out.string("tokenizer.ggml.model", "llama");
    out.array("tokenizer.ggml.tokens", 8, &tokens, |out, (token, _)| {
        out.text(token)
    });
    out.array("tokenizer.ggml.scores", 6, &tokens, |out, _| {
        out.number(&0_f32.to_le_bytes())
    });
    out.array("tokenizer.ggml.token_type", 5, &tokens, |out, (_, kind)| {
        out.number(&kind.to_le_bytes());
    });
    out.u32("tokenizer.ggml.unknown_token_id", 0);
    out.u32("tokenizer.ggml.bos_token_id", 1);
    out.u32("tokenizer.ggml.eos_token_id", 2);
    out.string("tokenizer.chat_template", template);
    let mut weights: Vec<u8> = Vec::new();
    let mut state = 1_u32;
    for (name, sizes) in tensors {
        out.text(name);
        out.number(&(sizes.len() as u32).to_le_bytes());
        sizes
            .iter()
            .for_each(|size| out.number(&size.to_le_bytes()));
        out.number(&0_u32.to_le_bytes());
        out.number(&(weights.len() as u64).to_le_bytes());
        for at in 0..sizes.iter().product::<u64>() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let random = (f64::from(state) / f64::from(u32::MAX) - 0.5) as f32;
            let weight = match name {
                _ if name.contains("norm") => 1.0,
                // Nothing but words is said: the others are less likely than any word that is likely at all.
                "output.weight" if at / EMBEDDING < words_from as u64 => 0.0,
                _ => random,
            };
            weights.extend_from_slice(&weight.to_le_bytes());
        }
        weights.resize(weights.len().next_multiple_of(ALIGNMENT), 0);
    }
    out.0.resize(out.0.len().next_multiple_of(ALIGNMENT), 0);
    out.0.extend(weights);
    out.0
}
