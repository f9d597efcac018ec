import Foundation
import MediaCore

extension AVPlayer {
    /// Whether the current item goes round without an end of its own, whoever asked for that; of a part of it, that
    /// part does.
    package var loopsCurrentItem: Bool {
        get { currentItem.map { $0.entry.loops } ?? false }
        set {
            guard let item = current, newValue != item.entry.loops else { return }
            let range = item.entry.loopRange
            loops(of: item, newValue, in: range)
            keyPathObservers.objectDidChange()
        }
    }

    /// The part of the current item that goes round, nil: none does (all of it may). Setting it begins there where it
    /// stands elsewhere.
    package var loopedRange: CMTimeRange? {
        get {
            currentItem.flatMap { item in item.entry.loops ? item.entry.loopRange : nil }
                .map { CMTimeRange(start: $0.lowerBound.time, end: $0.upperBound.time) }
        }
        set {
            guard let item = current else { return }
            let range = newValue.flatMap { new -> ClosedRange<MediaTime>? in
                guard let start = MediaTime(new.start), let end = MediaTime(new.end), start < end else { return nil }
                return max(0, start)...end
            }
            let isLooped = item.entry.loops && item.entry.loopRange != nil
            guard newValue == nil ? isLooped : range != nil else { return }
            loops(of: item, range != nil, in: range)
            // By itself it would play the part to its end, and end there; a seek plays on from where it is.
            if range == nil { seek(to: currentTime(), toleranceBefore: .zero, toleranceAfter: .zero) { _ in } }
            keyPathObservers.objectDidChange()
        }
    }

    /// Sound of it would be heard, were it playing.
    package var isAudible: Bool { !isMuted && volume > 0 && currentItem?.description?.audio != nil }
}

extension AVPlayerItem {
    /// Of this item alone, as long as the process lives.
    package var number: UInt64 { entry.id }
    package var isOpen: Bool { description != nil }
}
