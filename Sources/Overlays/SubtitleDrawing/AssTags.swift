/// Override tags in an event's text: `{\b1\c&H0000FF&}`.
enum AssTags {
    /// Longest first, so that `\fscx` is not taken for `\fs`.
    private static let known = [
        "iclip", "xbord", "ybord", "xshad", "yshad", "alpha", "fscx", "fscy", "clip", "move", "bord", "shad", "blur",
        "fade", "fad", "frx", "fry", "frz", "fax", "fay", "fsp",
        "org", "pos", "pbo", "an", "be", "fn", "fs", "fe", "fr", "kf", "ko", "kt", "1c", "2c", "3c", "4c", "1a", "2a",
        "3a", "4a",
        "a", "b", "c", "i", "k", "K", "p", "q", "r", "s", "t", "u",
    ]

    private static func name(_ tag: Substring) -> String {
        known.first { tag.hasPrefix($0) } ?? String(tag.prefix { $0.isLetter })
    }

    /// The names of all tags in `text`.
    static func names(_ text: String) -> Set<String> {
        var names: Set<String> = []
        _ = without(text) {
            names.insert($0)
            return false
        }
        return names
    }

    /// `text` without the tags that `isGone` names; also those within `\t(…)`.
    static func without(_ text: String, where isGone: (String) -> Bool) -> String {
        rewritten(text) {
            isGone($0) ? nil : String($1)
        } words: {
            String($0)
        }
    }

    /// `text` with its tags and its words replaced, in their order; also the tags within `\t(…)`, whose own beginning is
    /// replaced behind them.
    /// - Parameters:
    ///   - tag: Gets a tag's name and the tag, without its backslash, and returns what stands in its place; nil: nothing.
    ///   - words: Gets what is between tags, and returns what stands in its place.
    static func rewritten(_ text: String, tag: (String, Substring) -> String?, words: (Substring) -> String) -> String {
        var result = ""
        var rest = text[...]
        var place = rest.startIndex
        while let open = rest[place...].firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            // What an author wrote in escaped braces is text.
            if open > rest.startIndex, rest[rest.index(before: open)] == "\\" {
                place = rest.index(after: open)
                continue
            }
            if open > rest.startIndex { result += words(rest[..<open]) }
            let kept = block(rest[rest.index(after: open)..<close], tag)
            if !kept.isEmpty { result += "{" + kept + "}" }
            rest = rest[rest.index(after: close)...]
            place = rest.startIndex
        }
        return rest.isEmpty ? result : result + words(rest)
    }

    private static func block(_ text: Substring, _ change: (String, Substring) -> String?) -> String {
        var result = ""
        var rest = text
        while let slash = rest.firstIndex(of: "\\") {
            result += rest[..<slash]
            let tag = rest[rest.index(after: slash)...].drop { $0.isWhitespace }
            // To the next tag that is not within this one's parentheses.
            var depth = 0
            var end = tag.startIndex
            while end < tag.endIndex, tag[end] != "\\" || depth > 0 {
                if tag[end] == "(" { depth += 1 } else if tag[end] == ")" { depth -= 1 }
                end = tag.index(after: end)
            }
            let name = name(tag)
            let body = tag[..<end]
            if name == "t", let inner = body.firstIndex(of: "\\") {
                let changed = block(body[inner...], change)
                // Nothing left that changes over time.
                if changed.contains("\\") { result += "\\" + (change(name, body[..<inner]) ?? "t(") + changed }
            } else if let new = change(name, body) {
                result += "\\" + new
            }
            rest = tag[end...]
        }
        return result + rest
    }

    /// The event looks different at different times while it stands.
    static func isMoving(_ event: String) -> Bool {
        let fields = AssScript.fields(event)
        guard fields.count == 8 else { return true }
        return !fields[6].isEmpty
            || !names(fields[7]).isDisjoint(with: ["t", "k", "K", "kf", "ko", "kt", "move", "fad", "fade"])
    }
}
