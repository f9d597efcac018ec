import CFFmpeg
import Foundation
import MediaCore

/// One track of an asset, as the container and the first packets describe it. Immutable; any thread.
public final class AVAssetTrack: Sendable {
    /// Unique in its asset: the track's place in the container, counted from 1.
    public let trackID: Int32
    /// Whether it is seen, heard, read, or none of these.
    public let mediaType: AVMediaType
    /// libavcodec's name of the codec: `h264`, `aac`.
    public let codecName: String
    /// The container's four-character code (`avc1`), empty where it has none.
    public let fourCharCode: String
    /// The codec's profile, such as `High` or `LC`; nil if unknown.
    public let profile: String?
    /// A decoder is installed and the track says enough to start it.
    public let isPlayable: Bool

    /// Stored picture size, pixels, before pixel aspect and rotation; zero for other tracks.
    public let naturalSize: CGSize
    /// Size for display, square pixels, after pixel aspect and rotation.
    public let presentationSize: CGSize
    /// Width of a pixel over its height; 1 for square pixels.
    public let pixelAspectRatio: Double
    /// Degrees clockwise the picture must be turned for display: 0, 90, 180 or 270; after mirroring, if
    /// `isMirrored`.
    public let rotation: Int
    /// Whether left and right of the stored picture change places for display, before the turn.
    public let isMirrored: Bool
    /// The same turn (and mirror, if any) as a transform of stored pixels to display.
    public let preferredTransform: CGAffineTransform
    /// Frames per second on average; 0 if unknown or not video.
    public let nominalFrameRate: Float
    /// Frames do not all last alike.
    public let isVariableFrameRate: Bool
    /// libavutil's name: `yuv420p`, `yuv420p10le`.
    public let pixelFormat: String?
    /// Bits per colour component or per sound sample; nil if unknown.
    public let bitDepth: Int?
    /// Names of ISO/IEC 23091-2 as libavutil spells them (`bt709`, `smpte2084`); nil when unspecified.
    public let colorPrimaries, transferFunction, yCbCrMatrix: String?
    /// Luma from 0 to 255 rather than 16 to 235; nil when unspecified.
    public let isFullRange: Bool?

    /// Samples per second; 0 for other tracks.
    public let sampleRate: Double
    /// Channels of sound; 0 for other tracks.
    public let channelCount: Int
    /// `mono`, `stereo`, `5.1(side)`; nil when the container does not say.
    public let channelLayout: String?

    /// ISO 639-2/T, three letters; nil if unknown.
    public let languageCode: String?
    /// BCP 47; nil if unknown.
    public let extendedLanguageTag: String?
    /// Bits per second; 0 if unknown.
    public let estimatedDataRate: Float
    /// Where the track lies in the asset's timeline.
    public let timeRange: CMTimeRange
    /// The container marks it as one to play without being asked.
    public let isEnabled: Bool
    /// What can be told of it by its kind, its pictures and the container's marks.
    public let characteristics: Set<AVMediaCharacteristic>
    /// What the container says of this track, in its order.
    public let metadata: [AVMetadataItem]

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
        codecName = String(cString: avcodec_get_name(p.codec_id))
        let tag = (0..<4).map { UInt8(truncatingIfNeeded: p.codec_tag >> (8 * UInt32($0))) }
        fourCharCode = tag.allSatisfy { (32..<127).contains($0) } ? String(decoding: tag, as: UTF8.self) : ""
        profile = avcodec_profile_name(p.codec_id, p.profile).map { String(cString: $0) }
        metadata =
            (rendition?.name).map { [AVMetadataItem(key: "title", text: $0)] } ?? AVMetadataItem.items(of: s.metadata)
        let values = Dictionary(
            metadata.map { ($0.key.lowercased(), $0.stringValue ?? "") }, uniquingKeysWith: { a, _ in a })

        let isVideo = p.codec_type == AVMEDIA_TYPE_VIDEO
        let isAudio = p.codec_type == AVMEDIA_TYPE_AUDIO
        let complete = isVideo ? p.width > 0 && p.height > 0 && p.format >= 0 : isAudio ? p.sample_rate > 0 : true
        isPlayable = avcodec_find_decoder(p.codec_id) != nil && complete

        pixelAspectRatio = TrackAspect(stream).ratio
        let orientation = isVideo ? PictureOrientation(stream) ?? .upright : .upright
        rotation = orientation.rotation
        isMirrored = orientation.isMirrored
        naturalSize = isVideo ? CGSize(width: Double(p.width), height: Double(p.height)) : .zero
        let shown = PictureLimits.presentationSize(
            width: Int(p.width), height: Int(p.height), pixelAspectRatio: pixelAspectRatio, orientation: orientation)
        presentationSize = isVideo ? CGSize(width: shown.width.rounded(), height: shown.height.rounded()) : .zero
        preferredTransform = orientation.transform(width: Double(p.width), height: Double(p.height))
        let average = s.avg_frame_rate.num > 0 && s.avg_frame_rate.den > 0 ? s.avg_frame_rate : s.r_frame_rate
        let rate = rendition?.frameRate ?? (average.num > 0 && average.den > 0 ? av_q2d(average) : 0)
        nominalFrameRate = isVideo ? Float(rate) : 0
        // Of a stream too few pictures are looked at.
        isVariableFrameRate = isVideo && rendition == nil && AVAssetTrack.isVariable(stream, in: source)

        let pixel = isVideo ? av_pix_fmt_desc_get(AVPixelFormat(p.format)) : nil
        pixelFormat = pixel?.pointee.name.map { String(cString: $0) }
        let sampleBits = p.bits_per_raw_sample > 0 ? p.bits_per_raw_sample : p.bits_per_coded_sample
        bitDepth = pixel.map { Int($0.pointee.comp.0.depth) } ?? (isAudio && sampleBits > 0 ? Int(sampleBits) : nil)
        func name(_ text: UnsafePointer<CChar>?) -> String? {
            let text = text.map { String(cString: $0) }
            return text == "unknown" || text == "reserved" || text == "" ? nil : text
        }
        colorPrimaries = isVideo ? name(av_color_primaries_name(p.color_primaries)) : nil
        transferFunction = isVideo ? name(av_color_transfer_name(p.color_trc)) : nil
        yCbCrMatrix = isVideo ? name(av_color_space_name(p.color_space)) : nil
        isFullRange = !isVideo || p.color_range == AVCOL_RANGE_UNSPECIFIED ? nil : p.color_range == AVCOL_RANGE_JPEG

        sampleRate = isAudio ? Double(p.sample_rate) : 0
        channelCount = isAudio ? Int(p.ch_layout.nb_channels) : 0
        var layoutName = [CChar](repeating: 0, count: 128)
        let described =
            isAudio && p.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC
            && withUnsafePointer(to: p.ch_layout) { av_channel_layout_describe($0, &layoutName, layoutName.count) } > 0
        channelLayout =
            described ? layoutName.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } : nil

        let language = (rendition?.language ?? values["language"]).flatMap(LanguageTag.init)
        languageCode = language?.threeLetterCode
        extendedLanguageTag = language?.description
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
        // A palette's transparency is not known before there is a picture, and GIF's decoder gives alpha to all.
        let flags = pixel?.pointee.flags ?? 0
        if flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 && flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
            && p.codec_id != AV_CODEC_ID_GIF
            || AlphaDecoder.isAnnounced(by: stream)
        {
            traits.insert(.containsAlphaChannel)
        }
        if has(AV_DISPOSITION_FORCED) { traits.insert(.containsOnlyForcedSubtitles) }
        if has(AV_DISPOSITION_HEARING_IMPAIRED) { traits.insert(.transcribesSpokenDialogForAccessibility) }
        if has(AV_DISPOSITION_VISUAL_IMPAIRED) { traits.insert(.describesVideoForAccessibility) }
        if has(AV_DISPOSITION_COMMENT) { traits.insert(.isAuxiliaryContent) }
        if has(AV_DISPOSITION_ORIGINAL) { traits.insert(.isOriginalContent) }
        if has(AV_DISPOSITION_DUB) { traits.insert(.dubbedTranslation) }
        characteristics = traits.union(rendition?.characteristics ?? [])
    }

    /// A mov index holds every sample's time, so it tells for sure; elsewhere the average rate is
    /// compared with the lowest rate that all timestamps fit.
    private static func isVariable(_ stream: UnsafeMutablePointer<AVStream>, in source: Container) -> Bool {
        let count = avformat_index_get_entries_count(stream)
        if source.formatName.hasPrefix("mov"), count > 2 {
            var previous: Int64?
            var shortest = Int64.max
            var longest = Int64.min
            // The last sample's length is left out: muxers stretch it to the end of the track.
            for i in 0..<min(count - 1, 5000) {
                guard let entry = avformat_index_get_entry(stream, i) else { break }
                let time = entry.pointee.timestamp
                if let previous {
                    shortest = min(shortest, time.subtractingSaturating(previous))
                    longest = max(longest, time.subtractingSaturating(previous))
                }
                previous = time
            }
            return longest > shortest && Double(longest) - Double(shortest) > max(1, Double(shortest) * 0.05)
        }
        let average = av_q2d(stream.pointee.avg_frame_rate)
        let base = av_q2d(stream.pointee.r_frame_rate)
        guard average.isFinite, base.isFinite, average > 0, base > 0 else { return false }
        let ratio = base / average
        // Twice the rate is the field rate of interlaced material.
        return abs(ratio - 1) > 0.02 && abs(ratio - 2) > 0.02
    }
}
