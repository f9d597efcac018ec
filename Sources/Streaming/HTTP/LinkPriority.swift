import MediaCore

/// The arbiter that gives playback priority over background transfers.
///
/// Background transfers are paused while a foreground request receives bytes or has just been sent. The sockets of
/// paused transfers fill, and their servers stop sending (RFC 9293 §3.8.6).
@NetworkActor
final class LinkPriority {
    /// The time for which background transfers stay paused after the last bytes of the foreground, in nanoseconds. It
    /// bridges the gaps between bursts.
    private static let quiet: Int64 = 200_000_000
    /// The time for which a new foreground request pauses background transfers without receiving bytes, in nanoseconds.
    /// It is limited because a live playlist is requested long before the server has an update to send.
    private static let patience: Int64 = 1_000_000_000

    private let loop: any NetworkLoop
    /// The time until which background transfers may not receive.
    private var pausedUntil = HostTime.min
    private var foreground = 0
    private var held: [ObjectIdentifier: CurlTransfer] = [:]
    private var timer: (any NetworkTimer)?

    init(loop: any NetworkLoop) { self.loop = loop }

    // MARK: the foreground

    func began() {
        foreground += 1
        pausedUntil = max(pausedUntil, loop.time + Self.patience)
    }

    func didReceive() { pausedUntil = max(pausedUntil, loop.time + Self.quiet) }

    func ended() {
        foreground -= 1
        guard foreground <= 0 else { return }
        foreground = 0
        pausedUntil = min(pausedUntil, loop.time + Self.quiet)
        if !held.isEmpty { arm() }
    }

    // MARK: the background

    /// Returns whether a background transfer may receive now. If not, `setHeld(false)` is called when it may continue.
    func mayReceive(_ transfer: CurlTransfer) -> Bool {
        guard loop.time < pausedUntil else { return true }
        held[ObjectIdentifier(transfer)] = transfer
        if timer == nil { arm() }
        return false
    }

    func forget(_ transfer: CurlTransfer) { held[ObjectIdentifier(transfer)] = nil }

    private func arm() {
        timer?.cancel()
        timer = loop.schedule(at: pausedUntil) { [weak self] in self?.resumeHeld() }
    }

    private func resumeHeld() {
        timer = nil
        guard loop.time >= pausedUntil else { return arm() }
        let all = held.values
        held = [:]
        for transfer in all { transfer.setHeld(false) }
    }
}
