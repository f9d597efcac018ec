import MediaCore
import Testing

@testable import MediaEngine

/// Tests the changes that key-path observers receive, without a player.
@Suite("Key-value observation")
@MainActor
struct KeyValueObservationTests {
    private final class Shelf: KeyPathObservable {
        let keyPathObservers = KeyPathObservers()
        var films: [String] = [] { didSet { keyPathObservers.objectDidChange() } }
    }

    @Test("a changed array is reported as a new value, after the change")
    func kinds() {
        let shelf = Shelf()
        var changes: [NSKeyValueObservedChange<[String]>] = []
        let observation = shelf.observe(\.films, options: [.initial, .old, .new]) { shelf, change in
            #expect(change.newValue == shelf.films)
            changes.append(change)
        }
        shelf.films.append("a")
        shelf.films.append("b")
        observation.invalidate()
        shelf.films = []
        #expect(changes.map(\.oldValue) == [nil, [], ["a"]])
        let kinds: [NSKeyValueObservedChange<[String]>.Kind] = changes.map(\.kind)
        #expect(kinds == [.setting, .setting, .setting])
        #expect(changes.allSatisfy { !$0.isPrior && $0.indexes == nil })
    }

    @Test("kinds of changes have Foundation's numbers")
    func numbers() {
        let kinds: [NSKeyValueChange] = [.setting, .insertion, .removal, .replacement]
        #expect(kinds.map(\.rawValue) == [1, 2, 3, 4] && NSKeyValueChange(rawValue: 0) == nil)
    }
}
