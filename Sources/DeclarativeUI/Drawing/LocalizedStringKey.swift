import Foundation

/// A key for a text that may be translated, with interpolated values and Markdown. Same API as in SwiftUI.
///
/// ```swift
/// struct Heading: View {
///     let title: LocalizedStringKey
///
///     var body: some View { Text(title).font(.title2).bold() }
/// }
/// ```
/// Markdown (bold, italic, strikethrough, code, links) applies to the literal. Interpolated values are shown unchanged.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    /// An interpolated value.
    enum Value: Equatable, Sendable {
        case plain(String)
        case runs([Text.Run])
        var string: String {
            switch self {
            case .plain(let text): text
            case .runs(let runs): runs.map(\.text).joined()
            }
        }
    }
    let key: String
    let values: [Value]
    /// Creates a key without values.
    public init(_ value: String) {
        key = value
        values = []
    }
    /// Creates a key from a literal without values.
    public init(stringLiteral value: String) { self.init(value) }
    /// Creates a key from a literal with values. Each value appears in the key as `%@`.
    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        values = stringInterpolation.values
    }

    /// The parts of a literal with values. The compiler calls its methods.
    public struct StringInterpolation: StringInterpolationProtocol {
        var key = "", values: [Value] = []
        /// Creates an empty literal. The counts have no effect.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        private mutating func append(_ value: Value) {
            key += "%@"
            values.append(value)
        }
        /// Adds plain characters. A `%` in them is doubled in the key.
        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }
        /// Adds a value by its description.
        public mutating func appendInterpolation<T>(_ value: T) { append(.plain("\(value)")) }
        /// Adds a formatted value.
        /// - Parameter specifier: A format as in `String(format:)`, for example "%.2f".
        public mutating func appendInterpolation<T: CVarArg>(_ value: T, specifier: String) {
            append(.plain(String(format: specifier, value)))
        }
        /// Adds a value as its formatter shows it.
        /// - Parameter formatter: The formatter. A value for which it returns nil is added by its description.
        public mutating func appendInterpolation<T>(_ value: T, formatter: Formatter?) {
            append(.plain(formatter?.string(for: value) ?? "\(value)"))
        }
        /// Adds a value in the given format.
        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatInput: Equatable, F.FormatOutput == String {
            append(.plain(format.format(input)))
        }
        /// Adds a text with its attributes.
        public mutating func appendInterpolation(_ text: Text) { append(.runs(text.runs)) }
        /// Adds an attributed string with its attributes.
        @_disfavoredOverload public mutating func appendInterpolation(_ attributedString: AttributedString) {
            append(.runs(Text(attributedString).runs))
        }
        /// Adds a date that is updated while visible.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            append(.runs(Text(date, style: style).runs))
        }
        /// Adds the range of two dates, as `Text(_:)` shows it.
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) { append(.runs(Text(dates).runs)) }
        /// Adds a timer, as `Text(timerInterval:pauseTime:countsDown:showsHours:)` shows it. The timer is updated while
        /// visible.
        public mutating func appendInterpolation(
            timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true, showsHours: Bool = true
        ) {
            append(
                .runs(
                    Text(
                        timerInterval: timerInterval, pauseTime: pauseTime, countsDown: countsDown,
                        showsHours: showsHours
                    ).runs))
        }
    }

    /// Returns the text as plain characters. Markdown is not applied.
    func resolved(_ table: String?, _ bundle: Bundle?) -> String {
        filled(format(table, bundle)) { values[$0].string }
    }

    /// Returns the runs of the text with Markdown applied.
    func runs(_ table: String?, _ bundle: Bundle?) -> [Text.Run] {
        let format = format(table, bundle)
        let marks = Marks(values, notIn: format)
        let text = filled(format, marks.mark)
        if values.isEmpty, Markdown.isPlain(text) { return [Text.Run(text: text)] }
        let runs = Markdown.pieces(text).flatMap { piece -> [Text.Run] in
            var run = Text.Run(text: "")
            if piece.isBold { run.weight = .bold }
            run.isItalic = piece.isItalic
            run.isStruck = piece.isStruck
            run.isMonospaced = piece.isCode
            // URLs of links may contain values, too.
            run.link = piece.link.map(marks.fill).flatMap { URL(string: $0) }
            return marks.fill(piece.text, run)
        }
        return runs.isEmpty ? [Text.Run(text: "")] : runs
    }

    /// Returns the format of the string table, or else the key.
    private func format(_ table: String?, _ bundle: Bundle?) -> String {
        (bundle ?? .main).localizedString(forKey: key, value: key, table: table)
    }

    /// Returns a format with its placeholders replaced: `%@` in order, and `%1$@` by number.
    private func filled(_ format: String, _ value: (Int) -> String) -> String {
        guard format.contains("%") else { return format }
        if values.isEmpty { return format.replacingOccurrences(of: "%%", with: "%") }
        var result = ""
        var next = 0
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.hasPrefix("%") {
                result += "%"
                rest = rest.dropFirst()
            } else if rest.hasPrefix("@") {
                result += next < values.count ? value(next) : ""
                next += 1
                rest = rest.dropFirst()
            } else if let dollar = rest.firstIndex(of: "$"), let number = Int(rest[..<dollar]), number >= 1,
                number <= values.count,
                rest[rest.index(after: dollar)...].hasPrefix("@")
            {
                result += value(number - 1)
                rest = rest[rest.index(dollar, offsetBy: 2)...]
            } else {
                result += "%"
            }
        }
        return result + rest
    }
}

/// The characters that replace the values of a text while Markdown is parsed.
private struct Marks {
    private let values: [LocalizedStringKey.Value]
    /// The first of successive private-use characters, one for each value.
    private let first: UInt32

    /// Chooses characters that `format` does not contain. Icon fonts use private-use characters, too.
    init(_ values: [LocalizedStringKey.Value], notIn format: String) {
        self.values = values
        let start: UInt32 = 0xF0000
        var first = start
        for used in format.unicodeScalars.map(\.value).filter({ $0 >= start }).sorted() where used >= first {
            if Int(used - first) >= values.count { break }
            first = used + 1
        }
        self.first = first
    }

    func mark(_ index: Int) -> String {
        Unicode.Scalar(first + UInt32(clamping: index)).map { String(Character($0)) } ?? ""
    }
    private func value(_ scalar: Unicode.Scalar) -> LocalizedStringKey.Value? {
        guard scalar.value >= first, Int(scalar.value - first) < values.count else { return nil }
        return values[Int(scalar.value - first)]
    }
    func fill(_ text: String) -> String { text.unicodeScalars.map { value($0)?.string ?? String($0) }.joined() }
    func fill(_ text: String, _ look: Text.Run) -> [Text.Run] {
        var all: [Text.Run] = []
        func add(_ text: String) {
            guard !text.isEmpty else { return }
            if let last = all.indices.last, with(all[last], { $0.text = "" }) == look {
                all[last].text += text
            } else {
                all.append(with(look) { $0.text = text })
            }
        }
        var literal = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let value = value(scalar) else {
                literal.append(scalar)
                continue
            }
            add(String(literal))
            literal = String.UnicodeScalarView()
            switch value {
            case .plain(let text): add(text)
            case .runs(let runs): all += runs.map { $0.over(look) }
            }
        }
        add(String(literal))
        return all
    }
}
