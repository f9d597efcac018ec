import Foundation
import TestSupport
import Testing

@testable import PlayerApp
@testable import Presentation

@Suite("Translations")
struct TranslationTests {
    private static let german = PlayerWords.catalog("de")?.texts ?? [:]

    /// The source files of the library and the app. The command line tool is not translated.
    private static let sources: [String] = {
        let folder = Repository.root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == "swift" }
            .filter { !$0.pathComponents.contains("ZoetropeTool") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            // Examples in documentation comments are not translated.
            .map { $0.replacing(#/(?m)^\s*\/\/\/.*$/#, with: "") }
    }()

    /// The literals in calls that translate a text. Texts that a table holds are read from the table.
    @MainActor private static func translated() -> Set<String> {
        var texts: Set<String> = ["Space"]
        // Unicode's rules find no word boundary in `PlayerWords.localized`, so use the simple rules.
        let calls = #/\b(?:localized|local|say|command)\(\s*((?:[^()"]|"[^"\\\n]*")*)/#.wordBoundaryKind(.simple)
        for source in sources {
            for call in source.matches(of: calls) {
                let literals = call.output.1.matches(of: #/"([^"]+)"/#).map { String($0.output.1) }
                texts.formUnion(literals.filter { $0.contains { $0.isLetter } })
            }
        }
        texts.formUnion(AppMenu.items.map(\.text))
        texts.formUnion(AppMenu.items.compactMap(\.group))
        texts.formUnion(KeyTable.sections.map(\.title))
        texts.formUnion(KeyTable.keys.bindings.map(\.title).filter { !$0.isEmpty })
        texts.formUnion(KeyTable.mouse.flatMap { [$0.what, $0.text] })
        return texts
    }

    @Test("every text has a German translation")
    @MainActor func complete() {
        let texts = Self.translated()
        #expect(texts.count > 100, "the calls are found")
        let missing = texts.filter { Self.german[$0] == nil }.sorted()
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test(
        "percentages and unnamed progress are read in the user's language",
        arguments: [("%@ percent", "%@ Prozent"), ("Progress", "Fortschritt")])
    @MainActor func spoken(text: String, german: String) {
        #expect(Self.translated().contains(text))
        #expect(PlayerWords.localized(text, languages: ["de"]) == german)
    }

    @Test("every German translation belongs to a text")
    func used() {
        #expect(Self.german.count > 150)
        let all = Self.sources.joined()
        let unused = Self.german.keys.filter { !all.contains("\"\($0)\"") }.sorted()
        #expect(unused.isEmpty, "\(unused)")
    }

    @Test("a translation has the placeholders and the ellipsis of its text")
    func form() {
        for (text, german) in Self.german {
            #expect(text.components(separatedBy: "%@").count == german.components(separatedBy: "%@").count, "\(text)")
            #expect(text.hasSuffix("…") == german.hasSuffix(" …"), "\(text)")
        }
    }

    @Test("a PO file is read with escapes, without unfinished entries")
    func catalog() {
        let file = #"""
            msgid ""
            msgstr "Language: de\n"

            # A comment.
            msgid "one"
            msgstr "eins \"1\" \\"
            msgid "two "
            "lines"
            msgstr ""
            "zwei\n"
            "Zeilen"

            #, fuzzy
            msgid "three"
            msgstr "drei?"

            msgid "four"
            msgstr ""

            msgctxt "verb"
            msgid "five"
            msgstr "fünf"

            msgid "six"
            msgid_plural "sixes"
            msgstr[0] "sechs"
            msgstr[1] "Sechsen"

            msgid "seven"
            msgstr "sieben"
            """#
        #expect(
            TranslationCatalog(file.utf8).texts == [
                "one": "eins \"1\" \\", "two lines": "zwei\nZeilen", "seven": "sieben",
            ])
        #expect(TranslationCatalog([]).texts.isEmpty)
    }

    @Test(
        "apostrophes of errors are typographic on the screen",
        arguments: [
            ("can't", "can’t"), ("the item's URL", "the item’s URL"),
            ("Can't open “Bob's.mkv”", "Can’t open “Bob's.mkv”"),
            ("host 'a'", "host 'a'"), ("'", "'"), ("", ""),
        ])
    func apostrophes(_ text: String, _ shown: String) { #expect(PlayerWords.onScreen(text) == shown) }

    @Test("arguments replace placeholders in order", arguments: [("b", "“b”"), ("%@", "“%@”"), ("", "“”")])
    func arguments(_ argument: String, _ quoted: String) {
        #expect(PlayerWords.localized("Can’t Play “%@”", argument).contains(argument) || argument.isEmpty)
        #expect(PlayerWords.localized("%@ of “%@”", "a", argument) == "a of \(quoted)")
    }
}
