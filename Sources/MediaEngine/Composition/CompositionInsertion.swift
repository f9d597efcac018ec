import Foundation
import MediaCore

/// The segments that an insertion into a composition adds, and its checks.
enum CompositionInsertion {
    /// Returns the segments that play `range` of `track`, from time zero on.
    ///
    /// - Parameter type: The media type of the track that receives the segments.
    /// - Throws: See `AVMutableCompositionTrack.insertTimeRange(_:of:at:)`.
    static func segments(of track: AVAssetTrack, _ range: CMTimeRange, for type: AVMediaType) throws(AVError)
        -> [CompositionSegment]
    {
        let facts = track.facts
        guard facts.mediaType == type else {
            throw AVError(
                .invalidArgument, at: location(of: track),
                reason: "a track of type \(facts.mediaType.name) can't be inserted into a track of type \(type.name)",
                suggestion: "Insert the track into a composition track with its media type")
        }
        guard let requested = range.boundedForComposition else {
            throw AVError(
                .invalidArgument, at: location(of: track), reason: "\(range) is not a valid time range to insert",
                suggestion: "Pass a valid time range with a duration above 0")
        }
        let media = track.media
        if media?.isStream == true { throw streamError(location(of: track)) }
        let available = facts.timeRange
        let first = max(.zero, available.start.isNumeric ? available.start : .zero)
        // Without a known duration, the caller decides where the range ends.
        let last = available.duration.isNumeric ? min(available.end, requested.end) : requested.end
        let from = max(requested.start, first)
        guard last > from, last < MediaTime.max.time else {
            throw AVError(
                .invalidArgument, at: location(of: track),
                reason: "the time range \(range) is not inside the track, whose time range is \(available)",
                suggestion: "Pass a time range of the track")
        }
        let part = CMTimeRange(start: from, end: last)
        var segments: [CompositionSegment]
        if let track = track as? AVCompositionTrack {
            segments = track.state.segments.cropped(to: part)
        } else {
            guard let media else {
                throw AVError(
                    .invalidArgument, at: "", reason: "the track has no asset",
                    suggestion: "Insert a track that an asset has returned")
            }
            guard track.isPlayable else {
                throw AVError(
                    .decoderNotFound, at: media.url.location,
                    reason: "no decoder for the \(type.name) codec “\(facts.codec.name)” is installed",
                    suggestion: DecoderPackage.suggestion(for: [facts.codec.name]))
            }
            segments = [
                CompositionSegment(
                    CompositionSource(url: media.url, options: media.options, facts: facts), range: part)
            ]
        }
        if from > requested.start { segments.insert(CompositionSegment(empty: from - requested.start), at: 0) }
        return segments
    }

    /// Returns the time at which to insert; nil to append.
    ///
    /// - Throws: `.invalidArgument` for an infinite or indefinite time.
    static func time(_ time: CMTime) throws(AVError) -> CMTime? {
        guard time.isValid else { return nil }
        guard let bounded = time.boundedForComposition else {
            throw AVError(
                .invalidArgument, at: CompositionPlan.location, reason: "\(time) is not a valid time to insert at",
                suggestion: "Pass a time of the composition, or .invalid to append the media")
        }
        return bounded
    }

    static func streamError(_ location: String) -> AVError {
        AVError(
            .operationNotSupported, at: location, reason: "a composition can't play a stream",
            suggestion: "Export the stream to a file with AVAssetExportSession, and insert that file")
    }

    private static func location(of track: AVAssetTrack) -> String {
        track.media?.url.location ?? CompositionPlan.location
    }
}

extension CompositionInsertion {
    /// The segments of one track of an inserted asset, and the settings of a track that is added for them.
    struct Addition: Sendable {
        let mediaType: AVMediaType
        let segments: [CompositionSegment]
        let preferredTransform: CGAffineTransform
        let preferredVolume: Float
        let isEnabled: Bool
        let language: LanguageTag?

        /// Returns the additions for `range` of `tracks`, which are the tracks of one asset. A track without media in
        /// the range gets an empty segment.
        static func all(_ tracks: [AVAssetTrack], _ range: CMTimeRange) -> [Addition] {
            let video = tracks.first { $0.mediaType == .video }
            let sound = tracks.filter { $0.mediaType == .audio }
            let heard = sound.first(where: \.isEnabled) ?? sound.first
            return tracks.map { track in
                var segments = (try? CompositionInsertion.segments(of: track, range, for: track.mediaType)) ?? []
                let rest = range.duration - segments.reduce(CMTime.zero) { $0 + $1.duration }
                if rest > .zero { segments.append(CompositionSegment(empty: rest)) }
                return Addition(
                    mediaType: track.mediaType, segments: segments, preferredTransform: track.preferredTransform,
                    preferredVolume: track.preferredVolume,
                    isEnabled: track is AVCompositionTrack ? track.isEnabled : track === video || track === heard,
                    language: track.facts.language)
            }
        }
    }
}

extension CompositionState {
    /// Inserts the tracks of an asset at one time, and moves what follows in all other tracks.
    ///
    /// - Parameter time: See `SegmentList.insert`; nil for the end of the composition.
    /// - Returns: The tracks that were added.
    mutating func insert(_ additions: [CompositionInsertion.Addition], lasting duration: CMTime, at time: CMTime?)
        -> [CompositionTrackState]
    {
        let time = time ?? self.duration
        var free = tracks.map(\.id)
        var added: [CMPersistentTrackID] = []
        for addition in additions {
            let place = free.firstIndex { id in tracks.contains { $0.id == id && $0.mediaType == addition.mediaType } }
            let id: CMPersistentTrackID
            if let place {
                id = free.remove(at: place)
            } else {
                id = addTrack(addition.mediaType, preferredID: kCMPersistentTrackID_Invalid).id
                added.append(id)
            }
            guard let index = tracks.firstIndex(where: { $0.id == id }) else { continue }
            if place == nil {
                tracks[index].preferredTransform = addition.preferredTransform
                tracks[index].preferredVolume = addition.preferredVolume
                tracks[index].isEnabled = addition.isEnabled
                tracks[index].language = addition.language
            }
            tracks[index].segments.insert(addition.segments, at: time)
        }
        for index in tracks.indices where free.contains(tracks[index].id) {
            tracks[index].segments.insert([CompositionSegment(empty: duration)], at: time)
        }
        return tracks.filter { added.contains($0.id) }
    }
}
