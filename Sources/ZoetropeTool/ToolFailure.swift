import ArgumentParser
import Foundation
import MediaCore

/// Why a command failed. Every failure has a message.
struct ToolFailure: Error {
    enum Kind: Equatable {
        /// Exit code 1.
        case failed
        /// Invalid arguments: exit code 64.
        case usage
        /// Ended by a signal: 128 + its number, as in shells.
        case signal(Int32)
    }

    let kind: Kind
    /// Subject, reason and remedy, as sentences; without the program's name.
    let message: String
    /// Whether the command's own report has it already.
    var isReported = false

    init(_ kind: Kind = .failed, _ message: String, isReported: Bool = false) {
        self.kind = kind
        // Parts of a message may come from anywhere: no password may leave the tool.
        self.message = ToolFailure.sentence(
            message.isEmpty
                ? "Unknown error without a message. Please report this as a bug." : Credentials.removed(from: message))
        self.isReported = isReported
    }

    /// Adds a full stop to a text that ends without a punctuation mark.
    static func sentence(_ text: String) -> String {
        guard let last = text.last, last.isLetter || last.isNumber || "`”’'\")%".contains(last) else { return text }
        return text + "."
    }

    /// Converts any error.
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

/// A command of the tool: what it does, and what it reports to programs when it fails.
protocol ToolCommand: ParsableCommand {
    /// Runs the command. A thrown error ends the process, see `ToolFailure.init(_:)`.
    func perform() throws
    /// The JSON object with the key `error` that replaces a requested report on standard output; nil if no report was
    /// requested.
    func report(of failure: ToolFailure) -> String?
}

extension ToolCommand {
    func run() throws { try perform() }

    /// `fields` with `error` as a line of JSON.
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
