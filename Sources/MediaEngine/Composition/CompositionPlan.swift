import Foundation
import MediaCore
import Streaming

/// A range of a source that plays in a range of the composition, or a range without media.
struct CompositionPiece: Sendable {
    /// The source; nil for a range without media.
    var source: CompositionSource?
    /// The range on the composition's timeline, which is not empty.
    var target: Range<MediaTime>
    /// The start of the range in the source, and its length.
    var start: MediaTime = 0, length: MediaTime = 0
    /// The orientation of the frames.
    var orientation = PictureOrientation.upright

    private var targetLength: MediaTime { target.upperBound - target.lowerBound }
    /// The end of the range in the source.
    var end: MediaTime { start + length }
    /// The speed at which the source plays; 1 for its natural speed.
    var speed: Double {
        length == targetLength ? 1 : Double(length.nanoseconds) / Double(max(1, targetLength.nanoseconds))
    }

    /// Whether audio can be played at the speed. At other speeds, the piece is silent.
    var isAudible: Bool { TimeStretcher.range.contains(Float(speed)) }

    /// Returns the time of the source at `time` of the composition, inside the piece.
    func sourceTime(at time: MediaTime) -> MediaTime {
        let into = min(max(.zero, time - target.lowerBound), targetLength)
        return start + CompositionPiece.scaled(into, from: targetLength, to: length)
    }

    /// Returns the time of the composition at `time` of the source, which may be outside of the piece.
    func targetTime(of time: MediaTime) -> MediaTime {
        target.lowerBound + CompositionPiece.scaled(time - start, from: length, to: targetLength)
    }

    private static func scaled(_ time: MediaTime, from: MediaTime, to: MediaTime) -> MediaTime {
        guard from != to, from > .zero else { return time }
        return MediaTime(
            nanoseconds: Int64(
                clamping: Int128(time.nanoseconds) * Int128(to.nanoseconds) / Int128(from.nanoseconds)))
    }

    /// Returns the part of the piece in `range`, which is inside its target.
    func cropped(to range: Range<MediaTime>) -> CompositionPiece {
        var part = self
        part.target = range
        part.start = sourceTime(at: range.lowerBound)
        part.length = sourceTime(at: range.upperBound) - part.start
        return part
    }
}

/// The content of a composition in the form in which it is played. It does not change, and takes the place of a URL in
/// `HTTPOptions`.
package final class CompositionPlan: Sendable {
    /// The name of a composition in messages.
    static let location = "composition"
    /// The URL of assets that play a composition. It cannot be opened.
    static let url = URL(string: location) ?? URL(fileURLWithPath: "/" + location)
    static var emptyError: AVError {
        AVError(
            .noPlayableTracks, at: location, reason: "the composition has no video or audio to play",
            suggestion: "Insert a time range of an asset, and enable its track")
    }

    /// An audio track that is mixed.
    struct Lane: Sendable {
        /// The index of the track, as in `AVAssetTrack.streamIndex`.
        let streamIndex: Int
        var trackID: CMPersistentTrackID { CMPersistentTrackID(streamIndex + 1) }
        /// The parts of the track in order, each with a source.
        let pieces: [CompositionPiece]
        let volume: Float
    }

    private let state: CompositionState
    let duration: MediaTime
    /// The pieces that are shown, in order: the visible parts of the video tracks, and black frames. Empty without
    /// video.
    let video: [CompositionPiece]
    /// The enabled audio tracks that have media.
    let audio: [Lane]
    /// The format of the mixed audio. The sample rate is that of the sources, or 48 kHz if they differ. The channel
    /// layout is that of the source with the most channels.
    let format: AudioFormat
    /// Whether a source is loaded over the network.
    let isRemote: Bool

    /// A gap of the video that is shorter shows the frame before it. The tracks of a file often differ by a few
    /// milliseconds, and a black frame between two files would be visible.
    private static let shortestGap: MediaTime = 100_000_000

    init(_ state: CompositionState) {
        self.state = state
        duration = MediaTime(state.duration) ?? .zero
        let enabled = state.tracks.filter(\.isEnabled)
        let visible = enabled.filter { $0.mediaType == .video }.map(CompositionPlan.pieces)
        video = CompositionPlan.filled(CompositionPlan.overlaid(visible), to: duration)
        audio = enabled.filter { $0.mediaType == .audio }.compactMap { track in
            let pieces = CompositionPlan.pieces(of: track)
            guard !pieces.isEmpty else { return nil }
            return Lane(streamIndex: Int(track.id) - 1, pieces: pieces, volume: track.preferredVolume)
        }
        format = CompositionPlan.format(audio.flatMap(\.pieces).compactMap { $0.source?.facts.audio })
        isRemote = (video + audio.flatMap(\.pieces)).contains { piece in
            piece.source.map { $0.options.http.canRequest($0.url) } ?? false
        }
    }

    /// The details of an asset with this content.
    var details: AssetDetails {
        let content = CompositionContent(state)
        return AssetDetails(
            composition: state.tracks.map { AVCompositionTrack($0, in: content) }, duration: state.duration)
    }

    // MARK: pieces

    private static func pieces(of track: CompositionTrackState) -> [CompositionPiece] {
        let orientation = PictureOrientation(track.preferredTransform) ?? .upright
        return track.segments.all.compactMap { segment in
            guard let source = segment.source, let from = MediaTime(segment.target.start),
                let to = MediaTime(segment.target.end), to > from,
                let start = MediaTime(segment.mapping.source.start), let end = MediaTime(segment.mapping.source.end)
            else { return nil }
            // Both lengths are rounded to nanoseconds. At the natural speed, they must be equal.
            let isNatural = segment.mapping.source.duration == segment.duration
            return CompositionPiece(
                source: source, target: from..<to, start: start, length: isNatural ? to - from : max(1, end - start),
                orientation: orientation)
        }
    }

    /// Returns the visible parts of video tracks, in order. An earlier track hides later ones.
    private static func overlaid(_ tracks: [[CompositionPiece]]) -> [CompositionPiece] {
        var placed: [CompositionPiece] = []
        for track in tracks {
            let above = placed
            var next = 0
            for piece in track {
                var start = piece.target.lowerBound
                let end = piece.target.upperBound
                while start < end {
                    while next < above.count, above[next].target.upperBound <= start { next += 1 }
                    let cover = next < above.count ? above[next].target : end..<end
                    let visible = start..<max(start, min(end, cover.lowerBound))
                    if visible == piece.target {
                        placed.append(piece)
                    } else if !visible.isEmpty {
                        placed.append(piece.cropped(to: visible))
                    }
                    start = cover.upperBound
                }
            }
            placed.sort { $0.target.lowerBound < $1.target.lowerBound }
        }
        return placed
    }

    /// Returns `pieces` with black pieces in the gaps, up to `duration`.
    private static func filled(_ pieces: [CompositionPiece], to duration: MediaTime) -> [CompositionPiece] {
        guard !pieces.isEmpty else { return [] }
        var all: [CompositionPiece] = []
        var end = MediaTime.zero
        func fill(to time: MediaTime) {
            if time - end >= shortestGap { all.append(CompositionPiece(target: end..<time)) }
        }
        for piece in pieces {
            fill(to: piece.target.lowerBound)
            all.append(piece)
            end = piece.target.upperBound
        }
        fill(to: duration)
        return all
    }

    private static func format(_ sources: [TrackAudio]) -> AudioFormat {
        let rates = Set(sources.map { Int($0.sampleRate) })
        let rate = rates.count == 1 ? rates.first.map { $0.bounded(to: 8000...AudioFormat.highestRate) } : nil
        var mask = AudioFormat.stereo
        if let widest = sources.map(\.channelMask).max(by: { $0.nonzeroBitCount < $1.nonzeroBitCount }),
            widest.nonzeroBitCount <= 8
        {
            mask = widest
        }
        return AudioFormat(sampleRate: rate ?? 48_000, channelMask: mask)
    }
}

extension HTTPOptions {
    /// The composition that takes the place of the URL; nil if there is none.
    var composition: CompositionPlan? { substitute?.media as? CompositionPlan }
}
