import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Older and rarer names of AVFoundation")
@MainActor
struct OlderNameTests {
    @Test("loading by name reports its status, and reads the file once")
    func status() async throws {
        let asset = AVAsset(url: try AssetTestMedia.tagged())
        #expect(asset.statusOfValue(forKey: "duration") == .unknown)
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["duration", "playable"]) { continuation.resume() }
        }
        #expect(asset.statusOfValue(forKey: "duration") == .loaded)
        let (duration, plays, exports, composes) = try await asset.load(
            .duration, .isPlayable, .isExportable, .isComposable)
        #expect(duration.seconds > 0 && plays && exports && composes && asset.isExportable && asset.isComposable)
        #expect(asset.readsStarted == 1)
        #expect(try await asset.load(.creationDate)?.dateValue == Date(timeIntervalSince1970: 1_714_521_600))
        #expect(asset.creationDate?.commonKey == .commonKeyCreationDate)
        let groups = try await asset.loadChapterMetadataGroups(
            withTitleLocale: Locale(identifier: "en"), containingItemsWithCommonKeys: [.commonKeyArtwork])
        let titles = groups.map { $0.items.first { $0.commonKey == .commonKeyTitle }?.stringValue }
        #expect(titles == ["One", "Two"] && asset.availableChapterLocales.count == 1)
        #expect(asset.chapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]).count == 2)
    }

    @Test("an asset that can't be read has failed, with an error")
    func failure() async {
        let asset = AVAsset(url: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["duration"]) { continuation.resume() }
        }
        var error: NSError?
        let status = asset.statusOfValue(forKey: "duration", error: &error)
        #expect(status == .failed && error != nil)
        #expect(!asset.isExportable && !asset.isComposable && asset.creationDate == nil)
    }

    @Test("canceled seeks report false, and the frame is displayed")
    func cancelledSeeks() async throws {
        let rig = try Rig("counter-video.mp4")
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        var results: [Bool] = []
        for seconds in [1.01, 2.01] {
            item.seek(
                to: CMTime(seconds: seconds, preferredTimescale: 600), toleranceBefore: .zero, toleranceAfter: .zero
            ) { results.append($0) }
        }
        item.cancelPendingSeeks()
        #expect(results == [false, false])
        #expect(await rig.wait { rig.number() == 60 })
        #expect(await rig.seek(1.01))
        #expect(rig.number() == 30 && results.count == 2)
        // An item that no player plays has no seeks.
        let other = AVPlayerItem(url: item.asset.url)
        other.cancelPendingSeeks()
        other.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero) { results.append($0) }
        #expect(results == [false, false, false])
    }

    @Test("a player's languages apply to items without languages of their own")
    func criteria() async throws {
        let rig = Rig()
        let french = AVPlayerMediaSelectionCriteria(preferredLanguages: ["fr"], preferredMediaCharacteristics: nil)
        rig.player.setMediaSelectionCriteria(french, forMediaCharacteristic: .audible)
        #expect(rig.player.mediaSelectionCriteria(forMediaCharacteristic: .audible) === french)
        let item = AVPlayerItem(url: try TestMedia.url("languages.mkv"))
        rig.player.insert(item)
        try await rig.ready()
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
        func selected() -> String? {
            item.currentMediaSelection.selectedMediaOption(in: group)?.extendedLanguageTag
        }
        #expect(item.entry.selection.audio == .languages(["fr"]) && selected() == "fr")
        item.preferredAudioLanguages = ["de"]
        #expect(item.entry.selection.audio == .languages(["de"]) && selected() == "de")
        item.preferredAudioLanguages = []
        #expect(item.entry.selection.audio == .languages(["fr"]))
        item.select(group.options[1], in: group)
        #expect(item.entry.selection.audio == .stream(group.options[1].streamIndex))
        item.selectMediaOptionAutomatically(in: group)
        #expect(item.entry.selection.audio == .languages(["fr"]) && selected() == "fr")
        rig.player.appliesMediaSelectionCriteriaAutomatically = false
        #expect(item.entry.selection.audio == .automatic)
        rig.player.appliesMediaSelectionCriteriaAutomatically = true
        rig.player.setMediaSelectionCriteria(nil, forMediaCharacteristic: .audible)
        #expect(item.entry.selection.audio == .automatic && selected() == group.defaultOption?.extendedLanguageTag)
    }

    private final class Failures: Sendable {
        let all = Mutex<[AVError]>([])
    }

    @Test("the notification of a failure contains the error")
    func failureNotification() {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        let failures = Failures()
        let token = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemFailedToPlayToEndTime, object: item, queue: nil
        ) { note in
            guard let error = note.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? AVError else { return }
            failures.all.withLock { $0.append(error) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let error = AVError(.decodeFailed, at: "", reason: "for the test")
        item.failed(error)
        #expect(failures.all.withLock { $0 } == [error])
    }

    private final class Reasons: Sendable {
        let all = Mutex<[AVPlayer.RateDidChangeReason]>([])
    }

    @Test("each rate change is reported with its reason")
    func rates() async throws {
        let rig = try Rig("counter-video.mp4")
        try await rig.ready()
        let reasons = Reasons()
        let token = NotificationCenter.default.addObserver(
            forName: AVPlayer.rateDidChangeNotification, object: rig.player, queue: nil
        ) { note in
            guard let reason = note.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason else {
                return
            }
            reasons.all.withLock { $0.append(reason) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        rig.player.play()
        rig.player.play()
        #expect(reasons.all.withLock { $0 } == [.setRateCalled])
        rig.player.pipeline.context.report(.audio(.interruptionBegan))
        #expect(await rig.wait { rig.player.isInterrupted })
        #expect(reasons.all.withLock { $0 } == [.setRateCalled, .audioSessionInterrupted])
        rig.player.pipeline.context.report(.audio(.interruptionEnded(resumes: true)))
        #expect(await rig.wait { !rig.player.isInterrupted })
        rig.player.pause()
        #expect(
            reasons.all.withLock { $0 } == [.setRateCalled, .audioSessionInterrupted, .setRateCalled, .setRateCalled])
    }
}
