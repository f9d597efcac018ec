import Testing

@_spi(Graph) @testable import ViewGraph

@Suite("Preference observers") @MainActor
struct PreferenceObserversTests {
    private final class Observer: PreferenceObserver {
        let order: Int
        init(_ order: Int) { self.order = order }
        func check() {}
    }

    @Test("deeper observers are due first, once per change")
    func order() {
        let deep = Observer(3)
        let flat = Observer(1)
        var observers = PreferenceObservers()
        observers.add(flat)
        observers.add(deep)
        #expect(observers.takeDue().map(\.order) == [3, 1])
        #expect(observers.takeDue().isEmpty)
        observers.invalidate()
        observers.remove(deep)
        #expect(observers.takeDue().map(\.order) == [1])
    }
}
