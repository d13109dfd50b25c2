//! HTML as Markdown.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `hidden` | takes out what a browser does not show |
//! | `style` | the rules of a page's styles that hide or show elements |
//! | `condition` | which of them are for the window of a desktop |
//! | `tables` | tables, with each of their cells |
//! | `node` | names, attributes and texts of the tree |

mod condition;
mod hidden;
mod node;
mod style;
mod tables;

use htmd::Node;
use std::rc::Rc;

/// Elements that are no text for a reader.
const SKIPPED: [&str; 11] = [
    "script", "style", "noscript", "template", "svg", "iframe", "head", "nav", "datalist",
    "object", "canvas",
];

/// The text of a page.
pub fn text(html: &str) -> String {
    let converter = htmd::HtmlToMarkdown::builder()
        .skip_tags(SKIPPED.to_vec())
        .add_handler(vec!["table"], tables::table)
        .build();
    let read = |take_out: fn(&Rc<Node>)| {
        let page = converter.html_to_tree(html).ok()?;
        take_out(&page);
        Some(converter.tree_to_markdown(&page))
    };
    let shown = read(hidden::take_out).filter(|text| !text.trim().is_empty());
    // A page that hides everything waits for a script that shows it.
    shown.or_else(|| read(|_| {})).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_markdown_without_its_scripts() {
        let page = "<html><head><title>T</title></head><body><h2>One</h2><p>a <b>b</b> &amp; c</p><script>evil()</script><ul><li>x</ul></body></html>";
        let text = text(page);
        assert!(text.starts_with("## One"), "{text}");
        assert!(text.contains("a **b** & c"), "{text}");
        assert!(!text.contains("evil"), "{text}");
    }

    #[test]
    fn what_a_style_hides_stays_out() {
        for (hidden, shown) in [
            ("<p style='display:none'>SECRET</p>", ""),
            (
                "<p style='color:red; DISPLAY : none !important'>SECRET</p>",
                "",
            ),
            (
                "<p style='visibility:hidden'>SECRET <b style='visibility:visible'>seen</b></p>",
                "**seen**",
            ),
            ("<p hidden>SECRET</p><p hidden=until-found>SECRET</p>", ""),
            ("<p aria-hidden=true>seen</p>", "seen"),
            (
                "<template><p>SECRET</p></template><noscript>SECRET</noscript>",
                "",
            ),
            ("<dialog>SECRET</dialog><dialog open>seen</dialog>", "seen"),
            (
                "<input type=hidden value=SECRET><datalist><option>SECRET</datalist>",
                "",
            ),
            ("<details><summary>more</summary>folded</details>", "folded"),
            (
                "<style>.x{display:none}</style><p class='a x'>SECRET</p><p class=xy>seen</p>",
                "seen",
            ),
            (
                "<style>/*.y{*/ #x , em.z {visibility:hidden}</style><p id=x>SECRET</p><em class=z>SECRET</em><b class=z>seen</b>",
                "seen",
            ),
            (
                "<style>.menu li{display:none}.menu > .on{display:block}</style><ul class=menu><li>SECRET<li class=on>seen</ul><li>seen</li>",
                "seen",
            ),
            (
                "<style>.x{display:none}p.x{display:block}</style><p class=x>seen</p>",
                "seen",
            ),
            (
                "<style>p.x{display:block}.x{display:none!important}</style><p class=x>SECRET</p>",
                "",
            ),
            (
                "<style>@media print{p{display:none}}</style><p>seen</p>",
                "seen",
            ),
            (
                "<style>@media print{.s{display:none}} @media screen{.x{display:none}}</style><p class=x>SECRET</p><p class=s>seen</p>",
                "seen",
            ),
            (
                "<style>p:hover{display:none} p::before{visibility:hidden}</style><p>seen</p>",
                "seen",
            ),
            (
                "<style>[data-x=\"1\"], [hidden-x] {display:none}</style><p data-x=1>SECRET</p><p data-x=2>seen</p>",
                "seen",
            ),
            (
                "<style>.x{display:none}</style><p class=x style='display:block'>seen</p>",
                "seen",
            ),
            (
                "<style>[hidden]{display:block}</style><p hidden>seen</p>",
                "seen",
            ),
            (
                "<style>.n{display:none!important}@media (min-width:768px){.m{display:block!important}}</style><p class='n m'>seen</p>",
                "seen",
            ),
            (
                "<style>.n{display:none}@media only screen and (max-width:600px){.m{display:block}.t{display:none}}</style><p class='n m'>SECRET</p><p class=t>seen</p>",
                "seen",
            ),
            (
                "<style>.n{display:none}@supports (display:grid){.g{display:grid}}</style><p class='n g'>seen</p>",
                "seen",
            ),
            (
                "<style>.n{display:none}@container (min-width:1px){.c{display:block}.d{display:none}}</style><p class='n c'>seen</p><p class=d>both</p>",
                "both",
            ),
            (
                r"<style>.n{display:none}.md\:block{display:block}.\32xl\:hide{display:none}</style><p class='n md:block'>seen</p><p class=2xl:hide>SECRET</p>",
                "seen",
            ),
            (
                r"<style>.x\,p{display:none}.y\\,.z{display:none}</style><p>seen</p><p class='x,p'>SECRET</p><p class=z>SECRET</p>",
                "seen",
            ),
            (
                "<style>.a→b,.☂{display:none}</style><p class=a>seen</p><p class=a→b>SECRET</p><p class=☂>SECRET</p>",
                "seen",
            ),
            (
                r"<style>.n{display:none}.md\:b{color:red;@media (width >= 48rem){display:block}}</style><p class='n md:b'>seen</p>",
                "seen",
            ),
            (
                "<style media='(max-width: 600px)'>p{display:none}</style><style media='print, screen'>.x{display:none}</style><p>seen</p><p class=x>SECRET</p>",
                "seen",
            ),
        ] {
            let text = text(&format!(
                "<!doctype html><body><p>first</p>{hidden}<p>last</p>"
            ));
            assert!(!text.contains("SECRET"), "{hidden}: {text}");
            assert!(
                text.contains("first") && text.contains("last"),
                "{hidden}: {text}"
            );
            assert!(text.contains(shown), "{hidden}: {text}");
        }
    }

    #[test]
    fn a_page_that_hides_everything_is_read_as_if_it_hid_nothing() {
        for page in [
            "<style>body{display:none}</style><body><p>seen</p><script>show()</script>",
            "<html style='visibility:hidden'><body><p>seen</p>",
            "<style>#app{display:none}</style><body><div id=app><p>seen</p></div><div hidden></div>",
        ] {
            assert_eq!(text(page).trim(), "seen", "{page}");
        }
        let nothing = "<body><template>SECRET</template><script>show()</script>";
        assert_eq!(text(nothing).trim(), "");
    }

    #[test]
    fn of_too_many_rules_none_hides() {
        let rules = |count: usize| {
            let others = ".x{display:none}".repeat(count);
            text(&format!(
                "<!doctype html><style>{others}.x.y{{display:block}}</style><p class='x y'>seen</p><p class=x>less</p>"
            ))
        };
        assert_eq!(rules(1_999).trim(), "seen");
        assert_eq!(rules(2_000).trim(), "seen\n\nless");
    }

    #[test]
    fn a_table_has_all_its_cells() {
        for (html, markdown) in [
            (
                "<tr><th>Name</th><th>Value</th></tr><tr><th>a|b</th><td><code>x|y</code></td></tr>",
                "| Name | Value |\n| --- | --- |\n| a\\|b | `x\\|y` |",
            ),
            (
                "<thead><tr><th>A</th><th>B</th></tr><tr><th>C</th><th>D</th></tr></thead><tbody><tr><td>1</td></tr></tbody>",
                "| A | B |\n| --- | --- |\n| C | D |\n| 1 |  |",
            ),
            (
                "<tr><td colspan=2>wide</td><td>x</td></tr><tr><td>1</td><td>2<br>3</td><td><ul><li>4</li><li>5</li></ul></td></tr>",
                "| wide |  | x |\n| --- | --- | --- |\n| 1 | 2<br>3 | *   4<br>*   5 |",
            ),
        ] {
            assert_eq!(
                text(&format!("<!doctype html><table>{html}</table>")).trim(),
                markdown
            );
        }
        let layout = text(
            "<!doctype html><table><tr><td><h1>One</h1><p>two</p></td></tr><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>",
        );
        assert!(layout.contains("# One\n\ntwo"), "{layout}");
        assert!(layout.contains("| a | b |"), "{layout}");
    }
}
