/// Functions for override tags in the text of events: `{\b1\c&H0000FF&}`.
enum AssTags {
    /// The known names, with longer ones first, so that `\fscx` is not read as `\fs`.
    private static let known = [
        "iclip", "xbord", "ybord", "xshad", "yshad", "alpha", "fscx", "fscy", "clip", "move", "bord", "shad", "blur",
        "fade", "fad", "frx", "fry", "frz", "fax", "fay", "fsp",
        "org", "pos", "pbo", "an", "be", "fn", "fs", "fe", "fr", "kf", "ko", "kt", "1c", "2c", "3c", "4c", "1a", "2a",
        "3a", "4a",
        "a", "b", "c", "i", "k", "K", "p", "q", "r", "s", "t", "u",
    ]

    /// The name of a `\t` that is inside of `maximumNesting` others.
    static let tooDeep = "t(…)"
    /// The maximum number of `\t(…)` around a tag. Tags in more of them are read as if they were side by side.
    private static let maximumNesting = 4

    private static func name(_ tag: Substring) -> String {
        known.first { tag.hasPrefix($0) } ?? String(tag.prefix { $0.isLetter })
    }

    /// Returns the names of all tags in `text`.
    static func names(_ text: String) -> Set<String> {
        var names: Set<String> = []
        _ = without(text) {
            names.insert($0)
            return false
        }
        return names
    }

    /// Returns `text` without the tags for which `isRemoved` returns true, including tags in `\t(…)`.
    static func without(_ text: String, where isRemoved: (String) -> Bool) -> String {
        rewritten(text) {
            isRemoved($0) ? nil : String($1)
        } plainText: {
            String($0)
        }
    }

    /// Returns `text` with its tags and the text between them replaced, in order.
    ///
    /// Tags in `\t(…)` are replaced too, before the beginning of the `\t` itself.
    /// - Parameters:
    ///   - tag: A closure that gets a tag's name, and the tag without its backslash. It returns the replacement, or nil
    ///     to remove the tag. The name of a `\t` that is nested too deeply is `tooDeep`.
    ///   - plainText: A closure that gets the text between tags and returns the replacement.
    static func rewritten(_ text: String, tag: (String, Substring) -> String?, plainText: (Substring) -> String)
        -> String
    {
        var result = ""
        var rest = text[...]
        var searchStart = rest.startIndex
        while let open = rest[searchStart...].firstIndex(of: "{") {
            // An escaped brace is text. A search for its closing brace would read the rest again for each such brace.
            if open > rest.startIndex, rest[rest.index(before: open)] == "\\" {
                searchStart = rest.index(after: open)
                continue
            }
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            if open > rest.startIndex { result += plainText(rest[..<open]) }
            let kept = block(rest[rest.index(after: open)..<close], nesting: 0, tag)
            if !kept.isEmpty { result += "{" + kept + "}" }
            rest = rest[rest.index(after: close)...]
            searchStart = rest.startIndex
        }
        return rest.isEmpty ? result : result + plainText(rest)
    }

    /// Returns the text between braces with its tags replaced.
    ///
    /// - Parameter nesting: The number of `\t(…)` around the text. Each needs a recursive call and another pass over the
    ///   text, so their number is limited.
    private static func block(_ text: Substring, nesting: Int, _ change: (String, Substring) -> String?) -> String {
        let isDeepest = nesting == maximumNesting
        var result = ""
        var rest = text
        while let slash = rest.firstIndex(of: "\\") {
            result += rest[..<slash]
            let tag = rest[rest.index(after: slash)...].drop { $0.isWhitespace }
            // A tag ends at the next backslash outside its parentheses.
            var depth = 0
            var end = tag.startIndex
            while end < tag.endIndex, tag[end] != "\\" || depth > 0 && !isDeepest {
                if tag[end] == "(" { depth += 1 } else if tag[end] == ")" { depth -= 1 }
                end = tag.index(after: end)
            }
            var name = name(tag)
            if isDeepest, name == "t" { name = tooDeep }
            let body = tag[..<end]
            if name == "t", let inner = body.firstIndex(of: "\\") {
                let changed = block(body[inner...], nesting: nesting + 1, change)
                // Without tags, `\t` has no effect and is removed.
                if changed.contains("\\") { result += "\\" + (change(name, body[..<inner]) ?? "t(") + changed }
            } else if let new = change(name, body) {
                result += "\\" + new
            }
            rest = tag[end...]
        }
        return result + rest
    }

    /// Returns whether the event's appearance changes while it is displayed.
    static func isMoving(_ event: String) -> Bool {
        let fields = AssScript.fields(event)
        guard fields.count == 8 else { return true }
        return !fields[6].isEmpty
            || !names(fields[7]).isDisjoint(with: ["t", "k", "K", "kf", "ko", "kt", "move", "fad", "fade"])
    }
}
