import Zoetrope

/// A manager that downloads assets one after the other and stores their locations. It is modeled on the class of this
/// name in Apple's sample code.
///
/// Use it on the main queue, on which its session calls the delegate.
final class AssetPersistenceManager: NSObject, @unchecked Sendable {
    static let sharedManager = AssetPersistenceManager()

    // All properties are only used on the main queue.
    private var session: AVAssetDownloadURLSession?
    private var didRestore = false
    /// The downloads that have not started yet.
    private var queue: [DownloadTask] = []
    private var activeDownloads: [AVAggregateAssetDownloadTask: Asset] = [:]
    private var places: [AVAggregateAssetDownloadTask: URL] = [:]
    private var downloaded: [Asset] = []

    private override init() {
        super.init()
        session = AVAssetDownloadURLSession(
            configuration: .background(withIdentifier: "AAPL-Identifier"), assetDownloadDelegate: self,
            delegateQueue: .main)
    }

    // MARK: downloads

    /// Resumes the downloads that the previous run left unfinished. Further calls have no effect.
    func restorePersistenceManager() {
        guard !didRestore else { return }
        didRestore = true
        session?.getAllTasks { [self] tasks in
            for case let task as AVAggregateAssetDownloadTask in tasks where activeDownloads[task] == nil {
                guard let id = task.taskDescription else { continue }
                activeDownloads[task] = Asset(urlAsset: task.urlAsset, id: id)
                if task.state == .suspended { task.resume() }
            }
            NotificationCenter.default.post(name: .AssetPersistenceManagerDidRestoreState, object: nil)
        }
    }

    /// Adds a download to the queue. One download runs at a time, in the order of the calls.
    func downloadStream(for asset: Asset) {
        guard !isWanted(asset) else { return }
        queue.append(DownloadTask(asset: asset))
        post(asset, .downloading, names: "")
        startNext()
    }

    /// Starts a download immediately, even if others are running.
    func initiateDownload(for asset: Asset) {
        let selection = asset.urlAsset.preferredMediaSelection
        guard
            let task = session?.aggregateAssetDownloadTask(
                with: asset.urlAsset, mediaSelections: [selection], assetTitle: asset.id, assetArtworkData: nil,
                options: [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: 265_000])
        else {
            post(asset, .notDownloaded)
            return startNext()
        }
        task.taskDescription = asset.id
        activeDownloads[task] = asset
        task.resume()
        // The names of the options are loaded in the background, so that they don't block the windows.
        Task { [self] in
            _ = try? await asset.urlAsset.loadMediaSelectionGroup(for: .audible)
            OperationQueue.main.addOperation { [self] in
                if activeDownloads[task] != nil {
                    post(asset, .downloading, names: displayNamesForSelectedMediaOptions(selection))
                }
            }
        }
    }

    private func startNext() {
        guard activeDownloads.isEmpty, !queue.isEmpty else { return }
        initiateDownload(for: queue.removeFirst().asset)
    }

    private func isWanted(_ asset: Asset) -> Bool {
        queue.contains { $0.asset.id == asset.id } || activeDownloads.values.contains { $0.id == asset.id }
    }

    // MARK: assets

    /// Returns the asset of a running download; nil if there is none.
    func assetForStream(withName name: String) -> Asset? { activeDownloads.values.first { $0.id == name } }

    /// Returns the asset of a finished download; nil if there is none. The stored entry is removed if the file is
    /// missing or the bookmark can't be read.
    func localAssetForStream(with id: String) -> Asset? {
        guard let data = UserDefaults.standard.value(forKey: id) as? Data else { return nil }
        var isStale = false
        guard let url = try? URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale),
            FileManager.default.fileExists(atPath: url.path)
        else {
            UserDefaults.standard.removeObject(forKey: id)
            return nil
        }
        if isStale, let fresh = try? url.bookmarkData() { UserDefaults.standard.set(fresh, forKey: id) }
        return Asset(urlAsset: AVURLAsset(url: url), id: id)
    }

    func downloadState(for asset: Asset) -> Asset.DownloadState {
        if isWanted(asset) { return .downloading }
        return localAssetForStream(with: asset.id) == nil ? .notDownloaded : .downloaded
    }

    /// The downloads that have finished since the program started.
    func downloadedAssets() -> [Asset] { downloaded }

    // MARK: deletion and cancellation

    /// Deletes a finished download. A running download continues.
    func deleteAsset(_ asset: Asset) {
        if let local = localAssetForStream(with: asset.id) {
            do {
                try FileManager.default.removeItem(at: local.urlAsset.url)
            } catch {
                print("Can't remove the download of \(asset.id): \(error)")
                return
            }
            UserDefaults.standard.removeObject(forKey: asset.id)
            UserDefaults.standard.synchronize()
        }
        downloaded.removeAll { $0.id == asset.id }
        post(asset, .notDownloaded)
    }

    /// Cancels a download and deletes its data. The next download in the queue starts.
    func cancelDownload(for asset: Asset) {
        let wasWaiting = queue.contains { $0.asset.id == asset.id }
        queue.removeAll { $0.asset.id == asset.id }
        let tasks = activeDownloads.filter { $0.value.id == asset.id }.keys
        for task in tasks { task.cancel() }
        // If a task was running, the delegate posts the notification when the task ends.
        if wasWaiting, tasks.isEmpty { post(asset, .notDownloaded) }
    }

    private func post(_ asset: Asset, _ state: Asset.DownloadState, names: String? = nil) {
        var info: [String: Any] = [Asset.Keys.id: asset.id, Asset.Keys.downloadState: state.rawValue]
        if let names { info[Asset.Keys.downloadSelectionDisplayName] = names }
        NotificationCenter.default.post(name: .AssetDownloadStateChanged, object: nil, userInfo: info)
    }
}

extension AssetPersistenceManager: AVAssetDownloadDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let task = task as? AVAggregateAssetDownloadTask, let asset = activeDownloads.removeValue(forKey: task)
        else { return }
        let place = places.removeValue(forKey: task)
        defer { startNext() }
        if let error = error as NSError? {
            if (error.domain, error.code) != (NSURLErrorDomain, NSURLErrorCancelled) {
                print("The download of \(asset.id) failed: \(error.localizedDescription)")
            }
            return post(asset, .notDownloaded)
        }
        guard let place, let bookmark = try? place.bookmarkData() else { return post(asset, .notDownloaded) }
        UserDefaults.standard.set(bookmark, forKey: asset.id)
        // Foundation would otherwise write the value later, and it would be lost if the process is killed.
        UserDefaults.standard.synchronize()
        downloaded.append(asset)
        post(asset, .downloaded, names: "")
    }

    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, willDownloadTo location: URL
    ) {
        places[aggregateAssetDownloadTask] = location
    }

    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
        didCompleteFor mediaSelection: AVMediaSelection
    ) {
        guard let asset = activeDownloads[aggregateAssetDownloadTask] else { return }
        post(asset, .downloading, names: displayNamesForSelectedMediaOptions(mediaSelection))
    }

    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue], timeRangeExpectedToLoad: CMTimeRange,
        for mediaSelection: AVMediaSelection
    ) {
        guard let asset = activeDownloads[aggregateAssetDownloadTask] else { return }
        let whole = timeRangeExpectedToLoad.duration.seconds
        guard whole > 0 else { return }
        let fraction = loadedTimeRanges.reduce(0.0) { $0 + $1.timeRangeValue.duration.seconds } / whole
        NotificationCenter.default.post(
            name: .AssetDownloadProgress, object: nil,
            userInfo: [Asset.Keys.id: asset.id, Asset.Keys.percentDownloaded: min(1, fraction)])
    }
}

/// Returns the name of the selected option of each media characteristic.
func displayNamesForSelectedMediaOptions(_ mediaSelection: AVMediaSelection) -> String {
    guard let asset = mediaSelection.asset else { return "" }
    return asset.availableMediaCharacteristicsWithMediaSelectionOptions.compactMap { characteristic in
        asset.mediaSelectionGroup(forMediaCharacteristic: characteristic).flatMap {
            mediaSelection.selectedMediaOption(in: $0)?.displayName
        }
    }.joined(separator: ", ")
}
