/// The translations of one language, read from a file in gettext's PO format.
///
/// The parser reads `msgid` and `msgstr`, with continuation lines and escapes (GNU gettext manual, “The Format of PO
/// Files”). It skips entries with contexts or plural forms, and fuzzy or untranslated entries.
struct TranslationCatalog {
    /// The translations by their English text.
    private(set) var texts: [String: String] = [:]

    init(_ file: some Sequence<UInt8>) {
        var entry = Entry()
        for line in String(decoding: Array(file), as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#") {
                // A comment begins the next entry.
                take(&entry)
                if line.hasPrefix("#,"), line.contains("fuzzy") { entry.isSkipped = true }
                continue
            }
            let word = line.prefix { $0 != " " && $0 != "\"" }
            switch word {
            case "": break
            case "msgid":
                take(&entry)
                entry.text = ""
            case "msgstr": entry.translation = ""
            default:
                if word == "msgctxt" { take(&entry) }
                entry.isSkipped = true
            }
            entry.append(TranslationCatalog.quoted(line))
        }
        take(&entry)
    }

    private struct Entry {
        var text: String?
        var translation: String?
        var isSkipped = false

        mutating func append(_ part: String) {
            if translation != nil { translation?.append(part) } else { text?.append(part) }
        }
    }

    /// Adds the entry that ends here, and starts another one.
    private mutating func take(_ entry: inout Entry) {
        guard entry.text != nil else { return }
        if let text = entry.text, let translation = entry.translation, !entry.isSkipped, !text.isEmpty,
            !translation.isEmpty
        {
            texts[text] = translation
        }
        entry = Entry()
    }

    /// Returns the text between the quotation marks of a line.
    private static func quoted(_ line: Substring) -> String {
        guard let start = line.firstIndex(of: "\"") else { return "" }
        var text = ""
        var isEscaped = false
        for character in line[line.index(after: start)...] {
            if isEscaped {
                switch character {
                case "n": text.append("\n")
                case "t": text.append("\t")
                default: text.append(character)
                }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                text.append(character)
            }
        }
        return text
    }
}
