import ArgumentParser
import MediaCore

/// The reason why a command failed. Every failure has a message.
struct ToolFailure: Error {
    enum Kind: Equatable {
        /// The command failed. The exit code is 1.
        case failed
        /// The arguments are invalid. The exit code is 64.
        case usage
        /// A signal ended the command. As in shells, the exit code is 128 plus the signal's number.
        case signal(Int32)
    }

    let kind: Kind
    /// The subject, reason and remedy as sentences, without the program's name.
    let message: String
    /// Whether the command's own report already contains the message.
    var isReported = false

    init(_ kind: Kind = .failed, _ message: String, isReported: Bool = false) {
        self.kind = kind
        // Parts of a message may come from any source, and a message must not contain passwords.
        self.message = ToolFailure.sentence(
            message.isEmpty
                ? "Unknown error without a message. Please report this as a bug." : Credentials.removed(from: message))
        self.isReported = isReported
    }

    /// Adds a period to a text that ends without a punctuation mark.
    static func sentence(_ text: String) -> String {
        guard let last = text.last, last.isLetter || last.isNumber || "`”’'\")%".contains(last) else { return text }
        return text + "."
    }

    /// Converts any error to a failure.
    init(_ error: any Error) {
        switch error {
        case let failure as ToolFailure: self = failure
        case let error as AVError: self.init(.failed, "\(error)")
        case let error as ValidationError: self.init(.usage, error.message)
        // An exit code alone is not a message.
        case let code as ExitCode:
            self.init(.failed, "Unknown error \(code.rawValue). Please report this as a bug.")
        default: self.init(.failed, "\(error)")
        }
    }
}

/// A command of the tool, with its action and its report of failures to programs.
protocol ToolCommand: ParsableCommand {
    /// Runs the command. A thrown error ends the process; see `ToolFailure.init(_:)`.
    func perform() throws
    /// Returns the report of a failure that replaces a requested report on standard output.
    /// - Returns: A JSON object with the key `error`; nil if no report was requested.
    func report(of failure: ToolFailure) -> String?
}

extension ToolCommand {
    func run() throws { try perform() }

    /// Returns `fields` and the message, with the key `error`, as a line of JSON.
    static func failureLine(_ failure: ToolFailure, _ fields: [String: any Encodable & Sendable] = [:]) -> String {
        var values = fields.mapValues { JSONValue($0) }
        values["error"] = JSONValue(failure.message)
        return (try? ReportJSON.line(values)) ?? "{\"error\":\"\"}"
    }
}

private struct JSONValue: Encodable {
    private let value: any Encodable
    init(_ value: any Encodable) { self.value = value }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
