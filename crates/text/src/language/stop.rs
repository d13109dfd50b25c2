//! Stop words: words that name no subject.

use super::TextLanguage;
use fnv::FnvHashMap;
use std::sync::LazyLock;

/// English. The list that the other measurements were made with; with its chat spellings.
const ENGLISH: &str = "a about am an and are as at be been being but by can could d did do does doing don for from \
had has have having he her here him his how i if im in into is it its just ll m may me might must my no not of off \
on or our out re s shall she should so t than that the their them then there these they this those to u ur ve was \
we were what when where which who whom whos whats why will with would you your";

/// German: articles, pronouns, prepositions, conjunctions, forms of auxiliary verbs.
const GERMAN: &str = "aber als am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den der \
des dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er es euch für \
habe haben hast hat hatte hatten hattest ich ihm ihn ihr ihre ihrem ihren im in ins ist ja kann kannst können man mein \
meine meinem meinen meiner mich mir mit muss müssen nach nicht noch nun nur ob oder ohne sein seine sich sie sind so \
soll sollte über um und uns unser unsere vom von vor wann war waren warum was welche welchem welchen welcher welches \
wenn wer werden wie wieso will wir wird wo worden wurde wurden würde zu zum zur";

/// French: articles, pronouns, prepositions, conjunctions, forms of auxiliary verbs, elided words.
const FRENCH: &str = "ai as au aux avais avait avec avez avons c ce ces cet cette comment d dans de des donc du elle \
elles en es est et étais était être eu faut il ils j je l la le les leur leurs lui m ma mais me même mes moi mon n ne \
nos notre nous on ont ou où par pas peut peux plus pour pourquoi puis qu quand que quel quelle quelles quels qui s sa \
se sera ses si son sont suis sur t ta te tes toi ton tu un une vos votre vous y à ça";

/// Spanish: articles, pronouns, prepositions, conjunctions, forms of auxiliary verbs.
const SPANISH: &str = "a al algo como cómo con cual cuál cuales cuáles cuando cuándo cuanto cuánto cuántas cuántos de del \
donde dónde e el él ella ellas ellos en era es esa ese eso esta está están este esto estoy fue fueron ha hace han has \
hay he la las le les lo los me mi mí mis muy más ni no nos nosotros o para pero por porque puede puedes puedo qué que \
quien quién se ser si sí sin sobre son soy su sus también te ti tiene tienes tu tú tus un una unas uno unos y ya yo";

/// The languages of which a word in lower case is a stop word, one bit each in the order of `TextLanguage`.
pub(super) fn languages_of(word: &str) -> u8 {
    static LISTS: LazyLock<FnvHashMap<&str, u8>> = LazyLock::new(|| {
        let mut languages = FnvHashMap::default();
        for (bit, list) in [ENGLISH, GERMAN, FRENCH, SPANISH].into_iter().enumerate() {
            for word in list.split(' ') {
                *languages.entry(word).or_default() |= 1 << bit;
            }
        }
        languages
    });
    // No stop word is longer; most words end here.
    match word.len() {
        ..=9 => LISTS.get(word).copied().unwrap_or_default(),
        _ => 0,
    }
}

/// Whether a word in lower case is a stop word of the language.
#[must_use]
pub fn is_stop_word(word: &str, language: TextLanguage) -> bool {
    languages_of(word) >> (language as u8) & 1 == 1
}
