import Foundation
import MediaCore

/// A composition that can be changed: ranges of files can be inserted, removed and scaled.
///
/// ```swift
/// let composition = AVMutableComposition()
/// for url in urls {
///     let asset = AVURLAsset(url: url)
///     let duration = try await asset.load(.duration)
///     try await composition.insertTimeRange(
///         CMTimeRange(start: .zero, duration: duration), of: asset, at: composition.duration)
/// }
/// player.replaceCurrentItem(with: AVPlayerItem(asset: composition))
/// ```
/// Video and audio of files and HTTP resources can be inserted, but no streams and no subtitles. A player item and an
/// image generator use the content that the composition has when they are created, and an export session the content at
/// the start of the export. Safe to use from any thread.
///
/// **Playback.** All enabled audio tracks are mixed. Of the enabled video tracks, the first one that is not empty is
/// shown. Where all are empty, frames are black; a gap of less than 0.1 s shows the frame before it instead.
public final class AVMutableComposition: AVComposition, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. The class has no stored properties.

    /// Creates an empty composition.
    public init() { super.init(CompositionState()) { AVMutableCompositionTrack($0, in: $1) } }
    init(_ state: CompositionState) { super.init(state) { AVMutableCompositionTrack($0, in: $1) } }

    /// The size of the frames, in pixels. The default is that of the first file in the first video track that has one;
    /// `.zero` restores the default.
    ///
    /// The size is not used for playback, whose frames have the sizes of the files. A negative or infinite size counts
    /// as zero.
    public override var naturalSize: CGSize {
        get { super.naturalSize }
        set {
            let isSize =
                newValue.width > 0 && newValue.height > 0 && newValue.width.isFinite && newValue.height.isFinite
            content.change { $0.naturalSize = isSize ? newValue : nil }
        }
    }

    // MARK: Tracks

    /// The tracks in the order in which they were added.
    public var tracks: [AVMutableCompositionTrack] { trackList.all.compactMap { $0 as? AVMutableCompositionTrack } }
    /// Returns the tracks of `type`, in the order in which they were added.
    public func tracks(withMediaType type: AVMediaType) -> [AVMutableCompositionTrack] {
        tracks.filter { $0.mediaType == type }
    }
    /// Returns the tracks with the characteristic `trait`, in the order in which they were added.
    public func tracks(withMediaCharacteristic trait: AVMediaCharacteristic) -> [AVMutableCompositionTrack] {
        tracks.filter { $0.hasMediaCharacteristic(trait) }
    }
    /// Returns the track with the identifier `id`; nil if there is none.
    public func track(withTrackID id: CMPersistentTrackID) -> AVMutableCompositionTrack? {
        tracks.first { $0.trackID == id }
    }

    /// Adds an empty track, and returns it. Returns nil unless `mediaType` is `.video` or `.audio`.
    ///
    /// - Parameter preferredTrackID: The identifier of the track. With `kCMPersistentTrackID_Invalid`, a negative
    ///   value, or the identifier of another track, the track gets a new one.
    @discardableResult
    public func addMutableTrack(
        withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
    ) -> AVMutableCompositionTrack? {
        guard mediaType == .video || mediaType == .audio else { return nil }
        return add(content.change { $0.addTrack(mediaType, preferredID: preferredTrackID) })
    }

    private func add(_ state: CompositionTrackState) -> AVMutableCompositionTrack {
        let track = AVMutableCompositionTrack(state, in: content)
        track.belong(to: self, nil)
        trackList.append(track)
        return track
    }

    /// Removes `track`. Ignores a track of another composition.
    public func removeTrack(_ track: AVCompositionTrack) {
        guard trackList.remove(track) else { return }
        let number = track.number
        content.change { $0.tracks.removeAll { $0.number == number } }
    }

    /// Returns the first track into which ranges of `track` can be inserted; nil if there is none. Tracks of the same
    /// media type are compatible, whatever their codecs are.
    public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
        tracks.first { $0.mediaType == track.mediaType }
    }

    // MARK: Edits of all tracks

    /// Inserts a range of all video and audio tracks of `asset`, which play at their natural speed. Everything at or
    /// after `startTime` moves later by the duration of the range.
    ///
    /// If the asset has not been read yet, this method reads it, which blocks the calling thread for up to 60 s. In
    /// asynchronous code, the other form of the method is used, which does not block.
    ///
    /// The tracks of each media type are inserted into the composition's tracks of that type, in their order. If the
    /// composition has too few tracks, others are added. An added track has the transform, the language and the volume
    /// of its source. Of the tracks of a file, the first video track is enabled, and the audio track that a player
    /// would select. A track of a composition stays enabled or disabled. The part of the range after the end of `asset`
    /// is ignored.
    ///
    /// - Parameters:
    ///   - timeRange: A range on the timeline of `asset`. A negative start counts as 0. The duration can be infinite.
    ///   - asset: A file, an HTTP resource or a composition.
    ///   - startTime: The time in the composition. `.invalid` appends the range. If it is after the end, an empty range
    ///     fills the gap.
    /// - Throws: `.invalidArgument` for a time that is not a number, or a range outside of `asset`.
    ///   `.operationNotSupported` for an HLS stream. The reason why the asset cannot be read or played.
    public func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws(AVError) {
        try insert(timeRange, of: try asset.loader.detailsNow(), asset.loader.url, at: startTime)
    }

    /// Inserts a range of all video and audio tracks of `asset`, like the form of this method that blocks.
    ///
    /// - Throws: The same errors, and `.cancelled` if the task is canceled.
    public func insertTimeRange(
        _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(AVError) {
        try insert(timeRange, of: try await asset.loader.details(), asset.loader.url, at: startTime)
    }

    /// Inserts a range of all video and audio tracks of `asset`, and calls `completionHandler` on any thread, with an
    /// `AVError` if that fails. An older form.
    public func insertTimeRange(
        _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task {
            do throws(AVError) {
                try insert(timeRange, of: try await asset.loader.details(), asset.loader.url, at: startTime)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    private func insert(
        _ timeRange: CMTimeRange, of details: AssetDetails, _ url: URL, at startTime: CMTime
    ) throws(AVError) {
        if details.stream != nil { throw CompositionInsertion.streamError(url.location) }
        let time = try CompositionInsertion.time(startTime)
        let sources = details.tracks.filter { $0.isPlayable && [.video, .audio].contains($0.mediaType) }
        guard !sources.isEmpty else {
            throw details.unplayable
                ?? AVError(
                    .noPlayableTracks, at: url.location, reason: "the asset contains no audio or video",
                    suggestion: "Insert an asset with audio or video")
        }
        guard let range = timeRange.boundedForComposition else {
            throw AVError(
                .invalidArgument, at: url.location, reason: "\(timeRange) is not a valid time range to insert",
                suggestion: "Pass a valid time range with a duration above 0")
        }
        let end = details.duration.isNumeric ? min(range.end, details.duration) : range.end
        guard end > range.start, end < MediaTime.max.time else {
            throw AVError(
                .invalidArgument, at: url.location,
                reason: "the time range \(timeRange) is not inside the asset, whose duration is \(details.duration)",
                suggestion: "Pass a time range of the asset")
        }
        let part = CMTimeRange(start: range.start, end: end)
        let additions = CompositionInsertion.Addition.all(sources, part)
        let added = content.change { $0.insert(additions, lasting: part.duration, at: time) }
        for track in added { _ = add(track) }
    }

    /// Inserts an empty range into all tracks. Everything at or after the start of the range moves later by the
    /// duration of the range.
    ///
    /// A range at or after the end of a track has no effect on the track. Ignores a range that is not valid or has no
    /// duration.
    public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard let range = timeRange.boundedForComposition else { return }
        changeTracks { $0.insert([CompositionSegment(empty: range.duration)], at: range.start) }
    }

    /// Removes a range from all tracks. Everything after the range moves to its start. No track is removed.
    ///
    /// Ignores a range that is not valid or has no duration.
    public func removeTimeRange(_ timeRange: CMTimeRange) {
        guard let range = timeRange.boundedForComposition else { return }
        changeTracks { $0.remove(range) }
    }

    /// Changes the duration of a range in all tracks, which then plays slower or faster. Audio keeps its pitch at
    /// speeds from 0.25 to 4 and is silent at other speeds.
    ///
    /// Ignores a range that is not valid or has no duration, and a duration that is not a number above 0.
    public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard let range = timeRange.boundedForComposition, let duration = duration.boundedForComposition,
            duration > .zero
        else { return }
        changeTracks { $0.scale(range, to: duration) }
    }

    private func changeTracks(_ body: (inout SegmentList) -> Void) {
        content.change { state in
            for index in state.tracks.indices { body(&state.tracks[index].segments) }
        }
    }
}
