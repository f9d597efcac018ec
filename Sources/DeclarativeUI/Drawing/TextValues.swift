import Foundation

extension Text {
    /// A value as its format says.
    nonisolated public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String { self.init(verbatim: format.format(input)) }
    /// A value as a formatter says; what it has no words for stands as it is.
    nonisolated public init<Subject>(_ subject: Subject, formatter: Formatter) {
        self.init(verbatim: formatter.string(for: subject) ?? "\(subject)")
    }

    /// A text whose parts have looks of their own: `font`, `foregroundColor`, `kern`, `strikethrough`, `underline` and
    /// `link` of the attributes are shown.
    @_disfavoredOverload nonisolated public init(_ attributedContent: AttributedString) {
        runs = attributedContent.runs.map { run in
            var own = Run(text: String(attributedContent[run.range].characters))
            own.link = run.link
            own.font = run.swiftUI.font
            own.color = run.swiftUI.foregroundColor
            own.weight = run.swiftUI.fontWeight
            own.isItalic = run.swiftUI.isItalic ?? false
            own.isMonospaced = run.swiftUI.isCode ?? false
            own.kerning = run.swiftUI.kern ?? 0
            own.isUnderlined = run.swiftUI.underlineStyle != nil
            own.isStruck = run.swiftUI.strikethroughStyle != nil
            return own
        }
        if runs.isEmpty { runs = [Run(text: "")] }
    }

    /// How a line under or through words looks. SwiftUI's type: on Linux it is one plain line.
    public struct LineStyle: Hashable, Sendable {
        public struct Pattern: Hashable, Sendable {
            public static let solid = Pattern()
        }
        public let color: Color?
        public init(pattern: Pattern = .solid, color: Color? = nil) { self.color = color }
        public static let single = LineStyle()
    }
}

extension AttributeScopes {
    public var swiftUI: SwiftUIAttributes.Type { SwiftUIAttributes.self }

    /// What is said of words in an `AttributedString` for a `Text`.
    public struct SwiftUIAttributes: AttributeScope {
        public let font: FontAttribute
        public let foregroundColor: ForegroundColorAttribute
        public let kern: KerningAttribute
        public let underlineStyle: UnderlineStyleAttribute
        public let strikethroughStyle: StrikethroughStyleAttribute
        public let fontWeight: FontWeightAttribute
        public let isItalic: ItalicAttribute
        public let isCode: CodeAttribute
        public let foundation: AttributeScopes.FoundationAttributes

        public enum FontAttribute: AttributedStringKey {
            public typealias Value = Font
            public static let name = "SwiftUI.Font"
        }
        public enum ForegroundColorAttribute: AttributedStringKey {
            public typealias Value = Color
            public static let name = "SwiftUI.ForegroundColor"
        }
        /// Points.
        public enum KerningAttribute: AttributedStringKey {
            public typealias Value = CGFloat
            public static let name = "SwiftUI.Kern"
        }
        public enum UnderlineStyleAttribute: AttributedStringKey {
            public typealias Value = Text.LineStyle
            public static let name = "SwiftUI.UnderlineStyle"
        }
        public enum StrikethroughStyleAttribute: AttributedStringKey {
            public typealias Value = Text.LineStyle
            public static let name = "SwiftUI.StrikethroughStyle"
        }
        // What Markdown says, which Foundation has no attribute for on Linux.
        public enum FontWeightAttribute: AttributedStringKey {
            public typealias Value = Font.Weight
            public static let name = "Zoetrope.FontWeight"
        }
        public enum ItalicAttribute: AttributedStringKey {
            public typealias Value = Bool
            public static let name = "Zoetrope.Italic"
        }
        public enum CodeAttribute: AttributedStringKey {
            public typealias Value = Bool
            public static let name = "Zoetrope.Code"
        }
    }
}

extension AttributeDynamicLookup {
    public subscript<T: AttributedStringKey>(dynamicMember keyPath: KeyPath<AttributeScopes.SwiftUIAttributes, T>) -> T
    { self[T.self] }
}

extension AttributedString {
    /// Inline Markdown: bold, italic, struck, code and links. Foundation's initialiser is not there on Linux; this one
    /// takes anything for Markdown, and throws nothing.
    public init(markdown: String) throws {
        self.init()
        for piece in Markdown.pieces(markdown) {
            var part = AttributedString(piece.text)
            if piece.isBold { part.swiftUI.fontWeight = .bold }
            if piece.isItalic { part.swiftUI.isItalic = true }
            if piece.isCode { part.swiftUI.isCode = true }
            if piece.isStruck { part.swiftUI.strikethroughStyle = .single }
            if let link = piece.link.flatMap({ URL(string: $0) }) { part.link = link }
            append(part)
        }
    }
}
