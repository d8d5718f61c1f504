//! The page's own consistency: languages, words, files.

use std::collections::{BTreeMap, BTreeSet};

use crate::assets::ASSETS;

type Words = BTreeMap<String, String>;

/// The languages by the path of their file.
fn languages() -> BTreeMap<&'static str, Words> {
    let files = ASSETS.iter().filter(|(path, ..)| path.starts_with("/languages/"));
    let read = |text: &str| serde_json::from_str(text).expect("keys and words");
    files.map(|(path, _, text)| (*path, read(text))).collect()
}

/// The names in braces.
fn slots(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
}

#[test]
fn every_language_says_everything() {
    let languages = languages();
    assert_eq!(languages.len(), 8);
    let english = &languages["/languages/en.json"];
    for (path, words) in &languages {
        let keys = |words: &Words| words.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(words), keys(english), "{path}");
        for (key, text) in words {
            assert!(!text.trim().is_empty(), "{path} {key}");
            assert_eq!(slots(text), slots(&english[key]), "{path} {key}");
        }
    }
}

#[test]
fn every_word_that_the_page_names_at_once_is_known() {
    let languages = languages();
    let english = &languages["/languages/en.json"];
    let mut seen = 0;
    for (path, _, text) in ASSETS.iter().filter(|(path, ..)| !path.ends_with(".json")) {
        for opening in ["t(\"", "data-t=\"", "data-t-label=\"", "\"data-t\": \"", "label: \""] {
            // `t(` may end another word: `closest("a")`.
            let own_word =
                |index: usize| !text[..index].ends_with(|letter: char| letter.is_alphanumeric());
            for (index, _) in text.match_indices(opening).filter(|&(index, _)| own_word(index)) {
                let rest = &text[index + opening.len()..];
                let key = rest.split('"').next().unwrap_or_default();
                assert!(english.contains_key(key), "{path}: {key:?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 120, "{seen}");
}

#[test]
fn every_file_of_the_page_is_served() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
    for part in ["", "/languages"] {
        for entry in std::fs::read_dir(format!("{folder}{part}")).expect("the source") {
            let entry = entry.expect("a file");
            let name = entry.file_name().into_string().expect("plain names");
            let path = format!("{part}/{name}");
            let is_known = ASSETS.iter().any(|(known, ..)| *known == path);
            let is_other = name == "index.html" || entry.path().is_dir();
            assert!(is_known || is_other, "{path} is not in the list of assets");
        }
    }
}
