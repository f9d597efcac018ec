import Foundation
import MediaCore

/// What the pipeline tells its player; delivered on any thread, in order, with nothing locked.
enum PipelineEvent: Sendable {
    case opened(PlaybackEntry, ItemDescription)
    case failed(PlaybackEntry, AVError)
    /// One of the item's tracks cannot be decoded; the other one plays. The event may be sent more than once.
    case trackFailed(PlaybackEntry, TrackProblem)
    /// Read to its end, which is not the end that its header tells of: it plays that far.
    case endsEarly(PlaybackEntry, AVError)
    /// A new stretch of the timeline exists or its end became known: look at the schedule again.
    case timelineChanged
    case seekFinished(id: UInt64, completed: Bool)
    /// Playback can begin (or cannot yet).
    case readinessChanged
    case audio(AudioOutputEvent)
    /// A remote source did not keep up; time stands.
    case stalled
    /// What has come of a remote source.
    case buffered(PlaybackEntry, BufferStatus)
    /// How loud it is, by its tags or by measuring.
    case loudness(PlaybackEntry, LoudnessMeasure)
    /// What an internet radio plays; nil: it does not say so any more.
    case streamTitle(PlaybackEntry, String?)
    /// Pictures of another size follow: another variant of a stream, or a change in mid-stream.
    case presentationSize(PlaybackEntry, CGSize)
}

/// Where playing stands.
struct PlaybackPosition: Sendable {
    var entry: PlaybackEntry
    var media: MediaTime
    var pass: Int
    var round: Int
    var isAtEnd: Bool
}
