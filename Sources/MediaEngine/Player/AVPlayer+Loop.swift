import MediaCore

extension AVPlayer {
    /// Whether the current item, or its `loopedRange`, loops. An `AVPlayerLooper` sets this property too.
    package var loopsCurrentItem: Bool {
        get { currentItem.map { $0.entry.loops } ?? false }
        set {
            guard let item = current, newValue != item.entry.loops else { return }
            let range = item.entry.loopRange
            loops(of: item, newValue, in: range)
            keyPathObservers.objectDidChange()
        }
    }

    /// The range of the current item that loops; nil if the item does not loop, or loops as a whole.
    ///
    /// If the current time is outside a new range, playback continues from the start of the range. Ignores an invalid
    /// or empty range.
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
            // Without this seek, playback would end at the end of the former range. The seek continues at the current
            // time.
            if range == nil { seek(to: currentTime(), toleranceBefore: .zero, toleranceAfter: .zero) { _ in } }
            keyPathObservers.objectDidChange()
        }
    }

    /// Whether the current item would be audible if it played.
    package var isAudible: Bool { !isMuted && volume > 0 && currentItem?.description?.audio != nil }
}

extension AVPlayerItem {
    /// A number that identifies this item for the lifetime of the process.
    package var number: UInt64 { entry.id }
    package var isOpen: Bool { description != nil }
}
