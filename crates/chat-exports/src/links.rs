//! The sources that an answer names: titles and addresses in the data beside its text.

use serde_json::Value;

/// The longest title of a link, in characters.
const MAX_TITLE: usize = 200;
/// The longest address, in bytes.
const MAX_ADDRESS_BYTES: usize = 2_000;
/// The most links of one answer.
const MAX_LINKS: usize = 500;
/// How deep lists of sources are within each other.
const MAX_DEPTH: usize = 4;
/// The fields that hold further sources.
const LISTS: [&str; 6] = [
    "items",
    "fallback_items",
    "supporting_websites",
    "sources",
    "grouped_webpages",
    "products",
];

/// A source.
pub struct Link {
    title: Option<String>,
    /// The address without what ChatGPT adds to tell where a reader came from: by this two addresses are one.
    pub key: String,
    /// The address as it is in the data.
    address: String,
}

impl Link {
    /// Whether a text has the address.
    pub fn is_in(&self, text: &str) -> bool {
        text.contains(&self.key) || text.contains(&self.address)
    }
}

/// Adds the sources of a value and of the lists in it, each address once.
pub fn add_links(value: &Value, links: &mut Vec<Link>) {
    add(value, links, 0);
    // The addresses alone, where there is nothing else.
    let safe = value.get("safe_urls").and_then(Value::as_array);
    if links.is_empty() {
        for address in safe.into_iter().flatten() {
            push(address.as_str(), None, links);
        }
    }
}

fn add(value: &Value, links: &mut Vec<Link>, depth: usize) {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let title = ["title", "name", "attribution"]
        .into_iter()
        .filter_map(text);
    push(
        text("url").or(text("link")),
        title.map(str::trim).find(|t| !t.is_empty()),
        links,
    );
    if depth < MAX_DEPTH {
        let lists = LISTS.iter().filter_map(|key| value.get(*key)?.as_array());
        lists.flatten().for_each(|item| add(item, links, depth + 1));
    }
}

fn push(address: Option<&str>, title: Option<&str>, links: &mut Vec<Link>) {
    let is_web = |address: &&str| {
        (address.starts_with("https://") || address.starts_with("http://"))
            && address.len() <= MAX_ADDRESS_BYTES
    };
    let Some(address) = address.map(str::trim).filter(is_web) else {
        return;
    };
    let key = plain_address(address);
    if links.len() < MAX_LINKS && links.iter().all(|link| link.key != key) {
        links.push(Link {
            title: title.map(str::to_owned),
            key,
            address: address.to_owned(),
        });
    }
}

fn plain_address(address: &str) -> String {
    let (page, part) = address.split_at(address.find('#').unwrap_or(address.len()));
    let Some((before, query)) = page.split_once('?') else {
        return address.to_owned();
    };
    let is_added = |field: &str| matches!(field, "utm_source=chatgpt.com" | "utm_source=openai");
    let kept = query.split('&').filter(|field| !is_added(field));
    let kept: Vec<&str> = kept.collect();
    match kept.is_empty() {
        true => format!("{before}{part}"),
        false => format!("{before}?{}{part}", kept.join("&")),
    }
}

/// A link in Markdown. Without a title the host is shown.
pub fn markdown_link(link: &Link, title: Option<&str>) -> String {
    let host = link
        .key
        .split("//")
        .nth(1)
        .and_then(|rest| rest.split('/').next());
    let title = title.or(link.title.as_deref()).or(host).unwrap_or_default();
    let mut words = String::new();
    for c in title.chars().filter(|c| !c.is_control()).take(MAX_TITLE) {
        if matches!(c, '[' | ']' | '\\' | '`' | '*' | '_' | '<' | '|') {
            words.push('\\');
        }
        words.push(c);
    }
    let mut address = String::new();
    for c in link.key.chars() {
        match c {
            '(' => address.push_str("%28"),
            ')' => address.push_str("%29"),
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            '\\' => address.push_str("%5C"),
            // In a table it would end the cell.
            '|' => address.push_str("%7C"),
            c if c.is_whitespace() || c.is_control() => address.push_str("%20"),
            c => address.push(c),
        }
    }
    format!("[{words}]({address})")
}

/// Counts the sources of a value, as lists of them, whose addresses a text does not have.
pub fn lost_links<'v>(values: impl IntoIterator<Item = &'v Value>, text: &str) -> usize {
    let mut links = Vec::new();
    values
        .into_iter()
        .for_each(|value| add_links(value, &mut links));
    links.iter().filter(|link| !link.is_in(text)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_address_loses_only_what_was_added_to_it() {
        for (address, expected) in [
            (
                "https://a.example/x?utm_source=chatgpt.com",
                "https://a.example/x",
            ),
            (
                "https://a.example/x?utm_source=chatgpt.com#part",
                "https://a.example/x#part",
            ),
            (
                "https://a.example/x?b=1&utm_source=openai&c=2#p?q",
                "https://a.example/x?b=1&c=2#p?q",
            ),
            (
                "https://a.example/x?utm_source=letter&b=1",
                "https://a.example/x?utm_source=letter&b=1",
            ),
            (
                "https://a.example/x#part?utm_source=openai",
                "https://a.example/x#part?utm_source=openai",
            ),
            ("https://a.example/x", "https://a.example/x"),
        ] {
            assert_eq!(plain_address(address), expected);
        }
    }

    #[test]
    fn a_source_that_the_text_links_as_it_is_in_the_data_is_not_lost() {
        let address = "https://a.example/x?utm_source=openai&b=1";
        let sources = [
            json!({ "url": address }),
            json!({ "url": "https://b.example/?utm_source=openai" }),
        ];
        let text = format!("See [a]({address}).");
        assert_eq!(lost_links(&sources, &text), 1);
        assert_eq!(
            lost_links(&sources, "https://a.example/x?b=1 https://b.example/"),
            0
        );
    }

    /// A bar in a title or an address once ended the cell of a table.
    #[test]
    fn a_link_stays_in_its_cell() {
        let mut links = Vec::new();
        add_links(
            &json!({ "title": "News | a", "url": "https://a.example/x|y" }),
            &mut links,
        );
        assert_eq!(
            markdown_link(&links[0], None),
            "[News \\| a](https://a.example/x%7Cy)"
        );
        assert_eq!(
            markdown_link(&links[0], Some("b|c")),
            "[b\\|c](https://a.example/x%7Cy)"
        );
    }
}
