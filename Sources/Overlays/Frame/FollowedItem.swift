import Filters
import MediaEngine

/// The item whose frame was pulled last, and the change that its video composition requests.
@MainActor
struct FollowedItem {
    private var item: ItemComposition?
    private var change: AVVideoComposition?
    /// The handler of the video composition. Nil if the item's frames stay unchanged.
    private(set) var filtering: ImageFiltering?

    /// Whether the item requests a change of its frames.
    var hasChange: Bool { change != nil }

    /// Follows the item of the next frame.
    /// - Returns: Whether that is another item, and whether another change applies.
    mutating func follow(_ new: ItemComposition?) -> (isOtherItem: Bool, isOtherChange: Bool) {
        let newChange = new?.current as? AVVideoComposition
        let isOtherItem = new !== item
        if isOtherItem { item = new }
        guard newChange !== change else { return (isOtherItem, false) }
        change = newChange
        filtering = newChange?.filtering
        return (isOtherItem, true)
    }
}
