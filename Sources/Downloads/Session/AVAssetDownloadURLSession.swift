import Foundation
import FoundationNetworking
import MediaEngine

/// A session that downloads streams and files for playback without a network. Corresponds to Apple's class of the same
/// name, and uses a `DownloadLibrary`.
///
/// Downloads are in `zoetrope/sessions/APP/` in the user's data folder (`XDG_DATA_HOME`, else `~/.local/share`), with
/// one folder for each identifier.
///
/// ```swift
/// let session = AVAssetDownloadURLSession(
///     configuration: .background(withIdentifier: "films"), assetDownloadDelegate: delegate,
///     delegateQueue: .main)
/// let configuration = AVAssetDownloadConfiguration(asset: AVURLAsset(url: url), title: "The Kid")
/// session.makeAssetDownloadTask(downloadConfiguration: configuration).resume()
/// ```
///
/// A session with an identifier (`URLSessionConfiguration.background(withIdentifier:)`) restores unfinished tasks at
/// the next launch, even after a crash. Restored tasks continue when the app calls `getAllTasks` or `allTasks`, or
/// resumes any task. Otherwise they continue after three seconds, so that an app can first get its tasks and misses no
/// event.
///
/// A session without an identifier (`.default`) uses the folder `default`. Finished downloads stay there. Unfinished
/// ones end with the process, and the next process removes them.
///
/// If a download's files were deleted outside the session, the session removes the download at the next launch or when
/// the next task is made.
///
/// The session uses these properties of the configuration:
/// - `identifier` and `httpAdditionalHeaders`.
/// - `allowsCellularAccess` and `isDiscretionary`: whether to wait while the network is metered.
/// - `timeoutIntervalForResource` (with an identifier) or `timeoutIntervalForRequest` (without): the maximum time to
///   retry after network failures, in seconds from the first of consecutive failures. A tenth of the time applies to a
///   task that has not received any bytes yet.
///
/// Any thread. Making the first task blocks until the session's database is open. The session stays alive while it has
/// unfinished tasks.
public final class AVAssetDownloadURLSession: URLSession, @unchecked Sendable {
    // Unchecked because each subclass has to repeat the unchecked conformance of Foundation's class.
    private let hub: SessionHub

    /// Creates a session, and restores its unfinished tasks.
    ///
    /// - Parameters:
    ///   - assetDownloadDelegate: The delegate, which the session retains until it is invalidated.
    ///   - delegateQueue: The queue on which the delegate and the handler of `getAllTasks` are called. If nil, the
    ///     session creates a serial queue.
    public init(
        configuration: URLSessionConfiguration, assetDownloadDelegate: (any AVAssetDownloadDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        hub = SessionHub(configuration)
        super.init(configuration: configuration, delegate: assetDownloadDelegate, delegateQueue: delegateQueue)
        hub.begin(self, delegate: assetDownloadDelegate, queue: self.delegateQueue)
    }

    /// Replaces the parent folder of all sessions, for tests. Nil restores the user's data folder.
    package static func setLibraries(in folder: URL?) { SessionFolders.setParent(folder) }
    /// The folder of the library that contains the session's downloads.
    package var folder: URL { hub.folder }

    // MARK: making tasks

    /// Makes a suspended task that loads several media selections of an asset.
    ///
    /// ```swift
    /// let task = session.aggregateAssetDownloadTask(
    ///     with: asset, mediaSelections: [asset.preferredMediaSelection], assetTitle: "The Kid",
    ///     assetArtworkData: nil)
    /// task?.resume()
    /// ```
    ///
    /// - Parameters:
    ///   - mediaSelections: The selections to load, in the variant that `options` choose. If the array is empty, the
    ///     task loads the preferred selection.
    ///   - artworkData: An encoded image of at most 8 MiB. A larger image is not stored.
    ///   - options: Values for `AVAssetDownloadTaskMinimumRequiredMediaBitrateKey` and similar keys.
    /// - Returns: The task, never nil. A task that cannot be made ends with an error when it is resumed.
    public func aggregateAssetDownloadTask(
        with URLAsset: AVURLAsset, mediaSelections: [AVMediaSelection], assetTitle title: String,
        assetArtworkData artworkData: Data?, options: [String: Any]? = nil
    ) -> AVAggregateAssetDownloadTask? {
        let wanted = DownloadTaskOptions(
            URLAsset, title: title, artwork: artworkData, selections: mediaSelections, options: options, configuration)
        return hub.makeAggregate(URLAsset, wanted)
    }

    /// Makes a suspended task that loads one media selection of an asset.
    ///
    /// ```swift
    /// let task = session.makeAssetDownloadTask(
    ///     asset: asset, assetTitle: "The Kid", assetArtworkData: nil,
    ///     options: [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: 2_000_000])
    /// task?.resume()
    /// ```
    ///
    /// - Parameters:
    ///   - assetArtworkData: An encoded image of at most 8 MiB. A larger image is not stored.
    ///   - options: Values for `AVAssetDownloadTaskMediaSelectionKey` and similar keys.
    /// - Returns: The task, never nil. A task that cannot be made ends with an error when it is resumed.
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

    /// Makes a suspended task that loads the content of a configuration. A task that cannot be made ends with an error
    /// when it is resumed.
    public func makeAssetDownloadTask(downloadConfiguration: AVAssetDownloadConfiguration) -> AVAssetDownloadTask {
        hub.makeSingle(downloadConfiguration.asset, DownloadTaskOptions(downloadConfiguration, configuration))
    }

    // MARK: tasks

    /// Calls `completionHandler` on `delegateQueue` with the unfinished tasks, in the order in which they were made.
    /// Includes restored tasks.
    ///
    /// ```swift
    /// session.getAllTasks { tasks in
    ///     for case let task as AVAssetDownloadTask in tasks {
    ///         print(task.urlAsset.url, task.progress.fractionCompleted)
    ///     }
    /// }
    /// ```
    public override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        hub.tasks { sessionTasks in
            super.getAllTasks { others in completionHandler(sessionTasks + others) }
        }
    }
    /// The unfinished tasks, as `getAllTasks` returns them.
    public var allTasks: [URLSessionTask] {
        get async { await withCheckedContinuation { done in getAllTasks { done.resume(returning: $0) } } }
    }
    /// The session's tasks of Foundation's own kinds. The list is empty unless the app makes such tasks with this
    /// session.
    ///
    /// Replaces `getTasksWithCompletionHandler`, the older name of Apple's API.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { done in
                getTasksWithCompletionHandler { done.resume(returning: ($0, $1, $2)) }
            }
        }
    }

    // MARK: invalidation

    /// Refuses new tasks, and releases the delegate after the existing tasks have ended.
    public override func finishTasksAndInvalidate() {
        hub.invalidate(cancelling: false) { super.finishTasksAndInvalidate() }
    }
    /// Refuses new tasks, cancels the existing ones, and releases the delegate after they have ended.
    public override func invalidateAndCancel() {
        hub.invalidate(cancelling: true) { super.invalidateAndCancel() }
    }
}
