import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Tests parts of AVFoundation's API that apps use besides playback: values wrapped in objects, synchronous asset
/// properties, tracks, and deprecated names.
@Suite("AVFoundation-compatible API")
@MainActor
struct AppleNamesTests {
    private func second(_ n: Int64, of scale: Int32 = 1) -> CMTime { CMTime(value: n, timescale: scale) }

    @Test("NSValue wraps times and ranges and compares them by value")
    func values() {
        let time = second(3, of: 2)
        let range = CMTimeRange(start: time, duration: second(1))
        let a = NSValue(time: time)
        let b: Any = NSValue(timeRange: range)
        #expect(a.timeValue == time && (b as? NSValue)?.timeRangeValue == range)
        #expect(
            a == NSValue(time: second(3, of: 2)) && a != NSValue(time: second(2))
                && a.hash == NSValue(time: second(3, of: 2)).hash)
        #expect(a.timeRangeValue == .invalid && !NSValue(timeRange: range).timeValue.isValid)
        #expect(!NSNumber(value: 3).timeValue.isValid)
        #expect([a] == [NSValue(time: time)] && Set([a, NSValue(time: time)]).count == 1)
        #expect(CMTime(value: Int64(NSEC_PER_SEC), timescale: Int32(NSEC_PER_SEC)) == second(1))
    }

    @Test("AVMakeRect centers the largest rectangle; an invalid ratio gives an empty one")
    func aspect() {
        let bounds = CGRect(x: 10, y: 20, width: 400, height: 100)
        #expect(
            AVMakeRect(aspectRatio: CGSize(width: 16, height: 9), insideRect: bounds)
                == CGRect(x: 210 - 800.0 / 9, y: 20, width: 1600.0 / 9, height: 100))
        #expect(
            AVMakeRect(aspectRatio: CGSize(width: 8, height: 1), insideRect: bounds)
                == CGRect(x: 10, y: 45, width: 400, height: 50))
        for bad in [
            CGSize.zero, CGSize(width: -1, height: 1), CGSize(width: CGFloat.nan, height: 1),
            CGSize(width: 1, height: CGFloat.infinity),
        ] {
            let empty = AVMakeRect(aspectRatio: bad, insideRect: bounds)
            #expect(empty.width == 0 && empty.height == 0 && empty.midX == 210, "\(bad) \(empty)")
        }
    }

    @Test("AVAsset(url:) returns an AVURLAsset; assets compare by identity")
    func assets() throws {
        let url = try AssetTestMedia.mp4()
        let asset = AVAsset(url: url)
        #expect((asset as? AVURLAsset)?.url == url)
        #expect(asset == asset && asset != AVAsset(url: url) && Set([asset, asset]).count == 1)
        #expect(AVPlayerItem(asset: asset).asset === asset)
        let (a, b) = (AVPlayer(), AVPlayer())
        #expect(a == a && a != b && Set([a, b, a]).count == 2)
    }

    @Test("synchronous asset properties equal the loaded ones and read the file once")
    func now() async throws {
        let asset = AVAsset(url: try AssetTestMedia.languages())
        let group = try #require(asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        #expect(group.options.map(\.extendedLanguageTag) == ["de", "en", nil])
        #expect(asset.availableMediaCharacteristicsWithMediaSelectionOptions.contains(.audible))
        #expect(asset.mediaSelectionGroup(forMediaCharacteristic: .legible) == nil)
        #expect(asset.isPlayable && !asset.tracks(withMediaType: .audio).isEmpty)
        // Both return the same track objects, and the file was read only once.
        expectEqual(try await asset.load(.tracks).map(ObjectIdentifier.init), asset.tracks.map(ObjectIdentifier.init))
        #expect(try await asset.load(.duration) == asset.duration && asset.readsStarted == 1)
        #expect(
            asset.preferredMediaSelection.asset === asset
                && asset.preferredMediaSelection.selectedMediaOption(in: group) == group.defaultOption)
        let none = AVAsset(url: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        #expect(none.duration == .indefinite && none.tracks.isEmpty && !none.isPlayable && none.metadata.isEmpty)
        #expect(none.availableMediaCharacteristicsWithMediaSelectionOptions.isEmpty)
    }

    @Test("a track loads each property with the value of its synchronous property")
    func trackProperties() async throws {
        let tracks = try await AVAsset(url: try AssetTestMedia.languages()).load(.tracks)
        let picture = try #require(tracks.first { $0.mediaType == .video })
        let sound = try #require(tracks.first { $0.mediaType == .audio })
        let (size, rate, range, plays) = try await picture.load(
            .naturalSize, .nominalFrameRate, .timeRange, .isPlayable)
        #expect(size == picture.naturalSize && size.width > 0 && rate == picture.nominalFrameRate && rate > 0)
        #expect(range == picture.timeRange && range.duration > .zero && plays)
        let (language, tag) = try await sound.load(.languageCode, .extendedLanguageTag)
        #expect(language == "deu" && tag == "de")
        let (traits, none) = try await sound.load(.mediaCharacteristics, .naturalSize)
        #expect(traits.contains(.audible) && none == .zero)
    }

    @Test(
        "lyrics are read from the tags of each container",
        arguments: ["audio-lyrics.mp3", "audio-lyrics.m4a", "audio-lyrics.flac"])
    func lyrics(name: String) async throws {
        let asset = AVAsset(url: try TestMedia.url(name))
        #expect(try await asset.load(.lyrics) == "La la\nla")
        #expect(asset.lyrics == "La la\nla")
        #expect(try await AVAsset(url: try TestMedia.url("audio.mp3")).load(.lyrics) == nil)
    }

    @Test("a metadata item loads the values of its synchronous properties")
    func itemValues() async throws {
        let asset = AVAsset(url: try TestMedia.url("audio-lyrics.m4a"))
        let title = try #require(
            try await asset.load(.commonMetadata).first { $0.commonKey == .commonKeyTitle })
        let (text, data) = try await title.load(.stringValue, .dataValue)
        #expect(text == "Tone" && data == Data("Tone".utf8))
        #expect(try await title.load(.value) as? String == "Tone")
        #expect(try await title.load(.numberValue) == nil)
        let year = AVMetadataItem(identifier: .commonIdentifierCreationDate, stringValue: "2024")
        let (date, number) = try await year.load(.dateValue, .numberValue)
        #expect(date == year.dateValue && date != nil && number == 2024)
    }

    @Test(
        "a date that does not exist has no value",
        arguments: [
            "2007-00-00", "2007-05-00", "2007-13-01", "2007-02-29", "2007-02-30T00:00:00Z", "2007--01", "-2007", "07",
            "92233720368547758070", "9223372036854775807-01-01", "2007 (remastered)", "",
        ])
    func invalidDates(text: String) {
        let item = AVMetadataItem(identifier: .commonIdentifierCreationDate, stringValue: text)
        #expect(item.dateValue == nil)
    }

    @Test(
        "years, months, days and times are dates",
        arguments: [
            ("2008", 1_199_145_600), ("2008-02", 1_201_824_000), ("2008-02-29", 1_204_243_200),
            ("2008-02-29T00:00:01Z", 1_204_243_201), ("2008-02-29T01:00:02.000000+01:00", 1_204_243_202),
        ] as [(String, TimeInterval)])
    func validDates(text: String, seconds: TimeInterval) {
        let item = AVMetadataItem(identifier: .commonIdentifierCreationDate, stringValue: text)
        #expect(item.dateValue == Date(timeIntervalSince1970: seconds))
    }

    @Test("a selection option has the common metadata of its track")
    func optionMetadata() async throws {
        let asset = AVAsset(url: try AssetTestMedia.languages())
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        let titles = group.options.map { option in
            option.commonMetadata.first { $0.commonKey == .commonKeyTitle }?.stringValue
        }
        #expect(titles == [nil, "Commentary", nil])
    }

    @Test("preferred languages apply only if the player applies selection criteria")
    func criteria() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("languages.mkv"))
        item.preferredAudioLanguages = ["fr"]
        rig.player.appliesMediaSelectionCriteriaAutomatically = false
        rig.player.insert(item)
        try await rig.ready()
        #expect(item.entry.selection.audio == .automatic)
        rig.player.appliesMediaSelectionCriteriaAutomatically = true
        #expect(item.entry.selection.audio == .languages(["fr"]))
        rig.player.appliesMediaSelectionCriteriaAutomatically = false
        let group = try #require(item.asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        item.select(group.options[1], in: group)
        #expect(item.entry.selection.audio == .stream(group.options[1].streamIndex))
    }

    @Test("the current selection follows the preferred languages")
    func preferredSelection() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("languages.mkv"))
        rig.player.insert(item)
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
        #expect(await rig.wait { !item.tracks.isEmpty })
        let sounds = item.tracks.filter { $0.assetTrack?.mediaType == .audio }
        func selected() -> AVMediaSelectionOption? { item.currentMediaSelection.selectedMediaOption(in: group) }
        var changes: [AVMediaSelectionOption?] = []
        let observation = item.observe(\.currentMediaSelection) { _, _ in changes.append(selected()) }
        #expect(selected() == group.options[0])
        item.preferredAudioLanguages = ["fr"]
        #expect(selected()?.extendedLanguageTag == "fr" && sounds.map(\.isEnabled) == [false, false, true])
        #expect(item.currentMediaSelection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: group))
        rig.player.appliesMediaSelectionCriteriaAutomatically = false
        #expect(selected() == group.options[0])
        rig.player.appliesMediaSelectionCriteriaAutomatically = true
        item.select(group.options[1], in: group)
        item.preferredAudioLanguages = ["fr", "de"]
        #expect(selected() == group.options[1])
        // The last change changes nothing in this group, but possibly in others.
        #expect(changes == [2, 0, 2, 1, 1].map { group.options[$0] })
        observation.invalidate()
        #expect(await rig.wait { item.description?.audioLanguage == "ger" })
    }

    @Test("an item publishes its tracks and which of them are enabled")
    func tracks() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try AssetTestMedia.languages())
        #expect(item.tracks.isEmpty && !item.canStepForward)
        var told: [Int] = []
        let observation = item.observe(\.tracks, options: .new) { _, change in told.append(change.newValue?.count ?? -1)
        }
        rig.player.insert(item)
        #expect(await rig.wait { !told.isEmpty })
        observation.invalidate()
        #expect(
            told == [item.tracks.count]
                && item.tracks.contains { $0.assetTrack?.mediaType == .video } == item.canStepForward)
        let sounds = item.tracks.filter { $0.assetTrack?.mediaType == .audio }
        #expect(sounds.map(\.isEnabled) == [true, false, false])
        let group = try #require(item.asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        item.select(group.options[1], in: group)
        #expect(sounds.map(\.isEnabled) == [false, true, false])
        #expect(item.currentMediaSelection.asset === item.asset)
    }

    @Test("video can be stepped, audio alone cannot")
    func steps() async throws {
        let rig = try Rig("counter-video.mp4")
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        #expect(item.canStepForward && item.canStepBackward && item.canPlayFastForward && !item.canPlayReverse)
        let sound = Rig()
        let tone = AVPlayerItem(url: try AssetTestMedia.audioOnly())
        sound.player.insert(tone)
        #expect(await sound.wait { tone.status == .readyToPlay })
        #expect(!tone.canStepForward && !tone.canStepBackward)
    }

    @Test("a key path through the current item follows only the current item")
    func through() async throws {
        let rig = Rig()
        var statuses: [AVPlayerItem.Status?] = []
        var durations: [CMTime?] = []
        var loaded = 0
        let first = AVPlayerItem(url: try TestMedia.url("counter-video.mp4"))
        let second = AVPlayerItem(url: try AssetTestMedia.audioOnly())
        let observations = [
            rig.player.observe(\.currentItem?.status, options: [.initial, .new]) { _, change in
                statuses.append(change.newValue ?? nil)
            },
            rig.player.observe(\.currentItem?.duration, options: .new) { _, change in
                durations.append(change.newValue ?? nil)
            },
            rig.player.observe(\.currentItem?.loadedTimeRanges, options: .new) { _, change in
                if let ranges = change.newValue ?? nil, ranges.first?.timeRangeValue.duration == first.duration {
                    loaded += 1
                }
            },
        ]
        rig.player.insert(first)
        #expect(await rig.wait { statuses.last == .some(.readyToPlay) && loaded == 1 })
        #expect(statuses == [nil, .unknown, .readyToPlay])
        #expect(durations == [.indefinite, first.duration])
        // The item no longer belongs to the player, so observers of the player get no report of its failure.
        rig.player.replaceCurrentItem(with: second)
        first.failed(AVError(.decodeFailed, at: "", reason: "for the test"))
        #expect(
            await rig.wait {
                statuses.last == .some(.readyToPlay) && statuses.count > 3 && durations.last == .some(second.duration)
            })
        #expect(!statuses.contains(.failed))
        observations.forEach { $0.invalidate() }
        let count = statuses.count
        second.failed(AVError(.decodeFailed, at: "", reason: "for the test"))
        #expect(statuses.count == count)
    }

    @Test("time observers run on their queue, without one on the main queue")
    func observers() async throws {
        let rig = try Rig("counter-video.mp4")
        try await rig.ready()
        var times = 0
        var passed = 0
        let elsewhere = Atomic<Int>(0)
        let queue = DispatchQueue(label: "test.observer")
        let observers = [
            rig.player.addPeriodicTimeObserver(forInterval: second(1, of: 10), queue: .main) { _ in times += 1 },
            rig.player.addPeriodicTimeObserver(forInterval: second(1, of: 10), queue: nil) { _ in times += 1 },
            rig.player.addBoundaryTimeObserver(forTimes: [NSValue(time: second(1, of: 5))], queue: .main) {
                passed += 1
            },
            rig.player.addPeriodicTimeObserver(forInterval: second(1, of: 10), queue: queue) { _ in
                dispatchPrecondition(condition: .onQueue(queue))
                elsewhere.add(1, ordering: .relaxed)
            },
        ]
        rig.player.play()
        #expect(await rig.wait { times > 8 && passed == 1 && elsewhere.load(ordering: .relaxed) > 3 })
        for observer in observers { rig.player.removeTimeObserver(observer) }
    }

    @Test("external metadata overrides the file's metadata with the same identifier")
    func metadata() {
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Mine"
        title.extendedLanguageTag = "und"
        #expect(
            title.commonKey == .commonKeyTitle && title.stringValue == "Mine" && title.dataType == "text/plain"
                && title.locale != nil)
        let kept = title.copy() as? AVMetadataItem
        title.value = "Other"
        #expect(kept?.stringValue == "Mine" && !(kept is AVMutableMetadataItem))
        let art = AVMutableMetadataItem()
        art.identifier = .commonIdentifierArtwork
        art.value = Data([0x89, 0x50, 0x4E, 0x47, 1]) as Any
        art.identifier = .iTunesMetadataTrackSubTitle
        #expect(art.dataType == "image/png" && art.stringValue == nil && art.commonKey == nil)
        #expect(art.key as? String == "@st3")
        let date = AVMutableMetadataItem()
        date.identifier = .commonIdentifierCreationDate
        date.value = Date(timeIntervalSince1970: 0)
        #expect(date.stringValue == "1970-01-01T00:00:00Z" && date.dateValue == Date(timeIntervalSince1970: 0))

        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        let file = [AVMetadataItem(key: "title", text: "File's"), AVMetadataItem(key: "artist", text: "Artist")]
        #expect(item.metadata(over: file) == file)
        item.externalMetadata = [title]
        #expect(item.metadata(over: file).map(\.stringValue) == ["Other", "Artist"])
    }

    @Test("several players report an interruption once, and route changes")
    func session() async throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .moviePlayback, options: [.allowAirPlay])
        try session.setActive(true)
        #expect(
            session.category == .playback && session.mode == .moviePlayback && session.categoryOptions == .allowAirPlay)
        // Events arrive from the threads of both players in any order, so the two kinds are collected separately.
        let (told, routes) = (Told(), Told())
        let tokens = Self.observers(told, routes)
        defer { tokens.forEach(NotificationCenter.default.removeObserver) }
        let (a, b) = (try Rig("counter-video.mp4"), try Rig("counter-video.mp4"))
        try await a.ready()
        try await b.ready()
        a.player.play()
        for event: AudioOutputEvent in [.interruptionBegan, .deviceChanged] {
            for rig in [a, b] { rig.player.pipeline.context.report(.audio(event)) }
        }
        #expect(await a.wait { a.player.isInterrupted && b.player.isInterrupted && routes.all.contains("route 0") })
        #expect(told.all == ["began"] && a.player.rate == 0)
        b.player.pipeline.context.report(.audio(.interruptionEnded(resumes: true)))
        #expect(await a.wait { !b.player.isInterrupted })
        #expect(told.all == ["began"])
        a.player.pipeline.context.report(.audio(.interruptionEnded(resumes: true)))
        #expect(await a.wait { told.all.count == 2 })
        #expect(told.all.last == "ended, resume" && a.player.rate == 1)
        // The output ended during a call, so the player stays paused, also after the next interruption.
        for event: AudioOutputEvent in [
            .interruptionBegan, .interruptionEnded(resumes: false), .interruptionBegan,
            .interruptionEnded(resumes: true),
        ] {
            a.player.pipeline.context.report(.audio(event))
        }
        #expect(await a.wait { told.all.count == 6 })
        #expect(told.all.suffix(4) == ["began", "ended", "began", "ended"] && a.player.rate == 0)
        a.player.pipeline.context.report(.audio(.serverLost))
        #expect(await a.wait { routes.all.last == "route 2" })
        // A player that is deallocated during an interruption ends the interruption.
        var short: AVPlayer? = AVPlayer(title: "", audioServer: Rig.nowhere)
        short?.pipeline.context.report(.audio(.interruptionBegan))
        #expect(await a.wait { told.all.last == "began" })
        short = nil
        #expect(await a.wait { told.all.last == "ended" })
    }

    @Test("route changes within one turn of the main queue are reported once")
    func routes() async throws {
        let (told, routes) = (Told(), Told())
        let tokens = Self.observers(told, routes)
        defer { tokens.forEach(NotificationCenter.default.removeObserver) }
        await MainActor.run {
            for _ in 0..<3 { AVAudioSession.sharedInstance().routeChanged(.override) }
        }
        // This block runs on the main queue after the report.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(routes.all.filter { $0 == "route 4" }.count == 1)
    }

    private static func observers(_ told: Told, _ routes: Told) -> [any NSObjectProtocol] {
        let center = NotificationCenter.default
        return [
            center.addObserver(forName: AVAudioSession.interruptionNotification, object: nil, queue: nil) { note in
                guard let raw = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
                    let type = AVAudioSession.InterruptionType(rawValue: raw)
                else { return told.add("?") }
                let options = (note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt).map(
                    AVAudioSession.InterruptionOptions.init)
                told.add(type == .began ? "began" : options == .shouldResume ? "ended, resume" : "ended")
            },
            center.addObserver(forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil) { note in
                routes.add("route \(note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 99)")
            },
        ]
    }

    private final class Told: Sendable {
        private let list = Mutex<[String]>([])
        func add(_ text: String) { list.withLock { $0.append(text) } }
        var all: [String] { list.withLock { $0 } }
    }
}
