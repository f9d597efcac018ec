import MediaCore
import Synchronization

/// The state of the output's stream on the server. Like the other parts, it is guarded by the output's lock.
struct ServerStream {
    var isReady = false
    /// The name that the server shows.
    var title = ""
    /// Whether there has been a stream before, so that a new one means that the server is restored.
    var hadStream = false
    var didReportLoss = false
    /// The reasons of the current interruption; empty if there is none.
    var interruption: InterruptionReasons = []
    /// The pending request for the device's position.
    var timingRequest: OpaquePointer?
    /// The time of the last request that was made because the server had just taken a block.
    var requestedAt = HostTime(nanoseconds: 0)
    /// The pending drain request: the server reports when all samples have been heard.
    var drainage: OpaquePointer?
    /// Whether all samples have been heard, so that the stream is paused until there are more.
    var isDrained = false
}

/// The reasons why the audio server interrupts an output.
struct InterruptionReasons: OptionSet {
    let rawValue: Int
    /// The device is suspended.
    static let suspension = InterruptionReasons(rawValue: 1)
    /// The server requests silence.
    static let request = InterruptionReasons(rawValue: 2)
}

/// The state of silent playback, which empties the ring buffer without a device.
struct Silence {
    /// Whether silence empties the ring buffer.
    var isOn = false
    /// Whether the ring buffer is empty. The underrun has then been counted, or does not count.
    var hasUnderrun = false
}

/// Whether the device plays, and the state of the silence that replaces it (AudioOutput+Watch.swift).
struct DeviceMotion {
    var watch: DeviceWatch
    /// Whether the device requested more samples than were available.
    var isStarving = false
    /// Whether silence replaces a device that does not play although a stream exists.
    var isReplacedBySilence = false
    /// Whether `probe(_:)` waits for the response to the pending timing request.
    var needsProbe = false

    init(watch: DeviceWatch) { self.watch = watch }
}

/// The times at which actions are due; `.max` for none.
struct Deadlines {
    /// The time at which the fade-out of a pause has been heard.
    var fadeEnd = HostTime.max
    /// The time of the next attempt to create a stream.
    var stream = HostTime.max
    /// The time at which the output stops waiting for an unresponsive server.
    var serverTimeout = HostTime.max
    /// The time of the next check of a device that does not play.
    var nextCheck = HostTime.max
    /// The delay before the next attempt to create a stream, in nanoseconds.
    var streamDelay: Int64 = 500_000_000
    var timer: OpaquePointer?

    /// The earliest of these times, except `nextCheck`, which applies only while silence replaces the device.
    var next: HostTime { min(fadeEnd, stream, serverTimeout) }
}

extension AudioOutput {
    /// The state that is read and written without the lock.
    final class Shared: Sendable {
        let running = Atomic<Bool>(false)
        let draining = Atomic<Bool>(false)
        let underruns = Atomic<Int>(0)
        /// The number of times that silence replaced the device.
        let silenceSwitches = Atomic<Int>(0)
    }
}
