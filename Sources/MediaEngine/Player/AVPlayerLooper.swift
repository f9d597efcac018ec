import Foundation
import MediaCore
import Observation

/// Plays one item over and over without a seam: Apple's `AVPlayerLooper`.
///
/// Apple's makes copies of the item in the queue; here the pipeline joins the passes itself, so the
/// template is the item that plays. `loopCount` counts seams passed.
@MainActor @preconcurrency
public final class AVPlayerLooper: Observable, PropertyTracking {
    /// Whether the loop goes on.
    public enum Status: Int, Sendable {
        /// The item is not open yet.
        case unknown = 0
        /// It goes round; its item has failed; or `disableLooping()` was called.
        case ready, failed, cancelled
    }

    nonisolated let registrar = ObservationRegistrar()
    private weak var player: AVQueuePlayer?
    private let item: AVPlayerItem
    private var isCancelled = false

    /// - Parameter timeRange: the part to repeat; `.invalid` (the default), or one that is empty, before the start or
    ///   behind the end, for the whole item. An end behind the item's is the item's. Of an item that plays already it
    ///   counts at once.
    public convenience init(player: AVQueuePlayer, templateItem item: AVPlayerItem, timeRange: CMTimeRange = .invalid) {
        self.init(player: player, templateItem: item, timeRange: timeRange, passes: nil)
    }

    /// - Parameter passes: how many there are in all, the present one among them; nil: no end. Less than 1 counts as 1.
    ///   The pipeline counts them, however late the main actor comes; a seek stays in its pass.
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
        } else {
            player.loops(of: item, true, in: range, passes: passes)
        }
    }

    /// `.ready` as soon as the item is; once cancelled it stays so.
    public var status: Status {
        registerAccess(\.status)
        if isCancelled { return .cancelled }
        switch item.status {
        case .unknown: return .unknown
        case .readyToPlay: return .ready
        case .failed: return .failed
        }
    }
    /// The item's.
    public var error: (any Error)? { item.error }
    /// Seams passed since the item began; 0 in its first pass.
    public var loopCount: Int { item.loopCount }
    /// The template, as it is the item that plays; none once looping is disabled.
    public var loopingPlayerItems: [AVPlayerItem] { tracked(\.loopingPlayerItems, isCancelled ? [] : [item]) }

    /// Lets the present pass be the last.
    public func disableLooping() {
        guard !isCancelled else { return }
        registrar.withMutation(of: self, keyPath: \.status) {
            registrar.withMutation(of: self, keyPath: \.loopingPlayerItems) { isCancelled = true }
        }
        player?.loops(of: item, false)
    }
}
