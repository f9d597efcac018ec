import MediaCore
import Streaming

/// The current period of a download's work, with its timers. A callback compares its own number with `number`, and has
/// no effect if the period has ended.
@DownloadActor
final class JobTurn {
    typealias Schedule = (_ delay: Int64, _ body: @escaping @DownloadActor () -> Void) -> any NetworkTimer

    private(set) var number = 0
    private let loop: any NetworkLoop
    private let schedule: Schedule
    private var retry: (any NetworkTimer)?
    private var alarm: (time: HostTime, timer: any NetworkTimer)?

    init(loop: any NetworkLoop, schedule: @escaping Schedule) {
        self.loop = loop
        self.schedule = schedule
    }

    /// Ends the turn and cancels its timers.
    func next() {
        number += 1
        retry?.cancel()
        retry = nil
        alarm?.timer.cancel()
        alarm = nil
    }

    /// Calls `body` once, after `delay` nanoseconds, unless the turn has ended. A second call replaces the first.
    func retry(after delay: Int64, _ body: @escaping @DownloadActor () -> Void) {
        let startNumber = number
        retry?.cancel()
        retry = schedule(delay) { [weak self] in
            guard let self, self.number == startNumber else { return }
            self.retry = nil
            body()
        }
    }

    /// Calls `body` at `time`, unless the turn has ended. If an earlier call has requested an earlier time, this call
    /// has no effect.
    func wake(at time: HostTime, _ body: @escaping @DownloadActor () -> Void) {
        let now = loop.time
        if let alarm, alarm.time <= time, alarm.time > now { return }
        alarm?.timer.cancel()
        let startNumber = number
        let timer = schedule(time - now) { [weak self] in
            guard let self, self.number == startNumber else { return }
            self.alarm = nil
            body()
        }
        alarm = (time, timer)
    }
}
