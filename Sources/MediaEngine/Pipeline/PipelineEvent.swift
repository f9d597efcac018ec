import Foundation
import MediaCore

/// An event that the pipeline reports to its player. Events are delivered in order, on any thread, with no lock held.
enum PipelineEvent: Sendable {
    case opened(PlaybackEntry, ItemDescription)
    case failed(PlaybackEntry, AVError)
    /// A track of the item cannot be decoded. The other track plays. The event may be sent more than once.
    case trackFailed(PlaybackEntry, TrackProblem)
    /// The item's data ended before the end that its header specifies. The item plays up to that point.
    case endsEarly(PlaybackEntry, AVError)
    /// The timeline has a new segment, or the end of a segment is now known. The player must read the schedule again.
    case timelineChanged
    case seekFinished(id: UInt64, completed: Bool)
    /// Playback has become possible or impossible, or a seek has finished. The player must check its state again.
    case readinessChanged
    case audio(AudioOutputEvent)
    /// Playback has stopped because a remote source did not deliver data in time.
    case stalled
    /// The buffer status of a remote source has changed.
    case buffered(PlaybackEntry, BufferStatus)
    /// The loudness of the item is known, from its tags or from a measurement.
    case loudness(PlaybackEntry, LoudnessMeasure)
    /// The title that an internet radio station reports has changed. `nil` if the station no longer reports one.
    case streamTitle(PlaybackEntry, String?)
    /// The size of the frames that follow has changed, because of another variant of a stream or a change within the
    /// video.
    case presentationSize(PlaybackEntry, CGSize)
}

/// The item that plays and the position in it.
struct PlaybackPosition: Sendable {
    var entry: PlaybackEntry
    var media: MediaTime
    var pass: Int
    var loopNumber: Int
    var isAtEnd: Bool
}
