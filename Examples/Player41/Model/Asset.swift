import Zoetrope

/// What can be downloaded, and what its download is known by.
struct Asset: Equatable, Identifiable, Sendable {
    var urlAsset: AVURLAsset
    let id: String

    enum DownloadState: String {
        case notDownloaded
        case downloading
        case downloaded
    }

    /// Of the notifications' `userInfo`.
    struct Keys {
        static let id = "AssetIdKey"
        /// `Double`, 0 … 1.
        static let percentDownloaded = "AssetPercentDownloadedKey"
        /// A `DownloadState`'s raw value.
        static let downloadState = "AssetDownloadStateKey"
        /// The names of the options that are loaded; empty when all is there.
        static let downloadSelectionDisplayName = "AssetDownloadSelectionDisplayNameKey"
    }
}

/// A place in the queue.
final class DownloadTask: Sendable {
    let asset: Asset
    init(asset: Asset) { self.asset = asset }
}

/// All are posted on the main queue, without an object.
extension Notification.Name {
    static let AssetDownloadProgress = Notification.Name("AssetDownloadProgressNotification")
    static let AssetDownloadStateChanged = Notification.Name("AssetDownloadStateChangedNotification")
    static let AssetPersistenceManagerDidRestoreState = Notification.Name(
        "AssetPersistenceManagerDidRestoreStateNotification")
}
