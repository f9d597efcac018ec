import Foundation

/// One variant stream: `EXT-X-STREAM-INF` (RFC 8216 §4.3.4.2) or `EXT-X-I-FRAME-STREAM-INF` (§4.3.4.3).
package struct Variant: Sendable, Equatable, PlaylistResource {
    package enum VideoRange: String, Sendable, Equatable {
        case sdr = "SDR"
        case pq = "PQ"
        case hlg = "HLG"
        case unknown = ""
    }
    package enum ClosedCaptions: Sendable, Equatable {
        /// `CLOSED-CAPTIONS=NONE`: there are none in any variant.
        case none
        case group(String)
    }

    /// Pixels.
    package struct Resolution: Sendable, Hashable {
        package var width: Int
        package var height: Int
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// What the variant says about its video.
    package struct Video: Sendable, Equatable {
        package var resolution: Resolution?
        /// Pictures a second, at most.
        package var frameRate: Double?
        /// `.sdr` if not stated, `.unknown` if it is a value that we do not know.
        package var range = VideoRange.sdr
        /// `REQ-VIDEO-LAYOUT` as written.
        package var requiredLayout: String?
    }

    /// The groups of renditions that play with the variant.
    package struct Groups: Sendable, Equatable {
        package var audio: String?
        package var video: String?
        package var subtitles: String?
        /// Nil: not stated.
        package var closedCaptions: ClosedCaptions?
    }

    /// As written, variables substituted.
    package var uri: String
    /// The playlist's URL.
    package var base: URL
    /// Peak of the whole stream with its renditions, bits a second.
    package var bandwidth: Int
    /// Bits a second.
    package var averageBandwidth: Int?
    /// The author's preference, higher is better; means something only if all variants have one.
    package var score: Double?
    /// RFC 6381.
    package var codecs: [String] = []
    package var supplementalCodecs: [String] = []
    package var video = Video()
    /// `NONE`, `TYPE-0`, `TYPE-1`.
    package var hdcpLevel: String?
    /// `ALLOWED-CPC` as written.
    package var allowedCPC: String?
    package var stableVariantID: String?
    package var groups = Groups()
    /// Content steering's pathway (8216bis §4.4.6.2).
    package var pathwayID = "."
    package var name: String?
    package var otherAttributes: [PlaylistAttribute] = []

    package init(uri: String, base: URL, bandwidth: Int) {
        self.uri = uri
        self.base = base
        self.bandwidth = bandwidth
    }

    package var resourceURI: String? { uri }
    /// Resolved at each call.
    package var url: URL? { url(relativeTo: base) }
}
