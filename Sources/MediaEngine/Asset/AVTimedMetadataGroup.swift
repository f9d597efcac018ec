import MediaCore

/// Metadata for a time range, such as a chapter.
public final class AVTimedMetadataGroup: Sendable {
    /// The metadata of the time range; for a chapter, its title, and an image if it has one.
    public let items: [AVMetadataItem]
    /// The time range on the asset's timeline.
    public let timeRange: CMTimeRange

    /// Creates a group of items for a time range.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        self.items = items
        self.timeRange = timeRange
    }
}
