import VideoPlayerContainer
import Zoetrope

/// A clock that a test advances by hand.
@MainActor
final class ManualTimer {
    private struct Entry {
        let number: Int
        let at: TimeInterval
        let action: @MainActor () -> Void
    }
    private var now: TimeInterval = 0
    private var count = 0
    private var entries: [Int: Entry] = [:]

    /// The number of pending delays.
    var waiting: Int { entries.count }

    var timer: MainTimer {
        MainTimer { seconds, action in
            self.count += 1
            let number = self.count
            self.entries[number] = Entry(number: number, at: self.now + seconds, action: action)
            return AnyCancellable { [weak self] in self?.entries[number] = nil }
        }
    }

    /// Advances the clock and runs the delays that end meanwhile, in order.
    func advance(_ seconds: TimeInterval) {
        let end = now + seconds
        while let next = entries.values.filter({ $0.at <= end }).min(by: { ($0.at, $0.number) < ($1.at, $1.number) }) {
            entries[next.number] = nil
            now = next.at
            next.action()
        }
        now = end
    }
}

extension Context {
    /// Makes the delays of the context's services use a manual timer from now on, and returns it.
    func holdTime() -> ManualTimer {
        let time = ManualTimer()
        withDependency(\.timer) { time.timer }
        return time
    }
}

/// A list of events in their order.
@MainActor
final class Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
    /// Returns the events since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// A weak reference to an object.
final class Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject?) { self.object = object }
}
