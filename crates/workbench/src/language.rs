//! The language of the output for people.

use tengen_words::{Language, Words};

/// The option `--lang`.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct LanguageArgs {
    /// Language of the text: en, zh-Hans, zh-Hant, ja, ko, vi, cs or ru; default: that of the system
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
}

impl LanguageArgs {
    /// The option with this language.
    pub const fn of(language: Language) -> LanguageArgs {
        LanguageArgs { lang: Some(language) }
    }

    /// The words of the language.
    pub fn words(self) -> &'static Words {
        Words::of(self.lang.unwrap_or_else(Language::of_system))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_selects_the_words() {
        let words = LanguageArgs::of(Language::Korean).words();
        assert_eq!(words.language(), Language::Korean);
    }
}
