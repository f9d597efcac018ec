import MediaCore

/// A change that an app makes to every frame of an item. The layers that draw frames define and apply it.
package protocol FrameChange: AnyObject, Sendable {}

/// The change of an item's frames, for the displays. Every `PulledFrame` refers to that of its item.
///
/// The last frame of an item stays visible after its player has another item. This object may therefore outlive the
/// item.
@MainActor
package final class ItemComposition {
    /// The change. Nil if the frames are shown unchanged.
    package internal(set) var current: (any FrameChange)?
    weak var item: AVPlayerItem?

    nonisolated init() {}

    /// Adds an error of `current` to the item's error log.
    package func failed(_ error: AVError) { item?.compositionFailed(error) }
}
