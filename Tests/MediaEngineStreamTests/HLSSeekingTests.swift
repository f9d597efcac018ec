import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Seeking in an HLS stream", .serialized)
@MainActor
struct HLSSeekingTests {
    nonisolated static let streams = [
        "vod-ts/master.m3u8", "vod-fmp4/master.m3u8", "aes128/rotation.m3u8", "byterange/fmp4.m3u8",
        "packed-audio/master.m3u8", "pts-wrap/index.m3u8", "late-start/index.m3u8",
    ]

    @Test("a seek is exact while paused", arguments: streams)
    func paused(path: String) async throws {
        let stream = try StreamRig(path)
        #expect(await stream.ready())
        #expect(stream.rig.number() == 0)
        for number in [359, 360, 61, 719, 1, 540, 0, 59] {
            #expect(await stream.rig.seek((Double(number) + 0.5) / 30))
            #expect(stream.rig.number() == number)
        }
        await stream.close()
    }

    @Test("a seek is exact while playing", arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func playing(path: String) async throws {
        let stream = try StreamRig(path)
        stream.play()
        #expect(await stream.reaches(0.2))
        for second in [10, 5, 20, 3] {
            let before = stream.rig.shown.count
            #expect(await stream.rig.seek(Double(second) + 0.5 / 30))
            #expect(await stream.rig.wait { stream.time > Double(second) + 0.5 && stream.rig.shown.count > before + 1 })
            // After the last frame from before the seek, the first frame is the target's.
            let after = stream.rig.shownWithDelays.dropFirst(before)
            // A late display shows the frame that is due when it refreshes.
            let first = after.first { abs(Double($0.number - second * 30)) < 15 + 30 * $0.since }
            #expect(
                first.map {
                    $0.number >= second * 30 - 1
                        && Double($0.number) <= Double(second * 30) + 1 + 30 * max(0, $0.since - 1.0 / 60)
                } == true, "\(after)")
        }
        await stream.close()
    }

    @Test("a key that arrives after a seek requests no old segments")
    func lateKey() async throws {
        var held: FaultRule.ID?
        // Hold the second key. The last two segments need no key.
        let stream = try StreamRig("aes128/rotation.m3u8") { server, _ in
            held = server.inject(.stall(after: 0), on: "*/1.key")
        }
        #expect(await stream.ready())
        func requests(_ name: String) -> [ServedRequest] { stream.server.requests.filter { $0.path.hasSuffix(name) } }
        #expect(await stream.rig.wait { !requests("1.key").isEmpty })
        #expect(await stream.rig.seek(675.5 / 30))
        #expect(stream.rig.number() == 675)
        #expect(await stream.rig.wait { requests("rotation011.ts").contains { $0.outcome != .running } })
        if let held { stream.server.remove(held) }
        #expect(await stream.rig.wait { requests("1.key").allSatisfy { $0.outcome != .running } })
        await stream.rig.settle()
        #expect(requests("rotation006.ts").isEmpty, "\(stream.server.requests.map(\.path))")
        await stream.close()
    }

    @Test(
        "a hundred quick seeks end at the last, and each is answered",
        arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func hundred(path: String) async throws {
        let stream = try StreamRig(path)
        #expect(await stream.ready())
        for isPlaying in [false, true] {
            var answers: [Bool] = []
            var began = ContinuousClock.now
            if isPlaying { stream.play() }
            for n in 0..<100 {
                let last = n == 99
                let time = last ? 7 + 0.5 / 30 : Double((n * 37) % 240) / 10
                if last { began = .now }
                stream.player.seek(to: CMTime(seconds: time, preferredTimescale: 1_000_000)) { answers.append($0) }
                if n % 5 == 0 { await letTimePass(0.02, because: "some of the seeks begin, as a hand's do") }
            }
            #expect(await stream.rig.wait { answers.count == 100 })
            #expect(answers.last == true)
            #expect(stream.item.status == .readyToPlay)
            if isPlaying {
                let time = stream.time
                // Playback continues from the last position while the test is late.
                let most = 7.1 + (ContinuousClock.now - began) / Duration.seconds(1)
                #expect(time >= 7 && time < most, "\(time) of \(most)")
            } else {
                #expect(stream.rig.number() == 210)
            }
        }
        await stream.close()
    }

    @Test("a seek to loaded media works while the network stalls")
    func stalled() async throws {
        var rule: FaultRule.ID?
        let stream = try StreamRig("vod-ts/v1/index.m3u8") { server, _ in
            rule = server.inject(.stall(after: 3000), on: "*/seg004.ts")
        }
        #expect(await stream.ready())
        #expect(await stream.rig.wait { stream.item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0 >= 8 })
        for number in [100, 3, 230, 7] {
            #expect(await stream.rig.seek((Double(number) + 0.5) / 30))
            #expect(stream.rig.number() == number)
        }
        var answer: Bool?
        stream.player.seek(to: CMTime(seconds: 9.5, preferredTimescale: 1000)) { answer = $0 }
        #expect(await stream.server.wait { $0.count { $0.path.hasSuffix("seg004.ts") } >= 2 })
        #expect(answer == nil)
        // A newer seek, to loaded media, cancels the one that waits.
        #expect(await stream.rig.seek(2.01))
        #expect(answer == false)
        #expect(stream.rig.number() == 60)
        if let rule { stream.server.remove(rule) }
        #expect(await stream.rig.seek(9.51))
        #expect(stream.rig.number() == 285)
        await stream.close()
    }

    @Test("a newer seek replaces one that waits for the network")
    func givesWay() async throws {
        let stream = try StreamRig("start-offset/index.m3u8")
        #expect(await stream.ready())
        #expect(stream.rig.number() == 240)
        // Wait until the segment to return to is loaded completely, because the stall below would block its rest.
        #expect(await stream.rig.wait { stream.item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0 >= 9.99 })
        let rule = stream.server.inject(.stall(after: 0), where: { !$0.path.hasSuffix("m3u8") })
        for (second, segment) in [(3.0, "seg001.ts"), (5.0, "seg002.ts"), (1.0, "seg000.ts"), (7.0, "seg003.ts")] {
            var answer: Bool?
            stream.player.seek(to: CMTime(seconds: second, preferredTimescale: 1000)) { answer = $0 }
            // Another request may be a late one for the media after 10 s.
            #expect(await stream.server.waitForRequests(1, "*/\(segment)"))
            #expect(answer == nil)
            #expect(await stream.rig.seek(8.01))
            #expect(answer == false)
            #expect(stream.rig.number() == 240)
            #expect(stream.item.status == .readyToPlay, "\(stream.error?.description ?? "")")
        }
        // Only the seek to 1 s needs the first segment. A seek that gives way does not return to the start.
        #expect(stream.server.requests("*/seg000.ts").count == 1)
        stream.server.remove(rule)
        #expect(await stream.rig.seek(3.01))
        #expect(stream.rig.number() == 90)
        await stream.close()
    }

    @Test(
        "a seek to missing media fails without reading from the start",
        arguments: [(Fault.status(404), AVError.Code.badServerResponse), (.resetBeforeHead, .networkConnectionLost)])
    func missing(fault: Fault, code: AVError.Code) async throws {
        // Playback begins at 8 s, so only a reader that returns to the start requests the first segment.
        let stream = try StreamRig("start-offset/index.m3u8", recovery: 0.5) { server, item in
            item.preferredForwardBufferDuration = 2
            // All segments from 14 s on are missing. They are more than a third, which is too many to skip.
            server.inject(fault, on: "*/seg*.ts", where: { $0.path.suffix(6) >= "007.ts" })
        }
        #expect(await stream.ready())
        var answer: Bool?
        stream.player.seek(to: CMTime(seconds: 14.5, preferredTimescale: 1000)) { answer = $0 }
        #expect(await stream.fails()?.code == code)
        #expect(await stream.rig.wait { answer == false })
        #expect(stream.server.requests("*/seg000.ts").isEmpty, "\(stream.server.requests.map(\.path))")
        await stream.close()
    }

    @Test("a seek beyond the end shows the last frame")
    func beyond() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8")
        #expect(await stream.ready())
        #expect(await stream.rig.seek(1e6))
        #expect(stream.rig.number() == 719)
        stream.play()
        #expect(await stream.rig.wait { stream.player.isAtEnd })
        #expect(stream.item.error == nil)
        await stream.close()
    }
}

@Suite("HLS streams in sequence", .serialized)
@MainActor
struct HLSSequenceTests {
    /// Returns whether no frame is missing at the transition, except frames skipped by a late display or decoder, which
    /// are counted in `dropped`.
    private func isSeamless(_ seam: (last: Int, first: Int), _ dropped: Int, _ rig: Rig) -> Bool {
        719 - seam.last + seam.first <= dropped || rig.missedRefreshes
    }

    @Test(
        "a looped stream continues from its last frame to its first",
        arguments: ["vod-ts/v0/index.m3u8", "vod-fmp4/master.m3u8"])
    func loops(path: String) async throws {
        let stream = try StreamRig(path)
        let looper = AVPlayerLooper(player: stream.player, templateItem: stream.item)
        #expect(await stream.ready())
        // On a busy machine, data may arrive too late, but not at each of several transitions.
        var stalls: [Int] = []
        while stalls.last != 0, stalls.count < 6 {
            #expect(await stream.rig.seek(22))
            let before = stream.rig.shown.count
            let then = stream.player.statistics
            stream.play()
            #expect(
                await stream.rig.wait {
                    stream.player.statistics.loops > then.loops && stream.time > 1 && stream.time < 20
                })
            stream.player.pause()
            await stream.rig.settle()
            let shown = Array(stream.rig.shown.dropFirst(before))
            let seam = try #require(zip(shown, shown.dropFirst()).first { $0 > $1 }, "\(shown)")
            let now = stream.player.statistics
            #expect(isSeamless(seam, now.framesDropped - then.framesDropped, stream.rig), "\(seam)")
            stalls.append(now.stalls - then.stalls)
        }
        #expect(stalls.last == 0, "\(stalls)")
        looper.disableLooping()
        await stream.close()
    }

    @Test(
        "a stream is followed seamlessly by a stream or a file",
        arguments: ["vod-fmp4/master.m3u8", "plain/film.mp4"])
    func queue(second: String) async throws {
        // On a busy machine, data may arrive too late, but not at each of several transitions.
        var stalls: [Int] = []
        while stalls.last != 0, stalls.count < 6 { stalls.append(try await transition(to: second)) }
        #expect(stalls.last == 0, "\(stalls)")
    }

    /// Plays the end of a stream and the start of `second`, which must follow seamlessly. Returns the number of stalls.
    private func transition(to second: String) async throws -> Int {
        let stream = try StreamRig("vod-ts/master.m3u8")
        let next = AVPlayerItem(url: stream.server.url(for: second))
        stream.player.actionAtItemEnd = .advance
        stream.player.insert(next)
        #expect(await stream.ready())
        #expect(await stream.rig.seek(22))
        let dropped = stream.player.statistics.framesDropped
        stream.play()
        #expect(await stream.rig.wait { stream.player.currentItem === next && stream.time > 1 })
        #expect(next.error == nil)
        let stalls = stream.player.statistics.stalls
        stream.player.pause()
        await stream.rig.settle()
        let shown = stream.rig.shown
        let seam = try #require(Array(zip(shown, shown.dropFirst())).last { $0 > $1 }, "\(shown)")
        #expect(isSeamless(seam, stream.player.statistics.framesDropped - dropped, stream.rig), "\(seam)")
        await stream.close()
        return stalls
    }

    @Test("an audio language that is set while a stream opens plays")
    func languageWhileOpening() async throws {
        let server = try TestStreams.server()
        let rule = server.inject(.stall(after: 0), on: "vod-fmp4/master.m3u8")
        let stream = try StreamRig(server.url(for: "vod-fmp4/master.m3u8"), server)
        // The player has chosen the tracks before it requests the playlist.
        #expect(await server.wait { _ in server.matches(rule) != 0 })
        #expect(stream.item.status == .unknown)
        stream.item.preferredAudioLanguages = ["de"]
        server.remove(rule)
        stream.play()
        #expect(await server.waitForRequests(1, "vod-fmp4/audio-de/*seg*"))
        #expect(await stream.reaches(1))
        #expect(stream.item.error == nil)
        await stream.close()
    }

    @Test("a new audio language is loaded from the current position")
    func language() async throws {
        let stream = try StreamRig("vod-fmp4/master.m3u8")
        stream.play(rate: 1)
        #expect(await stream.reaches(3))
        #expect(stream.server.requests("vod-fmp4/audio-de/*").isEmpty)
        let began = ContinuousClock.now
        let then = stream.time
        stream.item.preferredAudioLanguages = ["de"]
        #expect(await stream.server.waitForRequests(3, "vod-fmp4/audio-de/*"))
        #expect(await stream.reaches(then + 2))
        // Playback continues while the test is late.
        let time = stream.time
        let most = then + max(12, 1 + (ContinuousClock.now - began) / Duration.seconds(1))
        #expect(time < most, "\(time) of \(most)")
        let asked = stream.server.requests("vod-fmp4/audio-de/*seg*").map(\.path)
        // The new language is loaded from the current position, not from the start.
        #expect(!asked.contains("vod-fmp4/audio-de/seg000.m4s"), "\(asked)")
        #expect(stream.item.error == nil)
        await stream.close()
    }
}
