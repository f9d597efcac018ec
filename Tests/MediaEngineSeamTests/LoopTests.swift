import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Seamless looping", .serialized)
@MainActor
struct LoopTests {
    /// The recording and statistics of one attempt, with the delays of the machine.
    private struct Attempt: CustomStringConvertible {
        var recording: [Float], offsets: [Double], loops: Int, underruns: Int
        /// Whether the server has left out the audio of the player or of the recorder for a moment.
        var isSkipped: Bool
        /// The longest delay of a thread with the priority of the audio thread, in seconds.
        var delay: Double
        var description: String {
            "\(underruns) underruns in \(loops) passes, a due thread kept waiting \(Int(delay * 1000)) ms\(isSkipped ? ", skipped by the server" : "")"
        }
    }

    /// Records a player while `body` runs, which returns the number of loops. Retries after an underrun, which the
    /// player counts.
    ///
    /// Ten failed attempts show that the player is the cause. Attempts in which the machine delayed a due thread by 30
    /// ms or more do not count. The server's interval between two requests for audio is as long. Attempts in which the
    /// server skipped a client do not count either. There are at most thirty attempts.
    ///
    /// Underruns in the first tenth of a second are not counted. Therefore an attempt without underruns, but with a
    /// delay of 0.1 s or more, is repeated up to twice. The least delayed one is used.
    private func record(
        on kind: SoundServer, rate: Int = 48000, _ body: (Rig) async throws -> Int
    ) async throws -> Attempt {
        var told: [Attempt] = []
        var counted = 0
        var late: [Attempt] = []
        while counted < 10, told.count < 30, late.count < 3 {
            let server = try await PrivateSoundServer.launch(kind, rate: rate)
            defer { server.stop() }
            let recording = try await server.record()
            let rig = Rig(server: server.address)
            let watch = DelayWatch()
            let loops = try await body(rig)
            let statistics = rig.player.statistics
            let delay = watch.stop()
            rig.player.pause()
            let attempt = Attempt(
                recording: try await recording.finish(), offsets: statistics.offsets, loops: loops,
                underruns: statistics.underruns, isSkipped: server.hasSkippedClient, delay: delay)
            // Remove the player's items, so that the next attempt shares neither the player nor a decoded clip.
            rig.player.removeAllItems()
            rig.stopDisplay()
            if attempt.underruns == 0, !attempt.isSkipped, delay < 0.1 { return attempt }
            if attempt.underruns == 0, !attempt.isSkipped {
                late.append(attempt)
                continue
            }
            told.append(attempt)
            if delay < 0.03, !attempt.isSkipped { counted += 1 }
        }
        if let best = late.min(by: { $0.delay < $1.delay }) { return best }
        Issue.record("the audio ran out in each attempt: \(told.map(\.description).joined(separator: "; "))")
        throw CancellationError()
    }

    /// Plays `name` in a loop for twenty transitions.
    private func record(_ name: String, decoded: Bool, on kind: SoundServer) async throws -> Attempt {
        try await record(on: kind, rate: name.contains("44") ? 44100 : 48000) { rig in
            let item = AVPlayerItem(url: try TestMedia.url(name))
            item.entry.refusesClip = !decoded
            let looper = AVPlayerLooper(player: rig.player, templateItem: item)
            rig.player.play()
            #expect(await rig.wait { looper.loopCount >= 21 })
            return looper.loopCount
        }
    }

    /// Returns the samples of the file, decoded with the ffmpeg tool and cut to half a second: the content of one pass.
    private func samples(of name: String, rate: Int) throws -> [Float] {
        let raw = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).raw")
        defer { try? FileManager.default.removeItem(at: raw) }
        try ChildProcess(
            "ffmpeg",
            ["-v", "error", "-y", "-i", try TestMedia.url(name).path, "-vn", "-ac", "1", "-f", "f32le", raw.path]
        ).wait()
        return try Data(contentsOf: raw).withUnsafeBytes { Array($0.bindMemory(to: Float.self).prefix(rate / 2)) }
    }

    @Test(
        "audio is continuous to the sample over twenty passes",
        arguments: [
            ("loop-flac.mkv", true, .pulseAudio), ("loop-flac.mkv", false, .pulseAudio),
            ("loop-aac.mp4", true, .pulseAudio), ("loop-aac.mp4", false, .pulseAudio),
            ("loop-aac44.mp4", true, .pulseAudio), ("loop-opus.webm", true, .pulseAudio),
            ("loop-flac.mkv", true, .pipeWire), ("loop-aac.mp4", false, .pipeWire),
            ("loop-aac44.mp4", true, .pipeWire),
        ] as [(String, Bool, SoundServer)])
    func seamless(name: String, decoded: Bool, on kind: SoundServer) async throws {
        let result = try await record(name, decoded: decoded, on: kind)
        let rate = name.contains("44") ? 44100 : 48000
        let proof = await SineProof.of(result.recording, frequency: 440, rate: Double(rate))
        // A lossy encoder's end does not exactly match its beginning. The joined samples of the file show the break
        // that remains. One sample too many or too few would add `oneSample`.
        let pass = try samples(of: name, rate: rate)
        let own = await SineProof.of(pass + pass + pass + pass, frequency: 440, rate: Double(rate)).worstBreak
        #expect(result.loops >= 20)
        #expect(proof.seconds > 9.5)
        #expect(
            proof.worstBreak < own * 1.05 + 0.2 * proof.oneSample,
            "a break of \(proof.worstBreak / proof.oneSample) samples' worth")
        #expect(abs(proof.measuredFrequency - 440) < 0.2)
        // Passes follow each other without a gap, so the recording repeats after exactly one pass.
        let samples = Array(proof.samples)
        let period = rate / 2
        try #require(samples.count > period * 4)
        var worst: Float = 0
        for n in stride(from: 0, to: samples.count - period, by: 1) {
            worst = max(worst, abs(samples[n] - samples[n + period]))
        }
        // AAC fills its noise bands with random values, which differ each time it decodes.
        #expect(worst < (decoded ? 0.002 : 0.05))
    }

    @Test("video does not drift from audio over twenty passes", arguments: SoundServer.allCases)
    func noDrift(on kind: SoundServer) async throws {
        let result = try await record("loop-aac.mp4", decoded: true, on: kind)
        // A frame lasts 33 ms, and refreshes are 17 ms apart. Compares the delays of the first and the last frames by
        // their tenth percentile: a busy machine delays most frames, but drift delays all.
        let quarter = result.offsets.count / 4
        func least(_ x: ArraySlice<Double>) -> Double { x.sorted()[x.count / 10] }
        try #require(quarter > 30)
        let first = least(result.offsets.prefix(quarter))
        let last = least(result.offsets.suffix(quarter))
        #expect(abs(last - first) < 16.7, "drifted from \(first) to \(last) ms")
    }

    @Test("a loop shows every frame of each pass in order")
    func cadence() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("counter-video.mp4"))
        item.entry.refusesClip = true
        let looper = AVPlayerLooper(
            player: rig.player, templateItem: item,
            timeRange: CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 1)))
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 3 })
        rig.player.pause()
        let shown = rig.shown
        let dropped = rig.player.statistics.framesDropped
        // On a busy machine a refresh may be late and miss a frame, which the player then counts.
        var skipped = 0
        for (a, b) in zip(shown, shown.dropFirst()) {
            // The same frame again means that a whole pass is missing.
            skipped += (b - a + 29) % 30
        }
        #expect(skipped <= dropped || rig.missedRefreshes, "\(skipped) of \(shown)")
        #expect(shown.allSatisfy { $0 < 30 })
    }

    @Test("a section loop is continuous to the sample", arguments: SoundServer.allCases)
    func part(on kind: SoundServer) async throws {
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), end: CMTime(value: 1, timescale: 1))
        let attempt = try await record(on: kind) { rig in
            let item = AVPlayerItem(url: try TestMedia.url("sine-flac.mkv"))
            let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range)
            rig.player.play()
            #expect(await rig.wait { looper.loopCount >= 9 })
            return looper.loopCount
        }
        // Half a second holds 220 periods, so the joined passes are one continuous sine.
        let proof = await SineProof.of(attempt.recording, frequency: 440)
        #expect(
            proof.seconds > 3.5 && proof.worstBreak < 0.2 * proof.oneSample,
            "a break of \(proof.worstBreak / proof.oneSample) samples' worth")
        #expect(abs(proof.measuredFrequency - 440) < 0.2)
    }

    @Test("a section loop shows no frame outside the section")
    func partOfPictures() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        let range = CMTimeRange(start: CMTime(value: 2, timescale: 1), end: CMTime(value: 5, timescale: 2))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range)
        // On a busy machine, the display could miss the first frame if it were not displayed before playback.
        #expect(await rig.wait { !rig.shown.isEmpty })
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 4 })
        rig.player.pause()
        let shown = rig.shown
        let dropped = rig.player.statistics.framesDropped
        #expect(shown.allSatisfy { (60..<75).contains($0) }, "\(shown)")
        #expect(shown.first == 60)
        var skipped = 0
        for (a, b) in zip(shown, shown.dropFirst()) { skipped += (b - a + 15) % 15 - 1 }
        #expect(skipped <= dropped || rig.missedRefreshes, "\(shown)")
    }

    @Test("two queued items join without an audio gap", arguments: SoundServer.allCases)
    func join(on kind: SoundServer) async throws {
        let attempt = try await record(on: kind) { rig in
            rig.player.actionAtItemEnd = .advance
            rig.player.insert(AVPlayerItem(url: try TestMedia.url("join-a.mkv")))
            rig.player.insert(AVPlayerItem(url: try TestMedia.url("join-b.mkv")))
            rig.player.play()
            #expect(await rig.wait { rig.player.items().isEmpty })
            return 1
        }
        let proof = await SineProof.of(attempt.recording, frequency: 440)
        #expect(proof.seconds > 4.7 && proof.seconds < 5.1)
        #expect(proof.worstBreak < 0.2 * proof.oneSample)
    }

    @Test("players of one file share one decoded clip and release it")
    func sharedClip() async throws {
        let url = try TestMedia.url("sine-flac.mkv")
        let identity = try #require(FileIdentity(url: url))
        let key = DecodedClip.Key(file: identity, selection: TrackSelection())
        do {
            let rigs = (0..<4).map { _ in Rig() }
            let loopers = rigs.map { AVPlayerLooper(player: $0.player, templateItem: AVPlayerItem(url: url)) }
            for rig in rigs { rig.player.play() }
            #expect(await rigs[3].wait { rigs.allSatisfy { $0.player.statistics.framesShown > 3 } })
            let clip = try #require(ClipCache.shared.borrow(key))
            ClipCache.shared.release(clip, key)
            #expect(clip.reservedBytes <= ClipCache.shared.budget)
            // The frames were shown while the clip was still being decoded.
            #expect(await rigs[3].wait { clip.end == 2_000_000_000 }, "\(String(describing: clip.end))")
            // Only the clip's loader has decoded frames.
            #expect(rigs.map(\.player.statistics.framesDecoded).reduce(0, +) <= 60)
            withExtendedLifetime(loopers) { for rig in rigs { rig.stopDisplay() } }
        }
        #expect(await eventually("a released clip") { !ClipCache.shared.isHeld(key) })
    }

    @Test("a clip beyond the memory budget loops from its kept packets")
    func packetTape() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("sine-large.mp4"))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item)
        rig.player.rate = 2
        #expect(await rig.wait { looper.loopCount >= 2 })
        let identity = try #require(FileIdentity(url: item.asset.url))
        #expect(PacketTape.find(PacketTape.Key(file: identity, video: 0, audio: 1)) != nil)
    }

    @Test("a looper plays its number of passes while the app hangs", arguments: [true, false])
    func counted(decoded: Bool) async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        item.entry.refusesClip = !decoded
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: .invalid, passes: 3)
        try await rig.ready()
        let pipeline = rig.player.pipeline
        let serial = pipeline.state.withLock { $0.serial }
        rig.player.play()
        // The main actor is blocked during all passes.
        #expect(blockUntil("the end of the last pass", seen: { rig.state }) { pipeline.position()?.isAtEnd == true })
        #expect(looper.loopCount == 0)
        #expect(await rig.wait { rig.player.timeControlStatus == .paused })
        #expect(looper.loopCount == 2 && pipeline.state.withLock { $0.serial } == serial)
    }

    @Test("a seek does not add a pass to a counted loop")
    func countedOverSeeks() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: .invalid, passes: 2)
        try await rig.ready()
        #expect(await rig.seek(0.2))
        rig.player.play()
        #expect(await rig.wait { looper.loopCount == 1 })
        rig.player.pause()
        #expect(await rig.seek(0.1))
        rig.player.play()
        #expect(await rig.wait { rig.player.timeControlStatus == .paused && rig.player.isAtEnd })
        #expect(looper.loopCount == 1)
        // A new looper counts from the pass in which it is set.
        #expect(await rig.seek(0))
        let again = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: .invalid, passes: 2)
        rig.player.play()
        #expect(
            await rig.wait { again.loopCount == 2 && rig.player.timeControlStatus == .paused && rig.player.isAtEnd })
    }

    @Test("playback from the end of a pass continues with the next pass")
    func countedFromTheEnd() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: .invalid, passes: 2)
        try await rig.ready()
        let pipeline = rig.player.pipeline
        func loopNumber() -> Int? { pipeline.state.withLock { $0.playing?.segment.loopNumber } }
        #expect(await rig.seek(10))
        #expect(loopNumber() == 0)
        rig.player.play()
        #expect(await rig.wait { loopNumber() == 1 })
        let ends = await rig.wait { rig.player.timeControlStatus == .paused && rig.player.isAtEnd }
        let place = pipeline.state.withLock { state in
            "\(String(describing: state.playing?.end)), now \(state.now), feed done \(state.feed.isDone), runs \(state.clock.isRunning), \(state.currentStatistics.framesShown) shown, primed \(state.isPrimed) \(state.run.hasFirstFrame) \(state.run.hasFirstAudio) \(state.run.videoEnded) \(state.run.audioEnded), \(state.feed.video.count) \(state.feed.audio.count), seeks \(String(describing: state.seeks.pending)) \(String(describing: state.seeks.running)) ring \(state.output?.writtenFrames ?? -1) \(state.output?.playedFrames(atHostTime: .now()) ?? -1)"
        }
        #expect(ends, "\(rig.player.timeControlStatus), \(place)")
        #expect(loopNumber() == 1 && looper.loopCount == 0)
    }

    @Test("reducing the number of passes removes passes already read")
    func fewer() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item)
        try await rig.ready()
        let pipeline = rig.player.pipeline
        #expect(await rig.wait { pipeline.state.withLock { $0.timeline.slots.count > 1 } })
        let shorter = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: .invalid, passes: 1)
        rig.player.play()
        #expect(await rig.wait { rig.player.timeControlStatus == .paused && rig.player.isAtEnd })
        #expect(looper.loopCount == 0 && shorter.loopCount == 0)
    }

    @Test("disabling a looper makes the current pass the last")
    func disable() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item)
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 2 })
        looper.disableLooping()
        #expect(await rig.wait { rig.player.timeControlStatus == .paused })
        #expect(looper.status == .cancelled)
    }

    @Test("a looper does not loop an item of another player")
    func foreignItem() throws {
        let (rig, other) = (Rig(), Rig())
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        other.player.insert(item)
        let looper = AVPlayerLooper(player: rig.player, templateItem: item)
        #expect(!item.entry.loops && rig.player.items().isEmpty && looper.loopingPlayerItems.isEmpty)
        #expect(looper.status == .failed && (looper.error as? AVError)?.code == .invalidArgument)
        // The item's own looper is not affected either.
        let own = AVPlayerLooper(player: other.player, templateItem: item)
        looper.disableLooping()
        #expect(item.entry.loops && own.loopingPlayerItems == [item])
    }

    @Test("a pass begun as the previous end becomes known starts there", .timeLimit(.minutes(5)))
    func begunAtItsEnd() async throws {
        let rig = try Rig("counter.ts")
        let player = rig.player
        try await rig.ready()
        let entry = try #require(player.currentItem).entry
        let pipeline = player.pipeline
        let feeder = Feeder(pipeline.context)
        #expect(feeder.prepare(entry, isLooping: true) == nil)
        // The feeder has looked for an end and found none. Then the audio reaches it.
        pipeline.state.withLock {
            if let last = $0.timeline.last { $0.resolve(last.segment, mediaEnd: 10_000_000_000) }
        }
        feeder.begin(entry, pass: 1, mediaStart: 0, at: .endOfBefore)
        let (end, start) = pipeline.state.withLock {
            ($0.timeline.slots.dropLast().last?.end, $0.timeline.last?.start)
        }
        #expect(end != nil && start == end)
        feeder.dropClip()
        player.close()
    }
}
