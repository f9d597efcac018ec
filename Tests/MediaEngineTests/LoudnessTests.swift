import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Loudness normalization", .serialized)
@MainActor
struct LoudnessTests {
    private let folder: SineFile.Folder
    init() throws {
        folder = try SineFile.Folder()
        LoudnessScanner.shared.use(LoudnessCache(folder: FilePath(folder.url)?.appending(Array("cache".utf8))))
    }
    /// A 997 Hz sine in two channels, whose loudness in LUFS equals its level in decibels (BS.1770).
    private func sine(_ loudness: Double, _ seconds: Double = 4, channels: Int = 2) -> SineFile {
        SineFile(frequency: 997, amplitude: pow(10, loudness / 20), seconds: seconds, channels: channels)
    }

    private func measured(_ url: URL) async -> LoudnessMeasure? {
        await withCheckedContinuation { continuation in
            LoudnessScanner.shared.measure(url, .automatic, while: { true }) { _, measure in
                continuation.resume(returning: measure)
            }
        }
    }

    /// Returns the loudness that the ffmpeg tool measures when both channels play `samples`.
    private func integrated(_ samples: some Collection<Float>) throws -> Double {
        let raw = folder.url.appendingPathComponent("\(UUID().uuidString).raw")
        let log = raw.appendingPathExtension("log")
        try samples.flatMap { [$0, $0] }.withUnsafeBytes { try Data($0).write(to: raw) }
        let tool = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-f", "f32le", "-ar", "48000", "-ac", "2", "-i", raw.path,
                "-af", "ebur128=framelog=verbose", "-f", "null", "-",
            ], error: log.path)
        tool.wait()
        let text = try String(contentsOf: log, encoding: .utf8)
        let line = text.split(separator: "\n").last { $0.contains("I:") && $0.contains("LUFS") }
        return try #require(line.flatMap { $0.split(separator: " ").compactMap { Double($0) }.first })
    }

    // Mono audio counts as if two loudspeakers played it.
    @Test("loudness and true peak follow EBU R 128")
    func measures() async throws {
        let two = try await #require(measured(sine(-30).write("two.wav", to: folder.url)))
        #expect(abs(two.integrated + 30) < 0.1 && abs((two.truePeak ?? 0) + 30) < 0.3, "\(two)")
        let one = try await #require(measured(sine(-20, channels: 1).write("one.wav", to: folder.url)))
        #expect(abs(one.integrated + 20) < 0.1, "\(one)")
        expectEqual(try await measured(sine(-20, 0.2).write("short.wav", to: folder.url)), nil)
        #expect(
            try await measured(SineFile(frequency: 997, amplitude: 0, seconds: 2).write("silent.wav", to: folder.url))
                == nil)
    }

    @Test(
        "audio that can't be decoded is an error, not silence",
        arguments: [("garbage-audio.mkv", AVError.Code.decodeFailed), ("unknown-audio.mp4", .decoderNotFound)])
    func damaged(name: String, code: AVError.Code) async throws {
        let url = try BrokenTracks.url(name)
        let error = await #expect(throws: AVError.self) {
            try await offPool { try FileLoudness.measure(url, interrupt: InterruptToken()) }
        }
        #expect(error?.code == code && error?.location == url.path)
    }

    // Without a known peak, the gain never amplifies.
    @Test("the gain reaches the target within its peak and 30 dB limits")
    func limits() throws {
        func decibels(_ loudness: Double, _ peak: Double?, _ target: Double) throws -> Double {
            20 * log10(Double(try #require(LoudnessMeasure(integrated: loudness, truePeak: peak)).gain(to: target)))
        }
        #expect(try abs(decibels(-30, -20, -23) - 7) < 0.01)
        #expect(try abs(decibels(-30, -5, -23) - 4) < 0.01)
        #expect(try abs(decibels(-10, 0.5, -23) + 13) < 0.01)
        #expect(try abs(decibels(-65, -60, -23) - 30) < 0.01)
        #expect(try abs(decibels(-30, nil, -23)) < 0.01)
        for (loudness, peak) in [(Double.nan, 0.0), (-70, 0), (11, 0), (-.infinity, 0)] {
            #expect(LoudnessMeasure(integrated: loudness, truePeak: peak) == nil)
        }
        #expect(LoudnessMeasure(integrated: -20, truePeak: .nan)?.truePeak == nil)
        #expect(
            AVLoudness.r128(.nan).target == -23 && AVLoudness.r128(3).target == -5 && AVLoudness.r128(-99).target == -50
        )
        #expect(AVLoudness.asRecorded.target == nil && AVLoudness.r128() == .r128(-23))
    }

    @Test("a −30 LUFS sine plays at the −23 LUFS target")
    func plays() async throws {
        let url = try sine(-30, 5).write("quiet.wav", to: folder.url)
        _ = await measured(url)
        let recording = try await SoundTake.record { rig in
            rig.player.loudness = .r128()
            let item = AVPlayerItem(url: url)
            rig.player.insert(item)
            rig.player.play()
            #expect(await rig.wait { rig.player.isAtEnd })
            #expect(abs((item.integratedLoudness ?? 0) + 30) < 0.1)
        }
        let first = try #require(recording.firstIndex { abs($0) > 0.005 })
        let last = try #require(recording.lastIndex { abs($0) > 0.005 })
        let loudness = try integrated(recording[first...last])
        #expect(abs(loudness + 23) < 0.3, "\(loudness) LUFS")
        // The target level is reached from the first sample on: a known gain needs no ramp.
        let levels = SineFile.levels(of: 997, in: recording[first..<last], every: 48_000 / 10)
        #expect(levels.allSatisfy { abs(20 * log10($0) + 23) < 0.5 }, "\(levels)")
    }

    @Test("a late measurement changes the volume without a click")
    func ramps() async throws {
        let url = try sine(-30, 6).write("late.wav", to: folder.url)
        let recording = try await SoundTake.record { rig in
            LoudnessScanner.shared.use(LoudnessCache(folder: nil))
            rig.player.volume = 0.5
            // The measurement has a low priority, so it can need many seconds on a busy machine. The sine is continuous
            // where the loop starts again: the file contains whole periods.
            let item = AVPlayerItem(url: url)
            let looper = AVPlayerLooper(player: rig.player, templateItem: item)
            rig.player.play()
            #expect(await rig.wait { rig.player.currentTime().seconds > 1 })
            rig.player.loudness = .r128(-20)
            #expect(await rig.wait { item.integratedLoudness != nil })
            let loops = item.loopCount
            #expect(await rig.wait { item.loopCount > loops && rig.player.currentTime().seconds > 3 })
            looper.disableLooping()
            #expect(await rig.wait { rig.player.isAtEnd })
        }
        let first = try #require(recording.firstIndex { abs($0) > 0.002 })
        let last = try #require(recording.lastIndex { abs($0) > 0.002 })
        let levels = SineFile.levels(of: 997, in: recording[first..<last], every: 4800).map { 20 * log10($0) }
        // The volume is linear, unlike PulseAudio's: 0.5 is 6 dB less.
        #expect(abs(levels[2] + 36) < 0.5, "\(levels)")
        #expect(abs((levels.dropLast().last ?? 0) + 26) < 0.5, "\(levels)")
        let largest = 2 * Double.pi * 997 / 48_000 * pow(10, -26.0 / 20)
        #expect(largestStep(recording[first..<last]) < largest * 1.1)
    }

    @Test("a file is measured once, also across processes")
    func once() async throws {
        let url = try sine(-25, 8).write("once.wav", to: folder.url)
        let before = LoudnessScanner.shared.measuredFiles
        let rigs = [Rig(), Rig(), Rig()]
        let items = rigs.map { _ in AVPlayerItem(url: url) }
        for (rig, item) in zip(rigs, items) {
            rig.player.loudness = .r128()
            rig.player.insert(item)
        }
        #expect(await rigs[0].wait { items.allSatisfy { $0.integratedLoudness != nil } })
        #expect(LoudnessScanner.shared.measuredFiles == before + 1)
        for rig in rigs { rig.stopDisplay() }
        // Replaces the cache, so that nothing is in memory, as in another process.
        LoudnessScanner.shared.use(LoudnessCache(folder: FilePath(folder.url)?.appending(Array("cache".utf8))))
        #expect(await measured(url)?.integrated ?? 0 < -24.8)
        #expect(LoudnessScanner.shared.measuredFiles == before + 1)
        // An overwritten file counts as a different file.
        _ = try sine(-15, 2).write("once.wav", to: folder.url)
        #expect(await measured(url)?.integrated ?? -99 > -15.2)
        #expect(LoudnessScanner.shared.measuredFiles == before + 2)
    }

    @Test("an item that moves to another player is measured there")
    func moves() async throws {
        let hasMoved = Boxed(false)
        defer { hasMoved.change { $0 = true } }
        // The scanner is busy until the item has moved.
        let other = try sine(-20, 1).write("other.wav", to: folder.url)
        LoudnessScanner.shared.measure(
            other, .automatic, while: { blockUntil("the item has moved") { hasMoved.value } }, { _, _ in })
        let first = Rig()
        let second = Rig()
        defer { second.stopDisplay() }
        for rig in [first, second] { rig.player.loudness = .r128() }
        let item = AVPlayerItem(url: try sine(-30).write("moves.wav", to: folder.url))
        first.player.insert(item)
        first.player.play()
        #expect(await first.wait { first.player.currentTime().seconds > 0 })
        first.stopDisplay()
        first.player.removeAllItems()
        first.player.close()
        second.player.insert(item)
        hasMoved.change { $0 = true }
        #expect(await second.wait { item.integratedLoudness.map { abs($0 + 30) < 0.1 } == true })
    }

    @Test("a request that joins an abandoned measurement is carried out")
    func joins() async throws {
        let url = try sine(-30, 1).write("joins.wav", to: folder.url)
        let scanner = LoudnessScanner(cache: LoudnessCache(folder: nil))
        let measured = Boxed<LoudnessMeasure?>(nil)
        scanner.measure(url, .automatic) {
            scanner.measure(url, .automatic, while: { true }, { _, measure in measured.change { $0 = measure } })
            return false
        } _: { _, _ in
        }
        await eventually("the file is measured") { measured.value != nil }
    }

    @Test("the loudness cache is bounded and survives corrupt files")
    func cache() throws {
        let place = try #require(FilePath(folder.url)?.appending(Array("store".utf8)))
        let file = place.appending(Array("loudness".utf8)).url
        func key(_ name: String, _ size: Int64 = 1, track: Int = 0) throws -> LoudnessCache.Key {
            .init(
                path: try #require(FilePath(bytes: Array("/films/".utf8) + Array(name.utf8) + [0xFF, 0x20])),
                size: size, modifiedSeconds: 2, modifiedNanoseconds: 3, track: track)
        }
        let measure = try #require(LoudnessMeasure(integrated: -20.5, truePeak: -3.25))
        let store = LoudnessCache(folder: place)
        store.keep(try key("a"), measure)
        store.keep(try key("a", track: 1), nil)
        let again = LoudnessCache(folder: place)
        #expect(try again.find(key("a"))?.measure == measure)
        #expect(try again.find(key("a", track: 1)).map { $0.measure == nil } == true)
        #expect(try again.find(key("a", 2)) == nil && again.find(key("b")) == nil)
        for broken in [
            "", "zoetrope loudness 1\n1 2", "what is that",
            "zoetrope loudness 1\n1 2 3 0 nan nan /a .\n-7 x 3 0 -20 -3 /b .\n",
        ] {
            try Data(broken.utf8).write(to: file)
            let cache = LoudnessCache(folder: place)
            #expect(try cache.find(key("a")) == nil)
            cache.keep(try key("a"), measure)
            #expect(try LoudnessCache(folder: place).find(key("a"))?.measure == measure)
        }
        // Many more entries than the limit.
        let long = String(repeating: "x", count: 1000)
        var lines = "zoetrope loudness 1\n"
        for n in 0..<900 { lines += "1 2 3 0 -20.000 -3.000 /\(n)\(long) .\n" }
        try Data(lines.utf8).write(to: file)
        LoudnessCache(folder: place).keep(try key("newest"), measure)
        #expect(try Data(contentsOf: file).count <= LoudnessCache.mostBytes)
        #expect(try LoudnessCache(folder: place).find(key("newest")) != nil)
        #expect(
            LoudnessCache.folder(["XDG_CACHE_HOME": "/c"])?.description == "/c/zoetrope"
                && LoudnessCache.folder(["XDG_CACHE_HOME": "c", "HOME": "/h"])?.description == "/h/.cache/zoetrope")
        #expect(LoudnessCache.folder([:]) == nil)
    }

    @Test("an overwritten file leaves no entries of its tracks")
    func overwritten() throws {
        let path = try #require(FilePath(bytes: Array("/films/a".utf8)))
        func key(_ seconds: Int64, _ nanoseconds: Int64 = 0, track: Int) -> LoudnessCache.Key {
            .init(path: path, size: 1, modifiedSeconds: seconds, modifiedNanoseconds: nanoseconds, track: track)
        }
        let measure = try #require(LoudnessMeasure(integrated: -20.5, truePeak: -3.25))
        let cache = LoudnessCache(folder: nil)
        for track in 0..<3 { cache.keep(key(2, track: track), measure) }
        #expect((0..<3).allSatisfy { cache.find(key(2, track: $0)) != nil })
        cache.keep(key(2, 5, track: 0), measure)
        #expect((0..<3).allSatisfy { cache.find(key(2, track: $0)) == nil })
        cache.keep(key(2, 5, track: 1), measure)
        cache.keep(key(7, 5, track: 1), nil)
        #expect(
            (0..<2).allSatisfy { cache.find(key(2, 5, track: $0)) == nil } && cache.find(key(7, 5, track: 1)) != nil)
    }

    @Test("tags give the loudness of remote files; local files are measured")
    func tags() async throws {
        #expect(LoudnessMeasure(tags: ["R128_TRACK_GAIN": "512", "REPLAYGAIN_TRACK_GAIN": "3 dB"])?.integrated == -25)
        #expect(
            LoudnessMeasure(tags: ["REPLAYGAIN_TRACK_GAIN": "-7,5 dB", "REPLAYGAIN_TRACK_PEAK": "0.5"])
                == LoudnessMeasure(integrated: -10.5, truePeak: 20 * log10(0.5)))
        for text in ["", "dB", "1e9 dB", "999 dB", "nan"] {
            #expect(LoudnessMeasure(tags: ["REPLAYGAIN_TRACK_GAIN": text]) == nil)
        }
        let tagged = folder.url.appendingPathComponent("tagged.flac")
        let plain = try sine(-30, 3).write("plain.wav", to: folder.url)
        try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", plain.path, "-metadata", "REPLAYGAIN_TRACK_GAIN=-12.00 dB",
                tagged.path,
            ]
        ).wait()
        let server = try StreamServer(root: folder.url)
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "tagged.flac"))
        defer { rig.stopDisplay() }
        let before = LoudnessScanner.shared.measuredFiles
        rig.player.loudness = .r128()
        rig.player.insert(item)
        #expect(await rig.wait { item.integratedLoudness != nil })
        #expect(item.integratedLoudness == -6)
        #expect(rig.player.pipeline.context.loudnessGain(of: item.entry) < 0.15)
        #expect(LoudnessScanner.shared.measuredFiles == before)
        // The measurement of a local file overrides its tag.
        let local = AVPlayerItem(url: tagged)
        rig.player.replaceCurrentItem(with: local)
        #expect(await rig.wait { local.integratedLoudness.map { abs($0 + 30) < 0.1 } == true })
    }

    @Test("ended measuring threads release their memory")
    func threads() async throws {
        let rig = Rig()
        defer { rig.stopDisplay() }
        func once(_ n: Int) async throws {
            _ = try await measured(sine(-20, 0.5).write("\(n).wav", to: folder.url))
            #expect(await rig.wait { !ProcessState.has(thread: "zt-loudness") })
        }
        for n in 0..<4 { try await once(n) }
        let before = ProcessState.addressSpace
        for n in 4..<84 { try await once(n) }
        let grown = ProcessState.addressSpace - before
        #expect(
            grown < 40 * ProcessState.stackSize, "\(grown >> 20) MB of address space for 80 threads that have ended")
    }
}
