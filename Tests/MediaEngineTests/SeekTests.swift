import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Seeking")
@MainActor
struct SeekTests {
    @Test(
        "a seek is exact at constant frame rates",
        arguments: [
            ("counter.mp4", 30.0, 600), ("counter-video.mp4", 30.0, 300), ("counter-23976.mp4", 24000.0 / 1001, 239),
            ("counter.ts", 30.0, 300),
            ("counter-hevc.mp4", 30.0, 300),
        ])
    func exact(name: String, rate: Double, count: Int) async throws {
        let rig = try Rig(name)
        try await rig.ready()
        // A stream's video may begin a little after its audio. Times count from the earlier one.
        let start = try #require(rig.picture()).presentationTime.seconds
        for n in [0, 1, 2, 29, 30, 31, 47, 48, 100, 149, 17, count - 2, count - 1, 3] {
            // The middle of a frame's duration, and a moment after its start.
            for part in [0.5, 0.02] {
                #expect(await rig.seek(start + (Double(n) + part) / rate))
                #expect(rig.number() == n, "frame \(n) of \(name)")
            }
        }
    }

    @Test("a seek is exact at variable frame rates")
    func variable() async throws {
        let rig = try Rig("counter-vfr.mkv")
        try await rig.ready()
        // Frames 3k, 3k+1 and 3k+2 begin at k · 120 ms, k · 120 + 80 ms and k · 120 + 100 ms.
        for n in [0, 1, 2, 3, 50, 51, 52, 100, 160] {
            let start = Double(n / 3) * 0.120 + [0, 0.080, 0.100][n % 3]
            #expect(await rig.seek(start + 0.010))
            #expect(rig.number() == n)
        }
        #expect(await rig.seek(0.070))
        #expect(rig.number() == 0)
    }

    @Test(
        "a seek gives the same pixels as decoding from the start",
        arguments: [
            "natural-h264.mp4", "natural-hevc.mp4", "natural-layers.mp4", "natural-annexb.ts", "natural-vp9.webm",
        ])
    func pixels(name: String) async throws {
        // Decode every frame, without dropping any.
        let reader = try ItemReader(url: TestMedia.url(name), selection: TrackSelection(), interrupt: InterruptToken())
        let decoder = try VideoDecoder(
            track: try #require(reader.description.video), startOffset: reader.startOffset, location: name, device: nil)
        var whole: [(time: Double, picture: Int)] = []
        reading: while true {
            switch reader.next() {
            case .video(let packet): decoder.decode(packet) { whole.append(($0.pts.seconds, Rig.digest($0.frame))) }
            case .end, .failed: break reading
            default: continue
            }
        }
        decoder.decode(nil) { whole.append(($0.pts.seconds, Rig.digest($0.frame))) }
        try #require(whole.count == 150)
        let rig = try Rig(name)
        try await rig.ready()
        for n in [149, 10, 11, 13, 40, 77, 78, 140, 90, 66, 3] {
            #expect(await rig.seek(whole[n].time + 0.01))
            #expect(try Rig.digest(#require(rig.picture())) == whole[n].picture, "picture \(n) of \(name)")
        }
        #expect(Set(whole.map(\.picture)).count == 150)
    }

    @Test(
        "a forward seek within the same group is exact",
        arguments: ["counter.mp4", "counter-video.mp4", "counter-vfr.mkv", "counter.ts"])
    func ahead(name: String) async throws {
        let rig = try Rig(name)
        try await rig.ready()
        func due(_ n: Int) -> Double { SeekTests.time(of: n, in: name) }
        let start = try #require(rig.picture()).presentationTime.seconds
        // Small and large steps: within the queued frames, within the group and beyond it, with some steps back.
        for n in [1, 2, 4, 5, 9, 20, 21, 22, 50, 58, 59, 60, 61, 75, 119, 70, 71, 76, 100, 101, 150] {
            #expect(await rig.seek(start + due(n) + 0.010))
            #expect(rig.number() == n, "\(name)")
        }
        rig.player.play()
        #expect(await rig.wait { (rig.number() ?? 0) > 160 })
    }

    @Test("a forward seek within the same group does not decode again", arguments: [40, 5, 1])
    func aheadIsCheap(step: Int) async throws {
        let rig = try Rig("counter.mp4")  // one keyframe in twenty seconds
        try await rig.ready()
        for n in stride(from: 60, to: 540, by: step) {
            #expect(await rig.seek((Double(n) + 0.5) / 30))
            #expect(rig.number() == n)
        }
        // Decoding from the keyframe for each seek would take more than half of the sum of all targets.
        #expect(rig.player.statistics.framesDecoded < 610)
    }

    @Test("after small forward seeks, the audio is complete")
    func audioAhead() async throws {
        let recording = try await SoundTake.record { rig in
            rig.player.insert(AVPlayerItem(url: try TestMedia.url("counter.mp4")))
            try await rig.ready()
            // The audio of the later positions has been decoded when their seeks begin.
            for seconds in [18, 18.2, 18.4] { #expect(await rig.seek(seconds)) }
            #expect(rig.player.statistics.framesDecoded < 580)
            rig.player.play()
            #expect(await rig.wait { rig.player.isAtEnd })
        }
        let proof = await SineProof.of(recording, frequency: 440)
        // The proof leaves out a twentieth of a second at both ends.
        #expect(abs(proof.seconds - 1.5) < 0.06)
        #expect(proof.longestGap < 0.005)
    }

    @Test("a seek outside the item goes to its start or end")
    func clamped() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        #expect(await rig.seek(-5))
        #expect(rig.number() == 0)
        #expect(rig.player.currentTime() == .zero)
        #expect(await rig.seek(1000))
        #expect(rig.number() == 599)
        #expect(abs(rig.player.currentTime().seconds - 20) < 0.1)
        #expect(await rig.player.seek(to: .positiveInfinity))
        #expect(rig.number() == 599)
        #expect(await !rig.player.seek(to: .invalid))
    }

    @Test("a seek may use a frame within the tolerance")
    func tolerance() async throws {
        let rig = try Rig("counter-video.mp4")  // one keyframe every 60 frames
        try await rig.ready()
        #expect(await rig.seek(5.5, before: .positiveInfinity, after: .positiveInfinity))
        #expect(rig.number() == 120)
        let most = CMTime(seconds: 0.5, preferredTimescale: 600)
        #expect(await rig.seek(5.5, before: most, after: .zero))
        let number = try #require(rig.number())
        #expect((149...165).contains(number))
    }

    @Test("a hundred overlapping seeks end at the last, each answered once")
    func hundred() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        let answers = Answers()
        for n in 0..<100 {
            rig.player.seek(to: CMTime(value: Int64((n * 37) % 500) * 2 + 1, timescale: 60)) { answers.add(n, $0) }
            if n % 10 == 9 { await Task.yield() }
        }
        #expect(await rig.wait { answers.all.count == 100 })
        #expect(Set(answers.all.map(\.0)).count == 100)
        #expect(answers.all.last?.0 == 99)
        #expect(answers.all.last?.1 == true)
        #expect(rig.number() == (99 * 37) % 500)
    }

    /// Returns the time at which the frame with the number `n` begins, in seconds after the first.
    private static func time(of n: Int, in name: String) -> Double {
        name.contains("vfr") ? Double(n / 3) * 0.120 + [0, 0.080, 0.100][n % 3] : Double(n) / 30
    }

    @Test(
        "a seek that replaces one to a later target is exact",
        arguments: ["counter.mp4", "counter-video.mp4", "counter.ts", "counter-vfr.mkv"])
    func replaced(name: String) async throws {
        let rig = try Rig(name)
        try await rig.ready()
        let start = try #require(rig.picture()).presentationTime.seconds
        let answers = Answers()
        let targets = [150, 135, 121, 106, 90, 75, 61, 60, 46, 31, 3]
        // The first seek of a pair has shown its frame, is running or has not begun when the second one is requested.
        for (round, n) in targets.enumerated() {
            for distance in [45, 1, 2, 3] {
                let later = start + SeekTests.time(of: n + distance, in: name) + 0.010
                rig.player.seek(to: CMTime(seconds: later, preferredTimescale: 90_000)) { answers.add(round, $0) }
                for _ in 0..<round % 4 { await Task.yield() }
                #expect(await rig.seek(start + SeekTests.time(of: n, in: name) + 0.010))
                #expect(rig.number() == n, "\(name), \(distance) frames before")
            }
        }
        #expect(answers.all.count == 4 * targets.count)
    }

    @Test("a seek while playing shows the frame and playback continues")
    func playing() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        rig.player.play()
        #expect(await rig.wait { rig.player.timeControlStatus == .playing })
        // On a busy machine, the seek begins later. Up to two seconds more may pass until then.
        let last = Int(rig.player.currentTime().seconds * 30) + 60
        #expect(await rig.seek(10.01))
        #expect(await rig.wait { (rig.number() ?? 0) > 310 })
        #expect(rig.player.currentTime().seconds > 10.2)
        #expect(!rig.shown.contains { $0 > last && $0 < 300 }, "\(rig.shown)")
    }

    @Test("steps move one frame forward and back while paused")
    func step() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        await rig.seek(100.5 / 30)
        for expected in [101, 102, 103] {
            item.step(byCount: 1)
            #expect(await rig.wait { rig.number() == expected })
        }
        for expected in [102, 101, 100, 99] {
            item.step(byCount: -1)
            #expect(await rig.wait { rig.number() == expected && !rig.player.isSeeking })
        }
        #expect(abs(rig.player.currentTime().seconds - 99.0 / 30) < 0.001)
        item.step(byCount: 5)
        #expect(await rig.wait { rig.number() == 104 && !rig.player.isSeeking })
        rig.player.play()
        #expect(await rig.wait { (rig.number() ?? 0) > 110 })
    }

    @Test("steps requested during a seek start from its target")
    func stepWhileSeeking() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        func seekAndStep(_ picture: Int, _ steps: [Int]) {
            rig.player.seek(to: CMTime(value: CMTimeValue(2 * picture + 1), timescale: 60))
            for step in steps { item.step(byCount: step) }
        }
        for (picture, steps, expected) in [(50, [-1], 49), (90, [1], 91), (20, [1, 1, -3], 19), (70, [2, -2], 70)] {
            seekAndStep(picture, steps)
            #expect(await rig.wait { rig.number() == expected && !rig.player.isSeeking }, "\(picture), \(steps)")
        }
        // A later command cancels pending steps.
        seekAndStep(30, [-1])
        rig.player.play()
        #expect(await rig.wait { (rig.number() ?? 0) > 40 })
        #expect(rig.player.rate == 1)
    }

    @Test("steps are exact at variable frame rates")
    func stepVariable() async throws {
        let rig = try Rig("counter-vfr.mkv")
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        await rig.seek(1.21)
        #expect(rig.number() == 30)
        for expected in [29, 28, 27] {
            item.step(byCount: -1)
            #expect(await rig.wait { rig.number() == expected && !rig.player.isSeeking })
        }
    }

    @Test("a seek inside a looped clip is exact")
    func inClip() async throws {
        let rig = Rig()
        let looper = AVPlayerLooper(
            player: rig.player, templateItem: AVPlayerItem(url: try TestMedia.url("counter-video.mp4")))
        try await rig.ready()
        for n in [200, 3, 299, 60, 0] {
            #expect(await rig.seek((Double(n) + 0.5) / 30))
            #expect(rig.number() == n)
        }
        _ = looper
    }

    /// The wait for the last frame ends when the clip becomes complete, so two threads may race.
    @Test("a seek finds the last frame while a looped clip is decoding")
    func lastOfUnfinishedClip() async throws {
        for _ in 0..<25 {
            let rig = Rig()
            let looper = AVPlayerLooper(
                player: rig.player, templateItem: AVPlayerItem(url: try TestMedia.url("counter-video.mp4")))
            try await rig.ready()
            #expect(await rig.seek(299.5 / 30))
            #expect(rig.number() == 299)
            rig.player.close()
            _ = looper
        }
    }

    /// The clip is abandoned during decoding while a seek waits for a frame beyond the decoded part. The seek then
    /// reads from the file.
    @Test("a seek in a looped clip that turns out too large succeeds", .timeLimit(.minutes(5)))
    func inAbandonedClip() async throws {
        for round in 0..<20 {
            let rig = Rig()
            let item = AVPlayerItem(url: try TestMedia.url("counter-hasty.mkv"))
            let looper = AVPlayerLooper(player: rig.player, templateItem: item)
            // Seek before the item is opened in even rounds, and afterwards in odd rounds.
            if !round.isMultiple(of: 2) { try await rig.ready() }
            #expect(await rig.seek(10.009))
            #expect(rig.number() == 270)
            #expect(rig.player.currentItem?.entry.refusesClip == true)
            rig.player.close()
            _ = looper
        }
    }
}

@MainActor
private final class Answers {
    private(set) var all: [(Int, Bool)] = []
    func add(_ n: Int, _ ok: Bool) { all.append((n, ok)) }
}
