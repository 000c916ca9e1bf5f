//! Plural categories by name. The rules themselves are CLDR's, from outside: natively the crate
//! `intl_pluralrules`, in the browser `Intl.PluralRules`.

/// A CLDR plural category that Russian or English uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// `one`: «1 письмо», "1 letter".
    One,
    /// `few`: «2 письма».
    Few,
    /// `many`: «5 писем».
    Many,
    /// `other`: "5 letters".
    Other,
}

impl Category {
    /// Its CLDR name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Few => "few",
            Self::Many => "many",
            Self::Other => "other",
        }
    }

    /// The category that `Intl.PluralRules.select` names; what is unknown is `other`.
    pub fn from_code(code: &str) -> Self {
        let known = [Self::One, Self::Few, Self::Many];
        known.into_iter().find(|category| category.code() == code).unwrap_or(Self::Other)
    }
}

/// The category of a whole number by `intl_pluralrules`.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn native(lang: super::Lang, n: i64) -> Category {
    use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
    use unic_langid::LanguageIdentifier;

    let rules = lang
        .code()
        .parse::<LanguageIdentifier>()
        .ok()
        .and_then(|id| PluralRules::create(id, PluralRuleType::CARDINAL).ok());
    match rules.and_then(|rules| rules.select(n.unsigned_abs()).ok()) {
        Some(PluralCategory::ONE) => Category::One,
        Some(PluralCategory::FEW) => Category::Few,
        Some(PluralCategory::MANY) => Category::Many,
        _ => Category::Other,
    }
}
