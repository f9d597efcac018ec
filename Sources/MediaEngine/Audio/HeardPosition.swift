import Glibc
import MediaCore
import Synchronization

/// The ring position being heard, as a smooth function of host time.
///
/// The server's timing reports jitter by milliseconds; pictures timed by them directly would stutter.
/// So the position runs with the host clock and is drawn toward the reports by running up to 2 % faster
/// or slower; only when it is off by more than 40 ms it is set: forward at once, backward by standing
/// still until sound has caught up. So it never runs back.
///
/// Reading takes no lock (a sequence lock: readers look again when a writer was at work), so neither a
/// hundred readers nor the audio callback that reports here ever wait for one another.
final class HeardPosition: Sendable {
    // One writer at a time, under the output's lock.
    private let sequence = Atomic<Int>(0)
    private let frames = Atomic<UInt64>(0)
    /// Host time from which `slope` counts, nanoseconds; before it the position stands.
    private let since = Atomic<Int64>(0)
    /// Frames per nanosecond; 0 while stopped.
    private let slope = Atomic<UInt64>(0)
    /// Nothing before this is heard any more: the last jump's target. Reports on their way say otherwise.
    private let floor = Atomic<UInt64>(0)
    private let reports = Atomic<Int>(0)
    private let settledAt = Atomic<Int64>(0)
    private let rate: Double

    /// How long a device may be silent about itself before time goes on without its word: servers report
    /// at least every 1.5 s.
    private static let patience = DeviceWatch.patience
    private static let settling: Int64 = 400_000_000

    init(sampleRate: Int) { rate = Double(sampleRate) / 1e9 }

    // MARK: reading, any thread

    /// - Parameter limit: what is written; more cannot be heard.
    func frames(at host: HostTime, limit: Int) -> Double {
        var tries = 0
        while true {
            let before = sequence.load(ordering: .acquiring)
            if before & 1 == 0 {
                let value = line(at: host)
                atomicMemoryFence(ordering: .acquiring)
                if sequence.load(ordering: .relaxed) == before { return min(value, Double(limit)) }
            }
            tries += 1
            if tries > 64 { sched_yield() }
        }
    }

    private func line(at host: HostTime) -> Double {
        let slope = Double(bitPattern: slope.load(ordering: .relaxed))
        let passed = max(0, host - HostTime(nanoseconds: since.load(ordering: .relaxed)))
        return Double(bitPattern: frames.load(ordering: .relaxed)) + Double(passed) * slope
    }

    /// The device has begun and its reports are being followed.
    var isSettled: Bool { reports.load(ordering: .relaxed) > 3 }

    // MARK: writing

    private struct Line { var frames: Double, since: HostTime, slope: Double }

    /// Sets the line that readers follow.
    ///
    /// The present (`host` is nil) is asked for only when readers wait already: a writer that is held up between asking
    /// and setting would set what has been passed meanwhile, and the position would run back.
    /// - Parameter body: given the host time; nil: the line stays.
    private func change(_ host: HostTime?, _ body: (HostTime) -> Line?) {
        let before = sequence.load(ordering: .relaxed)
        sequence.store(before + 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if let new = body(host ?? .now()) {
            frames.store(new.frames.bitPattern, ordering: .relaxed)
            since.store(new.since.nanoseconds, ordering: .relaxed)
            slope.store(new.slope.bitPattern, ordering: .relaxed)
        }
        sequence.store(before + 2, ordering: .releasing)
    }

    /// - Parameters:
    ///   - isReported: a device will say when it begins; without one (silence) time runs at once.
    ///   - limit: what is written.
    ///   - patience: how long to wait for its word.
    func run(
        isReported: Bool, limit: @autoclosure () -> Int, patience: Int64 = HeardPosition.patience, host: HostTime? = nil
    ) {
        reports.store(0, ordering: .relaxed)
        change(host) { now in
            Line(frames: min(line(at: now), Double(limit())), since: isReported ? now + patience : now, slope: rate)
        }
    }

    func stop(limit: @autoclosure () -> Int, host: HostTime? = nil) {
        change(host) { now in Line(frames: min(line(at: now), Double(limit())), since: now, slope: 0) }
    }

    /// All that is written has been heard: time waits there for more.
    func hold(limit: @autoclosure () -> Int, host: HostTime? = nil) {
        change(host) { now in
            Line(
                frames: min(line(at: now), Double(limit())), since: now,
                slope: Double(bitPattern: slope.load(ordering: .relaxed)))
        }
    }

    /// What lay before `target` is dropped; running goes on from there.
    func jump(to target: Double, isReported: Bool, host: HostTime? = nil) {
        let isRunning = slope.load(ordering: .relaxed) != 0
        reports.store(0, ordering: .relaxed)
        floor.store(target.bitPattern, ordering: .relaxed)
        change(host) { now in
            Line(frames: target, since: isReported ? now + HeardPosition.patience : now, slope: isRunning ? rate : 0)
        }
    }

    /// The device has run dry: sound stands, at `limit` at most, until its next report.
    func stall(limit: @autoclosure () -> Int, host: HostTime? = nil) {
        guard slope.load(ordering: .relaxed) != 0 else { return }
        run(isReported: true, limit: limit(), host: host)
    }

    /// A report: `heard` was being heard at host time `measured`.
    /// - Parameter onlyForward: sound is coming to its end, where servers stop counting before the ear does.
    func correct(_ heard: Double, at measured: HostTime, onlyForward: Bool, host: HostTime? = nil) {
        guard slope.load(ordering: .relaxed) != 0 else { return }
        change(host) { now in corrected(heard + Double(now - measured) * rate, onlyForward, now) }
    }

    /// The writer's own: until then a device is still finding its latency.
    private var settles: HostTime {
        get { HostTime(nanoseconds: settledAt.load(ordering: .relaxed)) }
        set { settledAt.store(newValue.nanoseconds, ordering: .relaxed) }
    }

    private func corrected(_ heard: Double, _ onlyForward: Bool, _ now: HostTime) -> Line? {
        let heard = max(heard, Double(bitPattern: floor.load(ordering: .relaxed)))
        let expected = line(at: now)
        let error = heard - expected
        if onlyForward, error < 0 { return nil }
        let count = reports.load(ordering: .relaxed) + 1
        reports.store(count, ordering: .relaxed)
        if count == 1 { settles = now + HeardPosition.settling }
        let isSettling = now < settles
        let seconds = error / (rate * 1e9)
        // The first reports after a start say how long the device took to begin.
        if count < 4 || abs(seconds) > (isSettling ? 0.008 : 0.040) {
            if error >= 0 { return Line(frames: heard, since: now, slope: rate) }
            let wait = Int64(-error / rate)
            if isSettling || count < 4 { settles = max(settles, now + wait + HeardPosition.settling / 2) }
            return Line(frames: expected, since: now + wait, slope: rate)
        }
        return Line(frames: expected, since: now, slope: rate * (1 + min(max(seconds, -0.02), 0.02)))
    }
}
