import Foundation
import MediaCore

/// A track of a composition, which plays ranges of tracks of files.
///
/// The codec, the size and the audio format are those of the first file. The track of an `AVMutableComposition` changes
/// with the composition. Safe to use from any thread.
public class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. All stored properties are constants of `Sendable` types.
    let content: CompositionContent
    /// The number of the track in its composition (see `CompositionTrackState`).
    let number: Int
    private let id: CMPersistentTrackID
    private let type: AVMediaType

    init(_ track: CompositionTrackState, in content: CompositionContent) {
        self.content = content
        (number, id, type) = (track.number, track.id, track.mediaType)
        super.init(TrackFacts(trackID: track.id, mediaType: track.mediaType))
    }

    /// The track; one without segments after it was removed from its composition.
    var state: CompositionTrackState {
        content.track(number) ?? CompositionTrackState(number: number, id: id, mediaType: type)
    }
    override var facts: TrackFacts { state.facts }

    public override var trackID: CMPersistentTrackID { id }
    public override var mediaType: AVMediaType { type }
    /// The segments of the track in order, without gaps between them.
    public var segments: [AVCompositionTrackSegment] { state.segments.all.map { AVCompositionTrackSegment($0) } }
    /// The transform of the frames for display. The default is the identity, whatever the files specify.
    public override var preferredTransform: CGAffineTransform { state.preferredTransform }
    public override var preferredVolume: Float { state.preferredVolume }
}

/// A track of a composition that can be changed.
/// ``AVMutableComposition/addMutableTrack(withMediaType:preferredTrackID:)`` creates one.
///
/// ```swift
/// guard let music = composition.addMutableTrack(
///     withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid),
///     let source = try await song.loadTracks(withMediaType: .audio).first
/// else { return }
/// try music.insertTimeRange(CMTimeRange(start: .zero, duration: composition.duration), of: source, at: .zero)
/// music.preferredVolume = 0.3
/// ```
/// A change has no effect after the track was removed from its composition. Safe to use from any thread.
public final class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. The class has no stored properties.

    // MARK: Properties

    /// Whether the track plays. The default is true.
    ///
    /// All enabled audio tracks are mixed. Of the enabled video tracks, the first one that is not empty is shown.
    public override var isEnabled: Bool {
        get { super.isEnabled }
        set { content.changeTrack(number) { $0.isEnabled = newValue } }
    }
    /// The transform of the frames for display. The default is the identity, whatever the files specify.
    ///
    /// ```swift
    /// track.preferredTransform = try await source.load(.preferredTransform)
    /// ```
    /// Frames are rotated by quarter turns and mirrored. The rotation is rounded, and all other changes are ignored.
    public override var preferredTransform: CGAffineTransform {
        get { super.preferredTransform }
        set { content.changeTrack(number) { $0.preferredTransform = newValue } }
    }
    /// The factor by which the samples are multiplied before they are mixed. The default is 1. A negative value or NaN
    /// counts as 0, and a value above 16 as 16.
    public override var preferredVolume: Float {
        get { super.preferredVolume }
        set { content.changeTrack(number) { $0.preferredVolume = newValue > 0 ? min(16, newValue) : 0 } }
    }
    /// The number of time units per second. The default is that of the first file. 0 or a negative value restores the
    /// default. Has no effect on playback.
    public override var naturalTimeScale: CMTimeScale {
        get { super.naturalTimeScale }
        set { content.changeTrack(number) { $0.naturalTimeScale = newValue > 0 ? newValue : nil } }
    }
    /// The language as a three-letter code of ISO 639-2/T; nil if unknown, which is the default. Setting it also sets
    /// `extendedLanguageTag`. A text that names no language counts as nil.
    public override var languageCode: String? {
        get { super.languageCode }
        set { setLanguage(newValue) }
    }
    /// The language as a BCP 47 tag; nil if unknown, which is the default. Setting it also sets `languageCode`. A text
    /// that names no language counts as nil.
    public override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { setLanguage(newValue) }
    }
    private func setLanguage(_ text: String?) {
        let language = text.flatMap(LanguageTag.init)
        content.changeTrack(number) { $0.language = language }
    }

    // MARK: Edits

    /// Inserts a range of `track`, which plays at its natural speed. Everything at or after `startTime` moves later by
    /// the duration of the range.
    ///
    /// The part of the range after the end of `track` is ignored. The part before its start stays empty, so that tracks
    /// of one asset stay synchronous.
    ///
    /// - Parameters:
    ///   - timeRange: A range on the timeline of the track's asset. A negative start counts as 0. The duration can be
    ///     infinite.
    ///   - track: A track of an `AVURLAsset` or of a composition. It must have the same media type.
    ///   - startTime: The time in this track. `.invalid` appends the range. If it is after the end, an empty range
    ///     fills the gap.
    /// - Throws: `.invalidArgument` for another media type, a time that is not a number, or a range outside of `track`.
    ///   `.operationNotSupported` for a track of an HLS stream. `.decoderNotFound` if no decoder is installed.
    public func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws(AVError)
    {
        let new = try CompositionInsertion.segments(of: track, timeRange, for: mediaType)
        let time = try CompositionInsertion.time(startTime)
        content.changeTrack(number) { $0.segments.insert(new, at: time) }
    }

    /// Inserts ranges of several tracks, one after the other, as `insertTimeRange(_:of:at:)` does.
    ///
    /// - Parameters:
    ///   - timeRanges: Values created by `NSValue(timeRange:)`.
    ///   - tracks: The track of each range.
    ///   - startTime: The time of the first range in this track. `.invalid` appends the ranges.
    /// - Throws: The errors of `insertTimeRange(_:of:at:)`, and `.invalidArgument` if the numbers of ranges and tracks
    ///   differ. The track then has not changed.
    public func insertTimeRanges(
        _ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime
    ) throws(AVError) {
        guard timeRanges.count == tracks.count else {
            throw AVError(
                .invalidArgument, at: CompositionPlan.location,
                reason: "there are \(timeRanges.count) time ranges for \(tracks.count) tracks",
                suggestion: "Pass one track for each time range")
        }
        var new: [CompositionSegment] = []
        for (range, track) in zip(timeRanges, tracks) {
            new += try CompositionInsertion.segments(of: track, range.timeRangeValue, for: mediaType)
        }
        let time = try CompositionInsertion.time(startTime)
        let segments = new
        content.changeTrack(number) { $0.segments.insert(segments, at: time) }
    }

    /// Inserts an empty range, in which the track plays nothing. Everything at or after the start of the range moves
    /// later by the duration of the range.
    ///
    /// A range at or after the end has no effect, because the end of a track is never empty. Ignores a range that is
    /// not valid or has no duration.
    public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard let range = timeRange.boundedForComposition else { return }
        content.changeTrack(number) {
            $0.segments.insert([CompositionSegment(empty: range.duration)], at: range.start)
        }
    }

    /// Removes a range. Everything after the range moves to its start. Ignores a range that is not valid or has no
    /// duration.
    public func removeTimeRange(_ timeRange: CMTimeRange) {
        guard let range = timeRange.boundedForComposition else { return }
        content.changeTrack(number) { $0.segments.remove(range) }
    }

    /// Changes the duration of a range, which then plays slower or faster. Audio keeps its pitch at speeds from 0.25 to
    /// 4 and is silent at other speeds.
    ///
    /// Ignores a range that is not valid or has no duration, and a duration that is not a number above 0.
    public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard let range = timeRange.boundedForComposition, let duration = duration.boundedForComposition,
            duration > .zero
        else { return }
        content.changeTrack(number) { $0.segments.scale(range, to: duration) }
    }
}
