//! The languages in which the demo answers, and its sentences in each of them.

/// Common words that English does not have.
const GERMAN: &[&str] = &[
    "aus", "bitte", "das", "dem", "der", "du", "ein", "eine", "einen", "einer", "etwas", "gibt",
    "ich", "ist", "kann", "kannst", "mein", "meine", "mir", "nicht", "oder", "sind", "und", "uns",
    "von", "warum", "wer", "wie", "wir", "zu",
];
/// Common words that are written as words or names in English too.
const SHARED: &[&str] = &["den", "die", "dir", "es", "mit", "was", "wo"];

/// A language of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemoLanguage {
    /// Where nothing else is recognised.
    English,
    /// Two common words, or a letter that English does not have.
    German,
    /// One letter.
    Hebrew,
}

impl DemoLanguage {
    /// Guesses the language of a prompt.
    pub fn of(prompt: &str) -> Self {
        if prompt.chars().any(|c| ('\u{5d0}'..='\u{5ea}').contains(&c)) {
            return Self::Hebrew;
        }
        let prompt = prompt.to_lowercase();
        let words = || prompt.split(|c: char| !c.is_alphabetic());
        let own = words().filter(|word| GERMAN.contains(word)).count();
        let shared = words().filter(|word| SHARED.contains(word)).count();
        let has_umlaut = prompt.contains(['ä', 'ö', 'ü', 'ß']);
        match has_umlaut || own > 0 && own + shared > 1 {
            true => Self::German,
            false => Self::English,
        }
    }

    /// What the demo is.
    pub fn introduction(self) -> &'static str {
        match self {
            Self::English => {
                "I am **not a language model**. I am the demo inside Sash, a small program that can only tell \
                 you what it was given. For real answers, start Ollama and choose one of its models.\n\n"
            }
            Self::German => {
                "Ich bin **kein Sprachmodell**. Ich bin die Demo in Sash, ein kleines Programm, das dir nur sagen \
                 kann, was ihm gegeben wurde. Für richtige Antworten starte Ollama und wähle eines seiner Modelle.\n\n"
            }
            Self::Hebrew => {
                "אני **לא מודל שפה**. אני ההדגמה שבתוך Sash, תוכנה קטנה שיכולה רק לומר מה ניתן לה. כדי לקבל תשובות \
                 אמיתיות, הפעילו את Ollama ובחרו אחד מהמודלים שלו.\n\n"
            }
        }
    }

    /// How many messages and tokens came.
    pub fn received(self, messages: usize, tokens: u64) -> String {
        match (self, messages) {
            (Self::English, 1) => format!(
                "With this prompt **1 message** was sent to me, {tokens} tokens by my count:\n\n"
            ),
            (Self::English, n) => format!(
                "With this prompt **{n} messages** were sent to me, {tokens} tokens by my count:\n\n"
            ),
            (Self::German, 1) => format!(
                "Mit diesem Prompt bekam ich **1 Nachricht**, {tokens} Token nach meiner Zählung:\n\n"
            ),
            (Self::German, n) => format!(
                "Mit diesem Prompt bekam ich **{n} Nachrichten**, {tokens} Token nach meiner Zählung:\n\n"
            ),
            (Self::Hebrew, 1) => {
                format!("עם הפרומפט הזה קיבלתי **הודעה אחת**, {tokens} טוקנים לפי הספירה שלי:\n\n")
            }
            (Self::Hebrew, n) => {
                format!("עם הפרומפט הזה קיבלתי **{n} הודעות**, {tokens} טוקנים לפי הספירה שלי:\n\n")
            }
        }
    }

    /// How many messages are not listed.
    pub fn more(self, count: usize) -> String {
        match self {
            Self::English => format!("\n… {count} more …\n\n"),
            Self::German => format!("\n… {count} weitere …\n\n"),
            Self::Hebrew => format!("\n… ועוד {count} …\n\n"),
        }
    }

    /// Stands behind the role of the last message.
    pub fn your_prompt(self) -> &'static str {
        match self {
            Self::English => ", your prompt",
            Self::German => ", dein Prompt",
            Self::Hebrew => ", הפרומפט שלכם",
        }
    }

    /// Stands for the words of a message without any.
    pub fn no_text(self) -> &'static str {
        match self {
            Self::English => "no text",
            Self::German => "kein Text",
            Self::Hebrew => "בלי טקסט",
        }
    }

    /// How many images a message brought; nothing for none.
    pub fn images(self, count: usize) -> String {
        match (self, count) {
            (_, 0) => String::new(),
            (Self::English, 1) => " and 1 image".to_owned(),
            (Self::English, n) => format!(" and {n} images"),
            (Self::German, 1) => " und 1 Bild".to_owned(),
            (Self::German, n) => format!(" und {n} Bilder"),
            (Self::Hebrew, 1) => " ותמונה אחת".to_owned(),
            (Self::Hebrew, n) => format!(" ו־{n} תמונות"),
        }
    }

    /// Where the other messages are.
    pub fn rest(self) -> &'static str {
        match self {
            Self::English => "\nWhatever else this chat holds stayed in your browser.\n",
            Self::German => "\nWas sonst in diesem Chat steht, blieb in deinem Browser.\n",
            Self::Hebrew => "\nכל השאר בצ׳אט הזה נשאר בדפדפן שלכם.\n",
        }
    }

    /// Stands before the lines of a long answer.
    pub fn counting(self) -> &'static str {
        match self {
            Self::English => "\nSo that there is something to watch, and to stop, I count:\n\n",
            Self::German => "\nDamit es etwas zu sehen und zu stoppen gibt, zähle ich:\n\n",
            Self::Hebrew => "\nכדי שיהיה במה לצפות ומה לעצור, אני סופר:\n\n",
        }
    }

    /// A line of a long answer.
    pub fn line(self, n: usize, all: usize) -> String {
        match self {
            Self::English => format!("- line {n} of {all}\n"),
            Self::German => format!("- Zeile {n} von {all}\n"),
            Self::Hebrew => format!("- שורה {n} מתוך {all}\n"),
        }
    }

    /// What the page can show.
    pub fn sample(self) -> &'static str {
        match self {
            Self::English => SAMPLE,
            Self::German => GERMAN_SAMPLE,
            Self::Hebrew => HEBREW_SAMPLE,
        }
    }

    /// A formula in a line, and one of its own.
    pub fn formulas(self) -> String {
        let (line, own) = match self {
            Self::English => ("A formula in a line", "and one of its own"),
            Self::German => ("Eine Formel in der Zeile", "und eine für sich"),
            Self::Hebrew => ("נוסחה בתוך שורה", "ואחת לעצמה"),
        };
        format!("\n{line}, {LINE_FORMULA}, {own}:\n\n{OWN_FORMULA}\n")
    }

    /// What one may ask for.
    pub fn hint(self) -> &'static str {
        match self {
            Self::English => {
                "\nAsk me something else and you will see more messages here. Ask for *markdown* or a \
                 *formula* to see what this page can show, or for something *long* to try Stop.\n"
            }
            Self::German => {
                "\nFrag mich noch etwas, und du siehst hier mehr Nachrichten. Frag nach *Markdown* oder einer \
                 *Formel*, um zu sehen, was diese Seite zeigen kann, oder nach einer *langen* Antwort, um das \
                 Stoppen zu probieren.\n"
            }
            Self::Hebrew => {
                "\nשאלו אותי עוד משהו ותראו כאן יותר הודעות. בקשו *markdown* או *נוסחה* כדי לראות מה הדף הזה יכול \
                 להציג, או תשובה *ארוכה* כדי לנסות את העצירה.\n"
            }
        }
    }
}

const LINE_FORMULA: &str = r"$e^{i\pi} + 1 = 0$";
const OWN_FORMULA: &str = r"$$
\int_0^1 x^2 \, dx = \frac{1}{3}
$$";

const SAMPLE: &str = r#"
## What this page can show

Text in *italics*, in **bold**, with `code` in it, and [a link](https://ollama.com).

| part | shown as |
| --- | --- |
| table | a table |
| list | a list |

1. First
2. Second
   - with a point of its own

> A quotation.

```rust
fn main() {
    println!("Hello from the demo");
}
```
"#;

const GERMAN_SAMPLE: &str = r#"
## Was diese Seite zeigen kann

Text, *kursiv*, **fett**, mit `Code` darin, und [ein Link](https://ollama.com).

| Teil | gezeigt als |
| --- | --- |
| Tabelle | eine Tabelle |
| Liste | eine Liste |

1. Erstens
2. Zweitens
   - mit einem eigenen Punkt

> Ein Zitat.

```rust
fn main() {
    println!("Hallo aus der Demo");
}
```
"#;

const HEBREW_SAMPLE: &str = r#"
## מה הדף הזה יכול להציג

טקסט *נטוי*, **מודגש**, עם `code` בתוכו, ו[קישור](https://ollama.com).

| חלק | מוצג בתור |
| --- | --- |
| טבלה | טבלה |
| רשימה | רשימה |

1. ראשית
2. שנית
   - עם סעיף משלה

> ציטוט.

```rust
fn main() {
    println!("Hello from the demo");
}
```
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_prompt_is_found() {
        for (prompt, language) in [
            (
                "Erkläre einfach, warum der Himmel blau ist",
                DemoLanguage::German,
            ),
            (
                "Plane fünf schnelle Abendessen mit dem, was die meisten zu Hause haben",
                DemoLanguage::German,
            ),
            (
                "Schreibe einen kurzen Kündigungsbrief",
                DemoLanguage::German,
            ),
            ("Was ist das?", DemoLanguage::German),
            ("wie geht es dir", DemoLanguage::German),
            ("Was ist Photosynthese?", DemoLanguage::German),
            ("I was at MIT to list a dir", DemoLanguage::English),
            ("הסבר בפשטות למה השמיים כחולים", DemoLanguage::Hebrew),
            (
                "תכנן חמש ארוחות ערב מהירות ממה שיש לרוב האנשים בבית",
                DemoLanguage::Hebrew,
            ),
            ("כתוב מכתב קצר לביטול חוזה", DemoLanguage::Hebrew),
            ("מה זה Markdown?", DemoLanguage::Hebrew),
            ("Explain simply why the sky is blue", DemoLanguage::English),
            (
                "Plan five quick dinners with what most people have at home",
                DemoLanguage::English,
            ),
            (
                "Write a short letter cancelling a contract",
                DemoLanguage::English,
            ),
            (
                "The cast was about to die in the den",
                DemoLanguage::English,
            ),
            ("Who wrote Das Kapital?", DemoLanguage::English),
            ("and what now", DemoLanguage::English),
            ("", DemoLanguage::English),
        ] {
            assert_eq!(DemoLanguage::of(prompt), language, "{prompt}");
        }
    }
}
