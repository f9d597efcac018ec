import Foundation

/// Translations of the texts that players show.
///
/// A text is looked up in the app's `Localizable.strings` first, then in Zoetrope's own translations for the user's
/// languages. A text without a translation stays in English.
public enum PlayerWords {
    /// Returns `text` in the user's language.
    ///
    /// ```swift
    /// Text(PlayerWords.localized("Picture in Picture"))
    /// ```
    ///
    /// - Parameter text: The English text.
    public static func localized(_ text: String) -> String { localized(text, languages: languages) }

    /// Returns `format` in the user's language, with its `%@` replaced by `arguments` in order.
    package static func localized(_ format: String, _ arguments: String...) -> String {
        let parts = localized(format).components(separatedBy: "%@")
        return zip(parts, arguments + Array(repeating: "", count: parts.count)).map { $0 + $1 }.joined()
    }

    /// Returns an error's text with typographic apostrophes for the screen: "can’t" for "can't".
    ///
    /// In a terminal, the same text is printed with plain apostrophes. Names between quotation marks do not change.
    package static func onScreen(_ text: String) -> String {
        let plain = Array(text)
        var shown = plain
        var isQuoted = false
        for (index, character) in plain.enumerated() {
            switch character {
            case "“": isQuoted = true
            case "”": isQuoted = false
            case "'" where !isQuoted && index > 0 && index + 1 < plain.count:
                if plain[index - 1].isLetter, plain[index + 1].isLetter { shown[index] = "’" }
            default: break
            }
        }
        return String(shown)
    }

    /// The codes of the user's languages, preferred first. Empty in the C locale.
    package static let languages = languages(ProcessInfo.processInfo.environment)

    static func localized(_ text: String, languages: [String]) -> String {
        let appTranslation = Bundle.main.localizedString(forKey: text, value: text, table: nil)
        guard appTranslation == text else { return appTranslation }
        for language in languages {
            if language == "en" { break }
            if let translation = catalog(language)?.texts[text] { return translation }
        }
        return text
    }

    /// Returns the translations of Zoetrope's own texts. Each language has a file `LANGUAGE.po` in this folder.
    static func catalog(_ language: String) -> TranslationCatalog? { language == "de" ? german : nil }
    private static let german = TranslationCatalog(PackageResources.de_po)

    /// Returns the user's languages as gettext does: the list in `LANGUAGE` applies unless the locale of messages is
    /// `C` or `POSIX`.
    static func languages(_ environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        guard code(locale) != nil else { return [] }
        let listed = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { code(String($0)) }
        return listed + [code(locale)].compactMap { $0 }
    }
    /// Returns the language of a locale, such as `de` for `de_AT.UTF-8`.
    private static func code(_ locale: String) -> String? {
        let language = locale.prefix { $0.isLetter }.lowercased()
        return language.isEmpty || ["c", "posix"].contains(language) ? nil : language
    }
}
