/// A cue's text with its tags, as a tree built by the specification's rules for cue text (WebVTT §6.4).
public struct WebVTTText: Sendable, Hashable {
    /// The meaning of an element.
    public enum Tag: Sendable, Hashable {
        /// Formatted text: `<b>`, `<i>` and `<u>`.
        case bold, italic, underline
        /// An element that only has classes, such as `<c>`.
        case span
        /// The name of the speaker, or an empty string for none.
        case voice(String)
        /// The language tag as written (BCP 47), or an empty string for none.
        case language(String)
        /// Text with ruby annotations.
        case ruby
        /// A ruby annotation, which occurs only within `ruby`.
        case rubyText
    }

    /// A node of the tree.
    public indirect enum Node: Sendable, Hashable {
        /// Text, with character references replaced.
        case text(String)
        /// A tag with its classes (`<c.loud.red>`) and children.
        case element(Tag, classes: [String], children: [Node])
        /// The time in nanoseconds from which the following text is displayed (karaoke, paint-on captions). It is on
        /// the same clock as the cue's start.
        case timestamp(Int64)
    }

    /// The outermost nodes, in reading order.
    public var nodes: [Node]

    /// Creates a text from a tree.
    public init(nodes: [Node] = []) { self.nodes = nodes }
    /// Creates a text without tags. `<` and `&` are ordinary characters.
    public init(plain: String) { nodes = plain.isEmpty ? [] : [.text(plain)] }

    /// The text without tags and ruby annotations. Lines are separated by U+000A.
    public var plain: String { runs.reduce(into: "") { if !$1.isRubyText { $0 += $1.text } } }

    /// A piece of text with uniform formatting.
    public struct Run: Sendable, Hashable {
        /// The text of the run.
        public var text: String
        /// Whether the run is inside a `<b>` element.
        public var isBold = false
        /// Whether the run is inside an `<i>` element.
        public var isItalic = false
        /// Whether the run is inside a `<u>` element.
        public var isUnderlined = false
        /// The classes of all surrounding elements, the outermost first.
        public var classes: [String] = []
        /// The speaker from the innermost `<v>` element, or nil if there is none.
        public var voice: String?
        /// The language (BCP 47) from the innermost `<lang>` element, or nil if there is none.
        public var language: String?
        /// The index, from 0, of the cue's ruby element that contains the run, or nil if there is none.
        public var ruby: Int?
        /// Whether the run is the annotation of the runs before it in the same ruby element.
        public var isRubyText = false
        /// The time from which the run is displayed in nanoseconds, on the same clock as the cue's start. It is nil if
        /// the run is displayed with the cue.
        public var time: Int64?
    }

    /// The tree as a list of runs, in reading order.
    ///
    /// ```swift
    /// for run in cue.text.runs {
    ///     if let voice = run.voice { print("\(voice):", terminator: " ") }
    ///     print(run.text)
    /// }
    /// ```
    public var runs: [Run] {
        var runs: [Run] = []
        var rubies = 0
        var time: Int64?
        func walk(_ nodes: [Node], _ style: Run) {
            for node in nodes {
                switch node {
                case .text(let text):
                    var run = style
                    run.text = text
                    run.time = time
                    runs.append(run)
                case .timestamp(let moment): time = moment
                case .element(let tag, let classes, let children):
                    var inner = style
                    inner.classes += classes
                    switch tag {
                    case .bold: inner.isBold = true
                    case .italic: inner.isItalic = true
                    case .underline: inner.isUnderlined = true
                    case .span: break
                    case .voice(let name): inner.voice = name
                    case .language(let tag): inner.language = tag.isEmpty ? nil : tag
                    case .ruby:
                        inner.ruby = rubies
                        rubies += 1
                    case .rubyText: inner.isRubyText = true
                    }
                    walk(children, inner)
                }
            }
        }
        walk(nodes, Run(text: ""))
        return runs
    }

    /// Returns the text with `shift` nanoseconds added to its timestamps.
    package func shifted(by shift: Int64) -> WebVTTText {
        func move(_ nodes: [Node]) -> [Node] {
            nodes.map { node in
                switch node {
                case .text: node
                case .timestamp(let moment): .timestamp(moment &+ shift)
                case .element(let tag, let classes, let children):
                    .element(tag, classes: classes, children: move(children))
                }
            }
        }
        return WebVTTText(nodes: move(nodes))
    }
}
