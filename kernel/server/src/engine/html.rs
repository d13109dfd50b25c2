//! HTML pages where an answer of an engine was expected: the error page of a proxy, or the login page of a
//! network. The person sees the page's title and never its markup.

/// How many characters of a title are kept.
const MAX_TITLE_CHARS: usize = 120;

/// The beginnings of HTML pages.
const BEGINNINGS: [&str; 2] = ["<!doctype html", "<html"];

/// Whether a text is an HTML page, by its content type or its beginning.
pub fn is_html(content_type: &str, text: &str) -> bool {
    content_type == "text/html" || begins_as_page(text.trim_start())
}

fn begins_as_page(text: &str) -> bool {
    BEGINNINGS.iter().any(|begin| {
        let head = text.get(..begin.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(begin))
    })
}

/// The title of a page as plain text, if it has one.
pub fn html_title(page: &str) -> Option<String> {
    // Only ASCII is lower-cased, so that positions in both texts are the same.
    let lower = page.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let begin = open + lower[open..].find('>')? + 1;
    let end = begin + lower[begin..].find("</title")?;
    let text = page[begin..end]
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    let words: Vec<&str> = text.split_whitespace().collect();
    let title: String = words.join(" ").chars().take(MAX_TITLE_CHARS).collect();
    Some(title).filter(|title| !title.is_empty())
}

/// Replaces the HTML page that a sentence may end with by the page's title.
pub fn strip_html(sentence: &str) -> String {
    let page = sentence
        .match_indices('<')
        .find(|(at, _)| begins_as_page(&sentence[*at..]));
    match page {
        None => sentence.to_owned(),
        Some((at, _)) => {
            let title = html_title(&sentence[at..]);
            format!(
                "{}{}",
                &sentence[..at],
                title.as_deref().unwrap_or("a page of HTML")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_type_or_its_beginning() {
        assert!(is_html("text/html", "Log in"));
        assert!(is_html("", " \n<!DOCTYPE HTML>"));
        assert!(is_html("application/json", "<HTML lang=\"en\">"));
        assert!(!is_html("text/plain", "404 page not found"));
        assert!(!is_html("text/plain", "<é"));
    }

    #[test]
    fn a_title_is_one_line_of_plain_text() {
        let title = |page| html_title(page);
        assert_eq!(
            title("<title>\n 502   Bad\nGateway </title>"),
            Some("502 Bad Gateway".into())
        );
        assert_eq!(title("<title></title>"), None);
        assert_eq!(title("<title>never ends"), None);
        assert_eq!(title("<titel>x</titel>"), None);
        let long = format!("<title>{}</title>", "é".repeat(500));
        assert_eq!(
            title(&long).map(|t| t.chars().count()),
            Some(MAX_TITLE_CHARS)
        );
    }

    #[test]
    fn a_sentence_keeps_its_words_and_its_comparisons() {
        assert_eq!(strip_html("1 < 2 <b>"), "1 < 2 <b>");
        assert_eq!(
            strip_html("pull: 500: <html><p>x"),
            "pull: 500: a page of HTML"
        );
    }
}
