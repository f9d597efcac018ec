import Foundation

extension AVPlayer {
    /// Whether the current item goes round without an end of its own, whoever asked for that; of a part of it, that part does.
    package var loopsCurrentItem: Bool {
        get { currentItem.map { item in pipeline.monitor.withLock { item.entry.loops } } ?? false }
        set {
            guard let item = currentItem, newValue != loopsCurrentItem else { return }
            let range = pipeline.monitor.withLock { item.entry.loopRange }
            loops(of: item, newValue, in: range)
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
