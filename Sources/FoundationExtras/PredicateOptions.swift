import Foundation

/// The options in brackets after an operator, which change how it compares strings.
struct PredicateOptions: Equatable {
    /// Whether uppercase and lowercase letters are equal (`c`).
    private(set) var ignoresCase = false
    /// Whether letters with and without accents are equal (`d`).
    private(set) var ignoresDiacritics = false
    /// Whether strings are ordered by the rules of the user's language (`l`).
    private var isLocalized = false

    init() {}

    /// Returns nil if a letter is not an option.
    init?(_ letters: String) {
        for letter in letters.lowercased() {
            switch letter {
            case "c": ignoresCase = true
            case "d": ignoresDiacritics = true
            case "l": isLocalized = true
            // The strings are already normalized. The option makes comparisons faster on Apple's platforms.
            case "n": break
            default: return nil
            }
        }
    }

    /// Returns a text in which characters that count as equal are equal.
    func folded(_ text: String) -> String {
        guard ignoresCase || ignoresDiacritics else { return text }
        var options: String.CompareOptions = []
        if ignoresCase { options.insert(.caseInsensitive) }
        if ignoresDiacritics { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil)
    }

    func order(_ a: String, _ b: String) -> ComparisonResult {
        let (a, b) = (folded(a), folded(b))
        if isLocalized { return a.localizedCompare(b) }
        return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
    }
}
