import MediaCore
import Observation

/// An object that loops one item seamlessly. The equivalent of AVFoundation's `AVPlayerLooper`.
///
/// ```swift
/// let player = AVQueuePlayer()
/// let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: background))
/// player.isMuted = true
/// player.play()
/// ```
/// AVFoundation's looper inserts copies of the item into the queue. Here the pipeline joins the passes, so the template
/// item itself plays. `loopCount` counts the completed passes. The item keeps looping after the looper is released.
@MainActor @preconcurrency
public final class AVPlayerLooper: Observable, PropertyTracking {
    /// The status of a looper.
    public enum Status: Int, Sendable {
        /// The item is not open yet.
        case unknown = 0
        /// `ready`: the item loops. `failed`: the item has failed or belongs to another player. `cancelled`:
        /// `disableLooping()` was called.
        case ready, failed, cancelled
    }

    nonisolated let registrar = ObservationRegistrar()
    private weak var player: AVQueuePlayer?
    private let item: AVPlayerItem
    private var isCancelled = false
    /// The error of a looper whose item belongs to another player.
    private var problem: AVError?

    /// Creates a looper that plays `item` in `player`. If the item is already in the player, it loops immediately. An
    /// item of another player stays there and does not loop; the looper's `status` is `.failed`.
    ///
    /// ```swift
    /// // Repeats the seconds 10 to 15.
    /// let section = CMTimeRange(
    ///     start: CMTime(value: 10, timescale: 1), duration: CMTime(value: 5, timescale: 1))
    /// let looper = AVPlayerLooper(player: player, templateItem: item, timeRange: section)
    /// ```
    ///
    /// - Parameter timeRange: The range to repeat. The default, `.invalid`, repeats the whole item, as does a range
    ///   that is empty or outside the item. A range that ends after the item ends with the item.
    public convenience init(player: AVQueuePlayer, templateItem item: AVPlayerItem, timeRange: CMTimeRange = .invalid) {
        self.init(player: player, templateItem: item, timeRange: timeRange, passes: nil)
    }

    /// Creates a looper with a limited number of passes.
    ///
    /// - Parameter passes: The total number of passes, including the current one; nil for no limit. Less than 1 counts
    ///   as 1. The pipeline counts the passes, so a delay of the main actor adds none. A seek does not change the
    ///   number of the pass.
    package init(player: AVQueuePlayer, templateItem item: AVPlayerItem, timeRange: CMTimeRange, passes: Int?) {
        let passes = passes.map { max(1, $0) }
        self.player = player
        self.item = item
        var range: ClosedRange<MediaTime>?
        if timeRange.isValid, let start = MediaTime(timeRange.start), let end = MediaTime(timeRange.end),
            end > max(0, start)
        {
            range = max(0, start)...end
        }
        if player.canInsert(item, after: nil) {
            item.entry.setLoops(true, in: range, passes: passes)
            player.insert(item, after: nil)
        } else if item.player !== player {
            problem = AVError(
                .invalidArgument, at: item.asset.url.location, reason: "the item belongs to another player",
                suggestion: "Create another item for the same asset")
        } else {
            player.loops(of: item, true, in: range, passes: passes)
        }
    }

    /// The status of the looper. `.ready` when the item is ready; `.cancelled` is final.
    public var status: Status {
        registerAccess(\.status)
        if isCancelled { return .cancelled }
        if problem != nil { return .failed }
        switch item.status {
        case .unknown: return .unknown
        case .readyToPlay: return .ready
        case .failed: return .failed
        }
    }
    /// The error of the item; `.invalidArgument` if it belongs to another player.
    public var error: (any Error)? { problem ?? item.error }
    /// The number of completed passes of the item, including those before this looper was created.
    public var loopCount: Int { item.loopCount }
    /// The template item, which is the item that plays; empty after `disableLooping()`, and if the item belongs to
    /// another player.
    public var loopingPlayerItems: [AVPlayerItem] {
        tracked(\.loopingPlayerItems, isCancelled || problem != nil ? [] : [item])
    }

    /// Makes the current pass the last.
    public func disableLooping() {
        guard !isCancelled else { return }
        registrar.withMutation(of: self, keyPath: \.status) {
            registrar.withMutation(of: self, keyPath: \.loopingPlayerItems) { isCancelled = true }
        }
        if problem == nil { player?.loops(of: item, false) }
    }
}
