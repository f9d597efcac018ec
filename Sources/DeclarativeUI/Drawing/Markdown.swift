import Foundation

/// A part of a text with one Markdown style.
struct MarkdownPiece: Equatable {
    var text: String
    var isBold = false, isItalic = false, isStruck = false, isCode = false
    /// The link's URL as written. Placeholders for values in it are not yet replaced.
    var link: String?
}

/// A parser for inline Markdown by the rules of CommonMark: emphasis, code, links and escapes.
///
/// As on GitHub, it also reads strikethrough and plain URLs. Block elements (headings, lists) stay plain characters, as
/// in SwiftUI's texts. An image is read as a `!` before a link.
struct Markdown {
    private struct Node {
        var piece: MarkdownPiece
        /// A run of `*`, `_` or `~` that may open or close emphasis.
        var mark: Mark?
        /// Whether the node is an opening bracket.
        var isBracket = false
    }
    private struct Mark {
        let character: Character
        /// The number of characters that no pair has used yet.
        var count: Int
        let length: Int
        let canOpen: Bool, canClose: Bool
    }

    private let source: [Character]
    private var position = 0
    private var nodes: [Node] = []

    /// Returns whether `text` contains nothing that Markdown would change.
    static func isPlain(_ text: String) -> Bool {
        !text.utf8.contains { byte in "*_`~[\\<".utf8.contains(byte) } && !text.contains("://")
    }

    static func pieces(_ text: String) -> [MarkdownPiece] {
        guard !isPlain(text) else { return text.isEmpty ? [] : [MarkdownPiece(text: text)] }
        var reader = Markdown(source: Array(text))
        return reader.read()
    }

    private init(source: [Character]) { self.source = source }

    private mutating func read() -> [MarkdownPiece] {
        while position < source.count { step() }
        emphasize(from: 0)
        var all: [MarkdownPiece] = []
        for node in nodes {
            var piece = node.piece
            if let mark = node.mark { piece.text = String(repeating: mark.character, count: mark.count) }
            guard !piece.text.isEmpty else { continue }
            if var last = all.last, with(last, { $0.text = piece.text }) == piece {
                last.text += piece.text
                all[all.count - 1] = last
            } else {
                all.append(piece)
            }
        }
        return all
    }

    private mutating func step() {
        let character = source[position]
        switch character {
        case "\\":
            if position + 1 < source.count, Markdown.isEscapable(source[position + 1]) {
                plain(String(source[position + 1]))
                position += 2
            } else {
                plain("\\")
                position += 1
            }
        case "`": code()
        case "*", "_", "~": mark(character)
        case "[":
            nodes.append(Node(piece: MarkdownPiece(text: "["), isBracket: true))
            position += 1
        case "]": closeBracket()
        case "<": angled()
        default:
            if character == "h", readURL() { return }
            plain(String(character))
            position += 1
        }
    }

    private mutating func plain(_ text: String) {
        if let last = nodes.indices.last, nodes[last].mark == nil, !nodes[last].isBracket,
            with(nodes[last].piece, { $0.text = "" }) == MarkdownPiece(text: "")
        {
            nodes[last].piece.text += text
        } else {
            nodes.append(Node(piece: MarkdownPiece(text: text)))
        }
    }

    /// Returns the number of equal characters from `index` on.
    private func run(_ index: Int) -> Int {
        var end = index
        while end < source.count, source[end] == source[index] { end += 1 }
        return end - index
    }

    private mutating func code() {
        let length = run(position)
        var end = position + length
        while end < source.count {
            guard source[end] == "`" else {
                end += 1
                continue
            }
            let closing = run(end)
            if closing == length {
                var text = String(source[(position + length)..<end].map { $0.isNewline ? " " : $0 })
                if text.hasPrefix(" "), text.hasSuffix(" "), text.contains(where: { $0 != " " }) {
                    text = String(text.dropFirst().dropLast())
                }
                nodes.append(Node(piece: MarkdownPiece(text: text, isCode: true)))
                position = end + length
                return
            }
            end += closing
        }
        plain(String(repeating: "`", count: length))
        position += length
    }

    private mutating func mark(_ character: Character) {
        let length = run(position)
        let before = position > 0 ? source[position - 1] : " "
        let after = position + length < source.count ? source[position + length] : " "
        let (spaceBefore, spaceAfter) = (before.isWhitespace, after.isWhitespace)
        let (punctuationBefore, punctuationAfter) = (Markdown.isPunctuation(before), Markdown.isPunctuation(after))
        let canStart = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore)
        let canEnd = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter)
        let isInWord = character == "_"
        // A single `~` is a plain character.
        let isMark = character != "~" || length == 2
        nodes.append(
            Node(
                piece: MarkdownPiece(text: ""),
                mark: Mark(
                    character: character, count: length, length: length,
                    canOpen: isMark && canStart && (!isInWord || !canEnd || punctuationBefore),
                    canClose: isMark && canEnd && (!isInWord || !canStart || punctuationAfter))))
        position += length
    }

    /// Pairs the emphasis marks from node `first` on.
    private mutating func emphasize(from first: Int) {
        var closer = first
        while closer < nodes.count {
            guard let closing = nodes[closer].mark, closing.canClose, closing.count > 0 else {
                closer += 1
                continue
            }
            let opener = (first..<closer).last { index in
                guard let opening = nodes[index].mark, opening.character == closing.character, opening.canOpen,
                    opening.count > 0
                else { return false }
                let isBoth = opening.canClose || closing.canOpen
                return
                    !(isBoth && (opening.length + closing.length) % 3 == 0
                    && !(opening.length % 3 == 0 && closing.length % 3 == 0))
            }
            guard let opener, let opening = nodes[opener].mark else {
                closer += 1
                continue
            }
            let used = closing.character == "~" ? 2 : opening.count >= 2 && closing.count >= 2 ? 2 : 1
            for index in (opener + 1)..<closer {
                if closing.character == "~" {
                    nodes[index].piece.isStruck = true
                } else if used == 2 {
                    nodes[index].piece.isBold = true
                } else {
                    nodes[index].piece.isItalic = true
                }
                // Marks between a pair can't be part of another pair.
                if let mark = nodes[index].mark {
                    nodes[index].mark = Mark(
                        character: mark.character, count: mark.count, length: mark.length, canOpen: false,
                        canClose: false)
                }
            }
            nodes[opener].mark?.count -= used
            nodes[closer].mark?.count -= used
        }
    }

    /// Reads `](URL "title")` after an opening bracket.
    private mutating func closeBracket() {
        guard let open = nodes.lastIndex(where: \.isBracket) else {
            plain("]")
            position += 1
            return
        }
        guard let (url, end) = destination(position + 1) else {
            nodes[open].isBracket = false
            plain("]")
            position += 1
            return
        }
        nodes.remove(at: open)
        emphasize(from: open)
        for index in open..<nodes.count {
            // A link can't contain another link.
            if nodes[index].piece.link == nil { nodes[index].piece.link = url }
            if let mark = nodes[index].mark {
                nodes[index].mark = Mark(
                    character: mark.character, count: mark.count, length: mark.length, canOpen: false, canClose: false)
            }
        }
        for index in nodes.indices where nodes[index].isBracket { nodes[index].isBracket = false }
        position = end
    }

    private func destination(_ start: Int) -> (url: String, end: Int)? {
        guard start < source.count, source[start] == "(" else { return nil }
        var index = start + 1
        var depth = 0
        var url = ""
        while index < source.count, source[index].isWhitespace { index += 1 }
        while index < source.count, !source[index].isWhitespace {
            if source[index] == "(" { depth += 1 }
            if source[index] == ")" {
                if depth == 0 { break }
                depth -= 1
            }
            url.append(source[index])
            index += 1
        }
        while index < source.count, source[index].isWhitespace { index += 1 }
        if index < source.count, source[index] == "\"" {
            index += 1
            while index < source.count, source[index] != "\"" { index += 1 }
            index += 1
            while index < source.count, source[index].isWhitespace { index += 1 }
        }
        guard index < source.count, source[index] == ")" else { return nil }
        if url.hasPrefix("<"), url.hasSuffix(">"), url.count > 1 {
            url = String(url.dropFirst().dropLast())
        }
        return (url, index + 1)
    }

    /// Reads `<https://…>`.
    private mutating func angled() {
        if let end = source[position...].firstIndex(of: ">") {
            let text = String(source[(position + 1)..<end])
            if Markdown.isURL(text), !text.contains(where: \.isWhitespace) {
                nodes.append(Node(piece: MarkdownPiece(text: text, link: text)))
                position = end + 1
                return
            }
        }
        plain("<")
        position += 1
    }

    /// Reads a plain URL at the beginning of a word. Returns whether there was one.
    private mutating func readURL() -> Bool {
        guard position == 0 || source[position - 1].isWhitespace || "*_~(".contains(source[position - 1]),
            nodes.last(where: \.isBracket) == nil
        else { return false }
        var end = position
        while end < source.count, !source[end].isWhitespace, source[end] != "<" { end += 1 }
        var text = String(source[position..<end])
        while let last = text.last,
            "?!.,:*_~'\"".contains(last)
                || last == ")" && text.filter({ $0 == "(" }).count < text.filter({ $0 == ")" }).count
        { text.removeLast() }
        guard Markdown.isURL(text) else { return false }
        nodes.append(Node(piece: MarkdownPiece(text: text, link: text)))
        position += text.count
        return true
    }

    private static func isURL(_ text: String) -> Bool {
        ["http://", "https://", "mailto:"].contains { text.hasPrefix($0) && text.count > $0.count }
    }
    private static func isEscapable(_ character: Character) -> Bool { character.isASCII && isPunctuation(character) }
    private static func isPunctuation(_ character: Character) -> Bool { character.isPunctuation || character.isSymbol }
}
