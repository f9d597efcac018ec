import Zoetrope

/// The one stream the app plays.
struct SongModel: Sendable {
    let id: String
    let urlString: String

    /// `scripts/play` says where its local server has the stream.
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
