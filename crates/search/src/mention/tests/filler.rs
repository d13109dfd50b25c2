//! Generates random messages, the same ones at every run.

const NOUNS: &str = "garden river table letter camera phone keyboard window doctor bicycle market dinner coffee \
engine museum blanket teacher lesson battery printer server database password account invoice budget salary \
landlord kitchen shelf ceiling winter summer autumn poem novel chapter character village captain island ship \
horse cat dog bird forest mountain train ticket hotel airport passport suitcase beach weather storm rain snow \
soup bread cheese onion pepper recipe flour oven butter sugar egg potato carrot spinach salmon chicken function \
variable loop class object interface thread queue buffer parser compiler index query column table schema branch \
commit merge test error exception log metric deployment container cluster network router channel firewall \
certificate token request response header cookie session browser layout font colour picture video audio speaker \
guitar piano melody rhythm painting sculpture theatre film actor director festival birthday wedding gift flower \
tree leaf soil seed fertiliser pond fence roof wall floor door lamp cable switch sensor motor wheel tyre brake \
statistics regression sample variance hypothesis experiment theory energy pressure temperature molecule protein \
enzyme planet orbit telescope galaxy history empire treaty election parliament law contract court tax insurance \
bank loan interest stock bond inflation supervisor colleague meeting deadline project customer product price \
discount delivery warehouse factory strategy competitor marketing campaign newsletter audience article headline \
grammar sentence translation dictionary language accent exercise muscle sleep diet vitamin headache medicine \
nurse hospital child daughter son neighbour friend parent grandmother toy game puzzle chess football tennis \
marathon swimming climbing yoga backup disk folder archive script cron timer alarm calendar reminder note \
checklist risk safety helmet licence permit visa embassy border currency exchange";
const VERBS: &str = "build repair compare measure explain improve describe plan paint clean move sell buy rent \
write read test deploy copy restore sort filter search replace remove install configure measure cook bake fry \
freeze plant water cut fold carry lift charge connect protect publish print scan sign cancel book visit avoid";
const ADJECTIVES: &str = "small large cheap expensive quiet loud slow fast heavy light dark bright warm cold dry \
wet modern old simple complex safe risky common rare local foreign public private digital wooden metal plastic \
fresh sweet salty bitter weekly monthly annual northern southern average typical strange useful broken empty full";
const FRAMES: [&str; 10] = [
    "How do I V a A N without a N?",
    "You could V the N first and then V the N. A A N usually helps, and so does a N with a A N.",
    "What is the best N for a A N?",
    "That depends on the N. With a A N I would V the N; without one, take a A N and V it twice.",
    "Can you V the N again, but with a A N?",
    "Here is a plan: V the N, V the A N, check the N, and ask somebody who knows about the N.",
    "My N is A. Should I V it or V the N?",
    "Most people V the N because the N is A. The A N is the exception: there the N decides.",
    "Write a A text about a N and a N.",
    "The N was A, and the N beyond the N was A. Nobody had thought to V the N. Then came the N with the A N.",
];

/// The texts of the first `many` messages.
pub fn messages(many: usize) -> Vec<String> {
    let [nouns, verbs, adjectives] =
        [NOUNS, VERBS, ADJECTIVES].map(|list| list.split_whitespace().collect::<Vec<_>>());
    let mut state = 1u64;
    let mut pick = |list: &[&'static str]| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Squaring makes the first words of a list common and the last ones rare.
        let share = (state >> 40) as f64 / (1u64 << 24) as f64;
        list[(share * share * list.len() as f64) as usize]
    };
    let mut texts = Vec::new();
    for at in 0..many {
        let mut text = String::new();
        for part in FRAMES[at % FRAMES.len()].split_inclusive(' ') {
            let word = part.trim_end_matches([' ', '.', ',', '?', ';', ':']);
            text.push_str(match word {
                "N" => pick(&nouns),
                "V" => pick(&verbs),
                "A" => pick(&adjectives),
                word => word,
            });
            text.push_str(&part[word.len()..]);
        }
        texts.push(text);
    }
    texts
}
