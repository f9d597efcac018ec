import Foundation
import Streaming

extension RenditionRow {
    /// The media playlist that the record has.
    func mediaPlaylist() throws(DownloadError) -> MediaPlaylist {
        try mediaPlaylist(Array((playlist ?? "").utf8), from: playlistURL ?? url)
    }

    /// A media playlist of this rendition that a server has sent.
    func mediaPlaylist(_ bytes: [UInt8], from url: URL) throws(DownloadError) -> MediaPlaylist {
        do throws(PlaylistError) { return try MediaPlaylist.parse(bytes, url: url, importing: variables) } catch {
            throw DownloadError(error.avError)
        }
    }
}
