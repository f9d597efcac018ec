import Foundation

/// How the library's errors become sentences for `LocalizedError`.
package enum ErrorText {
    /// What failed and why, as a sentence: “Can't open “film.mkv”: the file is empty.” Without a failure the reason
    /// stands alone.
    package static func description(_ failure: String?, _ reason: String) -> String {
        sentence(failure.map { "\($0): \(reason)" } ?? reason)
    }

    /// All that is known of an error, for logs and terminals: what failed, why, and what to do about it.
    package static func whole(_ error: some LocalizedError) -> String {
        [error.errorDescription, error.recoverySuggestion].compactMap { $0 }.joined(separator: " ")
    }

    /// What to do about it, as a sentence; nil if nothing helps.
    package static func suggestion(_ text: String) -> String? { text.isEmpty ? nil : sentence(text) }

    /// With a capital letter at its beginning and a full stop at its end.
    package static func sentence(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let begun = text.prefix(1).uppercased() + text.dropFirst()
        guard let last = begun.last, !".!?…".contains(last) else { return begun }
        return begun + "."
    }
}
