import Foundation
import FoundationNetworking
import MediaEngine

/// Downloads streams and files so that they play without a network; after Apple's class of that name, over a
/// `DownloadLibrary`.
///
///     let session = AVAssetDownloadURLSession(
///         configuration: .background(withIdentifier: "films"), assetDownloadDelegate: self, delegateQueue: .main)
///     session.aggregateAssetDownloadTask(with: asset, mediaSelections: [asset.preferredMediaSelection], assetTitle:
///     "Film", assetArtworkData: nil)?.resume()
///
/// What it loads lies in `zoetrope/sessions/APP/` in the user's data folder (`XDG_DATA_HOME`, else `~/.local/share`), a
/// folder for each identifier. With an identifier (`URLSessionConfiguration.background(withIdentifier:)`) the
/// unfinished tasks are there again at the next start, whatever ended the program: they go on once the app has asked
/// for them (`getAllTasks`, `allTasks`), has resumed any task, or after three seconds, so that an app that looks for
/// them first misses nothing. Without one (`.default`) the folder is called `default`: finished downloads stay,
/// unfinished ones end with the process, and the next one removes them.
///
/// What somebody has removed from the disk, as apps remove their downloads, is forgotten at the next start or the next
/// task.
///
/// Of the configuration these count: `identifier`, `httpAdditionalHeaders`, `allowsCellularAccess` and
/// `isDiscretionary` (a network that costs by the byte is waited out), and how long the network's trouble is waited
/// out: `timeoutIntervalForResource` with an identifier, else `timeoutIntervalForRequest`, seconds from the first
/// failure in a row. Any thread. It is kept alive while tasks are unfinished.
public final class AVAssetDownloadURLSession: URLSession, @unchecked Sendable {
    // Unchecked because the compiler wants Foundation's unchecked conformance restated in each subclass.
    private let hub: SessionHub

    /// - Parameters:
    ///   - assetDownloadDelegate: kept alive until the session is invalidated.
    ///   - delegateQueue: where the delegate is called, and `getAllTasks`'s handler; nil: a serial queue of the
    ///     session's own.
    public init(
        configuration: URLSessionConfiguration, assetDownloadDelegate: (any AVAssetDownloadDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        hub = SessionHub(configuration)
        super.init(configuration: configuration, delegate: assetDownloadDelegate, delegateQueue: delegateQueue)
        hub.begin(self, delegate: assetDownloadDelegate, queue: self.delegateQueue)
    }

    /// For tests: in place of the user's data folder.
    package static func setLibraries(in folder: URL?) { SessionFolders.setParent(folder) }
    /// The library in which it keeps what it loads.
    package var folder: URL { hub.folder }

    // MARK: tasks

    /// - Parameters:
    ///   - mediaSelections: what is loaded, in the rung that `options` choose; empty: the preferred one.
    ///   - artworkData: an encoded picture, at most 8 MiB.
    ///   - options: `AVAssetDownloadTaskMinimumRequiredMediaBitrateKey` and its like.
    /// - Returns: suspended; never nil: one that cannot be made ends with its error when it is resumed.
    public func aggregateAssetDownloadTask(
        with URLAsset: AVURLAsset, mediaSelections: [AVMediaSelection], assetTitle title: String,
        assetArtworkData artworkData: Data?, options: [String: Any]? = nil
    ) -> AVAggregateAssetDownloadTask? {
        let wanted = DownloadTaskOptions(
            URLAsset, title: title, artwork: artworkData, selections: mediaSelections, options: options, configuration)
        return hub.makeAggregate(URLAsset, wanted)
    }

    /// - Returns: as `aggregateAssetDownloadTask`.
    public func makeAssetDownloadTask(
        asset: AVURLAsset, assetTitle: String, assetArtworkData: Data?, options: [String: Any]? = nil
    ) -> AVAssetDownloadTask? {
        let selection =
            options?[AVAssetDownloadTaskMediaSelectionKey] as? AVMediaSelection ?? asset.preferredMediaSelection
        let wanted = DownloadTaskOptions(
            asset, title: assetTitle, artwork: assetArtworkData, selections: [selection], options: options,
            configuration)
        return hub.makeSingle(asset, wanted)
    }

    /// Suspended.
    public func makeAssetDownloadTask(downloadConfiguration: AVAssetDownloadConfiguration) -> AVAssetDownloadTask {
        hub.makeSingle(downloadConfiguration.asset, DownloadTaskOptions(downloadConfiguration, configuration))
    }

    // MARK: what there is

    /// Those that have not ended, restored ones too, in the order in which they were made; `completionHandler` is
    /// called on `delegateQueue`.
    public override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        hub.tasks { own in
            super.getAllTasks { others in completionHandler(own + others) }
        }
    }
    /// As `getAllTasks`.
    public var allTasks: [URLSessionTask] {
        get async { await withCheckedContinuation { done in getAllTasks { done.resume(returning: $0) } } }
    }
    /// Foundation's own kinds, of which this session makes none unless it is asked to. Apple's newer name of
    /// `getTasksWithCompletionHandler`.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { done in
                getTasksWithCompletionHandler { done.resume(returning: ($0, $1, $2)) }
            }
        }
    }

    // MARK: its end

    /// No task is made any more; once those there are have ended the delegate is told, and let go.
    public override func finishTasksAndInvalidate() {
        hub.invalidate(cancelling: false) { super.finishTasksAndInvalidate() }
    }
    /// The same, and the tasks are cancelled.
    public override func invalidateAndCancel() {
        hub.invalidate(cancelling: true) { super.invalidateAndCancel() }
    }
}
