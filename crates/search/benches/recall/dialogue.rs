//! Reads dialogues with labelled questions, in the JSON of LoCoMo (Maharana et al., "Evaluating Very Long-Term
//! Conversational Memory of LLM Agents", 2024): one sample or a list of them.
//!
//! What such files have in practice is read too: several ids in one string of evidence, ids of turns that do not
//! exist, questions without evidence, sessions without a date.

use super::calendar::local_ms;
use sash_search::recall::RecallPrompt;
use serde_json::Value;
use std::collections::HashMap;

/// A turn of a dialogue.
pub struct DialogueTurn {
    pub speaker: String,
    /// The text, and the caption of a picture that came with it.
    pub text: String,
    /// The session that it belongs to, from 0.
    pub session: usize,
    /// When its session began, in local milliseconds since 1970.
    pub created_ms: Option<u64>,
    /// The day as shown before a recalled line; empty if unknown.
    pub day: String,
}

/// A question about a dialogue.
pub struct DialogueQuestion {
    pub text: String,
    /// The places of the turns that answer it; empty for a question without an answer in the dialogue.
    pub needed: Vec<usize>,
    pub category: Option<u64>,
    /// When it is asked, in local milliseconds since 1970, where the file says so (`"asked_on"`, ours).
    pub now_ms: Option<u64>,
}

impl DialogueQuestion {
    /// The question as a prompt.
    pub fn prompt(&self) -> RecallPrompt<'_> {
        RecallPrompt {
            text: &self.text,
            now_ms: self.now_ms,
        }
    }
}

/// A dialogue and the questions about it.
pub struct Sample {
    pub turns: Vec<DialogueTurn>,
    pub questions: Vec<DialogueQuestion>,
}

/// Reads a file's text. The error says what is missing, and where.
pub fn read(text: &str) -> Result<Vec<Sample>, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let samples = match &json {
        Value::Array(samples) => samples.iter().collect(),
        _ => vec![&json],
    };
    if samples.is_empty() {
        return Err("the list of samples is empty".to_owned());
    }
    let read = samples.iter().enumerate();
    read.map(|(at, sample)| self::sample(sample).map_err(|why| format!("sample {at}: {why}")))
        .collect()
}

fn sample(json: &Value) -> Result<Sample, String> {
    let conversation = json.get("conversation").and_then(Value::as_object);
    let conversation = conversation.ok_or("there is no object \"conversation\"")?;
    let mut turns = Vec::new();
    let mut places = HashMap::new();
    let mut sessions: Vec<(u64, &Value)> = conversation
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix("session_")?.parse().ok()?, value)))
        .collect();
    sessions.sort_by_key(|(number, _)| *number);
    for (session, (number, said)) in sessions.into_iter().enumerate() {
        let said = said
            .as_array()
            .ok_or_else(|| format!("session_{number} is no list"))?;
        let date = conversation.get(&format!("session_{number}_date_time"));
        let date = date.and_then(Value::as_str).unwrap_or_default();
        for (at, turn) in said.iter().enumerate() {
            let field = |name: &str| turn.get(name).and_then(Value::as_str).unwrap_or_default();
            if turn.get("text").is_none() {
                return Err(format!("turn {at} of session_{number} has no \"text\""));
            }
            let mut text = field("text").to_owned();
            if !field("blip_caption").is_empty() {
                text = format!("{text} [{}]", field("blip_caption"));
            }
            if let Some(id) = id(field("dia_id")) {
                places.insert(id, turns.len());
            }
            turns.push(DialogueTurn {
                speaker: field("speaker").to_owned(),
                text,
                session,
                created_ms: local_ms(date),
                day: date
                    .rsplit(" on ")
                    .next()
                    .unwrap_or_default()
                    .replace(',', ""),
            });
        }
    }
    if turns.is_empty() {
        return Err("the conversation has no session_1, session_2 … with turns".to_owned());
    }
    let questions = json.get("qa").and_then(Value::as_array);
    let questions = questions.ok_or("there is no list \"qa\"")?;
    let questions = questions
        .iter()
        .filter_map(|json| question(json, &places))
        .collect();
    Ok(Sample { turns, questions })
}

/// `None` for an entry without a question, and for one whose evidence is nowhere in the dialogue.
fn question(json: &Value, places: &HashMap<(String, u64), usize>) -> Option<DialogueQuestion> {
    let named = match json.get("evidence") {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(one)) => vec![one.as_str()],
        _ => Vec::new(),
    };
    let ids = named
        .iter()
        .flat_map(|ids| ids.split([';', ',', ' ']))
        .filter(|id| !id.is_empty());
    let mut needed: Vec<usize> = Vec::new();
    let mut unknown = false;
    for name in ids {
        match id(name).and_then(|id| places.get(&id)) {
            Some(place) if !needed.contains(place) => needed.push(*place),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Some(DialogueQuestion {
        text: json.get("question")?.as_str()?.to_owned(),
        category: json.get("category").and_then(Value::as_u64),
        now_ms: json
            .get("asked_on")
            .and_then(Value::as_str)
            .and_then(local_ms),
        needed,
    })
    .filter(|question| !unknown || !question.needed.is_empty())
}

/// "D1:3" or "D1:03" as session and turn.
fn id(name: &str) -> Option<(String, u64)> {
    let (session, turn) = name.trim().rsplit_once(':')?;
    Some((session.to_owned(), turn.parse().ok()?))
}
