//! Emphasis in Chinese, Japanese and Korean, whose marks stand between punctuation and letters.

use super::super::flanking::FlankedText;
use super::streaming::{every, shown, stream, unfrozen};
use super::{corpus, show};
use crate::{Document, html};
use proptest::prelude::*;

/// Texts and their blocks: whole, and streamed letter by letter.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(show(text), *expected, "{text}");
        stream(text, every(text));
    }
}

/// Regression: the marks of all of these were shown as asterisks.
#[test]
fn strong_text_ends_or_begins_with_punctuation() {
    check(&[
        (
            "**注意。**请先备份。",
            r#"(p (strong "注意。") "请先备份。")"#,
        ),
        (
            "结果是**“成功”**的意思",
            r#"(p "结果是" (strong "“成功”") "的意思")"#,
        ),
        (
            "先看**《红楼梦》**再说",
            r#"(p "先看" (strong "《红楼梦》") "再说")"#,
        ),
        (
            "他问**（小声）**了吗",
            r#"(p "他问" (strong "（小声）") "了吗")"#,
        ),
        ("**等等……**然后呢", r#"(p (strong "等等……") "然后呢")"#),
        (
            "原因——**其一：**太贵；**其二：**太慢！",
            r#"(p "原因——" (strong "其一：") "太贵；" (strong "其二：") "太慢！")"#,
        ),
        ("**真的？！**不信", r#"(p (strong "真的？！") "不信")"#),
        (
            "**苹果、**梨，**桃；**李",
            r#"(p (strong "苹果、") "梨，" (strong "桃；") "李")"#,
        ),
        ("名为**约翰·**某", r#"(p "名为" (strong "约翰·") "某")"#),
        ("**三月～**五月", r#"(p (strong "三月～") "五月")"#),
        (
            "これは**「大切」**です。",
            r#"(p "これは" (strong "「大切」") "です。")"#,
        ),
        (
            "**保存します。**次に閉じます。",
            r#"(p (strong "保存します。") "次に閉じます。")"#,
        ),
        (
            "彼は**『雪国』**を読む",
            r#"(p "彼は" (strong "『雪国』") "を読む")"#,
        ),
        ("**スーパー・**カー", r#"(p (strong "スーパー・") "カー")"#),
        (
            "半角の**｢ｶｷｸ｣**もある",
            r#"(p "半角の" (strong "｢ｶｷｸ｣") "もある")"#,
        ),
        (
            "**마크다운(Markdown)**을 씁니다",
            r#"(p (strong "마크다운(Markdown)") "을 씁니다")"#,
        ),
        (
            "그는 **\"안녕\"**이라고 했다",
            r#"(p "그는 " (strong "\"안녕\"") "이라고 했다")"#,
        ),
        ("**100%**까지", r#"(p (strong "100%") "까지")"#),
        ("**각주[1]**는", r#"(p (strong "각주[1]") "는")"#),
    ]);
}

#[test]
fn digits_and_latin_letters_are_beside_it() {
    check(&[
        ("共**3。**5个", r#"(p "共" (strong "3。") "5个")"#),
        ("**价格：**100元", r#"(p (strong "价格：") "100元")"#),
        (
            "**步骤（一）**Run it",
            r#"(p (strong "步骤（一）") "Run it")"#,
        ),
        (
            "Rust**（语言）**2024",
            r#"(p "Rust" (strong "（语言）") "2024")"#,
        ),
        ("用**C++**写", r#"(p "用" (strong "C++") "写")"#),
        ("在**[a]**中", r#"(p "在" (strong "[a]") "中")"#),
        ("第**1.**章", r#"(p "第" (strong "1.") "章")"#),
    ]);
}

#[test]
fn emphasis_strike_and_nesting_follow_the_same_rule() {
    check(&[
        ("*斜体。*后文", r#"(p (em "斜体。") "后文")"#),
        ("前*「強調」*後", r#"(p "前" (em "「強調」") "後")"#),
        ("~~作废。~~现行", r#"(p (del "作废。") "现行")"#),
        ("価格は~~（旧）~~新", r#"(p "価格は" (del "（旧）") "新")"#),
        ("***都有。***后文", r#"(p (em (strong "都有。")) "后文")"#),
        (
            "**外*内。*外。**后",
            r#"(p (strong "外" (em "内。") "外。") "后")"#,
        ),
        ("字**~~删。~~**后", r#"(p "字" (strong (del "删。")) "后")"#),
        ("~~**改。**~~后", r#"(p (del (strong "改。")) "后")"#),
        (
            "**甲(a)**。**乙。**丙",
            r#"(p (strong "甲(a)") "。" (strong "乙。") "丙")"#,
        ),
    ]);
}

#[test]
fn it_holds_in_every_kind_of_block() {
    check(&[
        ("# 第**一：**章", r#"(h1 "第" (strong "一：") "章")"#),
        (
            "标题**一。**二\n===\n",
            r#"(h1 "标题" (strong "一。") "二")"#,
        ),
        (
            "- **甲：**一\n- ~~乙。~~二",
            r#"(ul (li (strong "甲：") "一") (li (del "乙。") "二"))"#,
        ),
        (
            "1. 先**（甲）**后",
            r#"(ol 1 (li "先" (strong "（甲）") "后"))"#,
        ),
        ("> **注：**看", r#"(quote (p (strong "注：") "看"))"#),
        (
            ">**注：**看\n>**又：**看",
            "(quote (p (strong \"注：\") \"看\\n\" (strong \"又：\") \"看\"))",
        ),
        (
            "|名|值|\n|-|-|\n|**甲：**一|~~旧。~~新|",
            r#"(table (tr (th "名") (th "值")) (tr (td (strong "甲：") "一") (td (del "旧。") "新")))"#,
        ),
        (
            "见[**文档。**这里](https://a.b)的",
            r#"(p "见" (a https://a.b (strong "文档。") "这里") "的")"#,
        ),
        (
            "见**[文档](https://a.b)**的",
            r#"(p "见" (strong (a https://a.b "文档")) "的")"#,
        ),
        (
            "[**标。**签]\n\n[**标。**签]: https://a.b",
            r#"(p (a https://a.b (strong "标。") "签"))"#,
        ),
        (
            "这个**`code`**吗",
            r#"(p "这个" (strong (code "code")) "吗")"#,
        ),
        ("**a&amp;**字", r#"(p (strong "a&") "字")"#),
        ("**甲\\***乙", r#"(p (strong "甲*") "乙")"#),
        (
            "**公式$x$。**后",
            r#"(p (strong "公式" (inline "$x$") "。") "后")"#,
        ),
        (
            "字[^a]\n\n[^a]: **注。**文",
            r#"(p "字" (note "a")) (footnote "a" (p (strong "注。") "文"))"#,
        ),
    ]);
}

#[test]
fn variation_selectors_and_rare_characters_belong_to_the_text() {
    check(&[
        (
            "葛\u{e0100}**(葛)**城",
            "(p \"葛\\u{e0100}\" (strong \"(葛)\") \"城\")",
        ),
        (
            "字\u{fe00}**(x)**字",
            "(p \"字\\u{fe00}\" (strong \"(x)\") \"字\")",
        ),
        ("**“好”\u{fe01}**a", "(p (strong \"“好”\\u{fe01}\") \"a\")"),
        ("**𠮷。**a", r#"(p (strong "𠮷。") "a")"#),
        ("a**(x)**𠮷", r#"(p "a**(x)**𠮷")"#),
        ("**ᄒᆞᆫ글(x)**ᄀᆞᆺ", r#"(p (strong "ᄒᆞᆫ글(x)") "ᄀᆞᆺ")"#),
        ("**全形！**ＡＢＣ", r#"(p (strong "全形！") "ＡＢＣ")"#),
        // An emoji is none of it.
        ("a**(😀**b", r#"(p "a**(😀**b")"#),
        ("a**(〰\u{fe0f}**b", "(p \"a**(〰\\u{fe0f}**b\")"),
    ]);
}

#[test]
fn what_is_no_emphasis_stays_as_it_is_written() {
    check(&[
        ("长 ** 宽，**。 ** 高", r#"(p "长 ** 宽，**。 ** 高")"#),
        ("\\**字。**字", r#"(p "**字。**字")"#),
        ("\\*\\*字。\\*\\*字", r#"(p "**字。**字")"#),
        ("`**字。**字`", r#"(p (code "**字。**字"))"#),
        ("``字`**。**``", r#"(p (code "字`**。**"))"#),
        (
            "```\n**字。**字 ~~字。~~字\n```",
            r#"(pre "" "**字。**字 ~~字。~~字\n")"#,
        ),
        ("    **字。**字", r#"(pre "" "**字。**字")"#),
        (
            "~~~字**。**字\n**字。**字\n~~~",
            "(pre \"\" \"**字。**字\\n\")",
        ),
        ("$字**(x)**字$", r#"(p (inline "$字**(x)**字$"))"#),
        ("字_甲。_字__乙。__字", r#"(p "字_甲。_字__乙。__字")"#),
        (
            "<https://a.b/**字。**字>",
            r#"(p (a https://a.b/**字。**字 "https://a.b/**字。**字"))"#,
        ),
        (
            "[x](https://a.b/**字。**字)",
            r#"(p (a https://a.b/**字。**字 "x"))"#,
        ),
        (
            "<b title='**字。**字'>x",
            r#"(p "<b title='**字。**字'>x")"#,
        ),
        ("<div>**字。**字</div>", r#"(raw "<div>**字。**字</div>")"#),
        ("![**字。**字](https://a.b/c)", r#"(p (img "字。字" a.b))"#),
        (
            "字**\u{91}。**字\u{91}**`\u{91}\u{91}`**",
            "(p \"字\" (strong \"\\u{91}。\") \"字\\u{91}**\" (code \"\\u{91}\\u{91}\") \"**\")",
        ),
    ]);
}

/// A single tilde strikes as GFM says, and never where it is a range, an approximation or a drawn-out sound.
#[test]
fn a_single_tilde_strikes_out_a_word_and_nothing_else() {
    check(&[
        ("a ~b~ c", r#"(p "a " (del "b") " c")"#),
        ("旧 ~作废~ 新", r#"(p "旧 " (del "作废") " 新")"#),
        ("3~5天，7~10天", r#"(p "3~5天，7~10天")"#),
        ("周一~周三和周五~周日", r#"(p "周一~周三和周五~周日")"#),
        ("约~5个到~7个", r#"(p "约~5个到~7个")"#),
        ("costs ~5 to ~7 euros", r#"(p "costs ~5 to ~7 euros")"#),
        ("好~的~。你~呀~", r#"(p "好~的~。你~呀~")"#),
        ("はい~。そう~です~", r#"(p "はい~。そう~です~")"#),
        ("넵~ 알겠어요~ 네~", r#"(p "넵~ 알겠어요~ 네~")"#),
        ("啊~~~好~~~", r#"(p "啊~~~好~~~")"#),
        ("so cuuute~ yes~", r#"(p "so cuuute~ yes~")"#),
    ]);
}

#[test]
fn half_written_it_looks_finished_within_a_sentence_without_spaces() {
    let now = |text: &str| {
        let mut document = Document::new();
        document.append(text);
        shown(document.blocks())
    };
    for (text, expected) in [
        ("这是**重要", "(p \"这是\" (strong \"重要\"))\n"),
        ("这是**重要。*", "(p \"这是\" (strong \"重要。\"))\n"),
        ("これは~~古い", "(p \"これは\" (del \"古い\"))\n"),
        ("使用Rust**语言", "(p \"使用Rust\" (strong \"语言\"))\n"),
        ("注意：**先", "(p \"注意：\" (strong \"先\"))\n"),
        ("面积=长*宽", "(p \"面积=长*宽\")\n"),
        ("2**3", "(p \"2**3\")\n"),
    ] {
        assert_eq!(now(text), expected, "{text}");
    }
}

#[test]
fn an_exported_page_has_it_too() {
    let page = html("**注意。**请~~旧。~~新", &|_, _| None);
    assert!(
        page.contains("<strong>注意。</strong>请<del>旧。</del>新"),
        "{page}"
    );
}

#[test]
fn text_without_these_scripts_is_parsed_as_it_is() {
    for name in ["commonmark-spec.txt", "gfm-spec.txt"] {
        for example in corpus(name) {
            let flanked = FlankedText::new(&example.source);
            assert_eq!(flanked.text, example.source);
        }
    }
    for text in [
        "**a(b)**c é**(d)**ü",
        "שלום**(א)**ב",
        "**(😀**a",
        "ไทย**(ก)**ข",
    ] {
        assert_eq!(FlankedText::new(text).text, text);
    }
}

/// The copy for the parser and the work for it are proportional to the text.
#[test]
fn hostile_runs_cost_no_more_than_their_length() {
    for (unit, runs) in [
        ("**。", 1),
        ("字>**", 1),
        ("~~「*字", 2),
        ("**`\u{91}字", 1),
        ("\\**字", 1),
    ] {
        let text = unit.repeat(100_000);
        let flanked = FlankedText::new(&text);
        let most = text.len() + 100_000 * (runs * 2 + 1) * 2;
        assert!(flanked.text.len() <= most, "{unit}");
    }
    let text = "**。".repeat(100_000);
    let mut document = Document::new();
    document.append(&text);
    document.finish();
    assert!(document.parsed_bytes() <= 3 * text.len());
}

fn fragments() -> impl Strategy<Value = String> {
    let fragment = prop::sample::select(vec![
        "**",
        "**",
        "*",
        "~~",
        "***",
        "_",
        "~",
        "。",
        "「",
        "」",
        "（",
        "）",
        "字",
        "か",
        "한",
        "“",
        "”",
        "(",
        ")",
        "a",
        "1",
        " ",
        "\n",
        "\n\n",
        "`",
        "[",
        "](https://a.b)",
        "]",
        "\\",
        "|",
        "|字|a|\n|-|-|\n",
        "- ",
        "> ",
        ">",
        "# ",
        "$",
        "<",
        "&amp;",
        "\u{fe00}",
        "\u{fe01}",
        "\u{e0100}",
        "\u{91}",
        "😀",
        "[字。]: /u\n",
        "[字。]",
        "[^字]",
        "[^字]: ",
        "```",
        "~~~",
        "\u{3000}",
        "<br>",
        "<ul><li>",
        "</li>",
        "</ul>",
    ]);
    prop::collection::vec(fragment, 1..40).prop_map(|all| all.concat())
}

/// The text of a document without its tree: nothing is added to it and nothing is lost.
fn added(text: &str) -> usize {
    shown(super::whole(text).blocks())
        .matches("\\u{91}")
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_of_it_letter_by_letter(text in fragments()) {
        let document = stream(&text, every(&text));
        prop_assert_eq!(shown(document.blocks()), unfrozen(&text));
        if !text.contains('\u{91}') {
            prop_assert_eq!(added(&text), 0);
        }
    }

    #[test]
    fn positions_and_text_come_back(text in fragments()) {
        let flanked = FlankedText::new(&text);
        prop_assert_eq!(&*flanked.original(flanked.text.to_string().into()), &text);
        for (at, c) in flanked.text.char_indices().filter(|(_, c)| *c != '\u{91}') {
            let place = flanked.position(at);
            prop_assert!(text[place..].starts_with(c));
        }
    }
}
