import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// A track of an asset, as described by the container and the first packets. Safe to use from any thread.
///
/// ```swift
/// for track in try await asset.load(.tracks) {
///     print(track.trackID, track.mediaType.name, track.codecName, track.extendedLanguageTag ?? "")
/// }
/// ```
/// A track does not change, except an ``AVMutableCompositionTrack``.
public class AVAssetTrack: @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. All stored properties are constants of `Sendable`
    // types.
    private let described: TrackFacts
    private let origin = Mutex(TrackOrigin())

    init(_ facts: TrackFacts) { described = facts }

    /// The properties of the track. A track of a composition computes them from its segments.
    var facts: TrackFacts { described }
    private var codec: TrackCodec { facts.codec }
    private var video: TrackVideo? { facts.video }
    private var audio: TrackAudio? { facts.audio }
    private var language: LanguageTag? { facts.language }

    /// The asset that contains the track; nil if no reference to the asset is left.
    public var asset: AVAsset? { origin.withLock { $0.asset } }
    /// The media of the track, which a composition can play; nil for a track of a composition.
    var media: TrackMedia? { origin.withLock { $0.media } }
    /// Sets the asset and the media of the track. Later calls have no effect.
    func belong(to asset: AVAsset?, _ media: TrackMedia?) {
        origin.withLock { origin in
            guard !origin.isKnown else { return }
            origin = TrackOrigin(asset: asset, media: media, isKnown: true)
        }
    }

    /// The identifier of the track in its asset: its index in the container, counted from 1. The separate audio of a
    /// stream continues the numbers of the main container.
    public var trackID: CMPersistentTrackID { facts.trackID }
    /// The type of media in the track.
    public var mediaType: AVMediaType { facts.mediaType }
    /// The bit rate in bit/s; 0 if unknown.
    public var estimatedDataRate: Float { facts.estimatedDataRate }
    /// The time range of the track on the asset's timeline.
    public var timeRange: CMTimeRange { facts.timeRange }
    /// The number of time units per second in the container, in which the times of the track are exact; at least 1.
    public var naturalTimeScale: CMTimeScale { facts.naturalTimeScale }
    /// Whether the container marks the track as a default track. For a track of a composition, whether it plays.
    public var isEnabled: Bool { facts.isEnabled }
    /// The preferred volume of the track: 1, except for a track of a composition.
    public var preferredVolume: Float { 1 }
    /// The characteristics of the track. They come from the media type, the video format, the container's flags and,
    /// for a stream, the playlist.
    public var characteristics: Set<AVMediaCharacteristic> { facts.characteristics }
    /// The track's metadata, in the container's order.
    public var metadata: [AVMetadataItem] { facts.metadata }

    /// The items in `metadata` that have a common key.
    public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    // MARK: Codec

    /// The name of the codec in libavcodec, such as `h264` or `aac`.
    public var codecName: String { codec.name }
    /// The container's four-character code, such as `avc1`; empty if there is none.
    public var fourCharCode: String { codec.fourCharCode }
    /// The profile of the codec, such as `High` or `LC`; nil if unknown.
    public var profile: String? { codec.profile }
    /// Whether a decoder is installed and the container gives enough information to start it.
    public var isPlayable: Bool {
        codec.hasDecoder && video.map(\.isComplete) ?? true && audio.map(\.isComplete) ?? true
    }

    // MARK: Video

    /// The stored frame size in pixels, before pixel aspect ratio and rotation; zero for other tracks.
    public var naturalSize: CGSize { video?.naturalSize ?? .zero }
    /// The display size in square pixels, after pixel aspect ratio and rotation; zero for other tracks.
    public var presentationSize: CGSize { video?.presentationSize ?? .zero }
    /// The width of a pixel divided by its height; 1 for square pixels.
    public var pixelAspectRatio: Double { video?.pixelAspectRatio ?? 1 }
    /// The clockwise rotation for display, in degrees: 0, 90, 180 or 270. If `isMirrored` is true, the frame is
    /// mirrored first.
    public var rotation: Int { video?.orientation.rotation ?? 0 }
    /// Whether the stored frame is mirrored horizontally for display, before the rotation.
    public var isMirrored: Bool { video?.orientation.isMirrored ?? false }
    /// The rotation and mirroring as a transform from stored to displayed pixels.
    public var preferredTransform: CGAffineTransform { video?.preferredTransform ?? .identity }
    /// The average frame rate in frames per second; 0 if unknown or not video.
    public var nominalFrameRate: Float { Float(video?.frameRate ?? 0) }
    /// Whether the frames have different durations. False if unknown, as for a stream, and for other tracks.
    public var isVariableFrameRate: Bool { video?.isVariableFrameRate ?? false }
    /// The pixel format as libavutil names it, such as `yuv420p` or `yuv420p10le`; nil if unknown or not video.
    public var pixelFormat: String? { video?.pixelFormat }
    /// The number of bits per color component or audio sample; nil if unknown.
    public var bitDepth: Int? { video?.bitDepth ?? audio?.bitDepth }
    /// The color primaries of ISO/IEC 23091-2 as libavutil names them, such as `bt709`; nil if unspecified.
    public var colorPrimaries: String? { video?.colorPrimaries }
    /// The transfer function of ISO/IEC 23091-2 as libavutil names it, such as `bt709`; nil if unspecified.
    public var transferFunction: String? { video?.transferFunction }
    /// The matrix from RGB to YCbCr of ISO/IEC 23091-2 as libavutil names it, such as `bt709`; nil if unspecified.
    public var yCbCrMatrix: String? { video?.yCbCrMatrix }
    /// Whether luma has the range 0 to 255 instead of 16 to 235; nil if unspecified.
    public var isFullRange: Bool? { video?.isFullRange }

    // MARK: Audio

    /// The sample rate in hertz; 0 for other tracks.
    public var sampleRate: Double { audio?.sampleRate ?? 0 }
    /// The number of audio channels; 0 for other tracks.
    public var channelCount: Int { audio?.channelCount ?? 0 }
    /// The channel layout, such as `mono`, `stereo` or `5.1(side)`; nil if the container does not give it.
    public var channelLayout: String? { audio?.channelLayout }

    // MARK: Container

    /// The language as a three-letter code of ISO 639-2/T; nil if unknown.
    public var languageCode: String? { language?.threeLetterCode }
    /// The language as a BCP 47 tag; nil if unknown.
    public var extendedLanguageTag: String? { language?.description }
    /// Whether the track is a default track. Same as `isEnabled`, under the name that FFmpeg and Matroska use.
    public var isDefault: Bool { isEnabled }
    /// The index of the stream in libavformat. Not valid for the separate audio of an HLS stream.
    package var streamIndex: Int { Int(trackID) - 1 }

    /// Returns whether `characteristics` contains `characteristic`.
    public func hasMediaCharacteristic(_ characteristic: AVMediaCharacteristic) -> Bool {
        characteristics.contains(characteristic)
    }

    /// The title of the track in the container; nil if there is none.
    public var title: String? {
        metadata.first { $0.keyText.lowercased() == "title" }?.stringValue
    }
}
