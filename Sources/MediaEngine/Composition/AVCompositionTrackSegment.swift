import Foundation
import MediaCore

/// A part of a track: a range of media, and its range on the timeline of the asset.
public class AVAssetTrackSegment: @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. The stored property is a constant of a `Sendable` type.
    /// The range of the media, and its range on the timeline of the asset. If the durations differ, the media plays
    /// slower or faster. The source of an empty segment is invalid.
    public let timeMapping: CMTimeMapping

    init(_ mapping: CMTimeMapping) { timeMapping = mapping }

    /// Whether the segment plays nothing: silence, or black frames.
    public var isEmpty: Bool { timeMapping.isEmpty }
}

/// A part of a composition's track: a range of a track of a file, or nothing.
///
/// ```swift
/// for segment in track.segments {
///     print(segment.sourceURL?.lastPathComponent ?? "empty", segment.timeMapping.target.duration.seconds)
/// }
/// ```
/// A segment does not change when its track changes.
public final class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. All stored properties are constants of `Sendable` types.
    /// The URL of the file; nil for an empty segment.
    public let sourceURL: URL?
    /// The identifier of the track in the file; `kCMPersistentTrackID_Invalid` for an empty segment.
    public let sourceTrackID: CMPersistentTrackID

    init(_ segment: CompositionSegment) {
        sourceURL = segment.source?.url
        sourceTrackID = segment.source?.facts.trackID ?? kCMPersistentTrackID_Invalid
        super.init(segment.mapping)
    }
}
