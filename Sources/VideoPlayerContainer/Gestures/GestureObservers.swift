import Synchronization
import Zoetrope

/// The observers of gestures. They are added and called on the main actor, and can be removed on any thread.
final class GestureObservers: Sendable {
    struct Observer: Sendable {
        let gesture: GestureService.Gesture
        let handler: @MainActor (GestureService.GestureEvent) -> Void
    }
    private struct State {
        var all: [Int: Observer] = [:]
        var count = 0
    }
    private let state = Mutex(State())

    /// The numbers of the observers, in the order in which they were added.
    var numbers: [Int] { state.withLock { $0.all.keys.sorted() } }
    subscript(_ number: Int) -> Observer? { state.withLock { $0.all[number] } }

    func add(
        _ gesture: GestureService.Gesture, _ handler: @escaping @MainActor (GestureService.GestureEvent) -> Void
    ) -> Int {
        state.withLock { state in
            state.count += 1
            state.all[state.count] = Observer(gesture: gesture, handler: handler)
            return state.count
        }
    }

    func remove(_ number: Int) {
        // The handler's captures are released after the lock.
        _ = state.withLock { $0.all.removeValue(forKey: number) }
    }
}
