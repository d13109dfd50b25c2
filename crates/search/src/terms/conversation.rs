//! Words of conversation and of questions in general, which name no subject however rare they are in one chat.

use super::{StemCache, each_term};
use sash_text::TextLanguage;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// English and German ones; French and Spanish have the most frequent.
const CONVERSATION_WORDS: &str = "able add added after again all already also always another answer any anything approach around \
ask away back bad because before best better big bit both bring case change check come compare complete \
continue correct create day different difference done down each earlier easy either else end enough even ever \
every everything example exactly explain few find fine first fix follow found gave get give go going gone good \
got great happen happy hard help hello hi hmm hour idea instead interesting issue keep kind know last later \
least less let like line list little long longer look lot love made main make maybe mean mention minute more \
most much name need never new next nice nothing now ok okay old once one only option other part perfect piece \
please point possible pretty prefer problem put question quick quite rather ready really recommend remember \
rest rewrite right run said same say second see seem send set short shorter show simple since small some \
someone something soon sorry sort start step still stop stuff suggest suggestion summary summarise summarize \
sure take talk tell thank thanks thing think third though thought three time today together told tomorrow too \
top translate try turn two type under understand until up update use useful using very version wait want way \
week well without word wonder work worked working write wrote wrong yeah year yes yesterday yet \
aber alle alles als also am an andere auch auf aus bei bin bis bist bitte brauche danke dann das dass dem den \
denn der des die dir doch du ein eine einem einen einer eines er erkläre es etwas für ganz gebe geben geht \
genau gerne gib gibt gut guten habe haben hast hat heute ich ihr im immer ist ja jetzt kann kannst kein keine \
können könnte lassen lieber machen mache macht man mehr mein meine meinen meiner mich mir mit möchte morgen \
muss müssen nach natürlich nein nicht nichts noch nochmal nun nur oder ohne schon schreib schreibe sehr sein \
sich sie sind so soll sollte sonst um und uns unter vielleicht viel von vor vorher war waren warum was weil \
welche welcher welches wenn werden wie wieder will wird wir wo wäre würde zeig zu zum zur zwei \
alors aussi bien bonjour cela continue continuer dire donner encore exemple expliquer faire merci ok oui peux plus \
prendre quelque salut suite toujours trouver tres vouloir algo ahora ayuda bien bueno continuar dar decir ejemplo explicar \
gracias hacer hola igual mejor otra otro poder querer siempre tener vale";

/// The stems of the words of a list in English and German.
pub(crate) fn stems(list: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for language in [TextLanguage::English, TextLanguage::German] {
        each_term(list, language, &mut StemCache::default(), &mut |stem, _| {
            stems.insert(stem.to_owned());
        });
    }
    stems
}

/// Whether a stem is of a word of conversation.
pub(crate) fn is_conversation(stem: &str) -> bool {
    static STEMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| stems(CONVERSATION_WORDS));
    STEMS.contains(stem)
}
