import Glibc
import MediaCore
import Synchronization

/// The audible position in the ring buffer, as a smooth function of the host time.
///
/// The server's timing reports vary by milliseconds, so frames that followed them directly would stutter. The position
/// therefore follows the host clock, and runs up to 2 % faster or slower to approach the reports. If the difference
/// exceeds 40 ms, or 8 ms shortly after a start, the position is corrected immediately. It jumps forward, or stands
/// still until the audio has caught up. The position never runs back.
///
/// Reading takes no lock. A sequence lock makes readers repeat a read during which a writer was active. Therefore
/// readers never block the audio callback, which writes the reports.
final class HeardPosition: Sendable {
    // One writer at a time, under the output's lock.
    private let sequence = Atomic<Int>(0)
    private let frames = Atomic<UInt64>(0)
    /// The host time from which `slope` applies, in nanoseconds. Before that time, the position does not change.
    private let since = Atomic<Int64>(0)
    /// The frames per nanosecond; 0 while stopped.
    private let slope = Atomic<UInt64>(0)
    /// The target of the last jump, which is the minimum position. Reports that were sent before the jump can be lower.
    private let floor = Atomic<UInt64>(0)
    private let reports = Atomic<Int>(0)
    private let settledAt = Atomic<Int64>(0)
    private let rate: Double

    /// The time in nanoseconds after which the position advances even without a report. Servers report at least every
    /// 1.5 s.
    private static let timeout = DeviceWatch.timeout
    private static let settling: Int64 = 400_000_000

    init(sampleRate: Int) { rate = Double(sampleRate) / 1e9 }

    // MARK: reading, any thread

    /// Returns the position at `host`.
    ///
    /// - Parameter limit: The written frames, which the position does not exceed.
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
        let elapsed = max(0, host - HostTime(nanoseconds: since.load(ordering: .relaxed)))
        return Double(bitPattern: frames.load(ordering: .relaxed)) + Double(elapsed) * slope
    }

    /// Whether the device has started and its reports are being followed.
    var isSettled: Bool { reports.load(ordering: .relaxed) > 3 }

    // MARK: writing

    private struct Line { var frames: Double, since: HostTime, slope: Double }

    /// Sets the line that readers follow.
    ///
    /// If `host` is `nil`, the time is read only after readers have begun to wait. Otherwise the position would run
    /// back if the writer were interrupted between reading the time and setting the line.
    ///
    /// - Parameter body: Returns the new line for a host time, or `nil` to keep the line.
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

    /// Starts the position.
    ///
    /// - Parameters:
    ///   - isReported: Whether a device will report when it starts. Otherwise, with silence, the position advances
    ///     immediately.
    ///   - limit: The written frames.
    ///   - timeout: The time to wait for a report, in nanoseconds.
    func run(
        isReported: Bool, limit: @autoclosure () -> Int, timeout: Int64 = HeardPosition.timeout, host: HostTime? = nil
    ) {
        reports.store(0, ordering: .relaxed)
        change(host) { now in
            Line(frames: min(line(at: now), Double(limit())), since: isReported ? now + timeout : now, slope: rate)
        }
    }

    func stop(limit: @autoclosure () -> Int, host: HostTime? = nil) {
        change(host) { now in Line(frames: min(line(at: now), Double(limit())), since: now, slope: 0) }
    }

    /// Holds the position at the end of the written frames until more are written.
    func hold(limit: @autoclosure () -> Int, host: HostTime? = nil) {
        change(host) { now in
            Line(
                frames: min(line(at: now), Double(limit())), since: now,
                slope: Double(bitPattern: slope.load(ordering: .relaxed)))
        }
    }

    /// Moves the position to `target`, because the frames before it were discarded. Continues if it is running.
    func jump(to target: Double, isReported: Bool, host: HostTime? = nil) {
        let isRunning = slope.load(ordering: .relaxed) != 0
        reports.store(0, ordering: .relaxed)
        floor.store(target.bitPattern, ordering: .relaxed)
        change(host) { now in
            Line(frames: target, since: isReported ? now + HeardPosition.timeout : now, slope: isRunning ? rate : 0)
        }
    }

    /// Stops the position until the next report, or for at most `timeout`, because the device has run out of data. The
    /// position is at most `limit`.
    func stall(limit: @autoclosure () -> Int, host: HostTime? = nil) {
        guard slope.load(ordering: .relaxed) != 0 else { return }
        run(isReported: true, limit: limit(), host: host)
    }

    /// Handles a timing report: position `heard` was audible at host time `measured`.
    ///
    /// - Parameter onlyForward: Whether only corrections forward are made, because the audio is about to end. Servers
    ///   then stop counting before all of it has been heard.
    func correct(_ heard: Double, at measured: HostTime, onlyForward: Bool, host: HostTime? = nil) {
        guard slope.load(ordering: .relaxed) != 0 else { return }
        change(host) { now in corrected(heard + Double(now - measured) * rate, onlyForward, now) }
    }

    /// The time until which the device's latency is still settling. Used by the writer only.
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
        // The first reports after a start show how long the device took to begin.
        if count < 4 || abs(seconds) > (isSettling ? 0.008 : 0.040) {
            if error >= 0 { return Line(frames: heard, since: now, slope: rate) }
            let wait = Int64(-error / rate)
            if isSettling || count < 4 { settles = max(settles, now + wait + HeardPosition.settling / 2) }
            return Line(frames: expected, since: now + wait, slope: rate)
        }
        return Line(frames: expected, since: now, slope: rate * (1 + min(max(seconds, -0.02), 0.02)))
    }
}
