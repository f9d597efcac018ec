import Foundation
import MediaCore
import Streaming

/// The kind of media at a URL: a file, a stream or a composition. Playback, exports, assets and images share this
/// decision.
package enum MediaFound {
    /// An opened container.
    case file(MediaSource)
    /// An HLS playlist, recognized by its name or its first line (RFC 8216 §4.3.1.1).
    case stream
    /// A composition, which takes the place of the URL.
    case composition(CompositionPlan)

    /// Opens the media at `url`. Blocks. A URL with a playlist's name is not opened here; its session reports errors.
    ///
    /// - Parameters: See `MediaSource.init`.
    /// - Throws: The error of opening the file.
    package static func at(
        _ url: URL, options: HTTPOptions = HTTPOptions(), forwardBytes: Int64? = nil,
        interrupt: InterruptToken = InterruptToken()
    ) throws(AVError) -> MediaFound {
        if let plan = options.composition { return .composition(plan) }
        if HLSReader.claims(url, options) { return .stream }
        switch try MediaSource.Bytes.at(url, options: options, forwardBytes: forwardBytes, interrupt: interrupt) {
        case .playlist: return .stream
        case .container(let bytes): return .file(try MediaSource(bytes, interrupt: interrupt))
        }
    }
}
