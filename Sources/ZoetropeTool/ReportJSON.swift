import Foundation

/// How the tool writes JSON for programs: keys in order of the alphabet, slashes as they are.
enum ReportJSON {
    /// On one line.
    static func line(_ value: some Encodable) throws(ToolFailure) -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }
    /// Indented.
    static func pretty(_ value: some Encodable) throws(ToolFailure) -> String {
        try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting)
        throws(ToolFailure) -> String
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw ToolFailure(.failed, "the report cannot be written as JSON: \(error)")
        }
    }
}

extension Double {
    /// As reports tell it: to three places; what is not finite, which JSON cannot say, as 0.
    var inThousandths: Double { isFinite ? (self * 1000).rounded() / 1000 : 0 }
}
