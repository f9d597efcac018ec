import Foundation

extension String {
    /// A localizable text with values, which is looked up in the app's translations. Corresponds to Foundation's type.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        let key: String
        let values: [String]

        /// Creates a text without values.
        public init(_ value: String) { (key, values) = (value, []) }
        /// Creates a text without values.
        public init(stringLiteral value: String) { self.init(value) }
        /// Creates a text with values. In its key, each value is replaced by `%@`, or by `%lld`, `%lf` or `%f` for a
        /// number.
        public init(stringInterpolation: StringInterpolation) {
            (key, values) = (stringInterpolation.key, stringInterpolation.values)
        }

        /// The builder for a string literal with values.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var values: [String] = []
            /// Creates an empty text.
            public init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }
            /// Appends literal characters. `%` becomes `%%` in the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }
            private mutating func append(_ specifier: String, _ value: String) {
                key += specifier
                values.append(value)
            }
            /// Appends an integer, which is `%lld` in the key.
            public mutating func appendInterpolation(_ value: some BinaryInteger) { append("%lld", "\(value)") }
            /// Appends a number, which is `%lf` in the key, formatted like `%f` of `String(format:)`.
            public mutating func appendInterpolation(_ value: Double) {
                append("%lf", String(format: "%f", value))
            }
            /// Appends a number, which is `%f` in the key, formatted like `%f` of `String(format:)`.
            public mutating func appendInterpolation(_ value: Float) { append("%f", String(format: "%f", value)) }
            /// Appends a string, which is `%@` in the key.
            public mutating func appendInterpolation(_ value: String) { append("%@", value) }
            /// Appends the description of a value, which is `%@` in the key.
            @_disfavoredOverload public mutating func appendInterpolation<T>(_ value: T) { append("%@", "\(value)") }
        }

        /// Returns the translation with the values inserted in order, or by number where the translation has one
        /// (`%1$@`). A specifier without a value stays as it is.
        func resolved(_ table: String?, _ bundle: Bundle) -> String {
            let format = bundle.localizedString(forKey: key, value: key, table: table)
            var result = ""
            var next = 0
            var rest = Substring(format)
            while let percent = rest.firstIndex(of: "%") {
                result += rest[..<percent]
                rest = rest[rest.index(after: percent)...]
                if rest.first == "%" {
                    result += "%"
                    rest = rest.dropFirst()
                    continue
                }
                guard
                    let match = rest.prefixMatch(
                        of: #/(?:(\d+)\$)?[-+ 0#]*\d*(?:\.\d+)?(?:ll|l|h|q)?[@dDiuUxXofeEgGsc]/#)
                else {
                    result += "%"
                    continue
                }
                let index = match.output.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
                if match.output.1 == nil { next += 1 }
                result += values.indices.contains(index) ? values[index] : "%" + match.output.0
                rest = rest[match.range.upperBound...]
            }
            return result + rest
        }
    }

    /// Creates the text in the user's language, from the app's string tables. Without a translation, the result is the
    /// text itself.
    /// - Parameters:
    ///   - keyAndValue: The text, which is also the key of the translation.
    ///   - table: The name of the string table. Nil means `Localizable`.
    ///   - bundle: The bundle with the string table. Nil means the main bundle.
    ///   - locale: No effect. The bundle determines the user's languages.
    ///   - comment: A note for translators.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self = keyAndValue.resolved(table, bundle ?? .main)
    }
    /// Creates the text of a resource in the user's language.
    public init(localized resource: LocalizedStringResource) {
        self = resource.value.resolved(resource.table, resource.bundle)
    }
}

/// A text that is translated when it is displayed. Corresponds to Foundation's type.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, @unchecked Sendable {
    // The type is unchecked because of `bundle`. All values are immutable, and a bundle may be used on any thread.
    let value: String.LocalizationValue
    /// The name of the string table. Nil means `Localizable`.
    public let table: String?
    let bundle: Bundle
    /// The key of the translation.
    public var key: String { value.key }

    /// Creates a text that is looked up in a string table of a bundle.
    /// - Parameters:
    ///   - keyAndValue: The text, which is also the key of the translation.
    ///   - table: The name of the string table. Nil means `Localizable`.
    ///   - bundle: The bundle with the string table.
    ///   - comment: A note for translators.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle = .main,
        comment: StaticString? = nil
    ) {
        (value, self.table, self.bundle) = (keyAndValue, table, bundle)
    }
    /// Creates a text without values.
    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
    /// Creates a text with values.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
}
