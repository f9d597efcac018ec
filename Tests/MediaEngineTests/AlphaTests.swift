import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Alpha channel", .serialized)
@MainActor
struct AlphaTests {
    private func isNear(_ a: [[Int]], _ b: [[Int]], alpha: Int = 2, color: Int = 4) -> Bool {
        a.count == b.count
            && zip(a, b).allSatisfy { own, other in
                abs(own[3] - other[3]) <= alpha
                    && (other[3] == 0 || zip(own.prefix(3), other).allSatisfy { abs($0 - $1) <= color })
            }
    }

    /// Decodes every frame of a file with Zoetrope's decoder.
    private func decode(
        _ name: String, threads: Int32 = 0, _ change: (Int, UnsafeMutablePointer<AVPacket>) -> Void = { _, _ in }
    ) throws -> [VideoFrame] {
        let reader = try ItemReader(url: TestMedia.url(name), selection: TrackSelection(), interrupt: InterruptToken())
        let decoder = try VideoDecoder(
            track: try #require(reader.description.video), startOffset: reader.startOffset, location: name,
            threads: threads, device: nil)
        var frames: [VideoFrame] = []
        var number = 0
        reading: while true {
            switch reader.next() {
            case .video(let packet):
                change(number, packet.raw)
                number += 1
                decoder.decode(packet) { frames.append($0.frame) }
            case .end, .failed: break reading
            default: continue
            }
        }
        decoder.decode(nil) { frames.append($0.frame) }
        return frames
    }

    @Test("frames have the same alpha and colors as ffmpeg's output", arguments: AlphaClip.all)
    func decoded(name: String) throws {
        let theirs = try AlphaClip.columns(byFFmpeg: TestMedia.url(name))
        try #require(theirs.count == AlphaClip.count)
        for threads in [0, 1] as [Int32] {
            let frames = try decode(name, threads: threads)
            try #require(frames.count == AlphaClip.count)
            for (n, frame) in frames.enumerated() {
                #expect(frame.hasAlpha && AlphaClip.number(frame) == n)
                let columns = AlphaClip.columns(frame)
                #expect(isNear(columns, theirs[n]), "\(name), \(n): \(columns) for \(theirs[n])")
            }
        }
    }

    @Test("seeks show the requested frame, also when several overlap", arguments: AlphaClip.all)
    func sought(name: String) async throws {
        let rig = try Rig(name)
        try await rig.ready()
        for n in [24, 3, 13, 14, 9, 10, 0, 20] {
            #expect(await rig.seek(Double(n) / 25 + 0.01))
            #expect(try AlphaClip.number(#require(rig.picture())) == n)
        }
        // Several overlapping seeks: the last one decides which frame is shown.
        for n in [2, 22, 7] {
            rig.player.seek(
                to: CMTime(value: CMTimeValue(n * 40 + 10), timescale: 1000), toleranceBefore: .zero,
                toleranceAfter: .zero
            ) { _ in }
        }
        #expect(await rig.seek(17.0 / 25 + 0.01))
        #expect(try AlphaClip.number(#require(rig.picture())) == 17)
    }

    @Test(
        "a looped clip shows the right frame in every pass",
        arguments: [
            ("alpha-vp9.webm", true), ("alpha-vp9.webm", false), ("alpha-large.webm", false), ("alpha-vp8.webm", false),
            ("alpha-qtrle.mov", true), ("alpha-prores.mov", true),
        ])
    func looped(name: String, isDecoded: Bool) async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url(name))
        item.entry.refusesClip = !isDecoded
        let looper = AVPlayerLooper(player: rig.player, templateItem: item)
        rig.player.play()
        var seen: [Int: Set<Int>] = [:]
        var wrong: [String] = []
        #expect(
            await rig.wait {
                guard let frame = rig.picture() else { return false }
                let due = Int((frame.presentationTime.seconds * 25).rounded())
                let number = AlphaClip.number(frame)
                if number != due { wrong.append("\(String(describing: number)) at \(due)") }
                seen[looper.loopCount, default: []].insert(due)
                return looper.loopCount >= 3
            })
        #expect(wrong.isEmpty, "\(wrong)")
        #expect(seen.filter { $0.value.count > 2 }.count >= 2, "\(seen.mapValues(\.count))")
    }

    @Test("memory sizes of frames and packets include alpha")
    func counted() throws {
        let reader = try ItemReader(
            url: TestMedia.url("alpha-vp9.webm"), selection: TrackSelection(), interrupt: InterruptToken())
        let estimate = try #require(DecodedClip.estimate(reader.description, frameCount: 25, format: nil))
        #expect(estimate >= 25 * 160 * 96 * 5 / 2)
        let frame = try #require(try decode("alpha-vp9.webm").first)
        #expect(frame.byteCount >= 160 * 96 * 5 / 2)
        let compact = try #require(frame.compacted())
        #expect(compact.hasAlpha && AlphaClip.columns(compact) == AlphaClip.columns(frame))
        // A packet's memory size includes its side data.
        guard case .video(let packet) = reader.next() else {
            Issue.record("the first packet is not video")
            return
        }
        #expect(packet.byteCount > Int(packet.raw.pointee.size))
    }

    // MARK: corrupt alpha data

    /// Removes the alpha data (a second stream's block) from `packet`.
    private func strip(_ packet: UnsafeMutablePointer<AVPacket>) { av_packet_free_side_data(packet) }

    /// Replaces the alpha data of `packet` by `piece`.
    private func put(_ piece: [UInt8], into packet: UnsafeMutablePointer<AVPacket>) {
        strip(packet)
        guard let data = av_packet_new_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, piece.count) else {
            return
        }
        for (index, byte) in piece.enumerated() { data[index] = byte }
    }

    private func pieces(_ name: String) throws -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        _ = try decode(name) { _, packet in
            var size = 0
            let data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
            pieces.append(data.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? [])
        }
        return pieces
    }

    @Test(
        "a frame without its alpha data is opaque; later frames are correct",
        arguments: ["alpha-vp9.webm", "alpha-vp8.webm"])
    func missing(name: String) throws {
        let frames = try decode(name) { number, packet in if (4..<10).contains(number) { strip(packet) } }
        try #require(frames.count == 25)
        for (n, frame) in frames.enumerated() {
            #expect(frame.hasAlpha)
            if (4..<10).contains(n) {
                #expect(AlphaClip.columns(frame).allSatisfy { $0[3] == 255 })
            } else {
                #expect(AlphaClip.number(frame) == n)
            }
        }
    }

    @Test("alpha data of another size is ignored")
    func otherSize() throws {
        let small = try pieces("alpha-small.webm")
        let frames = try decode("alpha-vp9.webm") { number, packet in
            if number >= 10 { put(small[number], into: packet) }
        }
        #expect(frames.count == 25)
        for (n, frame) in frames.enumerated() {
            if n < 10 {
                #expect(AlphaClip.number(frame) == n)
            } else {
                #expect(AlphaClip.columns(frame).allSatisfy { $0[3] == 255 }, "\(n)")
            }
        }
    }

    @Test("corrupt alpha data does not stop decoding", arguments: ["alpha-vp9.webm", "alpha-vp8.webm"])
    func noise(name: String) throws {
        let other = try pieces(name == "alpha-vp9.webm" ? "alpha-vp8.webm" : "alpha-vp9.webm")
        let own = try pieces(name)
        var random = SeededNumbers(seed: 7)
        for round in 0..<40 {
            let frames = try decode(name) { number, packet in
                switch (number + round) % 7 {
                case 0:
                    put(
                        [0, 0, 0, 0, 0, 0, 0, 1] + (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) },
                        into: packet)
                case 1: put(Array(own[number].prefix(8 + own[number].count / 3)), into: packet)
                case 2: put(Array(own[number].prefix(8)), into: packet)
                case 3: put([0, 0, 0, 0, 0, 0, 0, 4] + own[number].dropFirst(8), into: packet)
                case 4: put(other[number], into: packet)
                case 5: put([0, 0, 0], into: packet)
                default: break
                }
            }
            #expect(frames.count == 25)
            for frame in frames { #expect(frame.hasAlpha && AlphaClip.columns(frame).count == 4) }
        }
    }

    @Test("an undeclared alpha stream is used from where it begins")
    func unannounced() throws {
        let reader = try ItemReader(
            url: TestMedia.url("alpha-vp9.webm"), selection: TrackSelection(), interrupt: InterruptToken())
        var track = try #require(reader.description.video)
        #expect(track.hasSecondStream)
        track.hasSecondStream = false
        let decoder = try VideoDecoder(track: track, startOffset: reader.startOffset, location: "alpha", device: nil)
        // Pretends to decode in hardware, whose frames cannot be combined with separate alpha frames.
        decoder.pretendHardware()
        var frames: [VideoFrame] = []
        var number = 0
        reading: while true {
            switch reader.next() {
            case .video(let packet):
                if number < 10 { strip(packet.raw) }
                number += 1
                decoder.decode(packet) { frames.append($0.frame) }
            case .end, .failed: break reading
            default: continue
            }
        }
        decoder.decode(nil) { frames.append($0.frame) }
        try #require(frames.count == 25)
        #expect(!decoder.isHardware)
        #expect(!frames[0].hasAlpha)
        #expect((10..<25).allSatisfy { AlphaClip.number(frames[$0]) == $0 })
    }

    // MARK: opaque video

    @Test("opaque videos have no alpha", arguments: ["quad-vp9.webm", "quad-709.mp4", "quad.mov"])
    func opaque(name: String) throws {
        let reader = try ItemReader(url: TestMedia.url(name), selection: TrackSelection(), interrupt: InterruptToken())
        #expect(try #require(reader.description.video).hasSecondStream == false)
        #expect(try decode(name).allSatisfy { !$0.hasAlpha })
    }

    @Test("a GIF has alpha only if it contains transparent frames")
    func animations() throws {
        #expect(try decode("opaque.gif").allSatisfy { !$0.hasAlpha })
        let frames = try decode("alpha.gif")
        #expect(frames.count == 25 && frames.allSatisfy(\.hasAlpha))
        let first = try #require(frames.first)
        #expect(AlphaClip.pixel(first, 1.0 / 8)[3] == 0 && AlphaClip.pixel(first, 7.0 / 8)[3] == 255)
    }

    @Test("a track reports whether it contains alpha", arguments: AlphaClip.all + ["quad-vp9.webm", "opaque.gif"])
    func told(name: String) async throws {
        let track = try #require(try await AVURLAsset(url: TestMedia.url(name)).loadTracks(withMediaType: .video).first)
        #expect(track.hasMediaCharacteristic(.containsAlphaChannel) == name.hasPrefix("alpha"))
    }

    // MARK: images and files

    /// Decodes an image file with the ffmpeg tool. The result returns red, green, blue and alpha at a position.
    private func pixels(_ data: Data, _ name: String, _ width: Int, _ height: Int) throws -> (Int, Int) -> [Int] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-alpha-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        let raw = folder.appendingPathComponent("raw")
        try data.write(to: file)
        try ChildProcess(
            "ffmpeg", ["-v", "error", "-y", "-i", file.path, "-f", "rawvideo", "-pix_fmt", "rgba", raw.path]
        ).wait()
        let bytes = [UInt8](try Data(contentsOf: raw))
        try #require(bytes.count == width * height * 4)
        return { x, y in (0..<4).map { Int(bytes[(y * width + x) * 4 + $0]) } }
    }

    @Test("snapshots are exact: PNG keeps alpha, JPEG has a black background", arguments: AlphaClip.all)
    func snapshot(name: String) async throws {
        let theirs = try AlphaClip.columns(byFFmpeg: TestMedia.url(name))
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try TestMedia.url(name)))
        for n in [17, 4] {
            let (image, time) = try await generator.image(at: CMTime(value: CMTimeValue(n * 40 + 10), timescale: 1000))
            #expect(abs(time.seconds - Double(n) / 25) < 0.002)
            let png = try pixels(image.encoded(as: .png), "a.png", 160, 96)
            let columns = [20, 60, 100, 140].map { png($0, 48) }
            #expect(isNear(columns, theirs[n]), "\(columns) for \(theirs[n])")
            let jpeg = try pixels(image.encoded(as: .jpeg), "a.jpg", 160, 96)
            for (x, color) in zip([20, 60, 100, 140], theirs[n]) {
                let black = color.prefix(3).map { $0 * color[3] / 255 }
                #expect(zip(jpeg(x, 48), black).allSatisfy { abs($0 - $1) <= 10 }, "\(jpeg(x, 48)) for \(black)")
            }
        }
    }

    @Test(
        "scaling down does not reveal the colors of transparent pixels",
        arguments: ["alpha-qtrle.mov", "alpha-vp9.webm"])
    func scaled(name: String) async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try TestMedia.url(name)))
        generator.maximumSize = CGSize(width: 70, height: 0)
        let (image, _) = try await generator.image(at: CMTime(value: 10, timescale: 1000))
        #expect(image.hasAlpha && image.width == 70 && image.height == 42)
        let png = try pixels(image.encoded(as: .png), "a.png", 70, 42)
        // The red area ends at x = 17.5, so pixel 17 is half transparent, but still red.
        let edge = png(17, 21)
        #expect((40...90).contains(edge[3]) && edge[0] > 180 && edge[1] < (name.hasSuffix("mov") ? 60 : 140), "\(edge)")
        #expect(png(8, 21)[3] == 0 && png(65, 21)[3] == 255)
    }
}
