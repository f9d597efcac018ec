import Foundation

/// What players say to their users: the app's `Localizable.strings` first, then ours in the user's language, then
/// English.
public enum PlayerWords {
    /// - Parameter text: in English.
    public static func localized(_ text: String) -> String { localized(text, languages: languages) }

    /// Codes of the user's languages, dearest first; none where the locale is that of programs.
    package static let languages = languages(ProcessInfo.processInfo.environment)

    static func localized(_ text: String, languages: [String]) -> String {
        let apps = Bundle.main.localizedString(forKey: text, value: text, table: nil)
        guard apps == text else { return apps }
        for language in languages {
            if language == "en" { break }
            if let words = tables[language], let word = words[text] { return word }
        }
        return text
    }
    private static let tables = ["de": germanWords.merging(germanAppWords) { word, _ in word }]

    /// As gettext has it: `LANGUAGE`, a list, counts where the locale of messages is not that of programs (`C`,
    /// `POSIX`).
    static func languages(_ environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        guard code(locale) != nil else { return [] }
        let listed = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { code(String($0)) }
        return listed + [code(locale)].compactMap { $0 }
    }
    /// `de` of `de_AT.UTF-8`.
    private static func code(_ locale: String) -> String? {
        let language = locale.prefix { $0.isLetter }.lowercased()
        return language.isEmpty || ["c", "posix"].contains(language) ? nil : language
    }
}
