import Foundation

/// How the library's errors become sentences for `LocalizedError`.
package enum ErrorText {
    /// What failed and where, as a sentence.
    package static func description(at location: String, _ reason: String) -> String {
        sentence(location.isEmpty ? reason : "\(location): \(reason)")
    }

    /// Why it failed, as a sentence: a reason that begins with its verb gets the location as its subject.
    package static func reason(at location: String, _ reason: String) -> String {
        let verb = reason.prefix { !$0.isWhitespace }
        guard verbs.contains(String(verb)), !location.isEmpty else { return sentence(capitalized(reason)) }
        // Of a URL or a path the last part is name enough.
        let name = location.split(separator: "/").last.map(String.init) ?? location
        return sentence("“\(name)” \(reason)")
    }

    /// What to do about it, as a sentence; nil if nothing helps.
    package static func suggestion(_ text: String) -> String? { text.isEmpty ? nil : sentence(capitalized(text)) }

    /// With a full stop at its end.
    package static func sentence(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let last = text.last, !".!?…".contains(last) else { return text }
        return text + "."
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static let verbs: Set<String> = [
        "asks", "cannot", "carries", "could", "does", "ended", "ends", "exists", "gave", "gives", "grew", "had", "has",
        "holds", "is", "lasts", "lies", "looks", "may", "must", "names", "needs", "reads", "was", "were",
    ]
}
