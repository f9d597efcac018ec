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
        guard text.contains("{") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else { return result + rest[open...] }
            // What an author wrote in escaped braces is text.
            if open > rest.startIndex, rest[rest.index(before: open)] == "\\" {
                result += rest[open...close]
            } else {
                let kept = block(rest[rest.index(after: open)..<close], isGone)
                if !kept.isEmpty { result += "{" + kept + "}" }
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private static func block(_ text: Substring, _ isGone: (String) -> Bool) -> String {
        var result = ""
        var rest = text
        while let slash = rest.firstIndex(of: "\\") {
            result += rest[..<slash]
            let tag = rest[rest.index(after: slash)...]
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
                let changed = block(body[inner...], isGone)
                // Nothing left that changes over time.
                if changed.contains("\\") { result += "\\" + body[..<inner] + changed }
            } else if !isGone(name) {
                result += "\\" + body
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
