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
        /// How the line is dashed: here never.
        public struct Pattern: Hashable, Sendable {
            /// A line without gaps; the only pattern there is.
            public static let solid = Pattern()
        }
        /// The colour asked for; of no effect: lines have the colour of the words.
        public let color: Color?
        /// Makes a line; on Linux it is one plain line, whatever the pattern and the colour.
        public init(pattern: Pattern = .solid, color: Color? = nil) { self.color = color }
        /// One plain line.
        public static let single = LineStyle()
    }
}

extension AttributeScopes {
    /// The attributes that a `Text` shows.
    public var swiftUI: SwiftUIAttributes.Type { SwiftUIAttributes.self }

    /// What is said of words in an `AttributedString` for a `Text`.
    public struct SwiftUIAttributes: AttributeScope {
        /// The font of a part.
        public let font: FontAttribute
        /// The colour of a part's letters.
        public let foregroundColor: ForegroundColorAttribute
        /// Points added between letters.
        public let kern: KerningAttribute
        /// A line under a part.
        public let underlineStyle: UnderlineStyleAttribute
        /// A line through a part.
        public let strikethroughStyle: StrikethroughStyleAttribute
        /// The weight of a part's font.
        public let fontWeight: FontWeightAttribute
        /// Whether a part is slanted.
        public let isItalic: ItalicAttribute
        /// Whether a part is set in the monospaced design, as Markdown's code is.
        public let isCode: CodeAttribute
        /// Foundation's attributes, `link` among them.
        public let foundation: AttributeScopes.FoundationAttributes

        /// The font of a part, as a key.
        public enum FontAttribute: AttributedStringKey {
            /// A font.
            public typealias Value = Font
            /// The attribute's name where it is written down.
            public static let name = "SwiftUI.Font"
        }
        /// The colour of a part's letters, as a key.
        public enum ForegroundColorAttribute: AttributedStringKey {
            /// A colour.
            public typealias Value = Color
            /// The attribute's name where it is written down.
            public static let name = "SwiftUI.ForegroundColor"
        }
        /// Points.
        public enum KerningAttribute: AttributedStringKey {
            /// A distance in points.
            public typealias Value = CGFloat
            /// The attribute's name where it is written down.
            public static let name = "SwiftUI.Kern"
        }
        /// A line under a part, as a key.
        public enum UnderlineStyleAttribute: AttributedStringKey {
            /// How the line looks.
            public typealias Value = Text.LineStyle
            /// The attribute's name where it is written down.
            public static let name = "SwiftUI.UnderlineStyle"
        }
        /// A line through a part, as a key.
        public enum StrikethroughStyleAttribute: AttributedStringKey {
            /// How the line looks.
            public typealias Value = Text.LineStyle
            /// The attribute's name where it is written down.
            public static let name = "SwiftUI.StrikethroughStyle"
        }
        // What Markdown says, which Foundation has no attribute for on Linux.
        /// The weight of a part's font, as a key.
        public enum FontWeightAttribute: AttributedStringKey {
            /// A weight.
            public typealias Value = Font.Weight
            /// The attribute's name where it is written down; not one of Apple's.
            public static let name = "Zoetrope.FontWeight"
        }
        /// Whether a part is slanted, as a key.
        public enum ItalicAttribute: AttributedStringKey {
            /// True where it is.
            public typealias Value = Bool
            /// The attribute's name where it is written down; not one of Apple's.
            public static let name = "Zoetrope.Italic"
        }
        /// Whether a part is set in the monospaced design, as a key.
        public enum CodeAttribute: AttributedStringKey {
            /// True where it is.
            public typealias Value = Bool
            /// The attribute's name where it is written down; not one of Apple's.
            public static let name = "Zoetrope.Code"
        }
    }
}

extension AttributeDynamicLookup {
    /// Finds an attribute of `Text` by its name: `string.foregroundColor`.
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
