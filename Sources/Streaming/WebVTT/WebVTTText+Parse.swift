extension WebVTTText {
    /// The maximum depth of nested elements. Deeper elements contribute only their text.
    private static let deepest = 32

    /// The maximum length of a cue's text in bytes, about thirty full screens. The rest is left out.
    package static let longest = 16 << 10

    /// Parses a cue's text by the rules of WebVTT §6.4. Every text is valid, and unknown tags are ignored.
    init(parsing whole: ArraySlice<UInt8>) {
        var text = whole.prefix(WebVTTText.longest)
        // The text is not cut within the bytes of a character (10xxxxxx).
        if text.count < whole.count {
            while let last = text.last, whole[text.endIndex] & 0xC0 == 0x80, last & 0x80 != 0 { text.removeLast() }
        }
        var builder = Builder()
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == 0x3C else {  // start of a tag: <
                let end = text[index...].firstIndex(of: 0x3C) ?? text.endIndex
                builder.add(text: CharacterReferences.decode(text[index..<end]))
                index = end
                continue
            }
            // A tag without an end contains the rest of the text.
            let end = text[index...].firstIndex(of: 0x3E) ?? text.endIndex
            builder.add(tag: text[(index + 1)..<end])
            index = end < text.endIndex ? end + 1 : end
        }
        nodes = builder.finish()
    }

    private struct Builder {
        private struct Open {
            var name: String
            var tag: Tag?
            var classes: [String] = []
            var children: [Node] = []
        }
        private var stack = [Open(name: "")]
        /// The names of open elements beyond the maximum depth.
        private var tooDeep: [String] = []

        mutating func add(text: String) {
            if !text.isEmpty { append(.text(text)) }
        }

        private mutating func append(_ node: Node) { stack[stack.count - 1].children.append(node) }

        mutating func add(tag: ArraySlice<UInt8>) {
            guard let first = tag.first else { return }
            if first == 0x2F { return end(String(decoding: tag.dropFirst(), as: UTF8.self)) }  // end tag: /
            if WebVTTScanner.isDigit(first) {
                var scanner = WebVTTScanner(tag)
                if let moment = scanner.timestamp(), scanner.isAtEnd { append(.timestamp(moment)) }
                return
            }
            let nameEnd = tag.firstIndex { WebVTTScanner.isSpace($0) } ?? tag.endIndex
            let pieces = tag[..<nameEnd].split(separator: 0x2E, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            begin(pieces.first ?? "", classes: pieces.dropFirst().filter { !$0.isEmpty }, annotation: tag[nameEnd...])
        }

        private mutating func begin(_ name: String, classes: [String], annotation: ArraySlice<UInt8>) {
            let tag: Tag
            switch name {
            case "b": tag = .bold
            case "i": tag = .italic
            case "u": tag = .underline
            case "c": tag = .span
            case "ruby": tag = .ruby
            case "rt":
                guard stack[stack.count - 1].name == "ruby" else { return }
                tag = .rubyText
            case "v": tag = .voice(Self.annotation(annotation))
            case "lang": tag = .language(Self.annotation(annotation))
            default: return
            }
            guard stack.count <= WebVTTText.deepest else {
                if tooDeep.count < 100_000 { tooDeep.append(name) }
                return
            }
            stack.append(Open(name: name, tag: tag, classes: Array(classes)))
        }

        /// Returns the annotation of a tag, without leading and trailing spaces, and with single spaces between words.
        private static func annotation(_ bytes: ArraySlice<UInt8>) -> String {
            CharacterReferences.decode(
                ArraySlice(bytes.split(whereSeparator: WebVTTScanner.isSpace).joined(separator: [0x20])))
        }

        private mutating func end(_ name: String) {
            if let last = tooDeep.last {
                if last == name { tooDeep.removeLast() }
                return
            }
            let current = stack[stack.count - 1].name
            if current == name, stack.count > 1 {
                close()
            } else if name == "ruby", current == "rt" {
                close()
                close()
            }
        }

        private mutating func close() {
            guard stack.count > 1, let open = stack.popLast(), let tag = open.tag else { return }
            append(.element(tag, classes: open.classes, children: open.children))
        }

        mutating func finish() -> [Node] {
            while stack.count > 1 { close() }
            return stack[0].children
        }
    }
}
