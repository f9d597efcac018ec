import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Invalid numbers in files")
struct ForeignNumberTests {
    static let folder = Repository.root.appendingPathComponent("Tests/Media/hostile")
    nonisolated static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

    @Test("broken files are read without overflow", arguments: files)
    func readable(name: String) throws {
        guard
            let reader = try? ItemReader(
                url: ForeignNumberTests.folder.appendingPathComponent(name), selection: TrackSelection(),
                interrupt: InterruptToken())
        else { return }
        let decoder = try reader.description.video.map {
            try VideoDecoder(track: $0, startOffset: reader.startOffset, location: name, threads: 1, device: nil)
        }
        var queue = UnitQueue()
        var pictures = 0
        reading: while true {
            switch reader.next() {
            case .video(let packet):
                queue.append(.packet(packet))
                decoder?.decode(packet) { output in
                    pictures += 1
                    #expect(output.end >= output.pts)
                }
            case .audio(let packet): queue.append(.packet(packet))
            case .end, .failed: break reading
            default: continue
            }
        }
        decoder?.decode(nil) { _ in pictures += 1 }
        _ = queue.span
        _ = (
            reader.isSameGroup(.max, as: .min), reader.seek(to: .max), reader.seek(to: .min),
            reader.description.duration
        )
    }

    @Test("invalid packet timestamps never leave the demuxer; valid ones stay unchanged")
    func lined() throws {
        let context = try #require(avformat_alloc_context())
        defer { avformat_free_context(context) }
        let stream = try #require(avformat_new_stream(context, nil))
        stream.pointee.time_base = AVRational(num: 1, den: 1000)
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        let stamps = (0..<40 as Range<Int64>).map { number -> (pts: Int64, dts: Int64) in
            let dts = number * 40
            return switch number % 8 {
            case 3: (.max, dts)
            case 5: (dts + 40, .max - 7)
            case 7: (140_325_171_494_912_000, -140_325_171_494_912_000)
            default: (dts + 40, dts)
            }
        }
        let packets = CorrectedPackets(
            context, start: .zero, corrector: TimestampCorrector(rules: .file(declaredEnd: MediaTime(seconds: 2))),
            marked: 0,
            marksPlaces: false)
        var next = stamps[...]
        var count = 0
        let packet = try #require(av_packet_alloc())
        while packets.read(
            packet,
            from: { raw in
                guard let (pts, dts) = next.popFirst() else { return zt_averror_eof() }
                (raw.pointee.pts, raw.pointee.dts, raw.pointee.duration, raw.pointee.flags) = (
                    pts, dts, 40, count % 8 == 7 ? AV_PKT_FLAG_DISCARD : 0
                )
                return 0
            }) >= 0
        {
            for stamp in [packet.pointee.pts, packet.pointee.dts] where stamp != zt_nopts() {
                #expect((0...1640).contains(stamp), "\(count): \(stamp)")
            }
            if count % 8 < 3 {
                #expect(packet.pointee.dts == stamps[count].dts && packet.pointee.pts == stamps[count].pts, "\(count)")
            }
            count += 1
            av_packet_unref(packet)
        }
        #expect(count == stamps.count)
    }

    private func packet(_ time: MediaTime) throws -> MediaPacket {
        guard let owner = Owned<AVPacket>(av_packet_alloc()) else { throw CancellationError() }
        return MediaPacket(taking: owner, pts: time, end: time)
    }

    @Test("the span of a queue with extreme times saturates")
    func span() throws {
        var queue = UnitQueue()
        queue.append(.packet(try packet(.min)))
        queue.append(.packet(try packet(.max)))
        #expect(queue.span == .max)
    }

    @Test("a clip estimate for absurd frame counts exceeds the budget")
    func estimate() throws {
        let reader = try ItemReader(
            url: TestMedia.url("sine-flac.mkv"), selection: TrackSelection(), interrupt: InterruptToken())
        var description = reader.description
        let format = AudioFormat(sampleRate: 384_000, channelMask: 0xFF)
        #expect(DecodedClip.estimate(description, frameCount: .max, format: format) ?? .max > ClipCache.shared.budget)
        description.duration = .max
        description.video?.frameDuration = 1
        #expect(DecodedClip.estimate(description, frameCount: 0, format: format) ?? .max > ClipCache.shared.budget)
    }

    @Test("a segment converts extreme times without overflow")
    func segment() {
        let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
        for start in [MediaTime.min, 0, .max] {
            let segment = Segment(
                index: 0, entry: entry, pass: 0, loopNumber: 0, mediaStart: start, description: ItemDescription())
            let seven = TimelineTime(nanoseconds: 7)
            for media in [MediaTime.min, 0, .max] {
                for out in [TimelineTime.min, .zero, .max] {
                    _ = (
                        segment.timelineTime(of: media, from: out), segment.mediaTime(at: out, from: .min),
                        segment.mediaTime(at: out, from: .max)
                    )
                }
            }
            #expect(
                segment.timelineTime(of: start, from: seven) == seven
                    && segment.mediaTime(at: seven, from: seven) == start)
        }
        let clock = PlaybackClock()
        clock.setRunning(true)
        _ = (clock.hostTime(for: .max), clock.hostTime(for: .min), clock.now(at: .max))
    }

    @Test("looping a file with a wrong timestamp needs little memory")
    @MainActor func loopingMemory() async throws {
        let rig = Rig()
        let url = ForeignNumberTests.folder.appendingPathComponent("flipv.ts")
        let looper = AVPlayerLooper(player: rig.player, templateItem: AVPlayerItem(url: url))
        let before = Self.resident()
        rig.player.play()
        // By then the clip has been decoded or abandoned.
        #expect(
            await rig.wait { rig.player.statistics.framesShown > 30 || rig.player.currentItem?.status == .failed })
        var most = 0
        await rig.refreshes(120) { most = max(most, Self.resident()) }
        #expect(most - before < 256 << 20, "\((most - before) >> 20) MB")
        withExtendedLifetime(looper) { rig.stopDisplay() }
    }

    nonisolated private static func resident() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    @Test("implausible pixel aspect ratios are ignored, and frame sizes are limited")
    func pixelShapes() {
        #expect(
            PixelAspect.ratio(AVRational(num: 268_435_456, den: 1)) == 1
                && PixelAspect.ratio(AVRational(num: 1, den: .max)) == 1)
        #expect(
            PixelAspect.ratio(AVRational(num: -1, den: 2)) == 1
                && PixelAspect.ratio(AVRational(num: 64, den: 45)) == 64 / 45.0)
        let size = PictureLimits.presentationSize(
            width: .max, height: .max, pixelAspectRatio: 20, orientation: PictureOrientation(rotation: 90))
        #expect(size.width <= 65_535 && size.height <= 65_535)
        #expect(
            PictureLimits.presentationSize(
                width: 720, height: 576, pixelAspectRatio: 64 / 45.0, orientation: PictureOrientation(rotation: 90))
                == CGSize(width: 576, height: 1024))
    }

    @Test("only MediaTime converts timestamps")
    func oneDoor() throws {
        let sources = Repository.root.appendingPathComponent("Sources")
        let door = "MediaCore/Time/MediaTime.swift"
        let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && $0 != door }
        try #require(files.count > 100)
        for file in files {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            #expect(
                !text.contains("av_rescale"),
                "\(file) reckons with stamps by itself; `MediaTime(stamp:base:)` checks and saturates")
            // The plain conversion traps if the number does not fit.
            #expect(
                !text.contains("Int(zt_stream_rotation") && !text.contains("Int64(av_q2d")
                    && !text.contains("Int(av_q2d"), "\(file)")
        }
    }
}
