/// A cue's text with its tags, a tree as the specification's cue text rules build it (WebVTT §6.4).
public struct WebVTTText: Sendable, Hashable {
    /// What an element means.
    public enum Tag: Sendable, Hashable {
        /// `<b>`, `<i>` and `<u>`.
        case bold, italic, underline
        /// `<c>`, and what else only carries classes.
        case span
        /// Who speaks.
        case voice(String)
        /// BCP 47 as written; empty: none.
        case language(String)
        /// Text with readings beside it.
        case ruby
        /// A reading; only within `ruby`.
        case rubyText
    }

    /// A piece of the tree.
    public indirect enum Node: Sendable, Hashable {
        /// Words, with character references resolved.
        case text(String)
        /// A tag with its classes (`<c.loud.red>`), and what is in it.
        case element(Tag, classes: [String], children: [Node])
        /// What follows is not said before this moment, nanoseconds of the file's time (karaoke, paint-on captions).
        case timestamp(Int64)
    }

    /// The outermost pieces, in reading order.
    public var nodes: [Node]

    /// A tree that is there already.
    public init(nodes: [Node] = []) { self.nodes = nodes }
    /// Words without a tag; `<` and `&` in them mean themselves.
    public init(plain: String) { nodes = plain.isEmpty ? [] : [.text(plain)] }

    /// The words alone, lines parted by U+000A; readings of ruby are left out.
    public var plain: String { runs.reduce(into: "") { if !$1.isRubyText { $0 += $1.text } } }

    /// A stretch of text that is marked alike.
    public struct Run: Sendable, Hashable {
        /// The words; never parted by a change of marks.
        public var text: String
        /// It lies in a `<b>`.
        public var isBold = false
        /// It lies in an `<i>`.
        public var isItalic = false
        /// It lies in a `<u>`.
        public var isUnderlined = false
        /// Of all elements it lies in, outermost first.
        public var classes: [String] = []
        /// Who speaks, by the innermost `<v>`; nil: nobody is named.
        public var voice: String?
        /// BCP 47, by the innermost `<lang>`; nil: none is named.
        public var language: String?
        /// Which ruby of the cue it belongs to, counted from 0; nil: none.
        public var ruby: Int?
        /// It is a reading, of the runs of the same ruby before it.
        public var isRubyText = false
        /// Not said before, nanoseconds; nil: said at once.
        public var time: Int64?
    }

    /// The tree laid flat.
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

    /// The same with `shift` nanoseconds added to its timestamps.
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
