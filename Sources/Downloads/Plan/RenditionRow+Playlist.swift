import Foundation
import Streaming

extension RenditionRow {
    /// Parses the stored media playlist.
    func mediaPlaylist() throws(DownloadError) -> MediaPlaylist {
        try mediaPlaylist(Array((playlist ?? "").utf8), from: playlistURL ?? url)
    }

    /// Parses a media playlist of this rendition from a server.
    func mediaPlaylist(_ bytes: [UInt8], from url: URL) throws(DownloadError) -> MediaPlaylist {
        do throws(PlaylistError) { return try MediaPlaylist.parse(bytes, url: url, importing: variables) } catch {
            throw DownloadError(error.avError)
        }
    }
}
