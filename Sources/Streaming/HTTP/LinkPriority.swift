import MediaCore

/// Lets what plays have the link: while a request that somebody waits for brings bytes, or has just been sent, those of
/// the background receive nothing. Their sockets fill, and their servers stop sending (RFC 9293 §3.8.6).
@NetworkActor
final class LinkPriority {
    /// Between two bursts of what plays the link is not given away, nanoseconds.
    private static let quiet: Int64 = 200_000_000
    /// How long an answer may be waited for before others may have the link, nanoseconds: a live playlist is asked for
    /// long before there is news.
    private static let patience: Int64 = 1_000_000_000

    private let loop: any NetworkLoop
    /// Until when the link is what plays'.
    private var until = HostTime.min
    private var foreground = 0
    private var held: [ObjectIdentifier: CurlTransfer] = [:]
    private var timer: (any NetworkTimer)?

    init(loop: any NetworkLoop) { self.loop = loop }

    // MARK: what plays

    func began() {
        foreground += 1
        until = max(until, loop.time + Self.patience)
    }

    func came() { until = max(until, loop.time + Self.quiet) }

    func ended() {
        foreground -= 1
        guard foreground <= 0 else { return }
        foreground = 0
        until = min(until, loop.time + Self.quiet)
        if !held.isEmpty { arm() }
    }

    // MARK: the background

    /// False: it has to wait, and is told by `setHeld(false)` when it may go on.
    func mayReceive(_ transfer: CurlTransfer) -> Bool {
        guard loop.time < until else { return true }
        held[ObjectIdentifier(transfer)] = transfer
        if timer == nil { arm() }
        return false
    }

    func forget(_ transfer: CurlTransfer) { held[ObjectIdentifier(transfer)] = nil }

    private func arm() {
        timer?.cancel()
        timer = loop.schedule(at: until) { [weak self] in self?.look() }
    }

    private func look() {
        timer = nil
        guard loop.time >= until else { return arm() }
        let all = held.values
        held = [:]
        for transfer in all { transfer.setHeld(false) }
    }
}
