import Foundation
import MediaCore

/// Whether an item is open, and what its container says about it.
struct ItemOpening {
    var status = AVPlayerItem.Status.unknown
    var error: (any Error)?
    var duration = CMTime.indefinite
    var presentationSize = CGSize.zero
    /// Nil until the item is open.
    var description: ItemDescription?
}
