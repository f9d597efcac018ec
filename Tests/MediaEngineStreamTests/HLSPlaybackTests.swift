import EngineTestSupport
import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// The reports of a player about a stream, and its reaction to an unreliable network.
@Suite("HLS playback", .serialized)
@MainActor
struct HLSPlaybackTests {
    /// A counter of one notification of one item.
    private final class Count: Sendable {
        private let number = Mutex(0)
        private let token: NSObjectProtocolBox
        private struct NSObjectProtocolBox: @unchecked Sendable { let value: any NSObjectProtocol }  // immutable
        init(_ name: Notification.Name, _ item: AVPlayerItem) {
            final class Hits: Sendable { let value = Mutex(0) }
            let hits = Hits()
            token = NSObjectProtocolBox(
                value: NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { _ in
                    hits.value.withLock { $0 += 1 }
                })
            read = { hits.value.withLock { $0 } }
        }
        private let read: @Sendable () -> Int
        var value: Int { read() }
        deinit { NotificationCenter.default.removeObserver(token.value) }
    }

    // MARK: audio groups and players

    /// Returns a master playlist over vod-fmp4 as FFmpeg writes it: each audio group has a rendition with another name.
    /// The bit rate of v3 is too low, so that a slow machine switches to it too.
    private nonisolated static let groups = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_aud_low",NAME="audio_0",DEFAULT=YES,URI="audio-en/index.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="group_aud_high",NAME="audio_1",DEFAULT=YES,URI="audio-de/index.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=223372,CODECS="avc1.4D400B,mp4a.40.2",RESOLUTION=320x64,AUDIO="group_aud_low"
        v0/index.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=600000,CODECS="avc1.4D401E,mp4a.40.2",RESOLUTION=960x192,AUDIO="group_aud_high"
        v3/index.m3u8

        """

    @Test("variants with different audio groups play with their audio", arguments: [true, false])
    func audioGroups(startsHigh: Bool) async throws {
        let server = try TestStreams.server()
        server.serve("vod-fmp4/groups.m3u8") { _ in .playlist(Self.groups) }
        let url = server.url(for: "vod-fmp4/groups.m3u8")
        let stream = try StreamRig(url, server) { _, item in
            if startsHigh { ThroughputMemory.shared.remember(30_000_000, for: url) }
            // The variant changes before all of the stream is loaded.
            item.preferredForwardBufferDuration = 4
            if !startsHigh { item.preferredPeakBitRate = 300_000 }
        }
        stream.play()
        #expect(await stream.reaches(0.5))
        #expect(await stream.rig.wait { stream.item.entry.hasDecodedAudio })
        let (first, second) = startsHigh ? ("audio-de", "audio-en") : ("audio-en", "audio-de")
        #expect(server.requests("*/\(first)/seg*").count > 0)
        stream.item.preferredPeakBitRate = startsHigh ? 300_000 : 0
        #expect(await stream.rig.wait { server.requests("*/\(second)/seg*").count > 1 })
        #expect(await stream.rig.wait { stream.displayedVariant == (startsHigh ? 0 : 3) })
        let switched = stream.time
        #expect(await stream.reaches(switched + 2), "\(stream.time)")
        stream.neverWentBack()
        await stream.close()
    }

    // With a short buffer, the session needs the time of the player that plays the item now.
    @Test("a stream that moves to another player plays to its end")
    func moves() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in item.preferredForwardBufferDuration = 3 }
        stream.play()
        #expect(await stream.reaches(1))
        let other = Rig()
        stream.player.removeAllItems()
        other.player.insert(stream.item)
        other.player.rate = 2
        #expect(await other.wait { stream.item.status == .readyToPlay && other.player.currentTime().seconds > 0.5 })
        stream.rig.stopDisplay()
        stream.player.close()
        #expect(await other.wait { other.player.isAtEnd }, "\(other.state)")
        other.stopDisplay()
        other.player.close()
        await stream.close()
    }

    // MARK: stalls

    @Test(
        "a stall is reported everywhere, and playback resumes from the same position",
        arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func stall(path: String) async throws {
        // With three seconds buffered, only the segment that never arrives can cause a stall.
        let stream = try StreamRig(path) { _, item in item.preferredForwardBufferDuration = 3 }
        let rule = stream.server.inject(.stall(after: 0), on: "*/seg002.*")
        let count = Count(AVPlayerItem.playbackStalledNotification, stream.item)
        // On a slow machine, the second segment might otherwise arrive too late.
        #expect(await stream.rig.wait { stream.item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0 > 3.9 })
        stream.play()
        #expect(
            await stream.rig.wait {
                stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate && stream.player.statistics.stalls > 0
                    && stream.time > 3.5
            })
        #expect(stream.player.reasonForWaitingToPlay == .toMinimizeStalls)
        #expect(stream.player.rate == 1)
        #expect(await stream.rig.wait { stream.item.isPlaybackBufferEmpty })
        #expect(!stream.item.isPlaybackLikelyToKeepUp)
        // A late decoder may also have caused a stall.
        let stalls = stream.player.statistics.stalls
        #expect(await stream.rig.wait { count.value == stalls })
        #expect(stream.item.accessLog()?.events.last?.numberOfStalls == stalls)
        // Read the count first: between the two reads a late display may show the current frame, and the skipped ones
        // are counted.
        let dropped = stream.player.statistics.framesDropped
        let stood = stream.time
        let shown = stream.rig.shown.last ?? -1
        #expect(abs(stood - 4) < 0.5, "\(stood)")
        stream.server.remove(rule)
        #expect(await stream.rig.wait { stream.player.timeControlStatus == .playing })
        #expect(stream.player.reasonForWaitingToPlay == nil)
        #expect(await stream.reaches(stood + 1))
        #expect(!stream.item.isPlaybackBufferEmpty)
        stream.player.pause()
        // A busy machine may stall again.
        #expect(await stream.rig.wait { stream.player.statistics.stalls == count.value })
        // The next frame after the stall follows the one before it. Frames that a busy machine skipped are counted as
        // dropped.
        stream.neverWentBack()
        let next = try #require(stream.rig.shownWithDelays.first { $0.number > shown })
        let passed = next.number - shown - 1
        // The player does not count the frames that a display skips when it pauses for a second.
        #expect(
            passed <= stream.player.statistics.framesDropped - dropped || next.since > 0.95,
            "\(stream.rig.shownWithDelays)")
        await stream.close()
    }

    @Test("a stream that stalls before a playlist gap plays past it")
    func dryBeforeGap() async throws {
        var rule: FaultRule.ID?
        let stream = try StreamRig("gap/index.m3u8") { server, item in
            item.preferredForwardBufferDuration = 60
            rule = server.inject(.stall(after: 0), on: "*/seg003.*")
        }
        stream.play(rate: 2)
        // A slow machine may also stall earlier.
        #expect(
            await stream.rig.wait {
                stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate && stream.player.statistics.stalls > 0
                    && stream.time > 5.5
            })
        if let rule { stream.server.remove(rule) }
        #expect(
            await stream.reaches(12),
            "\(stream.time) \(stream.player.timeControlStatus) \(stream.item.loadedTimeRanges)")
        #expect(stream.item.loadedTimeRanges.count == 1)
        stream.neverWentBack()
        await stream.close()
    }

    @Test("playback resumes after the network is disconnected and reconnected")
    func cable() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in item.preferredForwardBufferDuration = 1 }
        stream.play(rate: 2)
        #expect(await stream.reaches(1))
        stream.server.pullCable()
        #expect(await stream.rig.wait { stream.player.statistics.stalls > 0 })
        // The player retries repeatedly while it is disconnected.
        #expect(await stream.rig.wait { stream.item.errorLog()?.events.count ?? 0 > 4 })
        #expect(stream.item.status == .readyToPlay)
        let stood = stream.time
        try stream.server.plugCable()
        #expect(await stream.reaches(stood + 4))
        stream.neverWentBack()
        await stream.close()
    }

    @Test("a seek without a network completes when the network returns")
    func seekWithoutNetwork() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in item.preferredForwardBufferDuration = 1 }
        #expect(await stream.ready())
        stream.server.pullCable()
        let done = Task { await stream.rig.seek(15) }
        #expect(await stream.rig.wait { stream.item.errorLog()?.events.count ?? 0 > 3 })
        #expect(stream.item.status == .readyToPlay)
        try stream.server.plugCable()
        #expect(await done.value)
        #expect(stream.rig.number() == 450)
        await stream.close()
    }

    @Test("without waiting, playback starts with less data")
    func atOnce() async throws {
        // The throughput just equals the bit rate. To play without stalls, the player needs several seconds of buffer.
        func start(waits: Bool, immediately: Bool = false) async throws -> Double {
            let stream = try StreamRig("vod-ts/v3/index.m3u8") { server, item in server.setNetwork(.kilobits(2600)) }
            stream.player.automaticallyWaitsToMinimizeStalling = waits
            if immediately { stream.player.playImmediately(atRate: 1) } else { stream.play() }
            #expect(await stream.reaches(0.1))
            // Reports of loaded media that a delayed main thread has not handled yet are handled first.
            await stream.rig.drainMainQueue()
            let loaded = stream.item.loadedTimeRanges.first?.timeRangeValue.end.seconds ?? 0
            // The test may read the buffer late. Playback then uses most of the media that was loaded since its start.
            let ahead = loaded - stream.time
            await stream.close()
            return ahead
        }
        let patient = try await start(waits: true)
        let hasty = try await start(waits: false)
        #expect(hasty < patient / 2, "\(hasty) \(patient)")
        let once = try await start(waits: true, immediately: true)
        #expect(once < patient / 2, "\(once) \(patient)")
    }

    // MARK: buffer

    @Test("loaded ranges grow, and a seek inside them makes no request")
    func loaded() async throws {
        let stream = try StreamRig("vod-ts/v1/index.m3u8") { server, _ in server.setNetwork(.kilobits(8000)) }
        #expect(await stream.ready())
        await stream.loadsBitByBit(to: 23.9)
        #expect(stream.item.loadedTimeRanges.count == 1)
        // The two properties are updated one after the other.
        #expect(await stream.rig.wait { stream.item.isPlaybackBufferFull })
        let asked = stream.server.requests.count
        for second in [20.0, 3.5, 11.1, 0] {
            #expect(await stream.rig.seek(second))
            #expect(stream.rig.number() == Int((second * 30).rounded(.down)))
        }
        #expect(stream.server.requests.count == asked)
        await stream.close()
    }

    @Test("loading stops at the preferred forward buffer duration", arguments: [2.0, 6.0])
    func forward(seconds: Double) async throws {
        let stream = try StreamRig("vod-ts/v0/index.m3u8") { _, item in item.preferredForwardBufferDuration = seconds }
        #expect(await stream.ready())
        #expect(await stream.rig.wait { stream.item.isPlaybackBufferFull })
        func ahead() -> Double { (stream.item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0) - stream.time }
        // A segment that was requested before the limit was reached is loaded completely.
        #expect(ahead() >= seconds && ahead() <= seconds + 2.1, "\(ahead())")
        stream.play(rate: 4)
        var most = 0.0
        #expect(
            await stream.rig.wait {
                most = max(most, ahead())
                return stream.time > 8
            })
        #expect(most <= seconds + 2.5, "\(most)")
        await stream.close()
    }

    // MARK: variants

    @Test(
        "a peak bit rate or resolution limits the variant",
        arguments: [(600_000.0, CGSize.zero, 96), (0, CGSize(width: 640, height: 400), 128), (100, .zero, 64)])
    func caps(peak: Double, size: CGSize, height: Int) async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in
            item.preferredPeakBitRate = peak
            item.preferredMaximumResolution = size
        }
        stream.play(rate: 2)
        var heights: Set<Int> = []
        #expect(
            await stream.rig.wait {
                if let frame = stream.rig.picture() { heights.insert(frame.height) }
                // A slow machine may switch to the highest variant later.
                return stream.time > 6 && heights.max() ?? 0 >= height
            })
        #expect(heights.max() == height)
        let events = stream.item.accessLog()?.events ?? []
        #expect(!events.isEmpty)
        #expect(events.allSatisfy { ($0.resolution?.height ?? 0) <= Double(height) })
        await stream.close()
    }

    @Test("a limit set during playback applies to later segments")
    func capWhilePlaying() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in item.preferredForwardBufferDuration = 2 }
        stream.play(rate: 2)
        #expect(await stream.rig.wait { stream.rig.picture()?.height == 192 })
        stream.item.preferredPeakBitRate = 300_000
        #expect(await stream.rig.wait { stream.rig.picture()?.height == 64 })
        // The item's size is updated after the frame.
        #expect(await stream.rig.wait { stream.item.presentationSize.height == 64 })
        #expect(stream.item.accessLog()?.events.last?.switchReason == "limit")
        stream.neverWentBack()
        await stream.close()
    }

    @Test("the variant follows the network's throughput in both directions")
    func adapts() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in item.preferredForwardBufferDuration = 4 }
        stream.play()
        #expect(await stream.rig.wait { stream.rig.picture()?.height == 192 })
        stream.server.setNetwork(.kilobits(700))
        #expect(await stream.rig.wait { stream.rig.picture()?.height ?? 999 <= 96 })
        stream.server.setNetwork(nil)
        #expect(await stream.rig.wait { stream.rig.picture()?.height ?? 0 >= 128 })
        let events = stream.item.accessLog()?.events ?? []
        let rates = events.map(\.indicatedBitrate)
        #expect(
            zip(rates, rates.dropFirst()).contains { $0 > $1 } && zip(rates, rates.dropFirst()).contains { $0 < $1 },
            "\(rates)")
        #expect(events.allSatisfy { $0.numberOfBytesTransferred >= 0 && $0.switchReason != nil })
        #expect(events.reduce(0) { $0 + $1.numberOfBytesTransferred } > 100_000)
        stream.neverWentBack()
        await stream.close()
    }
}
