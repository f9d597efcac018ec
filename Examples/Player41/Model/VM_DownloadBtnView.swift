import Zoetrope

@MainActor
final class VM_DownloadBtnView: ObservableObject {
    @Published var song: SongModel
    @Published var showDeleteAlert = false
    /// The progress of each download, from 0 to 1, by the asset's ID.
    @Published var downloadProgress: [String: Double] = [:]
    /// The state of each download, by the asset's ID.
    @Published var downloadState: [String: Asset.DownloadState] = [:]
    private var cancellables: Set<AnyCancellable> = []

    init(song: SongModel) {
        self.song = song
        NotificationCenter.default.publisher(for: .AssetDownloadProgress).receive(on: DispatchQueue.main).sink {
            [weak self] note in
            guard let id = note.userInfo?[Asset.Keys.id] as? String,
                let fraction = note.userInfo?[Asset.Keys.percentDownloaded] as? Double
            else { return }
            self?.downloadProgress[id] = fraction
        }.store(in: &cancellables)
        NotificationCenter.default.publisher(for: .AssetDownloadStateChanged).receive(on: DispatchQueue.main).sink {
            [weak self] note in
            guard let id = note.userInfo?[Asset.Keys.id] as? String,
                let word = note.userInfo?[Asset.Keys.downloadState] as? String,
                let state = Asset.DownloadState(rawValue: word)
            else { return }
            self?.downloadState[id] = state
            if state != .downloading { self?.downloadProgress[id] = nil }
        }.store(in: &cancellables)
        NotificationCenter.default.publisher(for: .AssetPersistenceManagerDidRestoreState).receive(
            on: DispatchQueue.main
        ).sink { [weak self] _ in
            self?.readState()
        }.store(in: &cancellables)
        readState()
    }

    private func readState() {
        if let asset = song.asset {
            downloadState[asset.id] = AssetPersistenceManager.sharedManager.downloadState(for: asset)
        }
    }

    func downloadAsset(_ asset: Asset) {
        downloadProgress[asset.id] = 0
        AssetPersistenceManager.sharedManager.downloadStream(for: asset)
    }

    func deleteAsset(_ asset: Asset) {
        AssetPersistenceManager.sharedManager.deleteAsset(asset)
        downloadState[asset.id] = .notDownloaded
    }

    func cancelDownload(_ asset: Asset) {
        AssetPersistenceManager.sharedManager.cancelDownload(for: asset)
        downloadState[asset.id] = .notDownloaded
    }
}
