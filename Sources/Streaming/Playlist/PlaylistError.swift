import Foundation
import MediaCore

/// Why a text is not a playlist (RFC 8216 §4: what a client must fail to parse).
package struct PlaylistError: Error, Sendable, Hashable {
    /// Where the text came from.
    package var url: URL
    /// 1-based; 0 if the whole text is meant.
    package var line: Int
    /// One sentence without a final full stop.
    package var reason: String

    package init(url: URL, line: Int, reason: String) {
        self.url = url
        self.line = line
        self.reason = reason
    }

    /// The text names things to play one after the other (M3U) instead of the segments of one stream.
    static func listOfMedia(_ url: URL) -> PlaylistError {
        PlaylistError(url: url, line: 0, reason: AVError.listOfMediaReason)
    }

    /// As an app sees it.
    package var avError: AVError {
        AVError(
            .playlistInvalid, at: url.absoluteString, reason: line > 0 ? "line \(line): \(reason)" : reason,
            suggestion: reason == AVError.listOfMediaReason
                ? "Choose one of the files in the list"
                : line <= 1
                    ? "Check that the URL points to an HLS playlist"
                    : "Report the error to the publisher of the stream")
    }
}
