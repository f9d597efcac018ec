import TestSupport
import Testing
import Zoetrope

/// Tests of Player41's model with Zoetrope's download sessions: its documented behavior, and the faults of its first
/// version that must not return.
@Suite("Player41's downloads", .serialized) @MainActor
struct Player41Tests {
    private let manager: AssetPersistenceManager

    init() {
        // The folder applies to the whole process. Other tests in this process set the same one.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-sessions-\(getpid())")
        AVAssetDownloadURLSession.setLibraries(in: folder)
        manager = AssetPersistenceManager.sharedManager
    }

    /// The notifications posted about one asset.
    @MainActor private final class Posts {
        private(set) var states: [Asset.DownloadState] = []
        private(set) var names: [String] = []
        private(set) var progress: [Double] = []
        private var cancellables: Set<AnyCancellable> = []

        init(_ id: String) {
            NotificationCenter.default.publisher(for: .AssetDownloadStateChanged).filter {
                $0.userInfo?[Asset.Keys.id] as? String == id
            }.sink { [weak self] note in
                MainActor.assumeIsolated {
                    if let word = note.userInfo?[Asset.Keys.downloadState] as? String,
                        let state = Asset.DownloadState(rawValue: word)
                    {
                        self?.states.append(state)
                    }
                    if let name = note.userInfo?[Asset.Keys.downloadSelectionDisplayName] as? String {
                        self?.names.append(name)
                    }
                }
            }.store(in: &cancellables)
            NotificationCenter.default.publisher(for: .AssetDownloadProgress).filter {
                $0.userInfo?[Asset.Keys.id] as? String == id
            }.sink { [weak self] note in
                MainActor.assumeIsolated {
                    if let fraction = note.userInfo?[Asset.Keys.percentDownloaded] as? Double {
                        self?.progress.append(fraction)
                    }
                }
            }.store(in: &cancellables)
        }

        func reach(_ state: Asset.DownloadState, sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
            await eventually("\(state)", seen: { "\(states), progress \(progress)" }, sourceLocation: sourceLocation) {
                states.last == state
            }
        }
    }

    private func asset(_ url: URL) -> Asset { Asset(urlAsset: AVURLAsset(url: url), id: UUID().uuidString) }

    @Test("times, percentages and player states are formatted as text")
    func words() {
        let times: [(Double, String)] = [
            (0, "00:00"), (59.9, "00:59"), (61, "01:01"), (3600, "01:00:00"), (3661, "01:01:01"), (.nan, "00:00"),
            (.infinity, "00:00"), (-3, "00:00"),
        ]
        for (time, word) in times { #expect(time.toReadableTime() == word) }
        #expect(0.131.toPercentageString() == "13%" && 1.0.toPercentageString() == "100%")
        let states: [Enum_PlayerState] = [.playing, .paused, .loading, .error("lost")]
        #expect(states.map(\.title) == ["Playing", "Paused", "Loading...", "Error: lost"])
    }

    @Test("a stream is downloaded, reported, played offline and deleted")
    func download() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let mine = asset(server.url(for: "vod-fmp4/master.m3u8"))
        let posts = Posts(mine.id)
        let buttons = VM_DownloadBtnView(song: SongModel(id: mine.id, urlString: mine.urlAsset.url.absoluteString))
        #expect(manager.downloadState(for: mine) == .notDownloaded && buttons.downloadState[mine.id] == .notDownloaded)
        buttons.downloadAsset(mine)
        #expect(
            posts.states == [.downloading] && manager.downloadState(for: mine) == .downloading
                && manager.assetForStream(withName: mine.id) == mine)
        #expect(await posts.reach(.downloaded))
        #expect(posts.names.contains("English") && posts.names.last == "")
        #expect(posts.progress == posts.progress.sorted() && posts.progress.last == 1 && posts.progress.count > 3)
        #expect(manager.downloadedAssets().contains(mine) && manager.downloadState(for: mine) == .downloaded)
        #expect(
            await eventually("a button of what is downloaded", seen: { "\(buttons.downloadState)" }) {
                buttons.downloadState[mine.id] == .downloaded && buttons.song.isDownloaded
            })
        let local = try #require(buttons.song.localURL)
        server.close()
        #expect(
            try await AVURLAsset(url: local).load(.isPlayable)
                && AVURLAsset(url: local).assetCache?.isPlayableOffline == true)
        buttons.deleteAsset(mine)
        #expect(buttons.downloadState[mine.id] == .notDownloaded && posts.states.last == .notDownloaded)
        #expect(
            !FileManager.default.fileExists(atPath: local.path) && manager.localAssetForStream(with: mine.id) == nil
                && !manager.downloadedAssets().contains(mine))
    }

    @Test("a failed or invalid download does not block the queue")
    func queue() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let lost = asset(server.url(for: "nothing/master.m3u8"))
        let wrong = asset(try #require(URL(string: "mailto:nobody")))
        let good = asset(server.url(for: "vod-ts/master.m3u8"))
        let all = [lost, wrong, good].map { Posts($0.id) }
        for one in [lost, wrong, good] { manager.downloadStream(for: one) }
        // Queued downloads also count as downloading.
        for one in [lost, wrong, good] { #expect(manager.downloadState(for: one) == .downloading) }
        #expect(await all[2].reach(.downloaded))
        #expect(all[0].states.last == .notDownloaded && all[1].states.last == .notDownloaded)
        manager.deleteAsset(good)
    }

    @Test("cancelling a download deletes its files and keeps the rest queued")
    func cancel() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let slow = server.inject(.stall(after: 20_000), on: "vod-fmp4/*00[4-9].m4s")
        let first = asset(server.url(for: "vod-fmp4/master.m3u8"))
        let second = asset(server.url(for: "vod-ts/master.m3u8"))
        let third = asset(server.url(for: "aes128/implicit.m3u8"))
        let all = [first, second, third].map { Posts($0.id) }
        for one in [first, second, third] { manager.downloadStream(for: one) }
        #expect(await eventually("progress of the first") { !all[0].progress.isEmpty })
        manager.cancelDownload(for: third)
        #expect(all[2].states.last == .notDownloaded)
        #expect(await server.waitForRequests(1, "vod-fmp4/*00[4-9].m4s"))
        manager.cancelDownload(for: first)
        #expect(await all[0].reach(.notDownloaded))
        #expect(await all[1].reach(.downloaded))
        server.remove(slow)
        #expect(server.requests("aes128/*").isEmpty && manager.localAssetForStream(with: first.id) == nil)
        let place = try #require(manager.localAssetForStream(with: second.id)?.urlAsset.url)
        let packages = try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path)
            .filter { $0.hasPrefix(String(first.id.prefix(20))) }
        #expect(packages.isEmpty)
        manager.deleteAsset(second)
    }

    @Test("an unreadable record is discarded, as is one whose download is deleted")
    func records() throws {
        let id = UUID().uuidString
        UserDefaults.standard.set(Data("no bookmark".utf8), forKey: id)
        #expect(manager.localAssetForStream(with: id) == nil && UserDefaults.standard.value(forKey: id) == nil)
        // Use a separate folder, because the search for a moved file looks at only a few thousand files around it.
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("zt-player41-\(id)")
        defer { try? FileManager.default.removeItem(at: place) }
        let folder = place.appendingPathComponent("film.movpkg")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        UserDefaults.standard.set(try folder.bookmarkData(), forKey: id)
        // A moved package is found again, and its new location is stored.
        let moved = folder.deletingLastPathComponent().appendingPathComponent("moved.movpkg")
        try FileManager.default.moveItem(at: folder, to: moved)
        #expect(manager.localAssetForStream(with: id)?.urlAsset.url.path == moved.path)
        try FileManager.default.removeItem(at: moved)
        #expect(manager.localAssetForStream(with: id) == nil && UserDefaults.standard.value(forKey: id) == nil)
    }

    @Test("restoring the download state posts a notification")
    func restore() async throws {
        var count = 0
        var cancellables: Set<AnyCancellable> = []
        NotificationCenter.default.publisher(for: .AssetPersistenceManagerDidRestoreState).receive(
            on: DispatchQueue.main
        ).sink { _ in count += 1 }.store(in: &cancellables)
        manager.restorePersistenceManager()
        manager.restorePersistenceManager()
        #expect(await eventually("a notification") { count >= 1 })
    }

    @Test("the player publishes its duration and buffer, and seeks exactly")
    func player() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let model = VM_PlayerView(
            song: SongModel(id: "x", urlString: server.url(for: "vod-ts/master.m3u8").absoluteString))
        #expect(model.playerStatus == .paused && model.player?.currentItem?.preferredForwardBufferDuration == 30)
        await eventually("a whole buffer", seen: { "\(model.totalDuration) s, buffered \(model.bufferProgress)" }) {
            model.totalDuration != 0 && model.bufferProgress >= 1
        }
        #expect(abs(model.totalDuration - 24) < 0.2 && model.bufferProgress == 1)
        model.seek(to: 7)
        func time() -> Double { model.player?.currentTime().seconds ?? 0 }
        #expect(await eventually("7 s", seen: { "\(time()) s" }) { abs(time() - 7) <= 0.01 })
    }
}
