import Foundation

/// The URL of a media playlist, and the URL from which it is loaded. They differ if the server sends a multivariant
/// playlist in place of the media playlist.
struct PlaylistLocation {
    /// The URL that identifies the playlist in the stream.
    let url: URL
    /// The URLs found in multivariant playlists that the server sent instead.
    private var substitutes: [URL] = []
    private static let mostSubstitutes = 3

    init(_ url: URL) { self.url = url }

    /// The URL of the next request.
    var current: URL { substitutes.last ?? url }

    /// Continues with the first variant of a multivariant playlist, which usually has a single variant.
    /// - Returns: False if there is no variant, or after three such playlists.
    mutating func follow(_ playlist: MultivariantPlaylist) -> Bool {
        guard substitutes.count < PlaylistLocation.mostSubstitutes,
            let variant = playlist.variants.lazy.compactMap(\.url).first
        else { return false }
        substitutes.append(variant)
        return true
    }
}
