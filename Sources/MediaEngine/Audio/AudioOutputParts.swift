import MediaCore
import Synchronization

/// What an output knows of its stream on the server. Guarded by the output's lock, as the other parts are.
struct ServerStream {
    var isReady = false
    /// What the server shows.
    var title = ""
    /// There was a stream before: the next one is a return.
    var hadStream = false
    var isLossTold = false
    var isInterrupted = false
    /// The server is asked where its device is.
    var question: OpaquePointer?
    /// When it was asked last because it had just taken a block.
    var askedAt = HostTime(nanoseconds: 0)
    /// The server is asked to say when all has been heard.
    var drainage: OpaquePointer?
    /// All has been heard, and the stream is corked until there is more.
    var isDrained = false
}

/// The ring is emptied without a device.
struct Silence {
    var isOn = false
    var hasRunDry = false
}

/// Whether the device moves, and what takes its place while it does not (AudioOutput+Watch.swift).
struct DeviceMotion {
    var watch: DeviceWatch
    /// The device asked for more than there was.
    var isStarving = false
    /// There is a stream, but its device does not move.
    var isStandingIn = false
    var needsProbe = false

    init(watch: DeviceWatch) { self.watch = watch }
}

/// When something is due; `.max`: nothing.
struct Deadlines {
    var fadeEnd = HostTime.max
    /// A stream is asked for again.
    var stream = HostTime.max
    /// A server that hangs is not waited for any longer.
    var patienceEnd = HostTime.max
    /// Of a device that stands.
    var nextLook = HostTime.max
    /// Nanoseconds until a stream is asked for again.
    var streamDelay: Int64 = 500_000_000
    var timer: OpaquePointer?

    /// The first of them, but for `nextLook`, which counts only while the device stands.
    var next: HostTime { min(fadeEnd, stream, patienceEnd) }
}

extension AudioOutput {
    /// What is read and written without the lock.
    final class Shared: Sendable {
        let running = Atomic<Bool>(false)
        let draining = Atomic<Bool>(false)
        let underruns = Atomic<Int>(0)
        /// How often the clock began to stand in.
        let standIns = Atomic<Int>(0)
    }
}
