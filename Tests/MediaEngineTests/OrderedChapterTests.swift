import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Ordered chapters of Matroska files", .serialized)
@MainActor
struct OrderedChapterTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-ordered-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func inFolder(_ body: () async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body()
    }

    private func file(
        _ parts: [OrderedFile.Part], _ name: String = "ordered.mkv", of source: String = "counter-video.mp4",
        isOrdered: Bool = true
    ) throws -> (url: URL, identifier: [UInt8]) {
        let url = folder.appendingPathComponent(name)
        let identifier = try OrderedFile.write(
            TestMedia.url(source), parts: parts, to: url, isOrdered: isOrdered)
        return (url, identifier)
    }

    /// Returns the numbers of the frames of `counter.mp4` that begin from `start` to `end`, in seconds. The video has
    /// 30 frames per second.
    private func numbers(_ start: Double, _ end: Double) -> [Int] {
        (0..<600).filter { Double($0) / 30 >= start - 0.0001 && Double($0) / 30 < end - 0.0001 }
    }

    private func generator(_ url: URL) -> AVAssetImageGenerator { AVAssetImageGenerator(asset: AVURLAsset(url: url)) }
    private func number(_ url: URL, at seconds: Double) throws -> Int {
        try Rig.number(generator(url).copyImage(at: CMTime(seconds: seconds, preferredTimescale: 1_000_000)))
    }

    @Test("duration and chapters follow the ordered parts")
    func description() async throws {
        try await inFolder {
            let url = try file([.init("B", 4.2, 6), .init("A", 0, 2)]).url
            let asset = AVURLAsset(url: url)
            #expect(abs(try await asset.load(.duration).seconds - 3.8) < 0.001)
            let chapters = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: [])
            #expect(chapters.map { $0.items.first?.stringValue } == ["B", "A"])
            #expect(chapters.map { ($0.timeRange.start.seconds * 10).rounded() } == [0, 18])
            #expect(chapters.map { ($0.timeRange.end.seconds * 10).rounded() } == [18, 38])
        }
    }

    @Test("playback shows exactly the frames of the parts, in order")
    func order() async throws {
        try await inFolder {
            let url = try file([.init("B", 4.2, 6), .init("A", 0.4, 2)]).url
            let reader = try OfflineReader(url: url, interrupt: InterruptToken())
            var seen: [Int] = []
            var times: [Double] = []
            while true {
                switch try reader.read() {
                case .picture(let frame):
                    seen.append(Rig.number(frame))
                    times.append(frame.presentationTime.seconds)
                    continue
                case .end: break
                default: continue
                }
                break
            }
            #expect(seen == numbers(4.2, 6) + numbers(0.4, 2))
            #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 30) < 0.002 })
            let rig = Rig()
            rig.player.insert(AVPlayerItem(url: url))
            try await rig.ready()
            rig.player.play()
            #expect(await rig.wait { rig.number() == 59 })
            // Frames may be missing, but none is out of order.
            let shown = rig.shown
            var rest = seen[...]
            for number in shown {
                let place = rest.firstIndex(of: number)
                #expect(place != nil, "\(number) in \(shown)")
                rest = rest[(place ?? rest.startIndex)...]
            }
        }
    }

    @Test("seeks and images use the time of the ordered parts")
    func seeking() async throws {
        try await inFolder {
            let url = try file([.init("C", 6.2, 8), .init("A", 0.2, 2), .init("B", 4.2, 5)]).url
            let wanted = [(0.0, 186), (1.0, 216), (1.78, 239), (1.8, 6), (3.0, 42), (3.6, 126), (4.0, 138)]
            for (time, frame) in wanted + wanted.reversed() {
                #expect(try number(url, at: time + 0.001) == frame, "at \(time)")
            }
            let rig = Rig()
            rig.player.insert(AVPlayerItem(url: url))
            try await rig.ready()
            for (time, frame) in wanted.reversed() + wanted {
                #expect(await rig.seek(time + 0.01))
                #expect(rig.number() == frame, "at \(time)")
            }
        }
    }

    @Test("parts in other files are found by their identifiers")
    func linked() async throws {
        try await inFolder {
            let other = try file([.init("whole", 0, 10)], "zz other.mkv", isOrdered: false)
            let url = try file([
                .init("X", 8, 9, in: other.identifier), .init("A", 0, 1), .init("Y", 2, 3, in: other.identifier),
            ]).url
            #expect(abs(try await AVURLAsset(url: url).load(.duration).seconds - 3) < 0.001)
            for (time, frame) in [(0.5, 255), (1.2, 6), (2.2, 66), (0.0, 240)] {
                #expect(try number(url, at: time + 0.001) == frame, "at \(time)")
            }
            let reader = try OfflineReader(url: url, interrupt: InterruptToken())
            var seen: [Int] = []
            reading: while true {
                switch try reader.read() {
                case .picture(let frame): seen.append(Rig.number(frame))
                case .end: break reading
                default: break
                }
            }
            #expect(seen == numbers(8, 9) + numbers(0, 1) + numbers(2, 3))
        }
    }

    @Test("audio is cut where the parts meet")
    func sound() async throws {
        try await inFolder {
            let url = try file([.init("B", 4.3, 6.1), .init("A", 0.5, 2), .init("C", 3, 3.71)], of: "counter.mp4").url
            let reader = try OfflineReader(url: url, interrupt: InterruptToken())
            try reader.decodeSound(as: AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo))
            var samples = 0
            var first: MediaTime?
            reading: while true {
                switch try reader.read() {
                case .sound(let values, let time):
                    first = first ?? time
                    if let time, let first {
                        // The container counts in milliseconds, so its timestamps are rounded.
                        #expect(abs((time - first).seconds - Double(samples) / 48_000) < 0.004, "after \(samples)")
                    }
                    samples += values.count / 2
                case .end: break reading
                default: break
                }
            }
            #expect(abs(Double(samples) / 48_000 - 4.01) < 0.006, "\(samples)")
        }
    }

    @Test("a missing linked file is reported, and the other parts play")
    func missing() async throws {
        try await inFolder {
            let lost = [UInt8](repeating: 7, count: 16)
            let url = try file([.init("X", 8, 9, in: lost), .init("A", 0, 0.4)]).url
            let rig = Rig()
            let item = AVPlayerItem(url: url)
            rig.player.insert(item)
            try await rig.ready()
            #expect(rig.number() == 0)
            rig.player.play()
            #expect(await rig.wait { item.error != nil })
            let error = try #require(item.error as? AVError)
            #expect(error.code == .fileTruncated && error.reason.contains("1 of 2 chapters"))
            let reader = try OfflineReader(url: url, interrupt: InterruptToken())
            #expect(reader.truncation?.reason.contains("another file") == true)
        }
    }

    @Test("a remote file plays by its ordered chapters", arguments: [true, false])
    func remote(hasRanges: Bool) async throws {
        try await inFolder {
            _ = try file([.init("C", 6.2, 8), .init("A", 0.2, 2), .init("B", 4.2, 5)])
            let server = try StreamServer(root: folder)
            defer { server.close() }
            if !hasRanges { server.inject(.noRanges, on: "*") }
            let url = server.url(for: "ordered.mkv")
            #expect(abs(try await AVURLAsset(url: url).load(.duration).seconds - 4.4) < 0.001)
            let wanted = [(0.0, 186), (1.78, 239), (1.8, 6), (3.6, 126), (4.0, 138)]
            let rig = Rig()
            let item = AVPlayerItem(url: url)
            rig.player.insert(item)
            try await rig.ready()
            for (time, frame) in wanted.reversed() + wanted {
                #expect(await rig.seek(time + 0.01))
                #expect(rig.number() == frame, "at \(time)")
            }
            #expect(await rig.seek(0))
            rig.player.play()
            #expect(await rig.wait { rig.player.isAtEnd || item.error != nil })
            #expect(item.error == nil && rig.number() == 149)
            rig.stopDisplay()
            rig.player.close()
        }
    }

    @Test("a remote file reports linked files as missing")
    func remoteLinked() async throws {
        try await inFolder {
            _ = try file([.init("X", 8, 9, in: [UInt8](repeating: 7, count: 16)), .init("A", 0, 0.4)])
            let server = try StreamServer(root: folder)
            defer { server.close() }
            let reader = try OfflineReader(url: server.url(for: "ordered.mkv"), interrupt: InterruptToken())
            #expect(reader.truncation?.reason.contains("another file") == true)
            #expect(reader.truncation?.suggestion.contains("Download") == true)
        }
    }

    @Test("nested chapters play only the innermost ones")
    func nested() async throws {
        try await inFolder {
            let url = try file([.init("outer", 0, 2), .init("inner", 4, 6), .init("last", 1, 2)]).url
            try OrderedFile.nest(url)
            let source = try MediaSource(url: url)
            #expect(source.ordered?.chapters.map { $0.titles.first?.text } == ["inner", "last"])
            #expect(abs(try #require(source.duration).seconds - 3) < 0.001)
            #expect(try number(url, at: 0.001) == 120)
            #expect(try number(url, at: 2.501) == 45)
        }
    }

    @Test("unordered chapters do not change playback")
    func plain() async throws {
        try await inFolder {
            let url = try file([.init("B", 4, 6), .init("A", 0, 2)], isOrdered: false).url
            #expect(try MediaSource(url: url).ordered == nil)
            #expect(try number(url, at: 0) == 0)
            // Ordered chapters that cover the whole file in order are the same as none.
            let whole = try file([.init("A", 0, 5), .init("B", 5, 100)], "whole.mkv").url
            #expect(try MediaSource(url: whole).ordered == nil)
        }
    }

    @Test("invalid chapters are ignored and never crash")
    func nonsense() async throws {
        try await inFolder {
            let url = try file([.init("B", 500, 600), .init("A", 0, 1)]).url
            #expect(abs(try await AVURLAsset(url: url).load(.duration).seconds - 1) < 0.001)
            var bytes = [UInt8](try Data(contentsOf: url))
            let chapters = try #require(
                (8..<bytes.count - 4).first {
                    bytes[$0..<$0 + 4].elementsEqual([0x10, 0x43, 0xA7, 0x70]) && bytes[$0 - 2] != 0xAB
                })
            // With random sizes and numbers, the file opens or fails with an error.
            var seed: UInt64 = 42
            for _ in 0..<200 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let at = chapters + 4 + Int(seed >> 33) % 100
                let old = bytes[at]
                bytes[at] = UInt8(truncatingIfNeeded: seed >> 20)
                let broken = folder.appendingPathComponent("broken.mkv")
                try Data(bytes).write(to: broken)
                if let source = try? MediaSource(url: broken) { #expect((source.duration ?? 0) >= 0) }
                bytes[at] = old
            }
        }
    }
}
