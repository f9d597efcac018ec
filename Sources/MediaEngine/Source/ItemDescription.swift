import CFFmpeg
import Foundation
import MediaCore

/// The codec parameters of a stream, copied from the container so that decoders outlive the reader.
final class CodecParameters: Sendable {
    private let parameters: Owned<AVCodecParameters>
    var raw: UnsafeMutablePointer<AVCodecParameters> { parameters.raw }

    init?(copying source: UnsafePointer<AVCodecParameters>) {
        guard let copy = Owned<AVCodecParameters>(avcodec_parameters_alloc()),
            avcodec_parameters_copy(copy.raw, source) >= 0
        else { return nil }
        parameters = copy
    }

    /// Returns whether a decoder with these parameters can also decode packets with the parameters `other`.
    func codes(sameAs other: CodecParameters) -> Bool {
        if other === self { return true }
        let a = raw.pointee
        let b = other.raw.pointee
        guard a.codec_id == b.codec_id, a.profile == b.profile, a.sample_rate == b.sample_rate, a.width == b.width,
            a.height == b.height,
            a.ch_layout.nb_channels == b.ch_layout.nb_channels, a.extradata_size == b.extradata_size
        else { return false }
        guard a.extradata_size > 0, let x = a.extradata, let y = b.extradata else { return true }
        return memcmp(x, y, Int(a.extradata_size)) == 0
    }

    var codecName: String { String(cString: avcodec_get_name(raw.pointee.codec_id)) }
}

/// The properties of a video track that decoding needs.
struct VideoTrackDescription: Sendable {
    let streamIndex: Int
    let parameters: CodecParameters
    var timeBase: AVRational
    /// The orientation in the container; `nil` if there is none, so that each frame's bitstream specifies it.
    let orientation: PictureOrientation?
    let aspect: TrackAspect
    /// The nominal duration of a frame, at most a minute; 0 if the container does not specify it.
    var frameDuration: MediaTime
    /// Whether the container's frame durations are reliable (see `VideoDecoder`).
    let hasReliableDurations: Bool
    /// The brightness metadata of the track.
    var light: StreamLight?
    /// Whether the container states that a second stream contains the transparency (see `AlphaDecoder`).
    var hasSecondStream = false
    /// Whether the packets do not continue the previous ones, so that a decoder must first return the frames it holds.
    var isCut = false

    /// The pixel format that the decoder returns, as far as the container and the stream probe specify it.
    var pixelFormat: AVPixelFormat {
        let format = AVPixelFormat(parameters.raw.pointee.format)
        return hasSecondStream ? AlphaDecoder.format(joining: format) : format
    }

    /// The time for which a frame may be displayed longer than its packet states, because durations are unreliable.
    var displayMargin: MediaTime { hasReliableDurations ? 0 : 2 * max(frameDuration, 20_000_000) }

    /// Returns whether the frame of `packet` is certainly no longer displayed at `time` (see `displayMargin`).
    ///
    /// A frame that a composition only decodes for others is never displayed, so the result is `true`.
    func hasEnded(_ packet: MediaPacket, by time: MediaTime) -> Bool {
        if isCut, packet.raw.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { return true }
        return (packet.end ?? .max) <= time - displayMargin
    }

    var pixelCount: Int { Int(parameters.raw.pointee.width) * Int(parameters.raw.pointee.height) }
    var presentationSize: CGSize {
        PictureLimits.presentationSize(
            width: Int(parameters.raw.pointee.width), height: Int(parameters.raw.pointee.height),
            pixelAspectRatio: aspect.ratio, orientation: orientation ?? .upright)
    }
}

/// The properties of an audio track that decoding needs.
struct AudioTrackDescription: Sendable {
    let streamIndex: Int
    let parameters: CodecParameters
    var timeBase: AVRational
    let sampleRate: Int
    let channelMask: UInt64
    /// Whether the time base is fine enough that the ends of packets are exact to the sample.
    let hasExactTimes: Bool
    /// The loudness according to the tags of the track.
    var tagged: LoudnessMeasure?
    /// The number of tracks that the asset counts before those of the container, which is not 0 for the separate audio
    /// of a stream.
    var earlierTracks = 0
    /// The identifier of the track in its asset, as in `AVAssetTrack.trackID`.
    var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: earlierTracks + streamIndex + 1) }
}

/// The properties of an item that are known after its container is open.
struct ItemDescription: Sendable {
    /// The title in the container; `nil` if there is none.
    var title: String?
    /// The duration, greater than 0; `nil` if it is unknown until the end is reached.
    var duration: MediaTime?
    var video: VideoTrackDescription?
    var audio: AudioTrackDescription?
    /// The cover art of an item without video; `nil` if no video is selected.
    var still: VideoFrame?
    /// The subtitle tracks that can be decoded, in the container's order.
    var legible: [LegibleTrack] = []
    /// The language of the audio track; `nil` if unknown.
    var audioLanguage: String?
    /// The tracks of the file that cannot be played, while others can.
    var problems: [TrackProblem] = []

    /// Returns the reason why no track of a kind can be played; `nil` if one can, or if there is none.
    func problem(_ kind: TrackProblem.Kind) -> AVError? { problems.first { $0.kind == kind }?.error }

    var presentationSize: CGSize {
        video?.presentationSize ?? still?.presentationSize ?? .zero
    }
}

/// The reason why one track of an item is not played while the others are.
struct TrackProblem: Sendable {
    enum Kind: Sendable { case video, audio }
    let kind: Kind
    let error: AVError
}

/// The selection of an item's tracks.
struct TrackSelection: Sendable, Hashable {
    enum Choice: Sendable, Hashable {
        /// The default of the container, or the best track according to FFmpeg.
        case automatic
        /// The best match of these BCP 47 tags in order of preference, or the default.
        case languages([String])
        /// The stream with this index in the container.
        case stream(Int)
        case none
    }
    var audio: Choice = .automatic
    var video: Choice = .automatic
}
