import MediaCore
import Streaming

/// The times of a transfer whose bytes a delegate sends: those that are measured, and the delegate's last sign of
/// activity. It has no clock; callers pass the time.
struct ResourceTransferTimes {
    private var started = HostTime.zero
    private var firstByte = HostTime.zero
    private var lastActivity = HostTime.zero

    mutating func begin(at time: HostTime) {
        started = time
        lastActivity = time
    }

    /// Records that the information about the resource is known.
    mutating func didAnswer(at time: HostTime) { firstByte = time }

    /// Records an event of the delegate, or that the delegate has no reason to send one.
    mutating func didAct(at time: HostTime) { lastActivity = time }

    /// Returns the time at which the delegate will have been silent for `limit` nanoseconds.
    func end(ofSilence limit: Int64) -> HostTime { lastActivity + limit }

    /// Returns whether the delegate has been silent for at least `limit` nanoseconds.
    func isSilent(for limit: Int64, at time: HostTime) -> Bool { time - lastActivity >= limit }

    /// Returns the time since the start, in nanoseconds.
    func elapsed(at time: HostTime) -> Int64 { time - started }

    /// Returns the measurements of a transfer that ends at `time`.
    func metrics(at time: HostTime, bytes: Int64) -> HTTPMetrics {
        HTTPMetrics(started: started, firstByte: firstByte, ended: time, bytes: bytes, reusedConnection: true)
    }
}
