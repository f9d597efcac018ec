import Downloads
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@Suite("Stored downloads of a session")
struct SessionStorageTests {
    private func loaded(_ test: TestSession, _ url: URL) async throws -> URL {
        let task = try test.aggregate(url, bitRate: 1)
        task.resume()
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
        return try #require(test.listener.place(task))
    }

    @Test("a download can be removed by deleting its folder, then loaded again")
    func removedByTheApp() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let url = server.url(for: "vod-ts/master.m3u8")
        let place = try await loaded(test, url)
        #expect(AVURLAsset(url: url).assetCache?.isPlayableOffline == true)
        try FileManager.default.removeItem(at: place)
        #expect(AVURLAsset(url: place).assetCache?.isPlayableOffline == false)
        let count = server.requests("*.ts").count
        let again = try await loaded(test, url)
        #expect(
            server.requests("*.ts").count >= count + 12 && AVURLAsset(url: again).assetCache?.isPlayableOffline == true)
        #expect(test.packages.count == 1)
    }

    @Test("downloading the same asset again adds the missing parts to its package")
    func added() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let url = server.url(for: "vod-fmp4/master.m3u8")
        let place = try await loaded(test, url)
        let count = server.requests("vod-fmp4/v0/*.m4s").count
        // By the location of the downloaded files, as Apple's samples do.
        let selection = try await AVURLAsset(url: url).selection(sound: "Deutsch")
        let task = try test.aggregate(place, [selection], bitRate: 1)
        task.resume()
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
        #expect(
            test.listener.place(task) == place && server.requests("vod-fmp4/v0/*.m4s").count == count
                && !server.requests("vod-fmp4/audio-de/*").isEmpty)
        let group = try #require(try await AVURLAsset(url: place).loadMediaSelectionGroup(for: .audible))
        #expect(Set(group.options.map(\.displayName)) == ["English", "Deutsch"])
        let online = try #require(try await AVURLAsset(url: url).loadMediaSelectionGroup(for: .audible))
        #expect(
            AVURLAsset(url: url).assetCache?.mediaSelectionOptions(in: online).map(\.displayName) == [
                "English", "Deutsch",
            ])
    }

    @Test("a storage policy is kept with its download")
    func policy() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let place = try await loaded(test, server.url(for: "vod-ts/master.m3u8"))
        let manager = AVAssetDownloadStorageManager.shared()
        let policy = AVMutableAssetDownloadStorageManagementPolicy()
        #expect(
            manager.storageManagementPolicy(for: place) == nil && policy.priority == .default
                && policy.expirationDate == .distantFuture)
        policy.priority = .important
        policy.expirationDate = Date(timeIntervalSinceNow: 3600)
        manager.setStorageManagementPolicy(policy, for: place)
        let kept = try #require(manager.storageManagementPolicy(for: place))
        #expect(kept.priority == .important && abs(kept.expirationDate.timeIntervalSince(policy.expirationDate)) < 0.01)
        #expect(manager.storageManagementPolicy(for: URL(fileURLWithPath: "/tmp/nothing.movpkg")) == nil)
        manager.setStorageManagementPolicy(policy, for: URL(fileURLWithPath: "/tmp/nothing.movpkg"))

        // An important download stays when an expired download of default priority is removed. With the default
        // priority it is removed, too.
        let other = try await loaded(test, server.url(for: "vod-fmp4/master.m3u8"))
        policy.expirationDate = Date(timeIntervalSinceNow: -1)
        manager.setStorageManagementPolicy(policy, for: place)
        let usual = AVMutableAssetDownloadStorageManagementPolicy()
        usual.expirationDate = Date(timeIntervalSinceNow: -1)
        manager.setStorageManagementPolicy(usual, for: other)
        #expect(await test.listener.wait { _ in !FileManager.default.fileExists(atPath: other.path) })
        #expect(FileManager.default.fileExists(atPath: place.path))
        policy.priority = .default
        manager.setStorageManagementPolicy(policy, for: place)
        #expect(await test.listener.wait { _ in !FileManager.default.fileExists(atPath: place.path) })
    }

    @Test("a policy set during the download applies after it finishes")
    func policyOnTheWay() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let listener = SessionListener { _, told in
            guard case .place(let url) = told else { return }
            let policy = AVMutableAssetDownloadStorageManagementPolicy()
            policy.priority = .important
            AVAssetDownloadStorageManager.shared().setStorageManagementPolicy(policy, for: url)
        }
        let test = TestSession(listener: listener)
        let place = try await loaded(test, server.url(for: "vod-ts/master.m3u8"))
        #expect(AVAssetDownloadStorageManager.shared().storageManagementPolicy(for: place)?.priority == .important)
    }

    @Test("an offline asset makes no requests")
    func offline() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let place = try await loaded(test, server.url(for: "vod-fmp4/master.m3u8"))
        let count = server.requests.count
        let asset = AVURLAsset(url: place)
        #expect(try await asset.load(.isPlayable) && abs(asset.duration.seconds - 24) < 0.2)
        #expect(asset.allMediaSelections.count == 1 && server.requests.count == count)
        var isStale = false
        #expect(
            try URL(resolvingBookmarkData: place.bookmarkData(), bookmarkDataIsStale: &isStale).path == place.path
                && !isStale)
    }

    @Test("media selections can be copied, changed, compared and listed")
    func selections() async throws {
        let asset = AVURLAsset(url: try TestStreams.url("vod-fmp4/master.m3u8"))
        let sounds = try #require(asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        let texts = try #require(asset.mediaSelectionGroup(forMediaCharacteristic: .legible))
        #expect(asset.availableMediaCharacteristicsWithMediaSelectionOptions == [.audible, .legible])
        let preferred = asset.preferredMediaSelection
        let mine = try #require(preferred.mutableCopy() as? AVMutableMediaSelection)
        #expect(
            mine == preferred && preferred.selectedMediaOption(in: sounds)?.displayName == "English"
                && preferred.selectedMediaOption(in: texts) == nil)
        mine.select(sounds.options[1], in: sounds)
        mine.select(nil, in: sounds)
        #expect(
            mine != preferred && mine.selectedMediaOption(in: sounds)?.displayName == "Deutsch" && mine.asset === asset)
        let copy = try #require(mine.copy() as? AVMediaSelection)
        mine.select(texts.options[0], in: texts)
        #expect(
            copy != mine && copy.selectedMediaOption(in: texts) == nil
                && mine.selectedMediaOption(in: texts)?.displayName == "English")
        #expect(asset.allMediaSelections.count == 9 && Set(asset.allMediaSelections).count == 9)
    }
}
