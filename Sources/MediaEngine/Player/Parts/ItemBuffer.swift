import Foundation
import MediaCore

/// The data of an item that can be played without waiting.
struct ItemBuffer {
    /// The loaded time ranges, and the ranges to which the item can seek. Each value has a `timeRangeValue`.
    var loaded: [NSValue] = []
    var seekable: [NSValue] = []
    var isLikelyToKeepUp = false
    var isEmpty = true
    var isFull = false
    /// The largest frame size in a stream's playlist, in pixels; zero if the playlist gives no size.
    var expectedSize = CGSize.zero
    private(set) var stallCount = 0
    /// Whether the item is loaded over a network, so that its source reports the loaded data.
    private var isRemote = false

    mutating func open(duration: MediaTime?) {
        if let duration {
            let whole = [NSValue(timeRange: CMTimeRange(start: .zero, duration: duration.time))]
            if !isRemote { loaded = whole }
            if seekable.isEmpty { seekable = whole }
        }
        if !isRemote { (isLikelyToKeepUp, isFull, isEmpty) = (true, true, false) }
    }

    mutating func load(_ status: BufferStatus) {
        isRemote = true
        expectedSize = status.expectedSize
        loaded = ItemBuffer.values(status.loaded)
        if let range = status.seekable { seekable = ItemBuffer.values([range]) }
        isLikelyToKeepUp = status.isLikelyToKeepUp
        isFull = status.isFull
        isEmpty = status.ahead <= 0 && !status.isComplete
    }

    mutating func stall() {
        stallCount += 1
        runDry()
    }

    /// Marks the buffer as empty: no more data can be played.
    mutating func runDry() { (isEmpty, isLikelyToKeepUp) = (true, false) }

    private static func values(_ ranges: [Range<MediaTime>]) -> [NSValue] {
        ranges.map { NSValue(timeRange: CMTimeRange(start: $0.lowerBound.time, end: $0.upperBound.time)) }
    }
}
