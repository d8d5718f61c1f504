//! Consistency of the page: languages and the keys of its texts.

use std::collections::{BTreeMap, BTreeSet};

use crate::assets::PAGE;

type Words = BTreeMap<String, String>;

/// The texts of each language by the name of its file.
fn languages() -> BTreeMap<String, Words> {
    let folder = PAGE.get_dir("languages").expect("a folder of languages");
    let read = |text| serde_json::from_str(text).expect("an object of strings");
    folder
        .files()
        .map(|file| {
            let name = file.path().file_stem().expect("a name").to_string_lossy().into_owned();
            (name, read(file.contents_utf8().expect("UTF-8")))
        })
        .collect()
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
