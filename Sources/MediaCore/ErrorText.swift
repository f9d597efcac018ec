import Foundation

/// A namespace for formatting errors as sentences for `LocalizedError`.
package enum ErrorText {
    /// Returns a sentence with the failure and its cause, such as “Can't open “film.mkv”: the file is empty.” Without a
    /// failure, the sentence is only the cause.
    package static func description(_ failure: String?, _ reason: String) -> String {
        sentence(failure.map { "\($0): \(reason)" } ?? reason)
    }

    /// Returns the failure, its cause and the remedy, for logs and terminals.
    package static func whole(_ error: some LocalizedError) -> String {
        [error.errorDescription, error.recoverySuggestion].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns the remedy as a sentence, or nil if it is empty.
    package static func suggestion(_ text: String) -> String? { text.isEmpty ? nil : sentence(text) }

    /// Returns the text with an initial capital letter and a full stop at its end.
    package static func sentence(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let capitalized = text.prefix(1).uppercased() + text.dropFirst()
        guard let last = capitalized.last, !".!?…".contains(last) else { return capitalized }
        return capitalized + "."
    }
}
