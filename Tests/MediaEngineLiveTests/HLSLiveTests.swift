import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Live HLS streams", .serialized)
@MainActor
struct HLSLiveTests {
    /// Serves `path` (vod-ts with segments of 2 s by default) as a live stream, and creates a player for it.
    /// - Parameter prepare: Called before the player begins to load. Faults of the first requests belong here.
    private func live(
        _ options: LiveStream.Options, over path: String = "vod-ts/v0/index.m3u8", timeout: Double = 20,
        opening: Double = 2, recovery: Double = .infinity,
        _ prepare: (StreamServer, AVPlayerItem) throws -> Void = { _, _ in }
    ) throws -> (LiveStream, StreamRig) {
        let server = try TestStreams.server()
        let live = try LiveStream(server, at: "live", over: try TestStreams.url(path), options: options)
        return (live, try StreamRig(live.url, server, timeout: timeout, opening: opening, recovery: recovery, prepare))
    }

    /// Returns whether each of the `passed` frames from the first to the last displayed one is displayed or counted as
    /// dropped. The player does not count the frames that a display skips when it pauses for a second.
    private func isComplete(_ stream: StreamRig, _ passed: Int) -> Bool {
        let frames = stream.rig.shownWithDelays
        let uncounted = zip(frames, frames.dropFirst()).reduce(0) { sum, pair in
            // The program has 720 frames.
            sum + (pair.1.since > 0.95 ? (pair.1.number - pair.0.number + 719) % 720 : 0)
        }
        let counted = frames.count + stream.player.statistics.framesDropped
        return (passed - uncounted...passed).contains(counted)
    }

    private func edge(_ stream: StreamRig) -> Double {
        stream.item.seekableTimeRanges.last?.timeRangeValue.end.seconds ?? -1
    }
    private func start(_ stream: StreamRig) -> Double {
        stream.item.seekableTimeRanges.first?.timeRangeValue.start.seconds ?? -1
    }

    @Test(
        "a live stream starts three target durations before the live edge",
        arguments: ["vod-ts/v0/index.m3u8", "vod-fmp4/master.m3u8"])
    func joins(path: String) async throws {
        let (_, stream) = try live(.init(window: 8), over: path)
        #expect(await stream.ready())
        #expect(stream.item.duration == .indefinite)
        #expect(abs(stream.time - 10) < 0.05)
        #expect(stream.rig.number() == 300)
        #expect(abs(stream.item.timeOffsetFromLive.seconds - 6) < 0.1)
        #expect(abs(stream.item.recommendedTimeOffsetFromLive.seconds - 6) < 0.01)
        #expect(start(stream) == 0 && abs(edge(stream) - 10) < 0.05)
        #expect(await stream.rig.wait { stream.item.accessLog()?.events.first?.playbackType == "LIVE" })
        await stream.close()
    }

    @Test("a variant switch keeps the live edge and offset")
    func changesVariant() async throws {
        var rule: FaultRule.ID?
        let (live, stream) = try live(.init(window: 8), over: "vod-fmp4/master.m3u8") { server, _ in
            rule = server.inject(.stall(after: 0), on: "live/v[123]/index.m3u8")
        }
        #expect(await stream.ready())
        stream.play()
        live.advance()
        // Playback starts with the lowest variant, and the loopback network is fast enough to switch up.
        #expect(await stream.rig.wait { stream.item.accessLog()?.events.last?.switchReason == "throughput" })
        #expect(
            edge(stream) >= 10 && stream.item.timeOffsetFromLive.isValid
                && stream.item.recommendedTimeOffsetFromLive.seconds == 6)
        #expect(await stream.server.waitForRequests(1, "live/v[123]/index.m3u8"))
        if let rule { stream.server.remove(rule) }
        #expect(await stream.reaches(12))
        await stream.close()
    }

    @Test("the seekable range follows the live window, and playback continues")
    func slides() async throws {
        let (live, stream) = try live(.init(window: 6))
        stream.play(rate: 2)
        #expect(await stream.reaches(7))
        let before = (start(stream), edge(stream))
        for _ in 0..<5 {
            live.advance()
            let wanted = edge(stream) + 1.9
            #expect(await stream.rig.wait { edge(stream) >= wanted })
        }
        #expect(edge(stream) >= before.1 + 9.5)
        #expect(start(stream) >= before.0 + 9.5)
        #expect(await stream.reaches(18))
        stream.player.pause()
        stream.neverWentBack()
        #expect(await stream.rig.wait { abs(Double(stream.rig.shown.last ?? -1) / 30 - stream.time) < 0.5 })
        await stream.close()
    }

    @Test("a seek beyond the live window goes to its edge or start")
    func toLive() async throws {
        let (live, stream) = try live(.init(window: 6))
        #expect(await stream.ready())
        #expect(await stream.rig.seek(1.01))
        #expect(stream.rig.number() == 30)
        live.advance(segments: 3)
        #expect(await stream.rig.wait { start(stream) >= 5.9 })
        #expect(await stream.player.seek(to: .positiveInfinity))
        #expect(abs(stream.time - 12) < 0.1, "\(stream.time)")
        #expect(stream.rig.number() == 360)
        #expect(await stream.rig.seek(0))
        #expect(abs(stream.time - 6) < 0.1, "\(stream.time)")
        #expect(stream.rig.number() == 180)
        await stream.close()
    }

    @Test("while seeking to the live edge, times are within the seekable range")
    func timesWhileSeeking() async throws {
        let (live, stream) = try live(.init(window: 6))
        #expect(await stream.ready())
        #expect(await stream.rig.seek(1.01))
        let server = stream.server
        let rule = server.inject(.stall(after: 0), on: "live/*.ts")
        live.advance(segments: 3)
        #expect(await stream.rig.wait { start(stream) >= 5.9 })
        var times: [Double] = []
        var isDone = false
        stream.player.seek(to: .positiveInfinity) { _ in isDone = true }
        let observer = stream.player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10)) { time in
            if !isDone { times.append(time.seconds) }
        }
        times.append(stream.time)
        // The change of the player's status calls the observer.
        stream.play()
        #expect(await server.wait { _ in server.matches(rule) != 0 })
        times.append(stream.time)
        server.remove(rule)
        #expect(await stream.rig.wait { isDone })
        let range = (start(stream) - 0.1)...(edge(stream) + 0.1)
        #expect(times.count >= 3 && times.allSatisfy(range.contains), "\(times)")
        stream.player.removeTimeObserver(observer)
        await stream.close()
    }

    @Test("a player paused beyond the live window returns to live")
    func fallsOut() async throws {
        let (live, stream) = try live(.init(window: 5))
        stream.play()
        #expect(await stream.reaches(4.3))
        stream.player.pause()
        live.advance(segments: 14)
        #expect(await stream.rig.wait { start(stream) > 20 })
        stream.play(rate: 2)
        #expect(
            await stream.rig.wait { stream.time > 26 && stream.player.timeControlStatus == .playing },
            "\(stream.time) \(start(stream))")
        #expect(stream.item.error == nil)
        stream.player.pause()
        // A late decoder or display catches up.
        #expect(
            await stream.rig.wait {
                stream.rig.number().map { abs(Double($0) / 30 - stream.time.truncatingRemainder(dividingBy: 24)) < 0.5 }
                    == true
            })
        await stream.close()
    }

    @Test("an item that is played again later starts at the new edge")
    func playedAgain() async throws {
        let (live, stream) = try live(.init(window: 5))
        stream.play()
        #expect(await stream.reaches(4.3))
        stream.player.replaceCurrentItem(with: nil)
        live.advance(segments: 14)
        await letTimePass(2.5, because: "a live playlist is outdated after its target duration")
        let shown = stream.rig.shown.count
        stream.player.replaceCurrentItem(with: stream.item)
        #expect(await stream.rig.wait { stream.rig.shown.count > shown + 1 })
        #expect(stream.time > 26, "\(stream.time)")
        #expect(stream.item.errorLog()?.events.isEmpty != false, "\(String(describing: stream.item.errorLog()))")
        await stream.close()
    }

    @Test("an event starts near its end and allows seeks to its start")
    func event() async throws {
        let (live, stream) = try live(.init(initialSegments: 8, isEvent: true))
        #expect(await stream.ready())
        #expect(abs(stream.time - 10) < 0.05)
        #expect(await stream.rig.seek(0))
        #expect(stream.rig.number() == 0)
        live.advance(segments: 2)
        #expect(await stream.rig.wait { edge(stream) > 13.9 })
        #expect(start(stream) == 0)
        await stream.close()
    }

    @Test("the end of a live stream ends playback")
    func ends() async throws {
        let (live, stream) = try live(.init(window: 5))
        stream.play(rate: 4)
        #expect(await stream.reaches(5))
        live.finish()
        #expect(await stream.rig.wait { stream.player.isAtEnd })
        #expect(stream.item.error == nil)
        // The clock decides when the end is reached. The last frame may be shown a moment later.
        #expect(await stream.rig.wait { stream.rig.number() == 299 }, "\(stream.rig.number() ?? -1)")
        await stream.close()
    }

    @Test("playback crosses the discontinuity where the program restarts")
    func wraps() async throws {
        let (live, stream) = try live(.init(window: 6, initialSegments: 10))
        // Wait until the first frame is shown before time advances. Otherwise frames skipped before it would be
        // counted, but not visible here.
        #expect(await stream.ready())
        await stream.rig.settle()
        stream.play(rate: 2)
        #expect(await stream.reaches(6.5))
        for _ in 0..<6 {
            live.advance()
            let wanted = edge(stream) + 1.9
            #expect(await stream.rig.wait { edge(stream) >= wanted })
        }
        #expect(await stream.reaches(17.5))
        stream.player.pause()
        await stream.rig.settle()
        let shown = stream.rig.shown
        let seam = try #require(zip(shown, shown.dropFirst()).first { $0 > $1 })
        // Frames that a late display skipped are counted, so no frame is lost at the transition. The program has 720
        // frames.
        let passed = 720 - (shown.first ?? 0) + (shown.last ?? 0) + 1
        #expect(
            isComplete(stream, passed),
            "\(shown.count) and \(stream.player.statistics.framesDropped) of \(passed), \(seam)")
        #expect(zip(shown, shown.dropFirst()).count { $0 > $1 } == 1)
        await stream.close()
    }

    // MARK: low latency

    @Test("low-latency parts reduce the offset from live, with or without delta updates", arguments: [true, false])
    func lowLatency(skips: Bool) async throws {
        func distance(parts: Int?) async throws -> (stalls: Int, offset: Double, requests: [ServedRequest], errors: Int)
        {
            let (_, stream) = try live(
                .init(pace: .realTime(speed: 1), window: 6, partsPerSegment: parts, skips: skips && parts != nil),
                over: "vod-fmp4/v0/index.m3u8")
            stream.play()
            #expect(await stream.ready())
            let from = stream.time
            #expect(await stream.reaches(from + 5))
            let offset = stream.item.timeOffsetFromLive.seconds
            let stalls = stream.player.statistics.stalls
            stream.neverWentBack()
            let errors = stream.item.errorLog()?.events.count ?? 0
            let requests = stream.server.requests
            await stream.close()
            return (stalls, offset, requests, errors)
        }
        // So close to the live edge a short delay of the machine causes a stall, after which the offset is larger. This
        // does not happen each time.
        func steady(parts: Int?) async throws -> (stalls: Int, offset: Double, requests: [ServedRequest], errors: Int) {
            var last = try await distance(parts: parts)
            for _ in 0..<5 where last.stalls > 1 { last = try await distance(parts: parts) }
            return last
        }
        let plain = try await steady(parts: nil)
        var near = try await steady(parts: 4)
        // A single stall can use up the whole advantage.
        for _ in 0..<5 where near.offset >= plain.offset - 1 { near = try await steady(parts: 4) }
        #expect(plain.stalls <= 1 && near.stalls <= 1)
        #expect(near.offset < plain.offset - 1, "\(near.offset) \(plain.offset)")
        #expect(near.requests.contains { $0.query["_HLS_part"] != nil })
        #expect(near.requests.contains { $0.range != nil })
        #expect(near.requests.contains { $0.query["_HLS_skip"] != nil } == skips)
        #expect(near.errors == 0)
    }

    @Test("playback does not jump when a part fails once")
    func failedPart() async throws {
        let (live, stream) = try live(
            .init(window: 6, partsPerSegment: 4, hasPartFiles: true), over: "vod-fmp4/v0/index.m3u8")
        #expect(await stream.ready())
        await stream.rig.settle()
        stream.server.inject(.reset(after: 200), on: "live/6.0.m4s", nth: 1...1)
        live.advance(parts: 2)
        stream.play()
        #expect(await stream.server.waitForRequests(2, "live/6.0.m4s"))
        live.advance(segments: 2)
        #expect(await stream.reaches(14), "\(stream.time) \(stream.error?.description ?? "")")
        stream.player.pause()
        await stream.rig.settle()
        stream.neverWentBack()
        // Frames that a late display skipped are counted, so no frame is lost.
        let shown = stream.rig.shown
        let first = try #require(shown.first)
        let last = try #require(shown.last)
        #expect(
            isComplete(stream, last - first + 1),
            "\(shown.count) and \(stream.player.statistics.framesDropped) of \(first)...\(last)")
        await stream.close()
    }

    // MARK: dates of a live stream

    @Test("the item reports the current date and seeks to a date")
    func dates() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let (_, stream) = try live(.init(window: 8, startDate: date))
        #expect(await stream.ready())
        #expect(
            await stream.rig.wait {
                stream.item.currentDate().map { abs($0.timeIntervalSince(date) - stream.time) < 0.01 } == true
            })
        var answer: Bool?
        #expect(stream.item.seek(to: date.addingTimeInterval(3.51)) { answer = $0 })
        #expect(await stream.rig.wait { answer == true })
        #expect(stream.rig.number() == 105)
        #expect(!stream.item.seek(to: date.addingTimeInterval(-60)))
        #expect(!stream.item.seek(to: date.addingTimeInterval(3600)))
        await stream.close()
    }

    // MARK: faults of a live stream

    @Test("a stuck playlist makes the player wait until it changes")
    func stuck() async throws {
        let (live, stream) = try live(.init(window: 5))
        live.isStuck = true
        stream.play(rate: 4)
        #expect(
            await stream.rig.wait {
                stream.rig.shown.last ?? 0 >= 148 && stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate
            })
        // More than five target durations, after which other players give up.
        let asked = stream.server.requests("live/index.m3u8").count
        #expect(await stream.server.wait { $0.count { $0.path == "live/index.m3u8" } > asked + 11 })
        #expect(stream.item.status == .readyToPlay && stream.item.error == nil)
        #expect(stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(stream.player.reasonForWaitingToPlay == .toMinimizeStalls)
        live.isStuck = false
        live.advance(segments: 2)
        #expect(await stream.reaches(12.5), "\(stream.time)")
        stream.neverWentBack()
        await stream.close()
    }

    /// Plays to the end of the available media, so that the player waits.
    private func runsDry(_ stream: StreamRig) async {
        stream.play(rate: 2)
        #expect(
            await stream.rig.wait {
                stream.rig.shown.last ?? 0 >= 148 && stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate
            }, "\(stream.time)")
    }

    /// Runs `body` for all combinations of `first` and `second` in parallel, because each case waits for most of its
    /// time.
    private func atOnce<A: Sendable, B: Sendable>(
        _ first: [A], _ second: [B], _ body: @escaping @Sendable @MainActor (A, B) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for a in first { for b in second { group.addTask { try await body(a, b) } } }
            try await group.waitForAll()
        }
    }

    @Test("an encoder that restarts at number 0 is followed")
    func restarts() async throws {
        try await atOnce(["vod-ts/v0/index.m3u8", "vod-fmp4/master.m3u8"], [1, 4], restarts)
    }

    private func restarts(path: String, segments: Int) async throws {
        // The sixty-first segment is the first one of the program again.
        let (live, stream) = try live(.init(window: 5, initialSegments: 65), over: path)
        await runsDry(stream)
        let before = stream.rig.shown.count
        let time = stream.time
        live.restart(segments: segments)
        live.advance(segments: 2)
        // The program plays from its start again, while the media time continues.
        #expect(
            await stream.rig.wait {
                stream.rig.shown.dropFirst(before).contains { $0 < 120 } || stream.item.status == .failed
            },
            "\(stream.time) \(stream.player.timeControlStatus) \(stream.error?.description ?? "") \(stream.server.requests.suffix(4).map(\.path)) \(stream.item.loadedTimeRanges)"
        )
        #expect(stream.time >= time)
        live.advance(segments: 3)
        let now = stream.time
        #expect(await stream.reaches(now + 3), "\(stream.time)")
        #expect(stream.item.error == nil)
        await stream.close()
    }

    @Test("an encoder that restarts with numbers still in the window is followed")
    func restartsEarly() async throws {
        let (live, stream) = try live(.init(window: 5))
        await runsDry(stream)
        let before = stream.rig.shown.count
        live.restart(segments: 1)
        #expect(
            await stream.server.waitForRequests(stream.server.requests("live/index.m3u8").count + 5, "live/index.m3u8"))
        live.advance(segments: 3)
        #expect(
            await stream.rig.wait {
                stream.rig.shown.dropFirst(before).contains { $0 < 120 } || stream.item.status == .failed
            }, "\(stream.time)")
        let now = stream.time
        live.advance(segments: 3)
        #expect(await stream.reaches(now + 3), "\(stream.time)")
        #expect(stream.item.error == nil)
        await stream.close()
    }

    @Test("playback resumes after an encoder outage, with or without a discontinuity tag")
    func away() async throws {
        try await atOnce([true, false], [Fault.status(404), .status(503), nil], away)
    }

    private func away(tagged: Bool, fault: Fault?) async throws {
        let (live, stream) = try live(.init(window: 5))
        live.isStuck = true
        await runsDry(stream)
        let before = stream.rig.shown.count
        let rule = fault.map { stream.server.inject($0, on: "live/index.m3u8") }
        // Wait longer than five target durations.
        let asked = stream.server.requests("live/index.m3u8").count
        #expect(
            await stream.server.wait {
                $0.count { $0.path == "live/index.m3u8" } > asked + (fault == nil ? 11 : 6)
            })
        #expect(stream.item.error == nil && stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        live.interrupt(tagged: tagged)
        if let rule { stream.server.remove(rule) }
        live.isStuck = false
        live.advance(segments: 3)
        #expect(await stream.reaches(12.5), "\(stream.time) \(stream.error?.description ?? "")")
        #expect(stream.rig.shown.dropFirst(before).first { $0 < 60 } != nil, "\(stream.rig.shown.dropFirst(before))")
        await stream.close()
    }

    @Test("playback resumes after segments were missing for a while")
    func missing() async throws {
        try await atOnce([Fault.status(404), .status(403), .status(500), .resetBeforeHead], [()]) { fault, _ in
            try await missing(fault)
        }
    }

    private func missing(_ fault: Fault) async throws {
        let (live, stream) = try live(.init(window: 5))
        stream.play(rate: 2)
        #expect(await stream.reaches(4.2))
        let rule = stream.server.inject(fault, on: "live/*.ts")
        live.advance(segments: 2)
        #expect(await stream.rig.wait { stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate })
        live.advance(segments: 2)
        let asked = stream.server.requests("live/*.ts").count
        #expect(
            await stream.server.wait { $0.count { fnmatch("live/*.ts", $0.path, 0) == 0 } > asked + 8 })
        #expect(stream.item.error == nil)
        stream.server.remove(rule)
        live.advance(segments: 3)
        // Playback may have jumped to 18 s, where live playback begins now.
        #expect(
            await stream.rig.wait { stream.time > 18.5 || stream.item.status == .failed },
            "\(stream.time) \(stream.player.timeControlStatus) \(stream.error?.description ?? "") \(stream.server.requests("live/*.ts").map(\.path)) \(stream.item.loadedTimeRanges.map { ($0.timeRangeValue.start.seconds, $0.timeRangeValue.end.seconds) }) \(start(stream)) \(edge(stream))"
        )
        #expect(stream.item.error == nil)
        await stream.close()
    }

    @Test("one invalid segment is skipped and logged", arguments: [Fault.garbage(30_000), .empty])
    func noise(fault: Fault) async throws {
        let (live, stream) = try live(.init(window: 6)) { server, _ in server.inject(fault, on: "live/5.ts") }
        #expect(await stream.ready())
        live.advance(segments: 3)
        stream.play(rate: 2)
        #expect(await stream.reaches(12.5), "\(stream.time) \(stream.error?.description ?? "")")
        #expect(stream.item.error == nil)
        let told = stream.item.errorLog()?.events.filter { $0.errorDomain == AVPlayerItemErrorLogEvent.contentDomain }
        #expect(told?.count == 1 && told?.first?.uri?.hasSuffix("live/5.ts") == true, "\(told ?? [])")
        await stream.close()
    }

    @Test("a window that moves past a loading segment does not stall playback")
    func leftBehind() async throws {
        var rule: FaultRule.ID?
        let (live, stream) = try live(.init(window: 5)) { server, _ in
            rule = server.inject(.stall(after: 1000), on: "live/2.ts")
        }
        stream.play()
        #expect(await stream.server.wait { $0.contains { $0.path == "live/2.ts" && $0.bytesSent >= 1000 } })
        live.advance(segments: 6)
        // The second request shows that a playlist requested after the move has arrived.
        #expect(
            await stream.server.waitForRequests(stream.server.requests("live/index.m3u8").count + 2, "live/index.m3u8"))
        if let rule { stream.server.remove(rule) }
        // Two seconds are loaded. At the end of a stream that is enough to start.
        #expect(
            await stream.reaches(16.2),
            "\(stream.time) \(stream.player.timeControlStatus) \(stream.error?.description ?? "")")
        #expect((stream.rig.shown.first ?? 999) < 180, "\(stream.rig.shown.first ?? -1)")
        await stream.close()
    }

    @Test("a seek into a missing segment plays from the next segment")
    func seekIntoMissing() async throws {
        let (live, stream) = try live(.init(window: 12))
        #expect(await stream.ready())
        stream.server.inject(.status(404), on: "live/0.ts")
        #expect(await stream.rig.seek(0.5))
        #expect(stream.server.requests("live/0.ts").count > 0)
        // Wait until the first frame is shown before time advances, because a late display would miss it.
        await stream.rig.settle()
        stream.play()
        live.advance()
        #expect(await stream.reaches(4), "\(stream.time)")
        // The first frame shown is the one at which live playback begins.
        #expect(stream.rig.shown.first { $0 < 540 } == 60, "\(stream.rig.shown.prefix(4))")
        await stream.close()
    }

    @Test("playback continues after playlist reloads failed for a while")
    func reloads() async throws {
        let faults = [
            Fault.status(503), .status(404), .garbage(3000), .empty, .resetBeforeHead, .body(Data("#EXTM3U\n".utf8)),
            .truncate(after: 90), .stall(after: 10),
        ]
        try await atOnce(faults, [()]) { fault, _ in try await reload(fault) }
    }

    private func reload(_ fault: Fault) async throws {
        // On a slow machine, requests of the opening also exceed the short timeout, and are retried.
        let (live, stream) = try live(.init(window: 6), timeout: 0.5, opening: 60)
        stream.play()
        #expect(await stream.reaches(6.2), "\(fault)")
        let rule = stream.server.inject(fault, on: "live/index.m3u8")
        live.advance(segments: 2)
        let asked = stream.server.requests("live/index.m3u8").count
        #expect(await stream.server.wait { $0.count { $0.path == "live/index.m3u8" } >= asked + 2 }, "\(fault)")
        stream.server.remove(rule)
        #expect(await stream.reaches(13.5), "\(fault): \(stream.time) \(stream.error?.description ?? "")")
        stream.neverWentBack()
        await stream.close()
    }

    @Test("another copy or variant replaces a live playlist that fails")
    func failsOver() async throws {
        try await atOnce([true, false], [Fault.status(503), .status(403)], failsOver)
    }

    private func failsOver(isRedundant: Bool, fault: Fault) async throws {
        let server = try TestStreams.server()
        let source = try TestStreams.url("vod-ts/v0/index.m3u8")
        let streams = try ["a", "b"].map { try LiveStream(server, at: $0, over: source, options: .init(window: 6)) }
        // Variants with equal attributes are copies.
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=250000
            a/index.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=\(isRedundant ? 250_000 : 260_000)
            b/index.m3u8

            """
        server.serve("master.m3u8") { _ in .playlist(master) }
        let stream = try StreamRig(server.url(for: "master.m3u8"), server)
        stream.play()
        #expect(await stream.reaches(6.2), "\(fault)")
        // The playlist that is reloaded next is the one in use.
        let broken = Mutex<String?>(nil)
        server.inject(fault, on: "*/index.m3u8") { request in
            broken.withLock { path in
                if path == nil { path = request.path }
                return path == request.path
            }
        }
        for live in streams { live.advance(segments: 2) }
        #expect(await stream.reaches(13.5), "\(fault): \(stream.time) \(stream.error?.description ?? "")")
        stream.neverWentBack()
        #expect(stream.item.error == nil)
        await stream.close()
    }

    @Test(
        "a live playlist lost for good is an error",
        arguments: [
            (Fault.status(404), AVError.Code.badServerResponse, 404 as Int?), (.status(500), .badServerResponse, 500),
        ])
    func gone(fault: Fault, code: AVError.Code, status: Int?) async throws {
        let (_, stream) = try live(.init(window: 5), recovery: 1)
        stream.play(rate: 2)
        #expect(await stream.reaches(4.5))
        stream.server.inject(fault, on: "live/index.m3u8")
        let error = await stream.fails()
        #expect(error?.code == code)
        #expect(error?.httpStatus == status)
        await stream.close()
    }
}
