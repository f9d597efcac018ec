import ArgumentParser
import Foundation
import MediaCore

/// How a command ends badly. There is no other way, and none without words.
struct ToolFailure: Error {
    enum Kind: Equatable {
        /// Exit code 1.
        case failed
        /// The command line makes no sense: 64.
        case usage
        /// Ended by a signal, in order: 128 + its number, as shells tell it.
        case signal(Int32)
    }

    let kind: Kind
    /// What, where, what to do; without the program's name and a line's end.
    let message: String
    /// The command's own report has told it already.
    var isReported = false

    init(_ kind: Kind = .failed, _ message: String, isReported: Bool = false) {
        self.kind = kind
        // Whatever a message was put together from: no password leaves the tool.
        self.message =
            message.isEmpty ? "it failed and nobody said why; please report this" : Credentials.removed(from: message)
        self.isReported = isReported
    }

    /// Of whatever was thrown.
    init(_ error: any Error) {
        switch error {
        case let failure as ToolFailure: self = failure
        case let error as AVError: self.init(.failed, "\(error)")
        case let error as ValidationError: self.init(.usage, error.message)
        // An exit code alone says nothing to anybody.
        case let code as ExitCode:
            self.init(.failed, "ended with \(code.rawValue) and without a reason; please report this")
        default: self.init(.failed, "\(error)")
        }
    }
}

/// A command of the tool: what it does, and what it tells programs when that fails.
protocol ToolCommand: ParsableCommand {
    /// Does it. What is thrown is what the process ends with, see `ToolFailure.init(_:)`.
    func perform() throws
    /// What stands on standard output in place of the report that was asked for, one JSON object with `error` in it;
    /// nil when none was.
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
