import Foundation
import MediaCore
import Streaming

/// What an address leads to: decided here, once, for the player, for exports, for assets and for pictures.
package enum MediaFound {
    /// A container, opened.
    case file(MediaSource)
    /// An HLS playlist, by its name or by its first line (RFC 8216 §4.3.1.1).
    case stream

    /// Opens what is at `url`; blocks. An address that is called as playlists are is not looked at: the stream's
    /// session says what is wrong with it.
    /// - Parameters: as `MediaSource.init`.
    package static func at(
        _ url: URL, options: HTTPOptions = HTTPOptions(), forwardBytes: Int64? = nil,
        interrupt: InterruptToken = InterruptToken()
    ) throws(AVError) -> MediaFound {
        if HLSReader.claims(url) { return .stream }
        switch try MediaSource.Bytes.at(url, options: options, forwardBytes: forwardBytes, interrupt: interrupt) {
        case .playlist: return .stream
        case .container(let bytes): return .file(try MediaSource(bytes, interrupt: interrupt))
        }
    }
}
