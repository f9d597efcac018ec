import Foundation

extension Text {
    /// Creates a text view that shows a value in the given format.
    nonisolated public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String { self.init(verbatim: format.format(input)) }
    /// Creates a text view that shows a value as its formatter does. If the formatter returns nil, the text is the
    /// value's description.
    nonisolated public init<Subject>(_ subject: Subject, formatter: Formatter) {
        self.init(verbatim: formatter.string(for: subject) ?? "\(subject)")
    }

    /// Creates a text view from an attributed string.
    ///
    /// The text shows the attributes of `AttributeScopes.SwiftUIAttributes`, and `link`.
    @_disfavoredOverload nonisolated public init(_ attributedContent: AttributedString) {
        runs = attributedContent.runs.map { run in
            var textRun = Run(text: String(attributedContent[run.range].characters))
            textRun.link = run.link
            textRun.font = run.swiftUI.font
            textRun.color = run.swiftUI.foregroundColor
            textRun.weight = run.swiftUI.fontWeight
            textRun.isItalic = run.swiftUI.isItalic ?? false
            textRun.isMonospaced = run.swiftUI.isCode ?? false
            textRun.kerning = run.swiftUI.kern ?? 0
            textRun.isUnderlined = run.swiftUI.underlineStyle != nil
            textRun.isStruck = run.swiftUI.strikethroughStyle != nil
            return textRun
        }
        if runs.isEmpty { runs = [Run(text: "")] }
    }

    /// The look of a line under or through text. Same API as in SwiftUI; on Linux, every style is a plain line.
    public struct LineStyle: Hashable, Sendable {
        /// The dashes of a line. On Linux, lines are never dashed.
        public struct Pattern: Hashable, Sendable {
            /// A line without gaps, the only pattern.
            public static let solid = Pattern()
        }
        /// The requested color. Has no effect: lines have the color of the text.
        public let color: Color?
        /// Creates a style. It is drawn as a plain line for every pattern and color.
        public init(pattern: Pattern = .solid, color: Color? = nil) { self.color = color }
        /// A plain line.
        public static let single = LineStyle()
    }
}

extension AttributeScopes {
    /// The attributes that a `Text` shows.
    public var swiftUI: SwiftUIAttributes.Type { SwiftUIAttributes.self }

    /// The attributes of an `AttributedString` that a `Text` shows.
    public struct SwiftUIAttributes: AttributeScope {
        /// The font of a part.
        public let font: FontAttribute
        /// The color of a part's letters.
        public let foregroundColor: ForegroundColorAttribute
        /// The space added between letters, in points.
        public let kern: KerningAttribute
        /// The line under a part.
        public let underlineStyle: UnderlineStyleAttribute
        /// The line through a part.
        public let strikethroughStyle: StrikethroughStyleAttribute
        /// The weight of a part's font.
        public let fontWeight: FontWeightAttribute
        /// Whether a part is in italics.
        public let isItalic: ItalicAttribute
        /// Whether a part is in the monospaced design, as code in Markdown is.
        public let isCode: CodeAttribute
        /// Foundation's attributes, such as `link`.
        public let foundation: AttributeScopes.FoundationAttributes

        /// The key of the font attribute.
        public enum FontAttribute: AttributedStringKey {
            /// The type of the value, a font.
            public typealias Value = Font
            /// The serialized name of the attribute.
            public static let name = "SwiftUI.Font"
        }
        /// The key of the attribute for the color of letters.
        public enum ForegroundColorAttribute: AttributedStringKey {
            /// The type of the value, a color.
            public typealias Value = Color
            /// The serialized name of the attribute.
            public static let name = "SwiftUI.ForegroundColor"
        }
        /// The key of the attribute for the space between letters.
        public enum KerningAttribute: AttributedStringKey {
            /// The type of the value, a length in points.
            public typealias Value = CGFloat
            /// The serialized name of the attribute.
            public static let name = "SwiftUI.Kern"
        }
        /// The key of the attribute for a line under a part.
        public enum UnderlineStyleAttribute: AttributedStringKey {
            /// The type of the value, the look of the line.
            public typealias Value = Text.LineStyle
            /// The serialized name of the attribute.
            public static let name = "SwiftUI.UnderlineStyle"
        }
        /// The key of the attribute for a line through a part.
        public enum StrikethroughStyleAttribute: AttributedStringKey {
            /// The type of the value, the look of the line.
            public typealias Value = Text.LineStyle
            /// The serialized name of the attribute.
            public static let name = "SwiftUI.StrikethroughStyle"
        }
        // Foundation on Linux has no attributes for Markdown's styles, so the next ones are Zoetrope's own.
        /// The key of the attribute for the weight of a font.
        public enum FontWeightAttribute: AttributedStringKey {
            /// The type of the value, a weight.
            public typealias Value = Font.Weight
            /// The serialized name of the attribute, which Apple's SwiftUI lacks.
            public static let name = "Zoetrope.FontWeight"
        }
        /// The key of the attribute for italics.
        public enum ItalicAttribute: AttributedStringKey {
            /// The type of the value: true for italics.
            public typealias Value = Bool
            /// The serialized name of the attribute, which Apple's SwiftUI lacks.
            public static let name = "Zoetrope.Italic"
        }
        /// The key of the attribute for the monospaced design.
        public enum CodeAttribute: AttributedStringKey {
            /// The type of the value: true for the monospaced design.
            public typealias Value = Bool
            /// The serialized name of the attribute, which Apple's SwiftUI lacks.
            public static let name = "Zoetrope.Code"
        }
    }
}

extension AttributeDynamicLookup {
    /// Returns a text attribute by its name, as in `string.foregroundColor`.
    public subscript<T: AttributedStringKey>(dynamicMember keyPath: KeyPath<AttributeScopes.SwiftUIAttributes, T>) -> T
    { self[T.self] }
}

extension AttributedString {
    /// Creates a string from inline Markdown: bold, italic, strikethrough, code and links.
    ///
    /// Foundation on Linux lacks this initializer. This one accepts any text and never throws.
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
