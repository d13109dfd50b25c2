//! Signs of thinking in the text of a chat template. `/api/show` returns it as the model has it: Go's or Jinja's.

use sash_chat::Think;

/// Families of models that cannot be switched off and take no `max` (Ollama reads it as `high`).
const ALWAYS_THINKING: [&str; 2] = ["gptoss", "gpt-oss"];
/// The variables that hold the level of thinking: Jinja's and Go's.
const LEVEL_VARIABLES: [&str; 2] = ["reasoning_effort", ".ThinkLevel"];
/// The levels of a template that inserts the level without naming any.
const USUAL_LEVELS: [Think; 3] = [Think::Low, Think::Medium, Think::High];
const OPENING_TAG: &str = "<think>";

/// The values of `think` that have an effect on a model with the capability `thinking`. On and off are Ollama's own;
/// a level has an effect only if the template reads it, so levels are offered for such templates alone.
#[must_use]
pub fn think_choices(template: &str, family: &str) -> Vec<Think> {
    if ALWAYS_THINKING.contains(&family) {
        // On is the same as medium there.
        return USUAL_LEVELS.to_vec();
    }
    let mut choices = vec![Think::On, Think::Off];
    if LEVEL_VARIABLES.iter().any(|name| template.contains(name)) {
        let levels = [Think::Low, Think::Medium, Think::High, Think::Max];
        let named = levels
            .into_iter()
            .filter(|level| is_named(template, *level));
        let before = choices.len();
        choices.extend(named);
        if choices.len() == before {
            choices.extend(USUAL_LEVELS);
        }
    }
    choices
}

/// Whether a template compares something with a level: the level is in it as a quoted string.
fn is_named(template: &str, level: Think) -> bool {
    let name = level.name();
    ['"', '\'']
        .iter()
        .any(|quote| template.contains(&format!("{quote}{name}{quote}")))
}

/// Whether the prompt that a template renders ends within an open `<think>`, so that the answer begins as thinking
/// and contains the closing tag alone.
#[must_use]
pub fn opens_thinking(template: &str) -> bool {
    let mut text = before_response(template).trim_end();
    loop {
        if let Some(block) = text.strip_suffix("%}") {
            let Some(at) = block.rfind("{%") else {
                return false;
            };
            text = text[..at].trim_end();
        } else if let Some(inner) = text.strip_suffix("}}") {
            let Some(at) = inner.rfind("{{") else {
                return false;
            };
            let action = inner[at + 2..].trim_matches(['-', ' ', '\t', '\r', '\n']);
            match action.strip_suffix(['\'', '"']) {
                // Jinja's `{{ '…<think>\n' }}`: the literal is the text.
                Some(literal) => return ends_open(literal),
                None if action == "end" => text = text[..at].trim_end(),
                None => return false,
            }
        } else {
            return ends_open(text);
        }
    }
}

/// The part of a Go template that Ollama renders before the answer.
fn before_response(template: &str) -> &str {
    let action = template
        .rfind(".Response")
        .and_then(|at| template[..at].rfind("{{"));
    action.map_or(template, |at| &template[..at])
}

fn ends_open(text: &str) -> bool {
    let mut text = text.trim_end();
    while let Some(shorter) = text.strip_suffix("\\n") {
        text = shorter.trim_end();
    }
    text.ends_with(OPENING_TAG)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Think::{High, Low, Max, Medium, Off, On};

    #[test]
    fn levels_are_offered_only_where_the_template_reads_them() {
        let usual = [On, Off, Low, Medium, High];
        for (template, family, choices) in [
            (
                "{% if enable_thinking %}<think>{% endif %}",
                "qwen3",
                &[On, Off][..],
            ),
            ("{{ if .Think }}<think>{{ end }}", "qwen3", &[On, Off]),
            ("{{ .Prompt }}", "llama", &[On, Off]),
            ("", "", &[On, Off]),
            ("Reasoning: {{ reasoning_effort }}", "x", &usual),
            (
                "{{ if .ThinkLevel }}{{ .ThinkLevel }}{{ end }}",
                "x",
                &usual,
            ),
            (
                "{% if reasoning_effort == 'high' %}…{% elif reasoning_effort == \"max\" %}…{% endif %}",
                "x",
                &[On, Off, High, Max],
            ),
            (
                "Reasoning: {{ .ThinkLevel }} \"max\"",
                "gptoss",
                &[Low, Medium, High],
            ),
            ("", "gpt-oss", &[Low, Medium, High]),
        ] {
            assert_eq!(
                think_choices(template, family),
                choices,
                "{template} {family}"
            );
        }
    }

    #[test]
    fn a_template_that_ends_within_an_open_tag_is_recognised() {
        for template in [
            "{{ .Prompt }}<|im_start|>assistant\n<think>\n",
            "{{ range .Messages }}{{ .Content }}{{ end }}<think>",
            "{{- range .Messages }}{{ .Content }}{{- if .Last }}<think>\n{{ end }}{{- end }}",
            "<|user|>{{ .Prompt }}<|assistant|><think>\n{{ .Response }}<|end|>",
            "{% for m in messages %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}<think>\n{% endif %}",
            "{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n<think>\\n' }}\n{%- endif %}\n",
            "{% if add_generation_prompt and not ns.is_tool %}{{'<｜Assistant｜><think>\\n'}}{% endif %}",
        ] {
            assert!(opens_thinking(template), "{template}");
        }
    }

    #[test]
    fn any_other_template_is_not() {
        for template in [
            "",
            "{{ .Prompt }}",
            "{{ .Response }}",
            "}}",
            "%}",
            "<|im_start|>assistant\n",
            "<think>\n\n</think>\n\n",
            "<think>{{ .Thinking }}</think>{{ .Content }}",
            "{% if enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}",
            "{{ '<|im_start|>assistant\\n' }}",
            "Write <think> before you think.{{ .Prompt }}",
        ] {
            assert!(!opens_thinking(template), "{template}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_template_is_too_strange(text in "([{}%<>'\"\\\\n é-]|<think>|\\{\\{|\\}\\}|%\\}|\\{%|\\.Response){0,30}") {
            let _ = (opens_thinking(&text), think_choices(&text, ""));
        }
    }
}
