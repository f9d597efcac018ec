import CFFmpeg
import Foundation
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import Export

@Suite("Parts of an export", .serialized)
struct ExportPartTests {
    /// Exports all parts of `source` in reverse order, and joins them as `joined.<type>`.
    private func join(
        _ bench: ExportBench, _ source: URL, _ type: String, _ count: Int,
        _ set: (AVAssetExportSession) -> Void = { _ in }
    ) async throws -> URL {
        var parts: [URL] = []
        for number in (1...count).reversed() {
            let part = try #require(ExportPart(number, of: count))
            parts.append(
                try await bench.export(source, to: "\(number).\(type)") {
                    set($0)
                    $0.division = ExportDivision(part, pictureIdentity: "")
                })
        }
        let target = bench.url("joined.\(type)")
        let report = try PartJoin(parts, to: target, replaces: false).run()
        #expect(report.parts == count)
        return target
    }

    @Test(
        "joined parts equal an export that is encoded like them",
        arguments: [
            ("counter-23976.mp4", "mp4", 3), ("counter-vfr.mkv", "mp4", 4), ("counter-vfr.mkv", "mkv", 2),
            ("sine-opus.webm", "mkv", 3), ("counter.ts", "mov", 2), ("sine-pcm.mov", "webm", 2),
            ("counter-video.mp4", "mp4", 3),
        ])
    func equal(source: String, type: String, count: Int) async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url(source)
        let joined = try await join(bench, original, type, count)
        let whole = try await bench.export(original, to: "whole.\(type)") {
            $0.division = ExportDivision(encodedLikeParts: count)
        }
        #expect(try await bench.times(joined) == bench.times(whole))
        #expect(try await bench.pixels(joined, "yuv420p") == bench.pixels(whole, "yuv420p"))
        let tracks = ["-select_streams", "a", "-show_entries", "stream=index"]
        let audio = try await bench.probe(original, tracks)
        #expect(try await bench.probe(joined, tracks).isEmpty == audio.isEmpty)
        if !audio.isEmpty { #expect(try await bench.samples(joined) == bench.samples(whole)) }
    }

    @Test("joined parts of a range have its frames, timestamps and samples")
    func range() async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url("counter-23976.mp4")
        let set: (AVAssetExportSession) -> Void = { $0.timeRange = seconds(1.5, 4.2) }
        let joined = try await join(bench, original, "mp4", 3, set)
        // The whole export is encoded differently from the parts, so its pixels differ slightly. The frames are the
        // same.
        let whole = try await bench.export(original, to: "whole.mp4", set)
        #expect(try await bench.numbers(joined) == bench.numbers(whole))
        #expect(try await bench.times(joined) == bench.times(whole))
        #expect(try await bench.samples(joined) == bench.samples(whole))
        #expect(try await bench.soundLength(joined) == 129_600)
    }

    @Test("a limited frame rate leaves out the same frames in parts")
    func frameRate() async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url("counter-23976.mp4")
        let joined = try await join(bench, original, "mp4", 3) {
            $0.maximumFrameRate = 7
            $0.timeRange = seconds(0, 3)
        }
        let whole = try await bench.export(original, to: "whole.mp4") {
            $0.maximumFrameRate = 7
            $0.timeRange = seconds(0, 3)
        }
        #expect(try await bench.numbers(joined) == bench.numbers(whole))
        #expect(try await bench.times(joined) == bench.times(whole))
    }

    @Test("parts without a frame are joined")
    func empty() async throws {
        let bench = try ExportBench()
        // One frame every two seconds, with continuous audio.
        let source = try await bench.make(
            "slow.mkv",
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=1/2:d=6", "-f", "lavfi", "-i", "sine=440:r=48000:d=6", "-c:v",
                "libx264", "-c:a", "pcm_s16le",
            ])
        let joined = try await join(bench, source, "mp4", 9)
        #expect(try await bench.times(joined) == [0, 2, 4])
        #expect(try await bench.soundLength(joined) == 288_000)
    }

    /// Checks that `count` joined parts have the frames and samples of an export that is encoded like them.
    private func compare(_ bench: ExportBench, _ source: URL, _ count: Int) async throws -> URL {
        let joined = try await join(bench, source, "mp4", count)
        let whole = try await bench.export(source, to: "whole.mp4") {
            $0.division = ExportDivision(encodedLikeParts: count)
        }
        #expect(try await bench.times(joined) == bench.times(whole))
        #expect(try await bench.pixels(joined, "yuv420p") == bench.pixels(whole, "yuv420p"))
        return joined
    }

    private static func input(_ source: String) -> [String] { ["-f", "lavfi", "-i", source] }

    @Test("parts of a video whose timestamps restart have all frames", arguments: ["vob", "mpegts"])
    func restarts(format: String) async throws {
        let bench = try ExportBench()
        let recording = try await bench.make(
            "recording",
            ExportPartTests.input("testsrc2=s=160x120:r=25:d=3") + ExportPartTests.input("sine=440:r=48000:d=3")
                + ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", format])
        let source = bench.url("twice.\(format)")
        let bytes = try Data(contentsOf: recording)
        try (bytes + bytes).write(to: source)
        let joined = try await compare(bench, source, 3)
        #expect(try await bench.times(joined).count == 150)
        #expect(try await bench.samples(joined) == bench.samples(bench.url("whole.mp4")))
    }

    @Test("parts of an AVI file with packed B-frames repeat no frame")
    func packedFrames() async throws {
        let bench = try ExportBench()
        // Every frame has its number in bars of 20 pixels.
        let bars =
            "color=gray:s=160x120:r=25:d=6,format=gray,"
            + "geq=lum='if(mod(floor(N/pow(2,floor(X/20))),2),200,40)'"
        let source = try await bench.make(
            "bars.avi", ExportPartTests.input(bars) + ["-c:v", "libxvid", "-bf", "2", "-g", "40"])
        _ = try await compare(bench, source, 4)
    }

    @Test("all parts have the size of the first frame of the export")
    func sizes() async throws {
        let bench = try ExportBench()
        var bytes = Data()
        for (size, start) in [("160x90", "0"), ("320x180", "2")] {
            let piece = try await bench.make(
                "\(size).ts",
                ExportPartTests.input("testsrc2=s=\(size):r=25:d=2")
                    + ["-c:v", "libx264", "-bf", "0", "-output_ts_offset", start])
            bytes += try Data(contentsOf: piece)
        }
        let source = bench.url("sizes.ts")
        try bytes.write(to: source)
        _ = try await compare(bench, source, 2)
        for name in ["1.mp4", "2.mp4"] {
            let size = try await bench.probe(
                bench.url(name), "-select_streams", "v", "-show_entries", "stream=width,height")
            #expect(size == ["160", "90"], "\(name)")
        }
    }

    @Test("a composer that looks back gets the frames before a part")
    func leadIn() async throws {
        let bench = try ExportBench()
        let composer = LookingBack()
        let part = try #require(ExportPart(2, of: 2))
        let file = try await bench.export(TestMedia.url("counter-23976.mp4"), to: "part.mp4") {
            $0.timeRange = seconds(0, 4)
            $0.composer = composer
            $0.division = ExportDivision(part, pictureIdentity: "")
        }
        let times = composer.times.withLock { $0 }
        // The composer gets the half second before the part: twelve frames, the first at 36 × 1001 / 24000 s.
        #expect(abs((times.first ?? 0) - 1.5015) < 0.001)
        #expect(times.count == 60 && times == times.sorted())
        #expect(try await bench.times(file).count == 48)
    }

    /// libx264 and mpeg4 choose the number of threads by the cores that the calling thread may use.
    @Test("an encoder of parts does not depend on the cores", arguments: ["libx264", "mpeg4"])
    func cores(name: String) async throws {
        func encoded(onOneCore: Bool) async throws -> [UInt8] {
            try await offPool {
                if onOneCore { try useOneCore() }
                let setup = VideoEncoder.Setup(
                    size: (256, 144), timeBase: AVRational(num: 1, den: 25), frameRate: AVRational(num: 25, den: 1),
                    quality: .high, isGlobal: true, isDivided: true)
                let encoder = try VideoEncoder(name, setup, location: "")
                var bytes: [UInt8] = []
                func take(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
                    bytes += UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
                }
                var noise: UInt32 = 1
                for index in 0..<12 {
                    let frame = try VideoFrame.bgra(width: 256, height: 144, presentationTime: .zero) { pixels, _ in
                        for i in pixels.indices {
                            noise = noise &* 1_664_525 &+ 1_013_904_223
                            pixels[i] = UInt8(noise >> 24)
                        }
                    }
                    let start = MediaTime(nanoseconds: Int64(index) * 40_000_000)
                    try encoder.encode(
                        ExportFrame(
                            frame: frame, itemTime: start, start: start,
                            duration: MediaTime(nanoseconds: 40_000_000)), deliver: take)
                }
                try encoder.finish(deliver: take)
                return bytes
            }
        }
        let (one, all) = (try await encoded(onOneCore: true), try await encoded(onOneCore: false))
        #expect(one == all && one.count > 10_000)
    }

    /// Limits the calling thread, and threads that it starts, to the first core that it may use.
    private func useOneCore() throws {
        // Swift's module of the C library lacks these functions.
        typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
        let library = dlopen(nil, RTLD_NOW)
        let get = unsafeBitCast(try #require(dlsym(library, "sched_getaffinity")), to: Affinity.self)
        let set = unsafeBitCast(try #require(dlsym(library, "sched_setaffinity")), to: Affinity.self)
        var all = cpu_set_t()
        try #require(get(0, MemoryLayout<cpu_set_t>.size, &all) >= 0)
        var one = cpu_set_t()
        withUnsafeBytes(of: all) { all in
            withUnsafeMutableBytes(of: &one) { one in
                guard let index = all.firstIndex(where: { $0 != 0 }) else { return }
                one[index] = 1 << all[index].trailingZeroBitCount
            }
        }
        try #require(set(0, MemoryLayout<cpu_set_t>.size, &one) == 0)
    }

    private final class LookingBack: ExportComposer {
        let leadIn = 0.5
        let times = Mutex<[Double]>([])
        func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame? {
            times.withLock { $0.append(itemTime.seconds) }
            return try ClosureComposer.flat(size, [0, 0, 0], at: itemTime)
        }
    }

    // MARK: refused parts

    @Test("missing, duplicate and foreign parts are refused by name")
    func refused() async throws {
        let bench = try ExportBench()
        func part(_ number: Int, of count: Int, _ source: String, _ name: String, _ end: Double = 1) async throws -> URL
        {
            let part = try #require(ExportPart(number, of: count))
            return try await bench.export(TestMedia.url(source), to: name) {
                $0.timeRange = seconds(0, end)
                $0.division = ExportDivision(part, pictureIdentity: "")
            }
        }
        let first = try await part(1, of: 3, "counter-23976.mp4", "first.mp4")
        let third = try await part(3, of: 3, "counter-23976.mp4", "third.mp4")
        let other = try await part(2, of: 3, "counter-video.mp4", "other.mp4")
        let changed = try await part(2, of: 3, "counter-23976.mp4", "changed.mp4", 1.5)
        let count = try await part(2, of: 4, "counter-23976.mp4", "count.mp4")
        func reason(_ parts: [URL], _ name: String = "out.mp4") -> String {
            do throws(AVError) {
                _ = try PartJoin(parts, to: bench.url(name), replaces: false).run()
                return ""
            } catch { return "\(error)" }
        }
        #expect(reason([third, first]).contains("part 2 of 3 is missing"))
        #expect(reason([first, third, first]).contains("first.mp4") && reason([first, first]).contains("part 1 of 3"))
        #expect(reason([first, other]).contains("other.mp4") && reason([first, other]).contains("sources differ"))
        #expect(
            reason([first, changed]).contains("changed.mp4") && reason([first, changed]).contains("settings differ"))
        #expect(reason([first, count]).contains("one of 4 parts, not of 3"))
        #expect(try reason([first, TestMedia.url("counter.mp4")]).contains("not a part"))
        #expect(reason([first, bench.url("none.mp4")]).contains("none.mp4"))
        #expect(reason([first], "out.mkv").contains("missing"))
        #expect(!bench.contents.contains { $0.hasPrefix("out") || $0.hasSuffix(".part") })
    }

    @Test("a part whose audio does not begin with the part is refused")
    func displacedSound() async throws {
        let bench = try ExportBench()
        let parts = try await pair(bench, "mp4")
        // The join would fill the time before the audio with silence.
        var bytes = try Data(contentsOf: parts[1])
        let key = try #require(bytes.range(of: Data("\"sound\":{\"begin\":".utf8)))
        let end = try #require(bytes[key.upperBound...].firstIndex(of: UInt8(ascii: ",")))
        bytes.replaceSubrange(key.upperBound..<end, with: Data(repeating: 0x39, count: end - key.upperBound))
        try bytes.write(to: parts[1])
        let error = #expect(throws: AVError.self) {
            try PartJoin(parts, to: bench.url("out.mp4"), replaces: false).run()
        }
        #expect(error?.code == .fileFailedToParse && error?.description.contains("2.mp4") == true)
        #expect(!bench.contents.contains { $0.hasPrefix("out") || $0.hasSuffix(".part") })
    }

    /// Exports the two parts of the first second of a video.
    private func pair(_ bench: ExportBench, _ type: String) async throws -> [URL] {
        var parts: [URL] = []
        for number in 1...2 {
            let part = try #require(ExportPart(number, of: 2))
            parts.append(
                try await bench.export(TestMedia.url("counter-23976.mp4"), to: "\(number).\(type)") {
                    $0.timeRange = seconds(0, 1)
                    $0.division = ExportDivision(part, pictureIdentity: "")
                })
        }
        return parts
    }

    @Test("a part whose end is missing is refused", arguments: ["mkv", "webm"])
    func truncatedPart(type: String) async throws {
        let bench = try ExportBench()
        let parts = try await pair(bench, type)
        let bytes = try Data(contentsOf: parts[1])
        try bytes.prefix(bytes.count * 7 / 10).write(to: parts[1])
        let error = #expect(throws: AVError.self) {
            try PartJoin(parts, to: bench.url("out.\(type)"), replaces: false).run()
        }
        #expect(error?.code == .fileTruncated && error?.description.contains("2.\(type)") == true, "\(error as Any)")
        #expect(!bench.contents.contains { $0.hasPrefix("out") || $0.hasSuffix(".part") })
    }

    @Test("a part with frames of another size is refused by name")
    func otherSize() async throws {
        let bench = try ExportBench()
        let parts = try await pair(bench, "mp4")
        var bytes = try Data(contentsOf: parts[1])
        let key = try #require(bytes.range(of: Data("\"height\":".utf8)))
        bytes[key.upperBound] ^= 1
        try bytes.write(to: parts[1])
        let error = #expect(throws: AVError.self) {
            try PartJoin(parts, to: bench.url("out.mp4"), replaces: false).run()
        }
        #expect(
            error?.code == .invalidArgument && error?.description.contains("2.mp4") == true
                && error?.description.contains("pixels, not ") == true, "\(error as Any)")
    }

    @Test("a GIF can't be divided")
    func undividable() async throws {
        let bench = try ExportBench()
        let part = try #require(ExportPart(1, of: 2))
        let session = AVAssetExportSession(asset: AVURLAsset(url: try TestMedia.url("counter.mp4")))
        session.division = ExportDivision(part, pictureIdentity: "")
        await #expect(throws: AVError.self) { try await session.export(to: bench.url("out.gif")) }
        #expect(bench.contents == [])
    }

    // MARK: calculations

    @Test("decoding timestamps are those that one encoder would give")
    func decodeOrder() throws {
        // Two groups of I P B B with a decode delay of two frames, at irregular times.
        let pts: [Int64] = [0, 50, 10, 20, 60, 100, 70, 90]
        let order = DecodeOrder(delay: 2)
        var stamps: [(Int64, Int64)] = []
        let take: DecodeOrder.Delivery = { stamps.append(($0.pointee.pts, $0.pointee.dts)) }
        for time in pts {
            guard let packet = Owned<AVPacket>(av_packet_alloc()) else { return }
            packet.raw.pointee.pts = time
            try order.take(packet.raw, deliver: take)
        }
        try order.finish(deliver: take)
        #expect(stamps.map(\.0) == pts)
        #expect(stamps.map(\.1) == [-20, -10, 0, 10, 20, 50, 60, 70])
        #expect(stamps.allSatisfy { $0.1 <= $0.0 })
    }

    @Test("cuts are on whole samples and frames belong to one part")
    func cuts() throws {
        let division = ExportDivision(try #require(ExportPart(2, of: 3)), pictureIdentity: "")
        let cuts = PartCuts(division, start: 1_000_000_000, length: 10_000_000_000, sampleRate: 44_100)
        #expect(cuts.times.count == 2)
        for time in cuts.times {
            let samples = (time - 1_000_000_000).samples(at: 44_100)
            #expect(abs((MediaTime(samples: samples, rate: 44_100) + 1_000_000_000 - time).nanoseconds) <= 1)
        }
        #expect(cuts.index(of: 1_000_000_000) == 0 && cuts.index(of: cuts.times[0]) == 1)
        #expect(cuts.index(of: cuts.times[1] - 1_000_000) == 1 && cuts.index(of: .max) == 2)
        #expect(cuts.begin == cuts.times[0] && cuts.end == cuts.times[1])
    }

    @Test("an invalid part description is refused", arguments: ["{}", "[]", "{\"number\":1}", ""])
    func record(text: String) { #expect(PartRecord(text: text) == nil) }
}
