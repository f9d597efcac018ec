import Foundation

extension Playlist {
    /// Reads a playlist. Any thread.
    ///
    /// Fails where the meaning is not clear (RFC 8216 §4 and §6.3.1: no `#EXTM3U`, variants and segments in one
    /// playlist, a key without a URI, a variable that is not defined) and where a playlist from a server names a file on
    /// this computer. Reads everything else, as deployed players do: a byte order mark, any end of line, unknown tags
    /// and attributes without a word, and with a warning tags of the other kind of playlist, missing durations, and
    /// attributes that make no sense.
    /// - Parameters:
    ///   - bytes: the text; UTF-8.
    ///   - url: where it came from after redirects; `QUERYPARAM` looks into it.
    ///   - variables: those of the multivariant playlist, for `IMPORT`.
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
    /// Reads a playlist that has to be a media playlist; for the rest see `Playlist.parse`.
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
