import CFFmpeg
import Foundation
import MediaCore

/// Codec parameters copied out of a container, so that decoders outlive the reader.
final class CodecParameters: Sendable {
    private let parameters: Owned<AVCodecParameters>
    var raw: UnsafeMutablePointer<AVCodecParameters> { parameters.raw }

    init?(copying source: UnsafePointer<AVCodecParameters>) {
        guard let copy = Owned<AVCodecParameters>(avcodec_parameters_alloc()),
            avcodec_parameters_copy(copy.raw, source) >= 0
        else { return nil }
        parameters = copy
    }

    /// One decoder can go on from the one with the other.
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

/// What the video thread must know of its track.
struct VideoTrackDescription: Sendable {
    let streamIndex: Int
    let parameters: CodecParameters
    var timeBase: AVRational
    /// What the container says; nil: nothing, and each picture lies as its own bitstream says.
    let orientation: PictureOrientation?
    let aspect: TrackAspect
    /// Nominal time a frame stands, at most a minute; 0 when the container does not know.
    var frameDuration: MediaTime
    /// True when the container's frame durations can be believed (see `VideoDecoder`).
    let hasReliableDurations: Bool
    /// What it tells of its pictures' brightness.
    var light: StreamLight?
    /// Its transparency is in a second stream (see `AlphaDecoder`), and the container says so.
    var hasSecondStream = false

    /// The format its decoder gives out, as far as the container and the decoder's first look tell.
    var pixelFormat: AVPixelFormat {
        let format = AVPixelFormat(parameters.raw.pointee.format)
        return hasSecondStream ? AlphaDecoder.format(joining: format) : format
    }

    var pixelCount: Int { Int(parameters.raw.pointee.width) * Int(parameters.raw.pointee.height) }
    var presentationSize: CGSize {
        PictureLimits.presentationSize(
            width: Int(parameters.raw.pointee.width), height: Int(parameters.raw.pointee.height),
            pixelAspectRatio: aspect.ratio, orientation: orientation ?? .upright)
    }
}

/// What the audio thread must know of its track.
struct AudioTrackDescription: Sendable {
    let streamIndex: Int
    let parameters: CodecParameters
    var timeBase: AVRational
    let sampleRate: Int
    let channelMask: UInt64
    /// The time base is fine enough that packet ends are exact to the sample.
    let hasExactTimes: Bool
    /// How loud its tags say it is.
    var tagged: LoudnessMeasure?
}

/// What is known of an item once its container is open.
struct ItemDescription: Sendable {
    /// What the container calls the whole; nil: nothing.
    var title: String?
    /// More than zero; nil when nobody knows before the end.
    var duration: MediaTime?
    var video: VideoTrackDescription?
    var audio: AudioTrackDescription?
    /// Cover art of an audio-only item.
    var still: VideoFrame?
    /// Subtitle tracks that can be decoded, in the container's order.
    var legible: [LegibleTrack] = []
    /// Of the sound; nil: not said.
    var audioLanguage: String?
    /// Tracks that the file has and that cannot be played, while others can.
    var problems: [TrackProblem] = []

    var presentationSize: CGSize {
        video?.presentationSize ?? still?.presentationSize ?? .zero
    }
}

/// Why one track of an item is not played while the rest is.
struct TrackProblem: Sendable {
    enum Kind: Sendable { case video, audio }
    let kind: Kind
    let error: AVError
}

/// Which tracks of an item play.
struct TrackSelection: Sendable, Hashable {
    enum Choice: Sendable, Hashable {
        /// The container's default, or the best by FFmpeg's judgement.
        case automatic
        /// The best match of these BCP-47 tags in order of preference, else the default.
        case languages([String])
        /// One stream of the container.
        case stream(Int)
        case none
    }
    var audio: Choice = .automatic
    var video: Choice = .automatic
}
