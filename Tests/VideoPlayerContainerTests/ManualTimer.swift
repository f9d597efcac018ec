import VideoPlayerContainer
import Zoetrope

/// Time that passes when a test says so.
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

    /// How many delays are under way.
    var waiting: Int { entries.count }

    var timer: MainTimer {
        MainTimer { seconds, action in
            self.count += 1
            let number = self.count
            self.entries[number] = Entry(number: number, at: self.now + seconds, action: action)
            return AnyCancellable { [weak self] in self?.entries[number] = nil }
        }
    }

    /// What was to come meanwhile comes, in its order.
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
    /// From now on its services' delays run by this time.
    func holdTime() -> ManualTimer {
        let time = ManualTimer()
        withDependency(\.timer) { time.timer }
        return time
    }
}

/// What happened, in its order.
@MainActor
final class Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
    /// What happened since the last time.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// Does not keep what it names.
final class Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject?) { self.object = object }
}
