//! The words of Tengen in eight languages.
//!
//! `languages` has the words of the page: names of levels, rules, grades, threats and results, and
//! sentences. `terminal` has the sentences that only the terminal needs. In English the terminal has
//! sentences only: its names are those of the Rust types and of the command line.
//!
//! A text may have places: `{name}` for a value, and a plural with forms by the category of a number,
//! `{plies, plural, one {# move} other {# moves}}`, as in the page.

mod language;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::OnceLock;

pub use language::{Language, ParseLanguageError};

type Texts = BTreeMap<String, String>;

/// The texts of a language for the terminal.
#[derive(Debug)]
pub struct Words {
    language: Language,
    /// The sentences of the terminal.
    terminal: Texts,
    /// The words of the page; empty in English.
    page: Texts,
}

/// The file of the page's words in a language, as JSON.
pub const fn page_file(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../languages/en.json"),
        Language::SimplifiedChinese => include_str!("../languages/zh-Hans.json"),
        Language::TraditionalChinese => include_str!("../languages/zh-Hant.json"),
        Language::Japanese => include_str!("../languages/ja.json"),
        Language::Korean => include_str!("../languages/ko.json"),
        Language::Vietnamese => include_str!("../languages/vi.json"),
        Language::Czech => include_str!("../languages/cs.json"),
        Language::Russian => include_str!("../languages/ru.json"),
    }
}

const ENGLISH: &str = include_str!("../terminal/en.json");

const fn terminal_file(language: Language) -> &'static str {
    match language {
        Language::English => ENGLISH,
        Language::SimplifiedChinese => include_str!("../terminal/zh-Hans.json"),
        Language::TraditionalChinese => include_str!("../terminal/zh-Hant.json"),
        Language::Japanese => include_str!("../terminal/ja.json"),
        Language::Korean => include_str!("../terminal/ko.json"),
        Language::Vietnamese => include_str!("../terminal/vi.json"),
        Language::Czech => include_str!("../terminal/cs.json"),
        Language::Russian => include_str!("../terminal/ru.json"),
    }
}

fn read(file: &str) -> Texts {
    serde_json::from_str(file).unwrap_or_else(|error| unreachable!("a file of texts: {error}"))
}

impl Words {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Words {
        static OTHERS: [OnceLock<Words>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        if language == Language::English {
            return Words::english();
        }
        OTHERS[language as usize].get_or_init(|| Words {
            language,
            terminal: read(terminal_file(language)),
            page: read(page_file(language)),
        })
    }

    /// English. A program that uses no other language does not contain the files of the others.
    pub fn english() -> &'static Words {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| Words {
            language: Language::English,
            terminal: read(ENGLISH),
            page: Texts::new(),
        })
    }

    /// The language.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// The text of a key; `None` if the language has none, as English for names.
    pub fn find(&self, key: &str) -> Option<&str> {
        self.terminal.get(key).or_else(|| self.page.get(key)).map(String::as_str)
    }

    /// The text of a key. Without one in this language it is English.
    pub fn text<'a>(&'a self, key: &'a str) -> &'a str {
        let english = || Words::english().terminal.get(key).map(String::as_str);
        self.find(key).or_else(english).unwrap_or(key)
    }

    /// The name of a thing, such as `club` in the group `level`; in English the given one.
    pub fn name<'a>(&'a self, group: &str, name: &str, english: &'a str) -> &'a str {
        self.find(&format!("{group}.{name}")).unwrap_or(english)
    }

    /// The text of a key with its places filled. See [`say!`].
    pub fn fill(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        self.fill_text(self.text(key), values)
    }

    /// A text of these words with its places filled. A place without a value stays.
    pub fn fill_text(&self, text: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, place)) = rest.split_once('{') {
            filled += before;
            let Some(end) = closing_brace(place) else {
                filled.push('{');
                rest = place;
                continue;
            };
            let (inner, after) = (&place[..end], &place[end + 1..]);
            let (name, forms) = match inner.split_once(", plural,") {
                Some((name, forms)) => (name, Some(forms)),
                None => (inner, None),
            };
            match (values.iter().find(|(it, _)| *it == name), forms) {
                (Some((_, value)), None) => filled += &value.to_string(),
                (Some((_, value)), Some(forms)) => {
                    let value = value.to_string();
                    filled += &self.plural_form(forms, &value).replace('#', &value);
                }
                (None, _) => filled += &format!("{{{inner}}}"),
            }
            rest = after;
        }
        filled + rest
    }

    /// The form of a number, or the last form if its category has none.
    fn plural_form<'a>(&self, forms: &'a str, number: &str) -> &'a str {
        let category = number.parse().map_or("other", |number| self.language.plural(number));
        let mut rest = forms;
        let mut last = "#";
        while let Some((name, form)) = rest.split_once('{') {
            let Some((form, after)) = form.split_once('}') else { break };
            if name.trim() == category {
                return form;
            }
            (last, rest) = (form, after);
        }
        last
    }
}

/// The index of the brace that closes a place whose opening brace was read.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// The text of a key with values: `say!(words, "play.moves", moves = list)`.
#[macro_export]
macro_rules! say {
    ($words:expr, $key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $words.fill($key, &[$((stringify!($name), &$value as &dyn ::std::fmt::Display)),*])
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names of the places of a text.
    fn places(text: &str) -> BTreeSet<&str> {
        let names = text.split('{').skip(1).filter_map(|rest| rest.split(['}', ',']).next());
        names.filter(|name| name.bytes().all(|it| it.is_ascii_lowercase())).collect()
    }

    #[test]
    fn every_language_has_the_sentences_of_the_terminal() {
        let english = read(ENGLISH);
        for language in Language::ALL {
            let words = Words::of(language);
            for (key, text) in &english {
                let own = words.find(key).unwrap_or_else(|| panic!("{language} lacks {key}"));
                assert!(!own.trim().is_empty(), "{language} {key}");
                assert_eq!(places(own), places(text), "{language} {key}: {own}");
            }
        }
    }

    #[test]
    fn sentences_of_the_terminal_differ_from_those_of_the_page() {
        let others = Language::ALL.into_iter().filter(|&it| it != Language::English);
        for language in others {
            let page = read(page_file(language));
            for (key, text) in read(terminal_file(language)) {
                assert_ne!(page.get(&key), Some(&text), "{language} {key} is in both files");
            }
        }
    }

    #[test]
    fn fill_replaces_places_and_plurals() {
        let words = Words::english();
        let of = |text: &str, n: u64| words.fill_text(text, &[("n", &n), ("a", &"{n} $1")]);
        let text = "{a}: {n, plural, one {# ply} other {# plies}}, {b}!";
        assert_eq!(of(text, 1), "{n} $1: 1 ply, {b}!");
        assert_eq!(of(text, 21), "{n} $1: 21 plies, {b}!");
        assert_eq!(of("{n, plural, other {#手}}", 1), "1手");
        assert_eq!(of("open {", 1), "open {");
        let russian = Words::of(Language::Russian);
        let text = "{n, plural, one {# ход} few {# хода} other {# ходов}}";
        let plies = [1_u64, 3, 5, 21].map(|n| russian.fill_text(text, &[("n", &n)]));
        assert_eq!(plies, ["1 ход", "3 хода", "5 ходов", "21 ход"]);
    }

    #[test]
    fn names_are_those_of_the_page_except_in_english() {
        assert_eq!(Words::english().name("level", "club", "level:club"), "level:club");
        assert_eq!(Words::of(Language::Czech).name("level", "club", "level:club"), "Pokročilý");
        assert_eq!(Words::of(Language::Czech).name("level", "no such", "x"), "x");
        assert_eq!(Words::english().text("no such key"), "no such key");
    }
}
