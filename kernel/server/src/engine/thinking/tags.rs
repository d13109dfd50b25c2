//! The marks between which models think where their engine does not separate it.

/// The marks of one kind of models.
#[derive(Debug, PartialEq, Eq)]
pub struct ThinkingTags {
    /// Begins the thinking.
    pub open: &'static str,
    /// Ends it.
    pub close: &'static str,
    /// The marks around the answer that follows, of models that mark it too.
    pub answer: Option<(&'static str, &'static [&'static str])>,
}

const fn tags(open: &'static str, close: &'static str) -> ThinkingTags {
    ThinkingTags {
        open,
        close,
        answer: None,
    }
}

/// All that are known, by the models' chat templates. Harmony's messages are in `harmony.rs`.
pub static TAGS: [ThinkingTags; 16] = [
    // DeepSeek R1, Qwen 3, GLM, MiniMax, Kimi K2, Granite, Hunyuan. The first is the one that a template opens.
    tags("<think>", "</think>"),
    tags("<thinking>", "</thinking>"),
    // Magistral, Ministral.
    tags("[THINK]", "[/THINK]"),
    // EXAONE Deep, Gemini through gateways.
    tags("<thought>", "</thought>"),
    tags("<Thought>", "</Thought>"),
    // Seed-OSS.
    tags("<seed:think>", "</seed:think>"),
    // Gemma 4.
    tags("<|channel>thought", "<channel|>"),
    // LongCat-Flash.
    tags("<longcat_think>", "</longcat_think>"),
    // MiniMax M3.
    tags("<mm:think>", "</mm:think>"),
    // Apertus.
    tags("<|inner_prefix|>", "<|inner_suffix|>"),
    // Kimi-VL.
    tags("◁think▷", "◁/think▷"),
    // Models that were tuned to reason, without a mark that their template knows.
    tags("<reasoning>", "</reasoning>"),
    tags("<reason>", "</reason>"),
    tags("<|think|>", "<|/think|>"),
    // OpenThinker, Sky-T1.
    ThinkingTags {
        open: "<|begin_of_thought|>",
        close: "<|end_of_thought|>",
        answer: Some(("<|begin_of_solution|>", &["<|end_of_solution|>"])),
    },
    // Command A Reasoning, Command R7B.
    ThinkingTags {
        open: "<|START_THINKING|>",
        close: "<|END_THINKING|>",
        answer: Some(("<|START_RESPONSE|>", &["<|END_RESPONSE|>"])),
    },
];
