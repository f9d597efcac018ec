import Foundation
import FoundationExtras
import Testing

// Predicates as public apps write them. Foundation on Linux has the same initializers, marked as unavailable.

struct CatalogEntry {
    var title: String
    var seconds: Int
    var tags: [String]
}

final class Catalog {
    private let entries: [CatalogEntry]
    init(_ entries: [CatalogEntry]) { self.entries = entries }

    func search(_ text: String, longerThan seconds: Int) -> [String] {
        let predicate = NSPredicate(format: "title CONTAINS[cd] %@ AND seconds > %d", text, seconds)
        return titles(predicate)
    }
    func tagged(_ tags: Set<String>) -> [String] { titles(NSPredicate(format: "ANY %K IN %@", "tags", tags)) }
    func matching(_ format: String, _ arguments: [Any]) -> [String] {
        titles(NSPredicate(format: format, argumentArray: arguments))
    }
    private func titles(_ predicate: NSPredicate) -> [String] {
        (entries as NSArray).filtered(using: predicate).compactMap { ($0 as? CatalogEntry)?.title }
    }
}

@Suite("Predicates in apps")
struct PredicateCodeTests {
    private let catalog = Catalog([
        CatalogEntry(title: "Café", seconds: 90, tags: ["paris"]), CatalogEntry(title: "Film", seconds: 10, tags: []),
    ])

    @Test("formats filter arrays of structures")
    func search() {
        #expect(catalog.search("CAFE", longerThan: 60) == ["Café"])
        #expect(catalog.search("cafe", longerThan: 90).isEmpty)
        #expect(catalog.tagged(["paris", "rome"]) == ["Café"])
        #expect(catalog.matching("seconds BETWEEN {%@, %@}", [1, 20]) == ["Film"])
        #expect(!NSPredicate(format: "SELF == 'a'").evaluate(with: "b"))
    }
}
