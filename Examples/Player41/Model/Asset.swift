import Zoetrope

/// An asset that can be downloaded, with the ID of its download.
struct Asset: Equatable, Identifiable, Sendable {
    var urlAsset: AVURLAsset
    let id: String

    enum DownloadState: String {
        case notDownloaded
        case downloading
        case downloaded
    }

    /// The keys of the notifications' `userInfo`.
    struct Keys {
        static let id = "AssetIdKey"
        /// The downloaded fraction, a `Double` from 0 to 1.
        static let percentDownloaded = "AssetPercentDownloadedKey"
        /// The raw value of a `DownloadState`.
        static let downloadState = "AssetDownloadStateKey"
        /// The names of the media options being downloaded; empty when the download is complete.
        static let downloadSelectionDisplayName = "AssetDownloadSelectionDisplayNameKey"
    }
}

/// An entry of the download queue.
final class DownloadTask: Sendable {
    let asset: Asset
    init(asset: Asset) { self.asset = asset }
}

/// The notifications of downloads. They are posted on the main queue, without an object.
extension Notification.Name {
    static let AssetDownloadProgress = Notification.Name("AssetDownloadProgressNotification")
    static let AssetDownloadStateChanged = Notification.Name("AssetDownloadStateChangedNotification")
    static let AssetPersistenceManagerDidRestoreState = Notification.Name(
        "AssetPersistenceManagerDidRestoreStateNotification")
}
