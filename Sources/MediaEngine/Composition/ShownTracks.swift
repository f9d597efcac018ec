import Foundation
import MediaCore

/// The video track of a composition that is shown at each time: of the enabled tracks, the first one that is not empty.
package struct ShownTracks: Sendable {
    private let parts: [(range: Range<MediaTime>, trackID: CMPersistentTrackID)]

    /// Reads the composition of `track`. Returns nil if `track` is not part of a composition.
    package init?(of track: AVAssetTrack) {
        guard let track = track as? AVCompositionTrack else { return nil }
        let videos = track.content.state.tracks.filter { $0.isEnabled && $0.mediaType == .video }
        var parts: [(range: Range<MediaTime>, trackID: CMPersistentTrackID)] = []
        for video in videos {
            for segment in video.segments.all where segment.source != nil {
                guard let start = MediaTime(segment.target.start), let end = MediaTime(segment.target.end), start < end
                else { continue }
                parts.append((start..<end, video.id))
            }
        }
        self.parts = parts
    }

    /// Returns the identifier of the track that is shown at `time`; nil in a gap of all tracks.
    package func trackID(at time: MediaTime) -> CMPersistentTrackID? {
        parts.first { $0.range.contains(time) }?.trackID
    }
}

extension AVComposition {
    /// The size that the app has set as `naturalSize`; nil if it has set none.
    package var chosenSize: CGSize? { content.state.naturalSize }
}
