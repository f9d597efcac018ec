import Zoetrope

/// Downloads assets one after the other and keeps where they lie; after the manager of Apple's sample of that name. On
/// the main queue, as its session's delegate is.
final class AssetPersistenceManager: NSObject, @unchecked Sendable {
    static let sharedManager = AssetPersistenceManager()

    // Guarded by confinement to the main queue.
    private var session: AVAssetDownloadURLSession?
    private var didRestore = false
    /// Those whose turn has not come.
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

    // MARK: what goes on

    /// Once: the downloads that the last start left unfinished are assets again, and go on.
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

    /// One at a time, first in first out.
    func downloadStream(for asset: Asset) {
        guard !isWanted(asset) else { return }
        queue.append(DownloadTask(asset: asset))
        post(asset, .downloading, names: "")
        startNext()
    }

    /// Now, whatever else is under way.
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
        // What there is to choose is asked for beside it: names can wait, the app's windows cannot.
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

    // MARK: what there is

    /// Of a download that is under way.
    func assetForStream(withName name: String) -> Asset? { activeDownloads.values.first { $0.id == name } }

    /// Of a finished one. What cannot be read, or is there no more, is forgotten.
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

    /// Finished since the program started.
    func downloadedAssets() -> [Asset] { downloaded }

    // MARK: what is given up

    /// A download that is under way is not touched.
    func deleteAsset(_ asset: Asset) {
        if let local = localAssetForStream(with: asset.id) {
            do {
                try FileManager.default.removeItem(at: local.urlAsset.url)
            } catch {
                print("The download of \(asset.id) could not be removed: \(error)")
                return
            }
            UserDefaults.standard.removeObject(forKey: asset.id)
            UserDefaults.standard.synchronize()
        }
        downloaded.removeAll { $0.id == asset.id }
        post(asset, .notDownloaded)
    }

    /// Nothing of it stays; those behind it in the queue have their turn.
    func cancelDownload(for asset: Asset) {
        let wasWaiting = queue.contains { $0.asset.id == asset.id }
        queue.removeAll { $0.asset.id == asset.id }
        let tasks = activeDownloads.filter { $0.value.id == asset.id }.keys
        for task in tasks { task.cancel() }
        // Otherwise its end tells.
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
        // Foundation writes it some time later here, which a process that is killed does not live to see.
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

/// Of the chosen option of each characteristic.
func displayNamesForSelectedMediaOptions(_ mediaSelection: AVMediaSelection) -> String {
    guard let asset = mediaSelection.asset else { return "" }
    return asset.availableMediaCharacteristicsWithMediaSelectionOptions.compactMap { characteristic in
        asset.mediaSelectionGroup(forMediaCharacteristic: characteristic).flatMap {
            mediaSelection.selectedMediaOption(in: $0)?.displayName
        }
    }.joined(separator: ", ")
}
