import Zoetrope

/// The stream that the app plays.
struct SongModel: Sendable {
    let id: String
    let urlString: String

    /// Creates a stream. `scripts/play` sets `PLAYER41_STREAM` to the stream's URL on its local server.
    init(
        id: String = "abcd",
        urlString: String = ProcessInfo.processInfo.environment["PLAYER41_STREAM"]
            ?? "http://127.0.0.1:8041/master.m3u8"
    ) {
        self.id = id
        self.urlString = urlString
    }

    var url: URL? { URL(string: urlString) }
    var asset: Asset? { url.map { Asset(urlAsset: AVURLAsset(url: $0), id: id) } }
    var isDownloaded: Bool { localURL != nil }
    var localURL: URL? { AssetPersistenceManager.sharedManager.localAssetForStream(with: id)?.urlAsset.url }
}
