import MediaCore

extension AVError {
    private static let playlistReason = "is an HLS playlist"

    /// What was opened as a file turned out to be a playlist: it is opened anew, as a stream.
    static func playlistFound(at location: String) -> AVError {
        AVError(.fileFormatNotRecognized, at: location, reason: playlistReason)
    }
    var isPlaylistFound: Bool { code == .fileFormatNotRecognized && reason == AVError.playlistReason }
}
