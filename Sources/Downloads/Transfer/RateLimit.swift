import MediaCore
import Streaming

/// So many bytes a second and no more: a bucket that holds a tenth of a second. Confined to the loop.
final class RateLimit: @unchecked Sendable {
    // Guarded by confinement: everything happens on the loop.
    private let loop: any NetworkLoop
    /// Nil: no limit.
    private var bytesPerSecond: Int64?
    /// When the bytes that came are paid for.
    private var paidUntil: Int64 = .min / 2

    init(loop: any NetworkLoop, bytesPerSecond: Int64?) {
        self.loop = loop
        self.bytesPerSecond = bytesPerSecond.flatMap { $0 > 0 ? $0 : nil }
    }

    func set(_ bytesPerSecond: Int64?) {
        self.bytesPerSecond = bytesPerSecond.flatMap { $0 > 0 ? $0 : nil }
        paidUntil = min(paidUntil, loop.now)
    }

    /// - Returns: until when nothing more may come; nil: go on.
    func take(_ bytes: Int) -> Int64? {
        guard let bytesPerSecond else { return nil }
        let now = loop.now
        let cost = Int64(saturating: Double(bytes) / Double(bytesPerSecond) * 1e9)
        paidUntil = max(paidUntil, now - 100_000_000).addingSaturating(cost)
        return paidUntil > now ? paidUntil : nil
    }
}
