import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Crossfades", .serialized)
@MainActor
struct CrossfadeTests {
    private let folder: SineFile.Folder
    init() throws { folder = try SineFile.Folder() }

    private func queue(_ rig: Rig, _ urls: [URL], fade: Double) -> [AVPlayerItem] {
        rig.player.actionAtItemEnd = .advance
        rig.player.crossfadeDuration = fade
        let items = urls.map { AVPlayerItem(url: $0) }
        for item in items { rig.player.insert(item) }
        return items
    }

    /// Records `urls`, played in order with crossfades, and returns the samples from the first to the last that is not
    /// silent.
    private func record(_ urls: [URL], fade: Double, on kind: SoundServer = .pulseAudio) async throws
        -> ArraySlice<Float>
    {
        let recording = try await SoundTake.record(on: kind) { rig in
            _ = queue(rig, urls, fade: fade)
            rig.player.play()
            #expect(await rig.wait { rig.player.items().isEmpty })
        }
        let first = try #require(recording.firstIndex { abs($0) > 1e-4 })
        let last = try #require(recording.lastIndex { abs($0) > 1e-4 })
        return recording[max(0, first - 3)...last]
    }

    /// Returns the number of samples that may be missing at the end. An item ends a few milliseconds before the device
    /// has played its last sample, and the recording ends then. PipeWire's null sink, unlike real devices, reports no
    /// latency for the block of 1024 samples that it plays.
    private func tail(on kind: SoundServer) -> Int { kind == .pipeWire ? 2048 : 480 }
    private func isWhole(_ count: Int, _ wanted: Int, on kind: SoundServer = .pulseAudio) -> Bool {
        count > wanted - tail(on: kind) && count < wanted + 8
    }

    /// Returns the largest difference between `recording` and `wanted`, for the best alignment of their starts.
    private func worst(
        _ recording: ArraySlice<Float>, _ wanted: [Float], on kind: SoundServer = .pulseAudio
    ) -> Float {
        var best = Float.infinity
        for shift in 0..<6 {
            var worst: Float = 0
            let samples = recording.dropFirst(shift)
            guard samples.count > wanted.count - tail(on: kind) else { continue }
            for (a, b) in zip(samples, wanted) {
                worst = max(worst, abs(a - b))
                if worst >= best { break }
            }
            best = min(best, worst)
        }
        return best
    }

    /// Returns the expected samples of two files, or of a file and itself, with a crossfade of `fade` frames.
    private func joined(_ parts: [SineFile], fade: Int) -> [Float] {
        var all: [Float] = []
        for (index, part) in parts.enumerated() {
            let start = all.count - (index > 0 ? fade : 0)
            for n in 0..<part.count {
                let at = start + n
                guard at < all.count else {
                    all.append(part.sample(n))
                    continue
                }
                let angle = (Double(n) + 0.5) / Double(fade) * .pi / 2
                all[at] = all[at] * Float(cos(angle)) + part.sample(n) * Float(sin(angle))
            }
        }
        return all
    }

    @Test("two items crossfade at equal power with every sample in place", arguments: SoundServer.allCases)
    func exact(on kind: SoundServer) async throws {
        let a = SineFile(frequency: 440, seconds: 4)
        let b = SineFile(frequency: 1000, amplitude: 0.4, seconds: 5)
        let recording = try await record(
            [a.write("a.wav", to: folder.url), b.write("b.wav", to: folder.url)], fade: 1.5, on: kind)
        #expect(isWhole(recording.count, 48_000 * 15 / 2, on: kind), "\(Double(recording.count) / 48_000) s")
        let error = worst(recording, joined([a, b], fade: 72_000), on: kind)
        #expect(error < 0.002, "off by \(error)")
        // At equal power, the sum of both powers stays constant.
        let inFade = recording.dropFirst(Int(2.5 * 48_000)).prefix(72_000)
        for (going, coming) in zip(
            SineFile.levels(of: 440, in: inFade, every: 2400), SineFile.levels(of: 1000, in: inFade, every: 2400))
        {
            #expect(abs(pow(going / 0.5, 2) + pow(coming / 0.4, 2) - 1) < 0.03)
        }
    }

    /// Creates a video of `seconds` seconds, with or without `sound`, and returns its URL.
    private func film(_ name: String, seconds: Double, sound: SineFile? = nil) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        var arguments = [
            "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=c=gray:s=64x48:r=25:d=\(seconds)",
        ]
        if let sound { arguments += ["-i", try sound.write(name + ".wav", to: folder.url).path, "-c:a", "copy"] }
        #expect(try ChildProcess("ffmpeg", arguments + ["-c:v", "mpeg4", url.path]).wait() == 0)
        return url
    }

    @Test("audio that ends before its video is followed by silence, unfaded", arguments: SoundServer.allCases)
    func endsSilent(on kind: SoundServer) async throws {
        let a = SineFile(frequency: 440, seconds: 3)
        let b = SineFile(frequency: 1000, amplitude: 0.4, seconds: 3)
        let recording = try await record(
            [film("a.mkv", seconds: 5, sound: a), b.write("b.wav", to: folder.url)], fade: 1, on: kind)
        #expect(isWhole(recording.count, 48_000 * 8, on: kind), "\(Double(recording.count) / 48_000) s")
        let error = worst(
            recording, joined([a, SineFile(frequency: 1, amplitude: 0, seconds: 2), b], fade: 0), on: kind)
        #expect(error < 0.002, "off by \(error)")
    }

    @Test(
        "after an item without audio, the next starts with its first sample",
        arguments: [(true, 0.0), (true, 1), (false, 1)])
    func afterSilence(hasFirst: Bool, fade: Double) async throws {
        let a = SineFile(frequency: 440, seconds: 3)
        let b = SineFile(frequency: 1000, amplitude: 0.4, seconds: 3)
        let mute = SineFile(frequency: 1, amplitude: 0, seconds: 2)
        let urls = try [
            a.write("a.wav", to: folder.url), film("mute.mkv", seconds: mute.seconds), b.write("b.wav", to: folder.url),
        ]
        let recording = try await record(hasFirst ? urls : Array(urls.dropFirst()), fade: fade)
        let wanted = hasFirst ? joined([a, mute], fade: Int(fade * 48_000)) : []
        #expect(isWhole(recording.count, wanted.count + b.count), "\(Double(recording.count) / 48_000) s")
        let error = worst(recording, wanted + joined([b], fade: 0))
        #expect(error < 0.002, "off by \(error)")
    }

    @Test("a slow next item stalls playback only once", arguments: [0.0, 1])
    func slow(fade: Double) async throws {
        let server = try TestStreams.server()
        let rig = Rig()
        defer {
            server.close()
            rig.stopDisplay()
        }
        let rule = server.inject(.stall(after: 0), on: "vod-ts/*.ts")
        let a = try SineFile(frequency: 440, seconds: 3).write("a.wav", to: folder.url)
        let items = queue(rig, [a, server.url(for: "vod-ts/master.m3u8")], fade: fade)
        rig.player.play()
        #expect(await rig.wait { rig.player.statistics.stalls > 0 })
        for _ in 0..<4 { await rig.settle() }
        #expect(rig.player.statistics.stalls == 1)
        server.remove(rule)
        #expect(await rig.wait { rig.player.currentItem === items[1] && rig.player.currentTime().seconds > 1 })
    }

    @Test("items with different sample rates and channels crossfade", arguments: SoundServer.allCases)
    func converts(on kind: SoundServer) async throws {
        let a = SineFile(frequency: 440, seconds: 4)
        let b = SineFile(frequency: 1000, seconds: 4, rate: 44_100, channels: 1)
        let recording = try await record(
            [a.write("a.wav", to: folder.url), b.write("b.wav", to: folder.url)], fade: 1, on: kind)
        #expect(abs(recording.count - 48_000 * 7) < tail(on: kind), "\(Double(recording.count) / 48_000) s")
        let fade = recording.dropFirst(3 * 48_000).prefix(48_000)
        let going = SineFile.levels(of: 440, in: fade, every: 2400)
        let coming = SineFile.levels(of: 1000, in: fade, every: 2400)
        let whole = try #require(SineFile.levels(of: 1000, in: recording.dropFirst(5 * 48_000), every: 2400).first)
        for n in going.indices {
            let angle = (Double(n) + 0.5) / Double(going.count) * .pi / 2
            #expect(
                abs(going[n] / 0.5 - cos(angle)) < 0.03 && abs(coming[n] / whole - sin(angle)) < 0.03,
                "\(n): \(going[n]) \(coming[n])")
        }
    }

    @Test("a loop crossfades between passes and counts them", arguments: SoundServer.allCases)
    func loop(on kind: SoundServer) async throws {
        let file = SineFile(frequency: 330, seconds: 2.5)
        let url = try file.write("loop.wav", to: folder.url)
        let recording = try await SoundTake.record(on: kind) { rig in
            rig.player.crossfadeDuration = 0.75
            let looper = AVPlayerLooper(player: rig.player, templateItem: AVPlayerItem(url: url))
            rig.player.play()
            #expect(await rig.wait { looper.loopCount >= 3 })
        }
        let first = try #require(recording.firstIndex { abs($0) > 1e-4 })
        let wanted = Array(joined([file, file, file, file], fade: 36_000).prefix(5 * 48_000))
        #expect(worst(recording[max(0, first - 3)...], wanted, on: kind) < 0.002)
    }

    @Test("a crossfade lasts at most half of the shorter item", arguments: [true, false])
    func shorter(inTime: Bool) async throws {
        // The second case has time for a late insertion.
        let a = SineFile(frequency: 440, seconds: inTime ? 5 : 6)
        let b = SineFile(frequency: 1000, seconds: inTime ? 2 : 4)
        let urls = [try a.write("a.wav", to: folder.url), try b.write("b.wav", to: folder.url)]
        let recording: ArraySlice<Float>
        if inTime {
            recording = try await record(urls, fade: 12)
        } else {
            let all = try await SoundTake.record { rig in
                _ = queue(rig, [urls[0]], fade: 3)
                rig.player.play()
                #expect(await rig.wait { rig.player.currentTime().seconds > 3.2 })
                rig.player.insert(AVPlayerItem(url: urls[1]))
                #expect(await rig.wait { rig.player.items().isEmpty })
            }
            let first = try #require(all.firstIndex { abs($0) > 1e-4 })
            let last = try #require(all.lastIndex { abs($0) > 1e-4 })
            recording = all[max(0, first - 3)...last]
        }
        guard inTime else {
            // The item is added after the time at which the crossfade should have begun. The fade takes what remains, but
            // at most half of the new item. It is counted in pieces of 50 ms in which both tones sound. A busy machine may
            // not record the beginning.
            let (first, second) = (
                SineFile.levels(of: 440, in: recording, every: 2400),
                SineFile.levels(of: 1000, in: recording, every: 2400)
            )
            let fade = Double(zip(first, second).count { $0 > 0.01 && $1 > 0.01 }) * 0.05
            return #expect(fade < 2.1 && second.count { $0 > 0.01 } > 60, "\(fade) s")
        }
        #expect(isWhole(recording.count, 48_000 * 6))
        #expect(worst(recording, joined([a, b], fade: 48_000)) < 0.002)
    }

    @Test("the next item becomes current when the crossfade starts")
    func tells() async throws {
        let rig = Rig()
        let first = try TestMedia.url("counter.mp4")
        let second = try TestMedia.url("counter.ts")
        defer { rig.stopDisplay() }
        let items = queue(rig, [first, second], fade: 3)
        var ended: [Double] = []
        let token = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification, object: items[0], queue: nil
        ) { _ in
            MainActor.assumeIsolated { ended.append(rig.player.currentTime().seconds) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await rig.ready()
        #expect(await rig.seek(12))
        rig.player.play()
        // The crossfade starts at 17 s. On a busy machine, the last observation of the first item may be earlier.
        var last = 0.0
        #expect(
            await rig.wait {
                if rig.player.currentItem === items[0] { last = max(last, rig.player.currentTime().seconds) }
                return rig.player.currentItem === items[1]
            })
        #expect(ended.count == 1)
        #expect(last < 18, "\(last)")
        #expect(await rig.wait { rig.player.currentTime().seconds > 3.5 })
        let shown = rig.shown
        let cut = try #require(shown.indices.dropFirst().first { shown[$0] < shown[$0 - 1] })
        // 20 s at 30 frames per second, less the fade of 3 s. A busy machine may miss frames, which the player counts.
        let dropped = rig.player.statistics.framesDropped
        #expect(shown[cut - 1] < 511, "\(shown[cut - 1])")
        #expect(
            shown[cut - 1] > 495 - dropped && shown[cut] < 10 + dropped || rig.missedRefreshes,
            "\(shown[cut - 1]) \(shown[cut]), \(dropped) dropped")
        #expect(zip(shown[cut...], shown[cut...].dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("pause, rate and seek apply to the next item during a crossfade")
    func moves() async throws {
        let rig = Rig()
        defer { rig.stopDisplay() }
        let a = SineFile(frequency: 440, seconds: 4)
        let b = SineFile(frequency: 1000, seconds: 12)
        let items = queue(rig, [try a.write("a.wav", to: folder.url), try b.write("b.wav", to: folder.url)], fade: 2)
        rig.player.play()
        #expect(await rig.wait { rig.player.currentItem === items[1] && rig.player.currentTime().seconds > 0.1 })
        rig.player.pause()
        let stood = rig.player.currentTime().seconds
        await rig.settle()
        #expect(rig.player.currentTime().seconds == stood && rig.player.currentItem === items[1])
        rig.player.rate = 2
        #expect(await rig.wait { rig.player.currentTime().seconds > stood + 0.2 })
        #expect(await rig.seek(1))
        #expect(rig.player.currentItem === items[1] && rig.player.currentTime().seconds >= 1)
        #expect(await rig.wait { rig.player.items().isEmpty })
    }

    @Test("a seek near the end fades only half of what remains")
    func seeksIn() async throws {
        let rig = Rig()
        defer { rig.stopDisplay() }
        // The crossfade would start at 10 s, but starts at 16 s after the seek. A busy machine observes it late.
        let a = SineFile(frequency: 440, seconds: 20)
        let b = SineFile(frequency: 1000, seconds: 20)
        let items = queue(rig, [try a.write("a.wav", to: folder.url), try b.write("b.wav", to: folder.url)], fade: 10)
        #expect(await rig.wait { items[0].status == .readyToPlay })
        #expect(await rig.seek(12))
        #expect(rig.player.currentItem === items[0])
        rig.player.play()
        var last = 0.0
        #expect(
            await rig.wait {
                if rig.player.currentItem === items[0] { last = max(last, rig.player.currentTime().seconds) }
                return rig.player.currentItem === items[1]
            })
        #expect(last > 12.3 && last < 16.1, "\(last)")
    }

    @Test("the crossfade duration is clamped to 0…12 s")
    func clamps() {
        let player = AVPlayer()
        for (given, taken) in [(20.0, 12.0), (-3, 0), (.nan, 0), (.infinity, 12), (0.5, 0.5)] {
            player.crossfadeDuration = given
            #expect(player.crossfadeDuration == taken)
        }
    }
}
