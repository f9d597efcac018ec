import Foundation

extension Playlist {
    /// Parses a playlist. Any thread.
    ///
    /// Parsing fails if the meaning is not clear (RFC 8216 §4 and §6.3.1): for example without `#EXTM3U`, with variants
    /// and segments in one playlist, with a key without a URI, or with an undefined variable. It also fails if a
    /// playlist from a server names a file on this computer, or if the playlist is larger than 64 MiB.
    ///
    /// Like deployed players, the parser accepts many other mistakes. A byte order mark, any line ending, and unknown
    /// tags and attributes are accepted without a warning. Tags of the other kind of playlist and missing durations
    /// cause warnings.
    /// - Parameters:
    ///   - bytes: The text, in UTF-8.
    ///   - url: The text's URL after redirects. `QUERYPARAM` refers to its query.
    ///   - variables: The variables of the multivariant playlist, for `IMPORT`.
    package static func parse(_ bytes: some ContiguousBytes, url: URL, importing variables: [String: String] = [:])
        throws(PlaylistError) -> Playlist
    {
        let result: Result<Playlist, PlaylistError> = bytes.withUnsafeBytes { text in
            var parser = PlaylistParser(
                text: text.bindMemory(to: UInt8.self), url: url, imports: variables, previous: nil)
            do throws(PlaylistError) {
                return .success(try parser.parse())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension MediaPlaylist {
    /// Parses a media playlist. Throws for a multivariant playlist, and the errors of `Playlist.parse`.
    package static func parse(_ bytes: some ContiguousBytes, url: URL, importing variables: [String: String] = [:])
        throws(PlaylistError) -> MediaPlaylist
    {
        guard case .media(let playlist) = try Playlist.parse(bytes, url: url, importing: variables) else {
            throw .notMedia(url)
        }
        return playlist
    }
}

extension PlaylistError {
    static func notMedia(_ url: URL) -> PlaylistError {
        PlaylistError(
            url: url, line: 0, reason: "the file is a multivariant playlist, but a media playlist is required")
    }
}
