import Foundation

extension String {
    /// A text that is looked up in the app's translations, with values in it. Foundation's type.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        let key: String
        let values: [String]

        /// A text without values.
        public init(_ value: String) { (key, values) = (value, []) }
        /// A text without values.
        public init(stringLiteral value: String) { self.init(value) }
        /// A text with values, each of which stands for `%@` (numbers: `%lld`, `%lf`) in the key.
        public init(stringInterpolation: StringInterpolation) {
            (key, values) = (stringInterpolation.key, stringInterpolation.values)
        }

        /// What a literal with values is made into.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var values: [String] = []
            /// Makes an empty text.
            public init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }
            /// Adds characters as they are; `%` becomes `%%` in the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }
            private mutating func append(_ mark: String, _ value: String) {
                key += mark
                values.append(value)
            }
            /// Adds a whole number: `%lld` in the key.
            public mutating func appendInterpolation(_ value: some BinaryInteger) { append("%lld", "\(value)") }
            /// Adds a number: `%lf` in the key, written as `String(format:)` does.
            public mutating func appendInterpolation(_ value: Double) {
                append("%lf", String(format: "%f", value))
            }
            /// Adds a number: `%f` in the key.
            public mutating func appendInterpolation(_ value: Float) { append("%f", String(format: "%f", value)) }
            /// Adds a text: `%@` in the key.
            public mutating func appendInterpolation(_ value: String) { append("%@", value) }
            /// Adds what a value is called: `%@` in the key.
            @_disfavoredOverload public mutating func appendInterpolation<T>(_ value: T) { append("%@", "\(value)") }
        }

        /// The translation with the values in it: in turn, or where it says `%1$@` by its number.
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
                result += values.indices.contains(index) ? values[index] : String(match.output.0)
                rest = rest[match.range.upperBound...]
            }
            return result + rest
        }
    }

    /// The text in the user's language, from the app's string tables; without a translation, the text itself.
    /// - Parameters:
    ///   - table: The name of the string table; nil is `Localizable`.
    ///   - locale: Ignored: a bundle has the user's languages.
    ///   - comment: For translators.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self = keyAndValue.resolved(table, bundle ?? .main)
    }
    /// The text of a resource in the user's language.
    public init(localized resource: LocalizedStringResource) {
        self = resource.value.resolved(resource.table, resource.bundle)
    }
}

/// A text that is looked up when it is shown. Foundation's type.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, @unchecked Sendable {
    // Immutable; a bundle may be used on any thread.
    let value: String.LocalizationValue
    /// The name of the string table; nil is `Localizable`.
    public let table: String?
    let bundle: Bundle
    /// The key that is looked up.
    public var key: String { value.key }

    /// Makes a text that is looked up in a table of a bundle.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle = .main,
        comment: StaticString? = nil
    ) {
        (value, self.table, self.bundle) = (keyAndValue, table, bundle)
    }
    /// Makes a text without values.
    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
    /// Makes a text with values.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
}
