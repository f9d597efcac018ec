import Foundation
import Streaming

/// A variant of an HLS stream, as its multivariant playlist describes it (RFC 8216 §4.3.4.2). The equivalent of
/// AVFoundation's `AVAssetVariant`.
///
/// ```swift
/// for variant in try await asset.load(.variants) {
///     let size = variant.videoAttributes?.presentationSize ?? .zero
///     print("\(Int(size.width))×\(Int(size.height)), \(Int(variant.peakBitRate ?? 0)) bit/s")
/// }
/// ```
/// Immutable and safe to use from any thread.
public final class AVAssetVariant: Sendable {
    /// The dynamic range of the video (`VIDEO-RANGE`).
    public enum VideoRange: String, Sendable, Hashable {
        /// `SDR`, `PQ` and `HLG`; `unknown` for any other value.
        case sdr, pq, hlg, unknown
    }

    /// The video attributes of a variant in the playlist.
    public struct VideoAttributes: Sendable, Hashable {
        /// The display size in pixels; zero if the playlist does not give it.
        public let presentationSize: CGSize
        /// The four-character codes of the video codecs, such as `avc1`.
        public let codecTypes: [String]
        /// The maximum frame rate in frames per second; nil if the playlist does not give it.
        public let nominalFrameRate: Double?
        /// The dynamic range; `.sdr` if the playlist does not give it.
        public let videoRange: VideoRange
    }

    /// The audio attributes of a variant in the playlist.
    public struct AudioAttributes: Sendable, Hashable {
        /// The four-character codes of the audio codecs, such as `mp4a`.
        public let formatIDs: [String]
        /// The number of channels of the default audio rendition; nil if the playlist does not give it.
        public let channelCount: Int?
    }

    /// The URL of the media playlist.
    public let url: URL
    /// The peak bit rate in bit/s, over all segments and including the renditions of the variant; nil if not given.
    public let peakBitRate: Double?
    /// The average bit rate in bit/s; nil if not given.
    public let averageBitRate: Double?
    /// The video attributes; nil if the variant has audio only.
    public let videoAttributes: VideoAttributes?
    /// The audio attributes; nil if the playlist describes no audio.
    public let audioAttributes: AudioAttributes?
    /// The codecs in RFC 6381 format, as in the playlist.
    public let codecs: [String]

    init(_ variant: Variant, url: URL, sound audioRendition: Rendition?) {
        self.url = url
        peakBitRate = variant.bandwidth > 0 ? Double(variant.bandwidth) : nil
        averageBitRate = variant.averageBandwidth.map(Double.init)
        codecs = variant.codecs
        let types = variant.codecs.map { String($0.prefix { $0 != "." }) }
        let audible = types.filter(AVAssetVariant.isAudio)
        let visible = types.filter { !AVAssetVariant.isAudio($0) && !["stpp", "wvtt"].contains($0) }
        videoAttributes =
            visible.isEmpty && variant.video.resolution == nil && variant.video.frameRate == nil
                && !variant.codecs.isEmpty
            ? nil
            : VideoAttributes(
                presentationSize: variant.video.resolution.map {
                    CGSize(width: Double($0.width), height: Double($0.height))
                }
                    ?? .zero,
                codecTypes: visible, nominalFrameRate: variant.video.frameRate,
                videoRange: AVAssetVariant.range(variant.video.range))
        audioAttributes =
            audible.isEmpty && audioRendition == nil
            ? nil : AudioAttributes(formatIDs: audible, channelCount: audioRendition?.channelCount)
    }

    private static func range(_ range: Variant.VideoRange) -> VideoRange {
        switch range {
        case .sdr: .sdr
        case .pq: .pq
        case .hlg: .hlg
        case .unknown: .unknown
        }
    }

    private static func isAudio(_ type: String) -> Bool {
        ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "dtsc", "dtse", "dtsh", "dtsl", "dtsx"].contains(
            type.lowercased())
    }
}

extension AVAssetVariant {
    /// Returns all variants of `playlist`, in its order. Redundant variants are listed once.
    package static func all(of playlist: MultivariantPlaylist) -> [AVAssetVariant] {
        var listed: [Variant] = []
        return playlist.variants.compactMap { variant in
            guard let url = variant.url else { return nil }
            var bare = variant
            // Variants that differ only in URL and pathway are redundant copies (RFC 8216 §4.3.4.2, 8216bis §4.4.6.6).
            bare.uri = ""
            bare.pathwayID = ""
            guard !listed.contains(bare) else { return nil }
            listed.append(bare)
            let group = variant.groups.audio.map { playlist.renditions(.audio, inGroup: $0) } ?? []
            return AVAssetVariant(variant, url: url, sound: group.first(where: \.isDefault) ?? group.first)
        }
    }
}
