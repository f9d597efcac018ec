import CFFmpeg
import Foundation
import MediaCore

/// A track of an asset, as described by the container and the first packets. Immutable and safe to use from any thread.
///
/// ```swift
/// for track in try await asset.load(.tracks) {
///     print(track.trackID, track.mediaType.name, track.codecName, track.extendedLanguageTag ?? "")
/// }
/// ```
public final class AVAssetTrack: Sendable {
    /// The identifier of the track in its asset: its index in the container, counted from 1. The separate audio of a
    /// stream continues the numbers of the main container.
    public let trackID: Int32
    /// The type of media in the track.
    public let mediaType: AVMediaType
    private let codec: TrackCodec
    private let video: TrackVideo?
    private let audio: TrackAudio?
    private let language: LanguageTag?
    /// The bit rate in bit/s; 0 if unknown.
    public let estimatedDataRate: Float
    /// The time range of the track on the asset's timeline.
    public let timeRange: CMTimeRange
    /// Whether the container marks the track as a default track.
    public let isEnabled: Bool
    /// The characteristics of the track. They come from the media type, the video format, the container's flags and,
    /// for a stream, the playlist.
    public let characteristics: Set<AVMediaCharacteristic>
    /// The track's metadata, in the container's order.
    public let metadata: [AVMetadataItem]

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
        let begin =
            source.delay.startTime(of: stream).flatMap { CMTime(stamp: $0, base: s.time_base) }
            .map { $0 - source.startTime.exactTime } ?? .zero
        let length = s.duration > 0 ? CMTime(stamp: s.duration, base: s.time_base) ?? assetDuration : assetDuration
        // Only the start of a stream's containers is read, so the time range comes from the playlists' common timeline.
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
