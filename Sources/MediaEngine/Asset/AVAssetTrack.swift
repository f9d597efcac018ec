import CFFmpeg
import Foundation
import MediaCore

/// One track of an asset, as the container and the first packets describe it. Immutable; any thread.
public final class AVAssetTrack: Sendable {
    /// Unique in its asset: the track's place in the container, counted from 1.
    public let trackID: Int32
    /// Whether it is seen, heard, read, or none of these.
    public let mediaType: AVMediaType
    private let codec: TrackCodec
    private let video: TrackVideo?
    private let audio: TrackAudio?
    private let language: LanguageTag?
    /// Bits per second; 0 if unknown.
    public let estimatedDataRate: Float
    /// Where the track lies in the asset's timeline.
    public let timeRange: CMTimeRange
    /// The container marks it as one to play without being asked.
    public let isEnabled: Bool
    /// The characteristics that follow from the media type, the frames and the container's flags.
    public let characteristics: Set<AVMediaCharacteristic>
    /// The container's metadata of this track, in the container's order.
    public let metadata: [AVMetadataItem]

    // MARK: codec

    /// libavcodec's name of the codec: `h264`, `aac`.
    public var codecName: String { codec.name }
    /// The container's four-character code (`avc1`), empty where it has none.
    public var fourCharCode: String { codec.fourCharCode }
    /// The codec's profile, such as `High` or `LC`; nil if unknown.
    public var profile: String? { codec.profile }
    /// A decoder is installed and the track says enough to start it.
    public var isPlayable: Bool {
        codec.hasDecoder && video.map(\.isComplete) ?? true && audio.map(\.isComplete) ?? true
    }

    // MARK: video

    /// Stored picture size, pixels, before pixel aspect and rotation; zero for other tracks.
    public var naturalSize: CGSize { video?.naturalSize ?? .zero }
    /// Size for display, square pixels, after pixel aspect and rotation.
    public var presentationSize: CGSize { video?.presentationSize ?? .zero }
    /// Width of a pixel over its height; 1 for square pixels.
    public var pixelAspectRatio: Double { video?.pixelAspectRatio ?? 1 }
    /// Degrees clockwise the picture must be turned for display: 0, 90, 180 or 270; after mirroring, if
    /// `isMirrored`.
    public var rotation: Int { video?.orientation.rotation ?? 0 }
    /// Whether left and right of the stored picture change places for display, before the turn.
    public var isMirrored: Bool { video?.orientation.isMirrored ?? false }
    /// The same turn (and mirror, if any) as a transform of stored pixels to display.
    public var preferredTransform: CGAffineTransform { video?.preferredTransform ?? .identity }
    /// Frames per second on average; 0 if unknown or not video.
    public var nominalFrameRate: Float { Float(video?.frameRate ?? 0) }
    /// Frames do not all last alike.
    public var isVariableFrameRate: Bool { video?.isVariableFrameRate ?? false }
    /// libavutil's name: `yuv420p`, `yuv420p10le`.
    public var pixelFormat: String? { video?.pixelFormat }
    /// Bits per colour component or per sound sample; nil if unknown.
    public var bitDepth: Int? { video?.bitDepth ?? audio?.bitDepth }
    /// The colour primaries: a name of ISO/IEC 23091-2 as libavutil spells it (`bt709`); nil when unspecified.
    public var colorPrimaries: String? { video?.colorPrimaries }
    /// The transfer function: a name of ISO/IEC 23091-2 as libavutil spells it (`bt709`); nil when unspecified.
    public var transferFunction: String? { video?.transferFunction }
    /// The matrix from RGB to YCbCr: a name of ISO/IEC 23091-2 as libavutil spells it (`bt709`); nil when unspecified.
    public var yCbCrMatrix: String? { video?.yCbCrMatrix }
    /// Luma from 0 to 255 rather than 16 to 235; nil when unspecified.
    public var isFullRange: Bool? { video?.isFullRange }

    // MARK: audio

    /// Samples per second; 0 for other tracks.
    public var sampleRate: Double { audio?.sampleRate ?? 0 }
    /// Channels of sound; 0 for other tracks.
    public var channelCount: Int { audio?.channelCount ?? 0 }
    /// `mono`, `stereo`, `5.1(side)`; nil when the container does not say.
    public var channelLayout: String? { audio?.channelLayout }

    // MARK: what the container says

    /// ISO 639-2/T, three letters; nil if unknown.
    public var languageCode: String? { language?.threeLetterCode }
    /// BCP 47; nil if unknown.
    public var extendedLanguageTag: String? { language?.description }
    /// The same as `isEnabled`, in FFmpeg's and Matroska's word.
    public var isDefault: Bool { isEnabled }
    /// libavformat's stream index.
    package var streamIndex: Int { Int(trackID) - 1 }

    /// It is among `characteristics`.
    public func hasMediaCharacteristic(_ characteristic: AVMediaCharacteristic) -> Bool {
        characteristics.contains(characteristic)
    }

    /// The title the container gives the track.
    public var title: String? {
        metadata.first { $0.key.lowercased() == "title" }?.stringValue
    }

    init(stream: UnsafeMutablePointer<AVStream>, in source: Container, assetDuration: CMTime) {
        let s = stream.pointee
        guard let parameters = s.codecpar else { preconditionFailure("libavformat made a stream without parameters") }
        let p = parameters.pointee
        let rendition = source.rendition
        trackID = (rendition?.firstID ?? 0) + s.index + 1
        switch p.codec_type {
        case AVMEDIA_TYPE_VIDEO: mediaType = .video
        case AVMEDIA_TYPE_AUDIO: mediaType = .audio
        case AVMEDIA_TYPE_SUBTITLE: mediaType = .subtitle
        default: mediaType = .metadata
        }
        codec = TrackCodec(p)
        video = TrackVideo(stream, p, in: source)
        audio = TrackAudio(p)
        metadata =
            (rendition?.name).map { [AVMetadataItem(key: "title", text: $0)] } ?? AVMetadataItem.items(of: s.metadata)
        let values = Dictionary(
            metadata.map { ($0.key.lowercased(), $0.stringValue ?? "") }, uniquingKeysWith: { a, _ in a })
        language = (rendition?.language ?? values["language"]).flatMap(LanguageTag.init)
        estimatedDataRate = p.bit_rate > 0 ? Float(p.bit_rate) : values["bps"].flatMap(Float.init) ?? 0
        let begin = CMTime(stamp: s.start_time, base: s.time_base).map { $0 - source.startTime.exactTime } ?? .zero
        let length = s.duration > 0 ? CMTime(stamp: s.duration, base: s.time_base) ?? assetDuration : assetDuration
        // A stream's containers are looked at from their begin on only; its playlists lay them on one timeline.
        timeRange =
            rendition == nil
            ? CMTimeRange(start: begin, duration: length) : CMTimeRange(start: .zero, duration: assetDuration)

        func has(_ flag: Int32) -> Bool { s.disposition & flag != 0 }
        isEnabled = rendition?.isDefault ?? has(AV_DISPOSITION_DEFAULT)
        var traits: Set<AVMediaCharacteristic> = []
        switch mediaType {
        case .video: traits.insert(.visual)
        case .audio: traits.insert(.audible)
        case .subtitle: traits.insert(.legible)
        default: break
        }
        if video?.hasAlpha == true { traits.insert(.containsAlphaChannel) }
        if has(AV_DISPOSITION_FORCED) { traits.insert(.containsOnlyForcedSubtitles) }
        if has(AV_DISPOSITION_HEARING_IMPAIRED) { traits.insert(.transcribesSpokenDialogForAccessibility) }
        if has(AV_DISPOSITION_VISUAL_IMPAIRED) { traits.insert(.describesVideoForAccessibility) }
        if has(AV_DISPOSITION_COMMENT) { traits.insert(.isAuxiliaryContent) }
        if has(AV_DISPOSITION_ORIGINAL) { traits.insert(.isOriginalContent) }
        if has(AV_DISPOSITION_DUB) { traits.insert(.dubbedTranslation) }
        characteristics = traits.union(rendition?.characteristics ?? [])
    }
}
