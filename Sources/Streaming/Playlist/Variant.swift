import Foundation

/// A variant stream from `EXT-X-STREAM-INF` (RFC 8216 §4.3.4.2) or `EXT-X-I-FRAME-STREAM-INF` (§4.3.4.3).
package struct Variant: Sendable, Equatable, PlaylistResource {
    package enum VideoRange: String, Sendable, Equatable {
        case sdr = "SDR"
        case pq = "PQ"
        case hlg = "HLG"
        case unknown = ""
    }
    package enum ClosedCaptions: Sendable, Equatable {
        /// `CLOSED-CAPTIONS=NONE`: no variant has captions.
        case none
        case group(String)
    }

    /// A size in pixels (`RESOLUTION`).
    package struct Resolution: Sendable, Hashable {
        package var width: Int
        package var height: Int
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The attributes of the variant's video.
    package struct Video: Sendable, Equatable {
        package var resolution: Resolution?
        /// The maximum frame rate, in frames per second.
        package var frameRate: Double?
        /// The video range. It is `.sdr` if not stated, and `.unknown` for an unknown value.
        package var range = VideoRange.sdr
        /// The value of `REQ-VIDEO-LAYOUT`, as written.
        package var requiredLayout: String?
    }

    /// The groups of renditions that play with the variant.
    package struct Groups: Sendable, Equatable {
        package var audio: String?
        package var video: String?
        package var subtitles: String?
        /// The captions, or nil if the playlist does not state them.
        package var closedCaptions: ClosedCaptions?
    }

    /// The URI as written, with variables substituted.
    package var uri: String
    /// The URL of the playlist.
    package var base: URL
    /// The peak bit rate of the variant with its renditions, in bits per second.
    package var bandwidth: Int
    /// The average bit rate, in bits per second.
    package var averageBandwidth: Int?
    /// The author's preference; a higher value is better. It is only meaningful if all variants have one.
    package var score: Double?
    /// The codecs (RFC 6381).
    package var codecs: [String] = []
    package var supplementalCodecs: [String] = []
    package var video = Video()
    /// The HDCP level: `NONE`, `TYPE-0` or `TYPE-1`.
    package var hdcpLevel: String?
    /// The value of `ALLOWED-CPC`, as written.
    package var allowedCPC: String?
    package var stableVariantID: String?
    package var groups = Groups()
    /// The pathway for content steering (8216bis §4.4.6.2).
    package var pathwayID = "."
    package var name: String?
    package var otherAttributes: [PlaylistAttribute] = []

    package init(uri: String, base: URL, bandwidth: Int) {
        self.uri = uri
        self.base = base
        self.bandwidth = bandwidth
    }

    package var resourceURI: String? { uri }
    /// The URL, resolved against `base` at each call.
    package var url: URL? { url(relativeTo: base) }
}
