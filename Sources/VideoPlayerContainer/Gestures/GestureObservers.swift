import Zoetrope

/// Who observes gestures: added and called on the main actor, let go of on any thread.
final class GestureObservers: @unchecked Sendable {
    struct Observer {
        let gesture: GestureService.Gesture
        let handler: (GestureService.GestureEvent) -> Void
    }

    private let lock = NSLock()
    // Guarded by the lock.
    private var all: [Int: Observer] = [:]
    private var count = 0

    /// Their numbers, in the order they came.
    var numbers: [Int] { lock.withLock { all.keys.sorted() } }
    subscript(_ number: Int) -> Observer? { lock.withLock { all[number] } }

    func add(_ gesture: GestureService.Gesture, _ handler: @escaping (GestureService.GestureEvent) -> Void) -> Int {
        lock.withLock {
            count += 1
            all[count] = Observer(gesture: gesture, handler: handler)
            return count
        }
    }

    func remove(_ number: Int) {
        // What the handler holds goes without the lock.
        _ = lock.withLock { all.removeValue(forKey: number) }
    }
}
