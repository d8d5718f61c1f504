//! Consistency of the page: languages and the keys of its texts.

use std::collections::{BTreeMap, BTreeSet};

use tengen_words::Language;

use crate::assets::PAGE;

type Words = BTreeMap<String, String>;

/// The texts of each language by its code.
fn languages() -> BTreeMap<String, Words> {
    let read = |language| {
        serde_json::from_str(tengen_words::page_file(language)).expect("an object of strings")
    };
    Language::ALL.map(|language| (language.to_string(), read(language))).into()
}

/// The names in braces, without the forms of plurals: `{plies, plural, one {# move}}`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split(['}', ',']).next());
    names.filter(|name| !name.starts_with('#')).collect()
}

#[test]
fn languages_have_equal_keys_and_placeholders() {
    let languages = languages();
    assert_eq!(languages.len(), 8);
    let english = &languages["en"];
    for (language, words) in &languages {
        let keys = |words: &Words| words.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(words), keys(english), "{language}");
        for (key, text) in words {
            assert!(!text.trim().is_empty(), "{language} {key}");
            assert_eq!(placeholders(text), placeholders(&english[key]), "{language} {key}");
        }
    }
}

#[test]
fn literal_text_keys_of_the_page_exist() {
    let languages = languages();
    let english = &languages["en"];
    let mut seen = 0;
    for file in PAGE.files() {
        let text = file.contents_utf8().expect("UTF-8");
        for opening in ["t(\"", "data-t=\"", "data-t-label=\"", "\"data-t\": \"", "label: \""] {
            // `t(` may end another word: `closest("a")`.
            let own_word =
                |index: usize| !text[..index].ends_with(|letter: char| letter.is_alphanumeric());
            for (index, _) in text.match_indices(opening).filter(|&(index, _)| own_word(index)) {
                let rest = &text[index + opening.len()..];
                let key = rest.split('"').next().unwrap_or_default();
                assert!(english.contains_key(key), "{}: {key:?}", file.path().display());
                seen += 1;
            }
        }
    }
    assert!(seen > 120, "{seen}");
}
