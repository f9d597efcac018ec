import Foundation
import MediaCore
import Streaming

/// One of the ways an HLS stream is offered, as its multivariant playlist describes it (RFC 8216 §4.3.4.2).
/// After AVFoundation's class of that name. Immutable; any thread.
public final class AVAssetVariant: Sendable {
    /// The dynamic range of pictures (`VIDEO-RANGE`).
    public enum VideoRange: String, Sendable, Hashable {
        /// `SDR`, `PQ` and `HLG`; `unknown`: another word, or none that is known here.
        case sdr, pq, hlg, unknown
    }

    /// What the playlist tells of a variant's pictures.
    public struct VideoAttributes: Sendable, Hashable {
        /// Pixels, as shown; zero if the playlist does not say.
        public let presentationSize: CGSize
        /// Four-character codes of the pictures' codecs, such as `avc1`.
        public let codecTypes: [String]
        /// Pictures a second, at most; nil if the playlist does not say.
        public let nominalFrameRate: Double?
        /// `.sdr` if the playlist does not say.
        public let videoRange: VideoRange
    }

    /// What the playlist tells of a variant's sound.
    public struct AudioAttributes: Sendable, Hashable {
        /// Four-character codes of the sound's codecs, such as `mp4a`.
        public let formatIDs: [String]
        /// Of the default rendition of the sound; nil if the playlist does not say.
        public let channelCount: Int?
    }

    /// Of its media playlist.
    public let url: URL
    /// Bits a second, the highest of any segment with the renditions that belong to it; nil if not stated.
    public let peakBitRate: Double?
    /// Bits a second over the whole; nil if not stated.
    public let averageBitRate: Double?
    /// Nil: sound only.
    public let videoAttributes: VideoAttributes?
    /// Nil: the playlist tells of no sound.
    public let audioAttributes: AudioAttributes?
    /// RFC 6381, as the playlist spells them.
    public let codecs: [String]

    init(_ variant: Variant, url: URL, sound: Rendition?) {
        self.url = url
        peakBitRate = variant.bandwidth > 0 ? Double(variant.bandwidth) : nil
        averageBitRate = variant.averageBandwidth.map(Double.init)
        codecs = variant.codecs
        let types = variant.codecs.map { String($0.prefix { $0 != "." }) }
        let audible = types.filter(AVAssetVariant.isSound)
        let visible = types.filter { !AVAssetVariant.isSound($0) && !["stpp", "wvtt"].contains($0) }
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
            audible.isEmpty && sound == nil
            ? nil : AudioAttributes(formatIDs: audible, channelCount: sound?.channelCount)
    }

    private static func range(_ range: Variant.VideoRange) -> VideoRange {
        switch range {
        case .sdr: .sdr
        case .pq: .pq
        case .hlg: .hlg
        case .unknown: .unknown
        }
    }

    private static func isSound(_ type: String) -> Bool {
        ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "dtsc", "dtse", "dtsh", "dtsl", "dtsx"].contains(
            type.lowercased())
    }
}

extension AVAssetVariant {
    /// All that `playlist` lists, in its order; redundant streams once.
    package static func all(of playlist: MultivariantPlaylist) -> [AVAssetVariant] {
        var seen: [Variant] = []
        return playlist.variants.compactMap { variant in
            guard let url = variant.url else { return nil }
            var bare = variant
            // What else is alike is the same stream in another place (RFC 8216 §4.3.4.2, 8216bis §4.4.6.6).
            bare.uri = ""
            bare.pathwayID = ""
            guard !seen.contains(bare) else { return nil }
            seen.append(bare)
            let group = variant.groups.audio.map { playlist.renditions(.audio, inGroup: $0) } ?? []
            return AVAssetVariant(variant, url: url, sound: group.first(where: \.isDefault) ?? group.first)
        }
    }
}
