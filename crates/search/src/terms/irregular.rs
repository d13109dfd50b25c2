//! English forms that no rule about endings gives: verbs, plurals, a few spellings.

use fnv::FnvHashMap;
use std::sync::LazyLock;

/// A base and its forms, one group between bars. Left out are forms that are another common word too ("left",
/// "saw", "rose", "sat", "wound").
const GROUPS: &str = "arise arose arisen|awake awoke awoken|become became|begin began begun|bend bent|bet betting|bite bit bitten|\
bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|\
choose chose chosen choice choices|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|\
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|\
forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|\
go went gone goes|grow grew grown growth|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|\
lay laid|lead led|learn learnt|lend lent|lose lost|make made|mean meant|meet met|overcome overcame|pay paid|\
prove proven|ride rode ridden|ring rang rung|rise risen|run ran|say said|see seen|seek sought|sell sold sale sales seller|send sent|sew sewn|\
shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sleep slept|\
slide slid|speak spoke spoken|speed sped|spend spent|spill spilt|spin spun|spoil spoilt|stand stood|steal stole stolen|\
stick stuck|sting stung|strike struck|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|\
tear tore torn|tell told|think thought thoughts|throw threw thrown|understand understood|undergo underwent undergone|wake woke woken|\
wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|write wrote written|child children childs|\
person people ppl persons|man men|woman women|foot feet|tooth teeth|goose geese|mouse mice|wife wives|knife knives|wolf wolves|\
shelf shelves|half halves|loaf loaves|thief thieves|life lives|analysis analyses|crisis crises|criterion criteria|\
die dead death|marry marriage|weigh weight weights|apply application|graduate graduation|\
injure injury injuries|favorite favourite fav fave|color colour|neighbor neighbour|center centre|theater theatre|gray grey|\
realize realise realised realising realises|practice practise|program programme|mom mum mommy mummy|mother mothers|dad daddy|\
kid kids|grandma granny grandmother|grandpa grandfather|photo photos photograph photographs pic pics picture pictures|video vid vids|\
birthday bday|tomorrow tmrw tmr|tonight tonite|night nite|girlfriend gf|boyfriend bf|because bc cuz cos|\
university uni|apartment apt|professor prof|someone sm1 some1 somebody|everyone every1 everybody|anyone any1 anybody|\
before b4|great gr8|later l8r|wedding weddings|2 two|3 three|4 four|5 five|6 six|7 seven|8 eight|9 nine|10 ten|11 eleven|12 twelve|\
movie movies film films|phone telephone|bike bicycle|fridge refrigerator|exam examination|ad advertisement|plane airplane aeroplane|\
tv television telly|thanks thx|please pls plz|message msg|weekend wknd|minute min mins|hour hr hrs|information info";

/// The base of a form; `None` for words that rules are enough for.
pub(super) fn base(word: &str) -> Option<&'static str> {
    static BASES: LazyLock<FnvHashMap<&str, &str>> = LazyLock::new(|| {
        let mut bases = FnvHashMap::default();
        for group in GROUPS.split('|') {
            let mut forms = group.split(' ');
            let Some(base) = forms.next() else { continue };
            bases.extend(forms.map(|form| (form, base)));
        }
        bases
    });
    BASES.get(word).copied()
}
