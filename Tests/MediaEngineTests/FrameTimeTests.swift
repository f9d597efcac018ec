import CFFmpeg
import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// Coarse clocks, edit lists and open groups of pictures: a request for a time must return the frame that plain
/// playback displays at that time.
@Suite("Seeks, snapshots and playback show the same frame")
struct FrameTimeTests {
    private static let lines = "-f lavfi -i testsrc2=s=64x48:r=10:d=4"
    private static let openGroups =
        "\(lines) -c:v libx264 -preset medium -x264-params keyint=8:min-keyint=8:scenecut=0:open-gop=1:bframes=3:b-adapt=0 -pix_fmt yuv420p"

    static let files = [
        "coarse.avi", "coarse.mkv", "open.mp4", "open.mkv", "open.ts", "cut.mp4", "cut-late.mp4", "cut.mov", "cut.mkv",
        "negative.mp4", "delayed.mp4", "fragments.mp4", "negative-fragments.mp4", "mpeg2.mpg", "theora.ogv",
        "slides.mp4", "vp9.webm",
        "flash.flv",
    ]

    static func url(_ name: String) throws -> URL {
        func open() throws -> URL { try AssetTestMedia.make("times-open.mp4", openGroups) }
        let made = "times-" + name
        return switch name {
        case "coarse.avi": try AssetTestMedia.make(made, "-f lavfi -i testsrc2=s=64x48:r=5:d=2 -c:v mjpeg -threads 1")
        case "coarse.mkv":
            try AssetTestMedia.make(
                made,
                "-f lavfi -i testsrc2=s=64x48:r=30000/1001:d=2 -c:v libx264 -preset ultrafast -g 7 -pix_fmt yuv420p")
        case "open.mp4": try open()
        case "open.mkv", "open.ts": try AssetTestMedia.make(made, "-i \(try open().path) -c copy")
        case "cut.mp4", "cut.mov", "cut.mkv":
            try AssetTestMedia.make(made, "-ss 1.3 -i \(try open().path) -c copy")
        case "cut-late.mp4":
            try AssetTestMedia.make(made, "-ss 2.05 -i \(try open().path) -c copy -avoid_negative_ts disabled")
        case "negative.mp4":
            try AssetTestMedia.make(made, "-i \(try open().path) -c copy -movflags negative_cts_offsets")
        case "delayed.mp4":
            try AssetTestMedia.make(
                made, "-f lavfi -i sine=440:d=5 -itsoffset 0.73 -i \(try open().path) -map 0 -map 1 -c:v copy -c:a aac")
        case "fragments.mp4":
            try AssetTestMedia.make(made, "-i \(try open().path) -c copy -movflags frag_keyframe+empty_moov")
        case "negative-fragments.mp4":
            try AssetTestMedia.make(
                made,
                "\(lines) -f lavfi -i sine=440:d=4 -c:v libx264 -bf 3 -g 10 -pix_fmt yuv420p -c:a aac -movflags frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets"
            )
        case "mpeg2.mpg":
            try AssetTestMedia.make(
                made, "\(lines.replacingOccurrences(of: "r=10", with: "r=25")) -c:v mpeg2video -bf 2 -g 12")
        case "theora.ogv": try AssetTestMedia.make(made, "\(lines) -c:v libtheora -g 8")
        case "slides.mp4":
            try AssetTestMedia.make(
                made, "-f lavfi -i testsrc2=s=64x48:r=1/2:d=20 -c:v libx264 -preset medium -bf 3 -g 4 -pix_fmt yuv420p")
        case "vp9.webm": try AssetTestMedia.make(made, "\(lines) -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 8")
        default: try AssetTestMedia.make(made, "\(lines) -c:v flv1 -g 8")
        }
    }

    /// Returns what plain playback displays: each frame's time and a digest of its pixels.
    static func displayed(_ url: URL) throws -> [(time: MediaTime, digest: Int)] {
        let reader = try OfflineReader(url: url, interrupt: InterruptToken())
        var frames: [(time: MediaTime, digest: Int)] = []
        while true {
            switch try reader.read() {
            case .picture(let frame):
                frames.append((try #require(MediaTime(frame.presentationTime)), Rig.digest(frame)))
            case .end: return frames
            default: continue
            }
        }
    }

    /// Returns times just after each frame begins, in its middle, just before the next frame, and beyond both ends.
    static func times(_ frames: [(time: MediaTime, digest: Int)]) -> [MediaTime] {
        var times: [MediaTime] = [0, 1_000_000]
        for (frame, next) in zip(frames, frames.dropFirst()) where next.time - frame.time > 4_000_000 {
            times += [frame.time, frame.time + 1_000_000, (frame.time + next.time) / 2, next.time - 1_000_000]
        }
        if let last = frames.last { times += [last.time, last.time + 10_000_000_000] }
        return times
    }

    static func expected(_ frames: [(time: MediaTime, digest: Int)], at time: MediaTime) -> Int? {
        (frames.last { $0.time <= time } ?? frames.first)?.digest
    }

    @Test("a snapshot shows the frame displayed at that time", arguments: files)
    func snapshots(name: String) throws {
        let url = try Self.url(name)
        let frames = try Self.displayed(url)
        #expect(frames.count > 7)
        let extractor = try FrameExtractor(url: url)
        for time in Self.times(frames) {
            let frame = try extractor.frame(at: time.time)
            #expect(
                Rig.digest(frame) == Self.expected(frames, at: time), "\(name) at \(time): \(frame.presentationTime)")
        }
    }

    @Test("negative composition offsets of fragments do not delay the video", arguments: ["file", "http"])
    func negativeOffsets(scheme: String) async throws {
        let file = try Self.url("negative-fragments.mp4")
        let server = try StreamServer(root: file.deletingLastPathComponent())
        defer { server.close() }
        let url = scheme == "file" ? file : server.url(for: file.lastPathComponent)
        let times = try await offPool { try Self.displayed(url).map { $0.time.time.seconds } }
        let expected = times.indices.map { Double($0) / 10 }
        #expect(times.count > 7)
        #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.001 }, "\(times)")
        let video = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first)
        #expect(video.timeRange.start.seconds == 0)
    }

    @Test("reading again from the start returns the first frame", arguments: files)
    func reading(name: String) throws {
        let url = try Self.url(name)
        let frames = try Self.displayed(url)
        // Reading from the very beginning misses no frame, even after an earlier seek elsewhere.
        let reader = try OfflineReader(url: url, interrupt: InterruptToken())
        for time: MediaTime in [1_500_000_000, 0] {
            try reader.seek(to: time)
            var first: Int?
            while first == nil {
                switch try reader.read() {
                case .picture(let frame): first = Rig.digest(frame)
                case .end: first = -1
                default: continue
                }
            }
            if time == 0 { #expect(first == frames.first?.digest, "\(name) from its begin") }
        }
    }

    @Test("every needed frame is returned, and earlier ones are skipped", arguments: files)
    func needed(name: String) throws {
        let url = try Self.url(name)
        let frames = try Self.displayed(url)
        let start = frames[frames.count / 2].time
        let reader = try OfflineReader(url: url, interrupt: InterruptToken())
        reader.neededFrom = start
        var returned: [Int] = []
        reading: while true {
            switch try reader.read() {
            case .picture(let frame): returned.append(Rig.digest(frame))
            case .end: break reading
            default: continue
            }
        }
        let needed = frames.filter { $0.time >= start }.map(\.digest)
        #expect(returned.suffix(needed.count) == needed[...], "\(name)")
        // These have B-frames on which no other frame depends.
        if ["open.mp4", "open.ts", "fragments.mp4", "mpeg2.mpg"].contains(name) {
            #expect(returned.count < frames.count, "\(name)")
        }
    }

    @Test("a seek shows the frame displayed at that time", arguments: files)
    @MainActor
    func seeks(name: String) async throws {
        let url = try Self.url(name)
        let frames = try Self.displayed(url)
        let rig = Rig()
        rig.player.insert(AVPlayerItem(url: url))
        try await rig.ready()
        // A seek is limited to the item's end, which is only an estimate for a program stream.
        let last = min(try #require(frames.last?.time), MediaTime(rig.player.currentItem?.duration ?? .invalid) ?? .max)
        for (index, time) in Self.times(frames).enumerated() where (index < 6 || index % 7 == 0) && time < last {
            #expect(await rig.seek(time.seconds))
            let wanted = Self.expected(
                frames, at: MediaTime(CMTime(seconds: time.seconds, preferredTimescale: 1_000_000)) ?? time)
            let shown = await rig.wait { rig.picture().map(Rig.digest) == wanted }
            #expect(shown, "\(name) at \(time): \(String(describing: rig.picture()?.presentationTime))")
        }
        rig.stopDisplay()
        rig.player.close()
    }

    @Test(
        "each pass of a loop starts with the first frame", arguments: ["cut.mp4", "cut-late.mp4", "open.ts", "cut.mkv"])
    @MainActor
    func loops(name: String) async throws {
        let url = try Self.url(name)
        let first = try #require(try Self.displayed(url).first)
        // Reads the packets again for each pass, without a decoded clip or kept packets.
        let reader = try ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken())
        func firstKey() -> MediaTime? {
            while true {
                switch reader.next() {
                case .video(let packet): return packet.pts
                case .end, .failed: return nil
                default: continue
                }
            }
        }
        let begin = firstKey()
        while case let step = reader.next(), !step.isEnd {}
        #expect(reader.rewind(keepingPackets: false) == nil)
        #expect(firstKey() == begin && begin.map { $0 <= first.time } == true)
    }

    @Test("times within half a microsecond are equal")
    func comparison() {
        let frame = MediaTime(nanoseconds: 12_533_333_333)
        #expect(frame.hasBegun(by: frame) && frame.hasBegun(by: 12_533_333_000) && frame.hasBegun(by: .max))
        #expect(
            !frame.hasBegun(by: 12_533_332_000) && !frame.hasBegun(by: frame.justBefore) && !frame.hasBegun(by: .min))
        let coarse = AVRational(num: 1, den: 5)
        #expect(MediaTime(nanoseconds: 110_000_000).lastStamp(in: coarse) == 0)
        #expect(MediaTime(nanoseconds: 199_999_000).lastStamp(in: coarse) == 0)
        #expect(MediaTime(nanoseconds: 200_000_000).lastStamp(in: coarse) == 1)
        #expect(MediaTime(nanoseconds: -110_000_000).lastStamp(in: coarse) == -1)
        #expect(frame.lastStamp(in: AVRational(num: 1, den: 90_000)) == 1_128_000)
    }

    @Test(
        "steps visit each frame in both directions on a coarse clock",
        arguments: ["coarse.avi", "coarse.mkv", "cut.mp4"])
    @MainActor
    func steps(name: String) async throws {
        let url = try Self.url(name)
        let frames = try Self.displayed(url).map(\.digest)
        let rig = Rig()
        rig.player.insert(AVPlayerItem(url: url))
        try await rig.ready()
        #expect(rig.picture().map(Rig.digest) == frames.first)
        let item = try #require(rig.player.currentItem)
        for index in 1..<5 {
            item.step(byCount: 1)
            #expect(await rig.wait { rig.picture().map(Rig.digest) == frames[index] }, "\(index)")
        }
        for index in (0..<4).reversed() {
            item.step(byCount: -1)
            #expect(
                await rig.wait { rig.picture().map(Rig.digest) == frames[index] && !rig.player.isSeeking }, "\(index)")
        }
        rig.stopDisplay()
        rig.player.close()
    }
}

extension ReadStep {
    fileprivate var isEnd: Bool {
        switch self {
        case .end, .failed: true
        default: false
        }
    }
}
