import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// The properties of a track, from its container or from the segments of a composition.
struct TrackFacts: Sendable {
    var trackID: CMPersistentTrackID
    var mediaType: AVMediaType
    var codec: TrackCodec
    var video: TrackVideo?
    var audio: TrackAudio?
    var language: LanguageTag?
    /// The bit rate in bit/s; 0 if unknown.
    var estimatedDataRate: Float = 0
    /// The time range of the track on the asset's timeline.
    var timeRange = CMTimeRange.zero
    var naturalTimeScale: CMTimeScale = 600
    var isEnabled = true
    var characteristics: Set<AVMediaCharacteristic>
    var metadata: [AVMetadataItem] = []

    /// Creates the properties of a track without media.
    init(trackID: CMPersistentTrackID, mediaType: AVMediaType) {
        self.trackID = trackID
        self.mediaType = mediaType
        codec = TrackCodec(AVCodecParameters())
        characteristics = TrackFacts.trait(of: mediaType)
    }

    private static func trait(of type: AVMediaType) -> Set<AVMediaCharacteristic> {
        switch type {
        case .video: [.visual]
        case .audio: [.audible]
        case .subtitle: [.legible]
        default: []
        }
    }

    init(stream: UnsafeMutablePointer<AVStream>, in source: AVAssetTrack.Container, assetDuration: CMTime) {
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
            metadata.map { ($0.keyText.lowercased(), $0.stringValue ?? "") }, uniquingKeysWith: { a, _ in a })
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

        naturalTimeScale = max(1, s.time_base.den / max(1, s.time_base.num))

        func has(_ flag: Int32) -> Bool { s.disposition & flag != 0 }
        isEnabled = rendition?.isDefault ?? has(AV_DISPOSITION_DEFAULT)
        var traits = TrackFacts.trait(of: mediaType)
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

/// The media of a container's track, which a composition can play.
struct TrackMedia: Sendable {
    let url: URL
    let options: AssetOptions
    /// Whether the media is an HLS stream.
    let isStream: Bool
}

/// The asset and the media of a track.
struct TrackOrigin {
    weak var asset: AVAsset?
    var media: TrackMedia?
    /// Whether the asset and the media were set.
    var isKnown = false
}
