import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Streaming

@Suite("Reloads of a live playlist")
struct PlaylistReloadsTests {
    private func playlist(blocks: Bool = false) throws -> TimedPlaylist {
        let url = try #require(URL(string: "http://a/live.m3u8"))
        var playlist = MediaPlaylist(
            url: url, targetDuration: 4, mediaSequence: 7,
            segments: [MediaSegment(uri: "7.ts", duration: 4, mediaSequence: 7)])
        if blocks {
            playlist.lowLatency.serverControl = ServerControl()
            playlist.lowLatency.serverControl?.canBlockReload = true
        }
        return TimedPlaylist(playlist, epoch: 0)
    }

    @Test("an unchanged playlist is reloaded after half the usual interval")
    func due() throws {
        var reloads = PlaylistReloads()
        let timed = try playlist()
        reloads.didRequest(at: HostTime(seconds: 10))
        #expect(reloads.due(timed) == HostTime(seconds: 14))
        reloads.didNotChange()
        #expect(reloads.due(timed) == HostTime(seconds: 12))
        #expect(reloads.didLoad(.advanced, hasEnded: false) == nil)
        #expect(reloads.due(timed) == HostTime(seconds: 14))
    }

    @Test("Blocking reloads stop after three unchanged playlists")
    func blocking() throws {
        var reloads = PlaylistReloads()
        let playlist = try playlist(blocks: true).playlist
        for _ in 0..<3 {
            #expect(reloads.mayBlock(playlist))
            reloads.didNotChange()
        }
        #expect(!reloads.mayBlock(playlist))
        #expect(reloads.directives(playlist).map(\.value) == ["8"])
    }

    @Test(
        "A blocking reload keeps the query of a signed URL",
        arguments: [("", "?_HLS_msn=8"), ("?a=x%2By%2Fz%3D&b", "?a=x%2By%2Fz%3D&b&_HLS_msn=8")])
    func signed(_ query: String, _ expected: String) throws {
        let network = VirtualNetwork { _, _ in VirtualAnswer(403) }
        let live = try playlist(blocks: true)
        let url = try #require(URL(string: "http://a/live.m3u8" + query))
        let trackers = Locked<[PlaylistTracker]>([])
        network.perform {
            let tracker = PlaylistTracker(
                url: url, settings: HLSSession.Settings(), loop: network, variables: [:],
                align: { _ in (0, 0) }, reference: { nil }, report: { _ in })
            tracker.adopt(live.playlist)
            tracker.isActive = true
            trackers.withLock { $0 = [tracker] }
        }
        network.run(seconds: 1)
        #expect(network.requests.first?.url.absoluteString == "http://a/live.m3u8" + expected)
        withExtendedLifetime(trackers) {}
    }

    // The playlist is missing only temporarily at first if the status is 404.
    @Test(
        "After failed blocking reloads, the usual interval applies",
        arguments: [(403, ""), (404, ""), (410, ""), (200, "no playlist")])
    func failures(_ status: Int, _ body: String) throws {
        let network = VirtualNetwork { _, _ in VirtualAnswer(status, body: Data(body.utf8)) }
        let live = try playlist(blocks: true)
        let trackers = Mutex<[PlaylistTracker]>([])
        network.perform {
            let tracker = PlaylistTracker(
                url: live.playlist.url, settings: HLSSession.Settings(), loop: network, variables: [:],
                align: { _ in (0, 0) }, reference: { nil }, report: { _ in })
            tracker.adopt(live.playlist)
            tracker.isActive = true
            trackers.withLock { $0 = [tracker] }
        }
        network.run(seconds: 200)
        // Three reloads that may block, then one after every half target duration, which is 2 s.
        #expect((50...103).contains(network.requests.count), "\(network.requests.count) requests")
        withExtendedLifetime(trackers) {}
    }

    @Test("reloads that fail are reported while they are retried")
    func failingReloads() throws {
        let network = VirtualNetwork { _, _ in VirtualAnswer(503, body: Data()) }
        let live = try playlist()
        let trackers = Locked<[PlaylistTracker]>([])
        let reports = Locked(0)
        network.perform {
            let tracker = PlaylistTracker(
                url: live.playlist.url, settings: HLSSession.Settings(), loop: network, variables: [:],
                align: { _ in (0, 0) }, reference: { nil },
                report: { event in if case .changed = event { reports.withLock { $0 += 1 } } })
            tracker.adopt(live.playlist)
            tracker.isActive = true
            trackers.withLock { $0 = [tracker] }
        }
        // The retries last for two minutes.
        network.run(seconds: 60)
        #expect(reports.withLock { $0 } > 0)
        let requests = network.requests.count
        // Another playlist is played.
        network.perform { for tracker in trackers.withLock({ $0 }) { tracker.isActive = false } }
        network.run(seconds: 60)
        #expect(network.requests.count == requests)
        withExtendedLifetime(trackers) {}
    }

    @Test("three inconsistent playlists count as a restart")
    func oddities() throws {
        var reloads = PlaylistReloads()
        let other = try playlist().playlist
        #expect(reloads.didLoad(.isOlder(other), hasEnded: false) == nil)
        #expect(reloads.didLoad(.isOlder(other), hasEnded: false) == nil)
        #expect(reloads.didLoad(.isOlder(other), hasEnded: false) == other)
        #expect(reloads.didLoad(.isOlder(other), hasEnded: false) == nil)
    }

    @Test("A missing playlist's time counts from its first failure")
    func missing() {
        var reloads = PlaylistReloads()
        #expect(reloads.missing(at: HostTime(seconds: 5)) == 0)
        #expect(reloads.missing(at: HostTime(seconds: 8)) == 3_000_000_000)
        reloads.becameAvailable()
        #expect(reloads.missing(at: HostTime(seconds: 9)) == 0)
    }
}

@Suite("Parts of loading")
struct LoadPartsTests {
    @Test("A stream's log counts the failures that it has removed")
    func failureCount() throws {
        let url = try #require(URL(string: "http://a/7.ts"))
        var log = StreamLog()
        for number in 1...StreamLog.limit + 5 {
            log.add(StreamLog.Failure(date: Date(), url: url, comment: "\(number)"))
        }
        #expect(log.failures.count == StreamLog.limit && log.failures.first?.comment == "6")
        #expect(log.failureCount == StreamLog.limit + 5)
    }

    @Test("A reader waits only while more pieces will be added")
    func pieces() throws {
        let url = try #require(URL(string: "http://a/1.ts"))
        let piece = SegmentFetch.Piece(url: url, duration: 1_000_000_000)
        var queue = PieceQueue([piece], isOpen: true)
        #expect(!queue.isWaiting && !queue.isAtLast)
        queue.removeFirst()
        #expect(queue.isWaiting && queue.mediaBrought == 1_000_000_000)
        queue.add([piece], isLast: true)
        #expect(!queue.isWaiting && queue.isAtLast && queue.first != nil)
        queue.removeFirst()
        #expect(!queue.isWaiting && queue.first == nil && queue.mediaBrought == 2_000_000_000)
    }

    @Test("A read window keeps the last four positions that were left")
    func window() {
        var window = ReadWindow(forward: 8 << 20, budget: 64 << 20)
        for place in 1...6 { window.move(to: Int64(place) << 24) }
        #expect(window.formerPositions == (2...5).map { Int64($0) << 24 } && window.position == 6 << 24)
        window.advance(by: 100)
        #expect(window.position == 6 << 24 + 100)
        window.setForward(1 << 40)
        #expect(window.forward == 48 << 20)
        window.setForward(0)
        #expect(window.forward == ReadWindow.least)
    }

    @Test("A notice that is due soon replaces a later one")
    func notices() {
        var notices = ChangeNotices()
        #expect([notices.isNew(.soon)] == [false])
        notices.onChange = {}
        let areNew = [notices.isNew(.later), notices.isNew(.later), notices.isNew(.soon), notices.isNew(.later)]
        #expect(areNew == [true, false, true, false])
        let calls = [notices.take(), notices.take()]
        #expect(calls.map { $0 == nil } == [false, true])
    }

    @Test("Only bytes inside the wanted range count as gained")
    func body() {
        var body = TransferBody(requestedRange: nil)
        body.setExtent(start: 0, length: 100)
        #expect(body.received(30, wanted: 20, limit: 50) == 20..<30)
        #expect(body.received(40, wanted: 30, limit: 50) == 0..<20)
        #expect(body.position == 70 && body.gained == 30 && body.hasMore)
        let beyond = body.received(30, wanted: 50, limit: 50)
        #expect(beyond.isEmpty)
        #expect(!body.hasMore && body.gained == 30)
    }

    @Test("Five early ends at the same byte in a row are final")
    func earlyEnds() {
        var ends = EarlyEnds()
        let atOneByte = (0..<4).map { _ in ends.isFinal(at: 7, body: 7) }
        #expect(!atOneByte.contains(true))
        let later = [ends.isFinal(at: 7, body: 7), ends.isFinal(at: 8, body: 8)]
        #expect(later == [true, false])
    }
}

@Suite("Loading of a presentation")
struct PresentationLoaderTests {
    private final class Probe: Sendable {}

    @Test("An awaited presentation releases its loader")
    func released() async throws {
        let server = try ScriptedServer.serving { talk, _ in
            talk.answer("200 OK", body: Data("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n".utf8))
        }
        let url = try server.url("/main.m3u8")
        weak var captured: Probe?
        do {
            let probe = Probe()
            captured = probe
            // The loader holds this closure.
            _ = try await PresentationLoader.presentation(at: url, options: HTTPOptions()) { [probe] _ in
                withExtendedLifetime(probe) { true }
            }
        }
        #expect(await eventually("the loader is released") { captured == nil })
    }
}

@Suite("Frames of an I-frame playlist")
struct IFrameLoaderTests {
    /// The requested times of the frame requests that wait.
    private final class Waiting: Sendable { let times = Mutex<Set<Int64>>([]) }

    @Test("Concurrent frame requests share a redundant playlist after a failure")
    func redundant() async throws {
        let playlist =
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-I-FRAMES-ONLY\n"
            + "#EXTINF:2,\n#EXT-X-BYTERANGE:1000@0\nfilm.ts\n#EXTINF:2,\n#EXT-X-BYTERANGE:1000@1000\nfilm.ts\n"
            + "#EXT-X-ENDLIST\n"
        let network = VirtualNetwork { request, _ in
            switch request.url.lastPathComponent {
            case "first.m3u8": VirtualAnswer(404)
            case "second.m3u8": .whole(Data(playlist.utf8))
            default: .ranged(request, Data(count: 2000))
            }
        }
        let urls = try ["first", "second"].map { try #require(URL(string: "http://virtual.example/\($0).m3u8")) }
        let source = HLSPresentation.VariantSource(
            attributes: AdaptationVariant(peakBitRate: 1), copies: urls.map { .init(url: $0) })
        let loader = IFrameLoader(source, variables: [:], options: HTTPOptions(), loop: network)
        let waiting = Waiting()
        @Sendable func start(nearest time: Int64) async throws -> Int64? {
            try await offPool {
                let frame = try loader.picture(nearest: time, in: .min ... .max) {
                    // Called when the request is in the queue of the network.
                    waiting.times.withLock { _ = $0.insert(time) }
                    return false
                }
                return frame?.segment.start
            }
        }
        async let first = start(nearest: 0)
        async let second = start(nearest: 2_000_000_000)
        await eventually("both requests wait") { waiting.times.withLock { $0.count == 2 } }
        network.run()
        let starts = try await [first, second]
        #expect(starts == [0, 2_000_000_000])
        let playlists = network.requests.map(\.url.lastPathComponent).filter { $0 != "film.ts" }
        #expect(playlists == ["first.m3u8", "second.m3u8"])
    }
}

@Suite("Timeline and playhead of a stream")
struct StreamTimelineTests {
    @Test("the playhead is the seek target until its segment is loaded")
    func playhead() {
        var target = SeekTarget()
        target.move(to: 10)
        #expect(target.playhead(shown: 3) == 10)
        target.mediaArrived(until: 10)
        #expect(target.playhead(shown: 3) == 10)
        target.mediaArrived(until: 11)
        #expect(target.playhead(shown: 3) == 3)
        #expect(target.playhead(shown: nil) == 10)
    }

    @Test("a restarted timeline increments its generation")
    func generations() throws {
        let url = try #require(URL(string: "http://a/live.m3u8"))
        var timeline = StreamTimeline()
        let playlist = MediaPlaylist(url: url, targetDuration: 4, mediaSequence: 0, segments: [])
        let first = timeline.align(playlist, of: url, beside: nil)
        #expect(first == (0, 0) && timeline.reference == url)
        timeline.restart(with: url)
        let second = timeline.align(playlist, of: url, beside: nil)
        #expect(second == (0, 1))
    }
}
