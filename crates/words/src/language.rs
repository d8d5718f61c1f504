//! The languages.

use std::fmt;
use std::str::FromStr;

/// A language that page and terminal speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified characters.
    SimplifiedChinese,
    /// Chinese in traditional characters.
    TraditionalChinese,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
    /// Vietnamese.
    Vietnamese,
    /// Czech.
    Czech,
    /// Russian.
    Russian,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 8] = [
        Language::English,
        Language::SimplifiedChinese,
        Language::TraditionalChinese,
        Language::Japanese,
        Language::Korean,
        Language::Vietnamese,
        Language::Czech,
        Language::Russian,
    ];

    /// `en`, `zh-Hans`, `zh-Hant`, `ja`, `ko`, `vi`, `cs` or `ru`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::SimplifiedChinese => "zh-Hans",
            Language::TraditionalChinese => "zh-Hant",
            Language::Japanese => "ja",
            Language::Korean => "ko",
            Language::Vietnamese => "vi",
            Language::Czech => "cs",
            Language::Russian => "ru",
        }
    }

    /// The language of a tag such as `ja`, `zh-TW` or `ru_RU.UTF-8`; `None` for other languages.
    pub fn of_tag(tag: &str) -> Option<Language> {
        let tag = tag.split(['.', '@']).next().unwrap_or_default();
        let tag = tag.replace('_', "-").to_ascii_lowercase();
        let mut parts = tag.split('-');
        let language = parts.next().unwrap_or_default();
        if language == "zh" {
            // The script decides; without one the region does.
            let parts: Vec<&str> = parts.collect();
            let is_traditional = |part: &&str| ["hant", "tw", "hk", "mo"].contains(part);
            let traditional = !parts.contains(&"hans") && parts.iter().any(is_traditional);
            return Some(match traditional {
                true => Language::TraditionalChinese,
                false => Language::SimplifiedChinese,
            });
        }
        Language::ALL.into_iter().find(|it| it.code() == language)
    }

    /// The language of the system; English if it is not one of Tengen's.
    pub fn of_system() -> Language {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
        let mut values = names.into_iter().filter_map(|name| std::env::var(name).ok());
        let tag = values.find(|value| !value.is_empty()).or_else(of_windows);
        tag.as_deref().map(Language::of_locale).unwrap_or_default()
    }

    /// The language of a locale; English if it is not one of Tengen's, or if text in the locale is
    /// not UTF-8.
    fn of_locale(tag: &str) -> Language {
        let encoding = tag.split('@').next().and_then(|tag| Some(tag.split_once('.')?.1));
        let is_utf8 = |name: &str| ["utf-8", "utf8"].contains(&name.to_ascii_lowercase().as_str());
        match encoding.is_none_or(is_utf8) {
            true => Language::of_tag(tag).unwrap_or_default(),
            false => Language::English,
        }
    }

    /// The category of a whole number in the plural rules of the language (Unicode CLDR).
    pub(crate) const fn plural(self, number: u64) -> &'static str {
        let (ones, tens) = (number % 10, number % 100);
        match self {
            Language::English if number == 1 => "one",
            Language::Czech if number == 1 => "one",
            Language::Czech if 2 <= number && number <= 4 => "few",
            Language::Russian if ones == 1 && tens != 11 => "one",
            Language::Russian if 2 <= ones && ones <= 4 && !(12 <= tens && tens <= 14) => "few",
            Language::Russian => "many",
            _ => "other",
        }
    }
}

/// The language that Windows is set to; other systems have it in the environment.
fn of_windows() -> Option<String> {
    #[cfg(windows)]
    return sys_locale::get_locale();
    #[cfg(not(windows))]
    None
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// An error: the text names no language of Tengen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseLanguageError(String);

impl fmt::Display for ParseLanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes = Language::ALL.map(Language::code).join(", ");
        write!(f, "unknown language {:?} (expected one of {codes})", self.0)
    }
}

impl std::error::Error for ParseLanguageError {}

/// Reads a code or a tag of a system, such as `zh-Hant` or `zh_TW.UTF-8`.
impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Language, ParseLanguageError> {
        Language::of_tag(text.trim()).ok_or_else(|| ParseLanguageError(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_systems_name_languages() {
        for (tag, code) in [
            ("en_US.UTF-8", "en"),
            ("ja_JP.UTF-8", "ja"),
            ("cs", "cs"),
            ("ru_RU.KOI8-R", "ru"),
            ("zh", "zh-Hans"),
            ("zh_CN.GB18030", "zh-Hans"),
            ("zh_TW", "zh-Hant"),
            ("zh-Hant-HK", "zh-Hant"),
            ("zh-Hans-HK", "zh-Hans"),
            ("ZH-HANS-mo", "zh-Hans"),
            ("ko@dict", "ko"),
        ] {
            assert_eq!(Language::of_tag(tag).map(Language::code), Some(code), "{tag}");
        }
        for tag in ["C", "POSIX", "", "de_DE", "japanese"] {
            assert_eq!(Language::of_tag(tag), None, "{tag}");
        }
        let error = "de".parse::<Language>().unwrap_err().to_string();
        assert!(error.starts_with("unknown language \"de\" (expected one of en, zh-Hans,"));
    }

    #[test]
    fn locales_with_another_encoding_are_english() {
        for (locale, code) in [
            ("ru_RU.UTF-8", "ru"),
            ("zh_TW.utf8@stroke", "zh-Hant"),
            ("cs_CZ@custom", "cs"),
            ("ja", "ja"),
            ("ru_RU.KOI8-R", "en"),
            ("zh_CN.GB18030", "en"),
            ("de_DE.UTF-8", "en"),
            ("C", "en"),
        ] {
            assert_eq!(Language::of_locale(locale).code(), code, "{locale}");
        }
    }

    #[test]
    fn plural_follows_the_rules_of_the_language() {
        let of = |language: Language, numbers: &[u64]| {
            numbers.iter().map(|&number| language.plural(number)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(Language::English, &[0, 1, 2, 21]), "other one other other");
        assert_eq!(of(Language::Czech, &[0, 1, 2, 4, 5, 22]), "other one few few other other");
        let russian = "many one few many many many one few";
        assert_eq!(of(Language::Russian, &[0, 1, 3, 5, 11, 13, 21, 104]), russian);
        assert_eq!(of(Language::Japanese, &[0, 1, 2]), "other other other");
    }
}
