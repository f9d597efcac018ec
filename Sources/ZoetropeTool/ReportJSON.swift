import Foundation

/// The encoding of reports as JSON, with sorted keys and unescaped slashes.
enum ReportJSON {
    /// Returns JSON on one line.
    static func line(_ value: some Encodable) throws(ToolFailure) -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }
    /// Returns indented JSON.
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
            throw ToolFailure(.failed, "Can't write the report as JSON: \(error). Please report this as a bug.")
        }
    }
}

/// A value of a report whose key is always present: nil is encoded as null. The `encode(to:)` that the compiler makes
/// would omit the key.
@propertyWrapper
struct OrNull<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Double {
    /// The value for reports, rounded to three places; 0 for infinity and NaN, which JSON can't represent.
    var inThousandths: Double { isFinite ? (self * 1000).rounded() / 1000 : 0 }
}
