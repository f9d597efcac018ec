import Foundation
import MediaCore

/// The reason why a text is not a valid playlist (RFC 8216 §4 lists what a client must reject).
package struct PlaylistError: Error, Sendable, Hashable {
    /// The URL of the text.
    package var url: URL
    /// The number of the line, from 1. 0 refers to the whole text.
    package var line: Int
    /// The reason, as one sentence without a full stop at the end.
    package var reason: String

    package init(url: URL, line: Int, reason: String) {
        self.url = url
        self.line = line
        self.reason = reason
    }

    /// Returns the error for an M3U list of media, which is not the playlist of one stream.
    static func listOfMedia(_ url: URL) -> PlaylistError {
        PlaylistError(url: url, line: 0, reason: AVError.listOfMediaReason)
    }

    /// The error as apps receive it.
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
