import Foundation
import MediaCore

/// The state of opening an item, and the properties that its container gives.
struct ItemOpening {
    var status = AVPlayerItem.Status.unknown
    var error: (any Error)?
    var duration = CMTime.indefinite
    var presentationSize = CGSize.zero
    /// The description of the open item; nil until the item is open.
    var description: ItemDescription?
}
