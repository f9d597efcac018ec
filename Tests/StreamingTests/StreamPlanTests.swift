import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Streaming

@Suite("Stream plan")
struct StreamPlanTests {
    private func opened(_ shape: PlannedStream.Shape, at start: Int64? = nil, bitRate: Double? = nil)
        -> PlannedStream
    {
        let stream = PlannedStream(shape, seed: 1)
        stream.rememberedBitRate = bitRate
        stream.send(.open(StreamSelection(), start: start))
        stream.present()
        while let url = stream.requested.sorted(by: { $0.absoluteString < $1.absoluteString }).first {
            stream.answer(url)
        }
        return stream
    }

    /// Returns a live stream that was suspended and is opened again. Its playlists have not arrived.
    /// - Parameter window: The segments that the server has then.
    private func openedAgain(hasAudio: Bool, window: Range<Int> = 0..<14) -> PlannedStream {
        let stream = opened(PlannedStream.Shape(name: "live", isLive: true, hasAudio: hasAudio))
        stream.send(.suspend)
        stream.loads = [:]
        stream.loseReloads()
        stream.window = window
        stream.opened = nil
        stream.send(.open(StreamSelection(), start: nil))
        return stream
    }

    private let film = PlannedStream.Shape(name: "film")
    private let lost = HTTPError(.connectionLost, url: URL(fileURLWithPath: "/"), reason: "is gone")
    private func status(_ code: Int) -> HTTPError {
        HTTPError(.status, url: URL(fileURLWithPath: "/"), status: code, reason: "is \(code)")
    }

    /// Advances to the next retry, which fails, too.
    private func failAgain(_ stream: PlannedStream, _ error: HTTPError) throws {
        let time = try #require(stream.loads[.main]?.retriesAt)
        stream.pass(time - stream.now)
        stream.fail(.main, error)
    }

    @Test("loading starts only after all needed playlists arrive")
    func playlistsFirst() throws {
        let stream = PlannedStream(.init(name: "film", hasAudio: true), seed: 1)
        stream.send(.open(StreamSelection(), start: nil))
        #expect(stream.wantsPresentation && stream.requested.isEmpty)
        stream.present()
        #expect(stream.requested.map(\.lastPathComponent).sorted() == ["0.m3u8", "audio.m3u8"])
        for name in ["audio.m3u8", "0.m3u8"] {
            #expect(stream.loads.isEmpty && stream.opened == nil)
            stream.answer(try #require(stream.requested.first { $0.lastPathComponent == name }))
        }
        #expect(
            stream.loads.count == 2 && stream.loads.values.allSatisfy { $0.order.mediaSequence == 0 })
        #expect(try #require(stream.opened).get().hasSeparateAudio)
        #expect(stream.complaints.isEmpty)
    }

    @Test("a live stream that is opened again starts at its new edge")
    func openedAgain() throws {
        let stream = openedAgain(hasAudio: true, window: 100..<114)
        for name in ["audio.m3u8", "0.m3u8"] {
            #expect(stream.opened == nil && stream.loads.isEmpty)
            stream.answer(try #require(stream.requested.first { $0.lastPathComponent == name }))
        }
        // The window has 14 segments, and playback starts three before its end.
        #expect(try #require(stream.opened).get().start == 111 * PlannedStream.segment)
        #expect(stream.loads.values.allSatisfy { $0.order.mediaSequence >= 100 } && stream.loads.count == 2)
        #expect(stream.complaints.isEmpty, "\(stream.complaints)")
    }

    @Test("a restart does not end the wait for a playlist")
    func openedAgainAfterRestart() throws {
        let stream = openedAgain(hasAudio: true)
        let audio = try #require(stream.requested.first { $0.lastPathComponent == "audio.m3u8" })
        stream.requested.remove(audio)
        stream.known[audio]?.isOutdated = false
        stream.handleRestart(audio)
        for _ in 0..<4 where stream.opened == nil {
            stream.answer(try #require(stream.requested.first))
        }
        #expect(throws: Never.self) { try #require(stream.opened).get() }
    }

    @Test("a live stream that is opened again without its server fails")
    func openedAgainWithoutServer() throws {
        let stream = openedAgain(hasAudio: false)
        while let url = stream.requested.first { stream.refuse(url, lost) }
        #expect(throws: AVError.self) { try #require(stream.opened).get() }
    }

    @Test("loading stops at its limit and resumes during playback")
    func ahead() throws {
        let stream = opened(film)
        stream.shownTime = 0
        while stream.loads[.main] != nil || !stream.requested.isEmpty {
            if let url = stream.requested.first { stream.answer(url) } else { stream.arriveSoon(.main) }
        }
        #expect(stream.stretches[.main]?.from == 32 * PlannedStream.second)
        stream.pass(1_999_000_000)
        #expect(stream.loads.isEmpty)
        stream.pass(2_001_000_000)
        #expect(stream.loads[.main]?.order.mediaSequence == 8)
    }

    @Test("a waiting reader gets a segment although the plan is full")
    func awaited() {
        // The position on the timeline of the playlist is far ahead of what was played.
        let stream = opened(film)
        stream.shownTime = 0
        while stream.loads[.main] != nil || !stream.requested.isEmpty {
            if let url = stream.requested.first { stream.answer(url) } else { stream.arriveSoon(.main) }
        }
        stream.awaited = [.main]
        stream.send(.checkAgain(.main))
        #expect(stream.loads[.main]?.order.mediaSequence == 8)
        stream.awaited = []
        stream.arriveSoon(.main)
        #expect(stream.loads.isEmpty)

        // One segment fills the cache.
        let large = opened(film)
        large.shownTime = 0
        large.isCacheFull = true
        large.arriveSoon(.main)
        while let url = large.requested.first { large.answer(url) }
        #expect(large.loads.isEmpty)
        large.awaited = [.main]
        large.send(.checkAgain(.main))
        while let url = large.requested.first { large.answer(url) }
        #expect(large.loads[.main]?.order.mediaSequence == 1)
        #expect(stream.complaints.isEmpty && large.complaints.isEmpty)
    }

    @Test("a long outage during a pause fails nothing")
    func pausedOutage() throws {
        let single = PlannedStream(film, seed: 2)
        single.send(.open(StreamSelection(), start: nil))
        single.send(.didLoadPresentation(HLSPresentation(single: single.url)))
        single.answer(single.url)
        single.isPaused = true
        single.shownTime = 0
        single.arriveSoon(.main)
        let order = try #require(single.loads[.main]?.order)
        #expect(order.mediaSequence == 1)
        single.fail(.main, lost)
        // The network is away for half an hour.
        let began = single.now
        while single.now - began < 1_800 * PlannedStream.second {
            let next = try #require(single.loads[.main]?.retriesAt ?? single.wakes[.main])
            single.pass(max(1, next - single.now))
            if single.loads[.main] != nil { single.fail(.main, lost) }
        }
        #expect(single.met["failed"] == nil && single.met["passed over"] == nil)
        while single.loads[.main].map({ $0.retriesAt ?? single.now }) ?? .max > single.now {
            single.pass(PlannedStream.second)
        }
        #expect(single.loads[.main]?.order.mediaSequence == 1)
        single.arriveSoon(.main)
        #expect(single.loads[.main]?.order.mediaSequence == 2)
        #expect(single.complaints.isEmpty)
    }

    @Test("a segment has three tries at startup, later two minutes")
    func tries() throws {
        let stream = opened(.init(name: "film", isLive: false))
        stream.fail(.main, status(500))
        try failAgain(stream, status(500))
        try failAgain(stream, status(500))
        // The failing variant is replaced by the next one, which has its own three attempts.
        #expect(stream.requested.map(\.lastPathComponent) == ["1.m3u8"])

        let single = PlannedStream(film, seed: 2)
        single.send(.open(StreamSelection(), start: nil))
        single.send(.didLoadPresentation(HLSPresentation(single: single.url)))
        single.answer(single.url)
        single.fail(.main, lost)
        try failAgain(single, lost)
        try failAgain(single, lost)
        #expect(single.met["failed"] == 1 && single.loads.isEmpty)
        single.send(.seek(0))
        single.arriveSoon(.main)
        single.awaited = [.main]
        let began = single.now
        single.fail(.main, lost)
        while single.loads[.main] != nil { try failAgain(single, lost) }
        // The failure of the next segment shows whether only this segment is missing.
        #expect(single.met["failed"] == 1 && single.stretches[.main]?.told == nil)
        #expect((100...125).contains(Double(single.now - began) / 1e9))
        while !single.soon.isEmpty { single.send(single.soon.removeFirst()) }
        single.fail(.main, lost)
        while single.loads[.main] != nil { try failAgain(single, lost) }
        #expect(single.met["failed"] == 2)
        #expect(stream.complaints.isEmpty && single.complaints.isEmpty)
    }

    // If a host does not respond, only the playlists of another host are tried.
    @Test("a redundant playlist is tried before another variant")
    func elsewhere() throws {
        let stream = opened(film, bitRate: 3_000_000)
        #expect(stream.plan.variants.current == 1)
        stream.fail(.main, status(404))
        #expect(stream.requested.map(\.absoluteString) == ["http://b/1.m3u8"])
        stream.answer(try #require(stream.requested.first))
        #expect(stream.loads[.main]?.order.playlist.host() == "b")
        stream.fail(.main, status(404))
        #expect(stream.requested.map(\.absoluteString) == ["http://a/0.m3u8"])
        stream.answer(try #require(stream.requested.first))
        #expect(stream.loads[.main]?.order.mediaSequence == 0 && stream.stretches[.main]?.told == nil)

        let cut = opened(film, bitRate: 3_000_000)
        let out = HTTPError(.cannotConnect, url: cut.url, reason: "is away")
        cut.fail(.main, out)
        try failAgain(cut, out)
        try failAgain(cut, out)
        #expect(cut.requested.map(\.absoluteString) == ["http://b/1.m3u8"])
        #expect(stream.complaints.isEmpty && cut.complaints.isEmpty)
    }

    @Test("audio moves to the group of the redundant playlist", arguments: StreamRole.allCases)
    func audioElsewhere(failing: StreamRole) throws {
        let stream = opened(.init(name: "film", hasAudio: true, hasAudioCopy: true), bitRate: 3_000_000)
        #expect(StreamRole.allCases.map { stream.loads[$0]?.order.playlist.host() } == ["a", "a"])
        stream.fail(failing, status(404))
        stream.answer(try #require(stream.requested.first { $0.host() == "b" }))
        #expect(stream.loads[failing]?.order.playlist.host() == "b")
        // The other role leaves the host with its next load, whether the current one arrives or fails.
        let other: StreamRole = failing == .main ? .audio : .main
        #expect(stream.loads[other]?.order.playlist.host() == "a")
        if failing == .main { stream.fail(other, status(404)) } else { stream.arriveSoon(other) }
        stream.answer(try #require(stream.requested.first))
        #expect(stream.loads[other]?.order.playlist.host() == "b")
        #expect(stream.plan.variants.current == 1 && stream.plan.variants.playlist(of: 1).host() == "b")
        #expect(stream.complaints.isEmpty)
    }

    @Test("audio plays and continues in the group of each variant")
    func audioGroups() throws {
        let stream = opened(
            .init(name: "film", hasAudio: true, audioGroups: ["a", "b", "b"]), bitRate: 30_000_000)
        #expect(stream.plan.variants.current == 2)
        #expect(try #require(stream.opened).get().hasSeparateAudio)
        #expect(stream.loads[.audio]?.order.playlist.absoluteString == "http://b/audio.m3u8")
        stream.shownTime = 0
        stream.send(.limits(AdaptationLimits(peakBitRate: 500_000)))
        for role in StreamRole.allCases {
            stream.arriveSoon(role)
            while let url = stream.requested.first { stream.answer(url) }
        }
        #expect(stream.plan.variants.current == 0)
        #expect(stream.loads[.audio]?.order.playlist.absoluteString == "http://a/audio.m3u8")
        #expect(stream.loads.values.allSatisfy { $0.order.mediaSequence == 1 } && stream.loads.count == 2)
        #expect(stream.complaints.isEmpty)
    }

    @Test("a language is kept in groups with other names")
    func audioLanguage() throws {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a-en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",URI="a-de.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="English (5.1)",LANGUAGE="en",DEFAULT=YES,URI="b-en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="Deutsch (5.1)",LANGUAGE="de",URI="b-de.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="c",NAME="Stereo",URI="c.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="d",NAME="Inside",LANGUAGE="de"
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"
            0.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="b"
            1.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=3,AUDIO="c"
            2.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=4,AUDIO="d"
            3.m3u8

            """
        let presentation = try HLSPresentation(PlaylistSamples.multivariant(text), canDecode: { _ in true })
        let german = try #require(
            StreamSelection(audio: .languages(["de"])).audioOption(in: presentation.audio))
        let audio = presentation.groupAudio(selecting: german)
        #expect(
            audio.mapValues { $0.playlist?.lastPathComponent } == [
                "a": "a-de.m3u8", "b": "b-de.m3u8", "c": "c.m3u8", "d": nil,
            ])
        #expect(audio.filter(\.value.isSelected).keys.sorted() == ["a"])
    }

    // The reader plays either separate audio or the audio of the main rendition.
    @Test("variants with audio of another kind are kept apart")
    func mixedAudio() throws {
        let shape = PlannedStream.Shape(name: "film", hasAudio: true, audioGroups: ["a", nil, "a"])
        let separate = opened(shape)
        #expect(try #require(separate.opened).get().hasSeparateAudio)
        #expect(separate.plan.variants.choice?.limits.excluded == [1])

        let inside = opened(shape, bitRate: 3_000_000)
        #expect(inside.plan.variants.current == 1)
        #expect(try #require(inside.opened).get().hasSeparateAudio == false)
        #expect(inside.plan.variants.choice?.limits.excluded == [0, 2])
        // Only variants with separate audio can play an option that is selected.
        inside.send(.open(StreamSelection(audio: .option(0)), start: nil))
        while let url = inside.requested.first { inside.answer(url) }
        #expect(inside.plan.variants.choice?.limits.excluded == [1])
        #expect(inside.loads[.audio]?.order.playlist.absoluteString == "http://a/audio.m3u8")
        #expect(separate.complaints.isEmpty && inside.complaints.isEmpty)
    }

    @Test("on demand, an unavailable segment is skipped", arguments: [404, 410, 500])
    func passedOverOnDemand(code: Int) throws {
        let stream = PlannedStream(film, seed: 3)
        stream.send(.open(StreamSelection(), start: nil))
        stream.send(.didLoadPresentation(HLSPresentation(single: stream.url)))
        stream.answer(stream.url)
        stream.arriveSoon(.main)
        let began = stream.now
        stream.fail(.main, status(code))
        while stream.loads[.main] != nil { try failAgain(stream, status(code)) }
        #expect(Double(stream.now - began) / 1e9 < 20)
        while !stream.soon.isEmpty { stream.send(stream.soon.removeFirst()) }
        #expect(stream.loads[.main]?.order.mediaSequence == 2 && stream.stretches[.main]?.told == nil)
        // At most a third of the segments may be unreadable: 4 of 14.
        var verdicts: [AVError?] = []
        for sequence in 1...5 {
            let start = Int64(sequence) * PlannedStream.segment
            verdicts.append(
                stream.plan.reject(
                    from: stream.url.absoluteString, variant: 0, mediaSequence: sequence,
                    range: start..<(start + PlannedStream.segment),
                    AVError(.decodeFailed, at: "\(sequence)", reason: "is no media"), in: stream
                ).verdict)
        }
        #expect(verdicts.prefix(4).allSatisfy { $0 == nil })
        #expect(verdicts[4]?.location == "1" && verdicts[4]?.reason.contains("5 of the stream's 14") == true)
        #expect(stream.complaints.isEmpty)
    }

    @Test("a segment that no copy of any variant has is skipped", arguments: [404, 503])
    func missingOnAllCopies(code: Int) throws {
        let stream = opened(.init(name: "film", hasCopies: true))
        stream.arriveSoon(.main)
        let began = stream.now
        var last: SegmentOrder?
        for _ in 0..<300 {
            while let url = stream.requested.first { stream.answer(url) }
            sendSoon(stream)
            guard let load = stream.loads[.main], load.order.mediaSequence == 1 else { break }
            if let time = load.retriesAt { stream.pass(time - stream.now) }
            stream.fail(.main, status(code))
            last = load.order
        }
        #expect(stream.loads[.main]?.order.mediaSequence == 2 && Double(stream.now - began) / 1e9 < 60)
        // The reader reports the missing segment. No copy is tried again.
        stream.reject(try #require(last))
        #expect(stream.loads[.main]?.order.mediaSequence == 2 && stream.met["rejected"] == 1)
        #expect(stream.complaints.isEmpty)
    }

    @Test("a copy replaces a live playlist that fails", arguments: [true, false])
    func failingLivePlaylist(isRetried: Bool) throws {
        let stream = opened(.init(name: "live", isLive: true, hasCopies: true))
        // Only the lowest variant is allowed.
        stream.send(.limits(AdaptationLimits(peakBitRate: 500_000)))
        stream.arriveSoon(.main)
        while let url = stream.requested.first { stream.answer(url) }
        let order = try #require(stream.loads[.main]?.order)
        #expect(order.playlist.absoluteString == "http://a/0.m3u8")
        if isRetried { stream.failReloads(order.playlist, lost) } else { stream.refuse(order.playlist, status(403)) }
        // The current segment still arrives.
        #expect(stream.loads[.main]?.order.load == order.load)
        stream.arriveSoon(.main)
        sendSoon(stream)
        #expect(stream.requested.map(\.absoluteString) == ["http://b/0.m3u8"])
        stream.answer(try #require(stream.requested.first))
        let next = try #require(stream.loads[.main]?.order)
        #expect(next.playlist.host() == "b" && next.mediaSequence == order.mediaSequence + 1)
        #expect(stream.stretches[.main]?.told == nil && stream.complaints.isEmpty)
    }

    @Test("a copy replaces a failing playlist whose parts are awaited")
    func failingLowLatencyPlaylist() throws {
        let (stream, order) = try awaitingParts(hasCopies: true)
        stream.failReloads(order.playlist, lost)
        sendSoon(stream)
        #expect(stream.requested.map(\.absoluteString) == ["http://b/0.m3u8"])
        stream.answer(try #require(stream.requested.first))
        let next = try #require(stream.loads[.main]?.order)
        #expect(next.playlist.host() == "b" && next.mediaSequence == order.mediaSequence)
        #expect(stream.stretches[.main]?.told == nil && stream.complaints.isEmpty)
    }

    @Test("a failed part is retried, and replaced by its segment if removed")
    func failedPart() throws {
        let (stream, order) = try awaitingParts()
        stream.fail(.main, lost)
        #expect(stream.loads[.main]?.order.load == order.load && stream.loads[.main]?.retriesAt != nil)
        // When the server can be reached again, it has removed the parts.
        stream.window = 0..<18
        stream.parts = 0
        stream.answer(order.playlist)
        sendSoon(stream)
        let next = try #require(stream.loads[.main]?.order)
        #expect(next.mediaSequence == order.mediaSequence && next.start == order.start)
        guard case .whole = next.content else { throw stream.complaint("the segment is still loaded in parts") }
        #expect(stream.stretches[.main]?.told == nil && stream.complaints.isEmpty)
    }

    /// Returns a low-latency stream that loads the parts of its newest segment, and the order for them.
    private func awaitingParts(hasCopies: Bool = false) throws -> (PlannedStream, SegmentOrder) {
        let stream = opened(.init(name: "live", isLive: true, hasCopies: hasCopies, hasParts: true))
        // Only the lowest variant is allowed.
        stream.send(.limits(AdaptationLimits(peakBitRate: 500_000)))
        while stream.loads[.main] != nil || !stream.requested.isEmpty {
            if let url = stream.requested.first { stream.answer(url) } else { stream.arriveSoon(.main) }
        }
        stream.parts = 2
        stream.answer(try #require(URL(string: "http://a/0.m3u8")))
        let order = try #require(stream.loads[.main]?.order)
        #expect(order.mediaSequence == 14 && stream.loads[.main]?.isOpen == true)
        return (stream, order)
    }

    private func sendSoon(_ stream: PlannedStream) {
        while !stream.soon.isEmpty { stream.send(stream.soon.removeFirst()) }
    }

    @Test("a stream with no available segments fails soon")
    func nothing() throws {
        let stream = PlannedStream(film, seed: 4)
        stream.window = 0..<1000
        stream.send(.open(StreamSelection(), start: nil))
        stream.send(.didLoadPresentation(HLSPresentation(single: stream.url)))
        stream.answer(stream.url)
        for _ in 0..<20 where stream.loads[.main] != nil {
            stream.fail(.main, status(404))
            while !stream.soon.isEmpty { stream.send(stream.soon.removeFirst()) }
        }
        #expect(stream.met["failed"] == 1 && stream.met["passed over"] ?? 0 <= 11)
    }

    @Test("an unavailable live segment is skipped once a later one exists")
    func skippedInRow() throws {
        let stream = opened(.init(name: "live", isLive: true))
        stream.arriveSoon(.main)
        let order = try #require(stream.loads[.main]?.order)
        // All its playlists are on one server, so all lack the segment.
        for _ in 0..<40 where stream.loads[.main] != nil {
            stream.fail(.main, status(404))
            if let url = stream.requested.first { stream.answer(url) }
            if let time = stream.loads[.main]?.retriesAt { stream.pass(time - stream.now) }
        }
        guard case .jump(let place) = stream.stretches[.main]?.told else {
            throw stream.complaint("it never went on")
        }
        #expect(place == order.end)
        #expect(stream.complaints.isEmpty)
    }

    @Test("a returning playlist is aligned with the one played before")
    func alignment() throws {
        let (first, second) = (URL(fileURLWithPath: "/0.m3u8"), URL(fileURLWithPath: "/1.m3u8"))
        var timeline = StreamTimeline()
        for url in [first, second, first, first] { timeline.follow(url) }
        #expect(timeline.reference(besides: first) == second)
        #expect(timeline.reference(besides: second) == first)
        timeline.restart(with: first)
        #expect(timeline.reference(besides: first) == nil)
    }

    @Test("a late segment is abandoned once for a lower variant")
    func abandoned() throws {
        let stream = opened(film, bitRate: 30_000_000)
        #expect(stream.plan.variants.current == 2)
        stream.shownTime = 0
        for _ in 0..<2 { stream.arriveSoon(.main) }
        let order = try #require(stream.loads[.main]?.order)
        for _ in 0..<20 {
            stream.now = stream.now + PlannedStream.second
            stream.shownTime = (stream.shownTime ?? 0) + PlannedStream.second
            stream.send(.progressed(.main, load: order.load))
        }
        #expect(stream.soon.count == 1)
        stream.send(try #require(stream.soon.first))
        #expect(stream.met["abandoned"] == 1 && stream.plan.variants.current != 2)
        while let url = stream.requested.first { stream.answer(url) }
        #expect(stream.loads[.main]?.order.mediaSequence == order.mediaSequence)
        #expect(stream.complaints.isEmpty)
    }

    @Test("a variant that decodes too slowly is avoided for one minute")
    func tooSlow() throws {
        let stream = opened(film, bitRate: 30_000_000)
        #expect(stream.plan.variants.current == 2)
        stream.send(.decodingIsTooSlow)
        #expect(stream.plan.variants.choice?.limits.excluded == [2])
        stream.pass(59 * PlannedStream.second)
        #expect(stream.plan.variants.choice?.limits.excluded == [2])
        stream.pass(2 * PlannedStream.second)
        #expect(stream.plan.variants.choice?.limits.excluded == [])
    }
}

extension PlannedStream {
    func complaint(_ text: String) -> AVError {
        AVError(.unknown, at: url.absoluteString, reason: text)
    }
}
