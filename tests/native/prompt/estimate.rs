//! The token estimate against real vocabularies: after three answers it is within a tenth of the
//! model's count.

use crate::common::House;
use crate::common::vocabulary::all;
use ollama_double::{Config, Script, ScriptStep, ServedModel, StandIn, Tokenizer};
use sash_chat::window::{Calibration, Parts, select};
use sash_chat::{Chat, Head, Id, Message, Policy, Role};
use sash_wire::RequestPlan;
use sash_wire::{Frame, LineDecoder};

// Copies that never change: editing a text that is used elsewhere would change the results.
const ENGLISH: &str = include_str!("../../data/manual.md");
const PROGRAM: &str = include_str!("../../data/program.rs.txt");
const GERMAN: &str = "Die Suche auf der Seite ist heute sehr langsam, und ich verstehe nicht warum. Gestern lief sie noch \
    schnell. Wir haben am Abend einen neuen Index angelegt, aber die Abfrage benutzt ihn offenbar nicht. Kannst du mir \
    erklären, wie ich herausfinde, welchen Weg die Datenbank nimmt? Am einfachsten geht das mit dem Befehl, der den Plan \
    der Abfrage zeigt. Er nennt jeden Schritt und schätzt, wie viele Zeilen dabei gelesen werden. Wenn dort steht, dass \
    die ganze Tabelle durchsucht wird, dann passt der Index nicht zur Bedingung. Häufig liegt es daran, dass eine Funktion \
    um die Spalte steht oder dass die Typen nicht übereinstimmen. Prüfe außerdem, ob die Statistik der Tabelle noch \
    stimmt, denn nach vielen Änderungen kann sie veraltet sein. Danach sollte die Seite wieder in wenigen Millisekunden \
    antworten. Falls nicht, schicke mir bitte den Plan und die Größe der Tabelle, dann sehen wir weiter.";

/// Splits a text into pieces of very different lengths, like prompts and answers.
fn pieces(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let mut pieces = Vec::new();
    let mut rest = &words[..];
    for length in [30, 90, 12, 200, 45, 60, 25, 150, 8, 120]
        .iter()
        .cycle()
        .take(16)
    {
        let (piece, after) = rest.split_at((*length).min(rest.len()));
        pieces.push(piece.concat());
        rest = if after.len() < 20 { &words[..] } else { after };
    }
    pieces
}

/// Runs eight exchanges. Returns by how many percent of the count each estimate from the fourth on
/// is off.
async fn off(
    (name, vocabulary): (&str, &Tokenizer),
    text: &str,
    policy: Policy,
    system: &str,
) -> Vec<f64> {
    let config = Config {
        models: vec![ServedModel::wide()],
        num_ctx: 65_536,
        rate: 0.0,
        prompt_rate: 0.0,
        ..Config::tests()
    };
    let house = House::before(
        StandIn::start(config.tokenizer(vocabulary)).unwrap(),
        |_| {},
    )
    .await;
    let mut chat = Chat::new(Head::new(Id(1), 0));
    chat.head.settings.policy = policy;
    chat.head.set_system(system);
    let mut calibration = Calibration::new("tinywide");
    let mut off = Vec::new();
    for pair in pieces(text).chunks(2) {
        let estimate = calibration.estimate(name);
        let window = select(
            &chat.path(),
            &chat.head,
            estimate,
            Parts::summary_of(&chat.head),
        );
        let seq = chat.next_seq();
        let question = Message {
            content: pair[0].clone(),
            ..Message::new(Id(u64::from(seq)), chat.leaf(), seq, Role::User, 0)
        };
        let prompt = RequestPlan {
            model: "tinywide".into(),
            text: pair[0].clone(),
            question: Some(question.id),
            ..RequestPlan::default()
        };
        let receipt = prompt.receipt(&chat, &chat.head, &window, estimate);
        let request = prompt.request(&chat, &chat.head, &window);
        house.ollama.script(Script::chat(vec![
            ScriptStep::text("yes"),
            ScriptStep::done(),
        ]));
        let reply = house.ask(serde_json::to_value(&request).unwrap()).await;
        let mut decoder = LineDecoder::default();
        decoder.push(&reply.bytes().await.unwrap());
        let mut counted = None;
        while let Some(frame) = decoder.next_json().unwrap() {
            if let Frame::Done { usage, .. } = frame {
                counted = usage.prompt_tokens;
            }
        }
        let counted = counted.unwrap();
        let guessed = receipt.prompt_tokens.estimated;
        off.push((guessed as f64 / counted as f64 - 1.0) * 100.0);
        calibration.learn(name, prompt.size(&window), counted);
        let parent = question.id;
        chat.insert(question);
        chat.insert(Message {
            content: pair[1].clone(),
            ..Message::new(
                Id(u64::from(seq) + 1),
                Some(parent),
                seq + 1,
                Role::Assistant,
                0,
            )
        });
    }
    off.split_off(3)
}

#[tokio::test]
async fn after_three_answers_the_guess_is_within_a_tenth_of_what_real_vocabularies_count() {
    let steady = Policy::Steady {
        keep: 4,
        grow_to: 12,
    };
    let policies = [Policy::Messages(3), Policy::Everything, steady];
    let mut worst: f64 = 0.0;
    // Their names in GGUF files.
    for (name, vocabulary) in ["gpt-2", "dbrx", "gpt-4o"].into_iter().zip(all()) {
        for (language, text) in [
            ("English", ENGLISH),
            ("German", GERMAN),
            ("program", PROGRAM),
        ] {
            for policy in policies {
                for system in ["", "You are a patient teacher. Answer in short sentences."] {
                    let off = off((name, &vocabulary), text, policy, system).await;
                    let most = off.iter().fold(0.0, |most: f64, off| most.max(off.abs()));
                    println!("{vocabulary:?} {language} {policy:?}: {off:.1?}");
                    worst = worst.max(most);
                }
            }
        }
    }
    println!("worst {worst:.1} %");
    assert!(worst < 10.0, "{worst:.1} %");
}
