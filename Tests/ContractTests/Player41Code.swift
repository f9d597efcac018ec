import Zoetrope

// The Apple API that Player41's sources use, each name once, as in its manager and models (linked in this folder) and
// in similar apps. The test is that it compiles.

final class Player41Delegate: NSObject, AVAssetDownloadDelegate, Sendable {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
        if let error = error as NSError? {
            switch (error.domain, error.code) {
            case (NSURLErrorDomain, NSURLErrorCancelled):
                print("cancelled", (task as? AVAggregateAssetDownloadTask)?.urlAsset.url as Any)
            case (NSURLErrorDomain, NSURLErrorUnknown): print("unknown")
            default: print(error.localizedDescription, error.userInfo[NSUnderlyingErrorKey] as? DownloadError as Any)
            }
        }
    }
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, willDownloadTo location: URL
    ) {}
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
        didCompleteFor mediaSelection: AVMediaSelection
    ) {
        aggregateAssetDownloadTask.taskDescription = "x"
        aggregateAssetDownloadTask.resume()
    }
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue],
        timeRangeExpectedToLoad: CMTimeRange, for mediaSelection: AVMediaSelection
    ) {
        var percentComplete = 0.0
        for value in loadedTimeRanges {
            percentComplete += value.timeRangeValue.duration.seconds / timeRangeExpectedToLoad.duration.seconds
        }
    }
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadTo location: URL) {}
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadVariants variants: [AVAssetVariant]
    ) {}
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask,
        didResolve resolvedMediaSelection: AVMediaSelection
    ) {}
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue],
        timeRangeExpectedToLoad: CMTimeRange
    ) {}
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didFinishDownloadingTo location: URL)
    {}
}

/// A delegate without methods, because every method is optional.
final class Player41SilentDelegate: NSObject, AVAssetDownloadDelegate, Sendable {}

enum Player41Code {
    static func session(_ asset: AVURLAsset) async {
        let configuration = URLSessionConfiguration.background(withIdentifier: "AAPL-Identifier")
        let session = AVAssetDownloadURLSession(
            configuration: configuration, assetDownloadDelegate: Player41SilentDelegate(),
            delegateQueue: OperationQueue.main)
        session.getAllTasks { tasksArray in
            for task in tasksArray {
                guard let assetDownloadTask = task as? AVAggregateAssetDownloadTask, let name = task.taskDescription
                else { break }
                print(name, assetDownloadTask.urlAsset == asset)
            }
        }
        guard
            let task = session.aggregateAssetDownloadTask(
                with: asset, mediaSelections: [asset.preferredMediaSelection], assetTitle: "id", assetArtworkData: nil,
                options: [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: 265_000])
        else { return }
        var map: [AVAggregateAssetDownloadTask: URL] = [:]
        map[task] = asset.url
        task.cancel()
        let single = session.makeAssetDownloadTask(
            asset: asset, assetTitle: "id", assetArtworkData: nil,
            options: [
                AVAssetDownloadTaskMinimumRequiredPresentationSizeKey: CGSize(width: 640, height: 360),
                AVAssetDownloadTaskMediaSelectionKey: asset.preferredMediaSelection,
                AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey: false, AVAssetDownloadTaskAllowsHDRKey: false,
            ])
        print(
            single?.loadedTimeRanges ?? [], single?.progress.fractionCompleted ?? 0, await session.allTasks.count,
            await session.tasks)

        let wanted = AVAssetDownloadConfiguration(asset: asset, title: "id")
        wanted.artworkData = Data()
        wanted.primaryContentConfiguration.variantQualifiers = [
            AVAssetVariantQualifier(predicate: NSPredicate { variant, _ in variant is AVAssetVariant })
        ]
        let auxiliary = AVAssetDownloadContentConfiguration()
        auxiliary.mediaSelections = asset.allMediaSelections
        wanted.auxiliaryContentConfigurations = [auxiliary]
        wanted.optimizesAuxiliaryContentConfigurations = true
        session.makeAssetDownloadTask(downloadConfiguration: wanted).cancel()
        session.finishTasksAndInvalidate()
    }

    static func selections(_ asset: AVURLAsset) -> String {
        let selection = asset.preferredMediaSelection
        guard let mine = selection.mutableCopy() as? AVMutableMediaSelection else { return "" }
        var names = ""
        for characteristic in mine.asset?.availableMediaCharacteristicsWithMediaSelectionOptions ?? [] {
            guard let group = asset.mediaSelectionGroup(forMediaCharacteristic: characteristic) else { continue }
            mine.select(group.options.last, in: group)
            names += mine.selectedMediaOption(in: group)?.displayName ?? ""
            names += "\(asset.assetCache?.mediaSelectionOptions(in: group).count ?? 0)"
        }
        return names + "\(asset.assetCache?.isPlayableOffline ?? false)"
    }

    static func storage(_ location: URL) throws {
        let policy = AVMutableAssetDownloadStorageManagementPolicy()
        policy.expirationDate = Date(timeIntervalSinceNow: 86_400)
        policy.priority = .important
        AVAssetDownloadStorageManager.shared().setStorageManagementPolicy(policy, for: location)
        print(AVAssetDownloadStorageManager.shared().storageManagementPolicy(for: location)?.priority == .default)
        let bookmark = try location.bookmarkData()
        UserDefaults.standard.set(bookmark, forKey: "id")
        guard let data = UserDefaults.standard.value(forKey: "id") as? Data else { return }
        UserDefaults.standard.removeObject(forKey: "id")
        var isStale = false
        print(try URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale))
    }

    /// Uses every declaration of the app.
    @MainActor static func app(_ asset: Asset) {
        let manager = AssetPersistenceManager.sharedManager
        manager.restorePersistenceManager()
        manager.downloadStream(for: asset)
        manager.initiateDownload(for: asset)
        manager.cancelDownload(for: asset)
        manager.deleteAsset(asset)
        print(
            manager.assetForStream(withName: asset.id) == asset, manager.localAssetForStream(with: asset.id)?.id ?? "",
            manager.downloadState(for: asset).rawValue, manager.downloadedAssets().count)
        let song = SongModel()
        let buttons = VM_DownloadBtnView(song: song)
        let player = VM_PlayerView()
        (buttons.showDeleteAlert, buttons.downloadProgress[asset.id], buttons.downloadState[asset.id]) = (
            true, 0.5, .downloading
        )
        print(
            song.isDownloaded, song.localURL as Any, song.asset?.id ?? "", DownloadTask(asset: asset).asset.id,
            NSEC_PER_SEC)
        player.song = song
        (player.maxBufferDuration, player.currentTime) = (10, 3)
        player.seek(to: 3)
        player.play()
        player.pause()
        print(
            player.playerStatus.title, player.totalDuration.toReadableTime(),
            player.bufferProgress.toPercentageString(), player.player as Any)
    }
}
