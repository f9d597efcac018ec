import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Containers, codecs and frame formats")
@MainActor
struct FormatTests {
    @Test(
        "containers and codecs play with the right colors",
        arguments: [
            "quad-h264.mp4", "quad-hevc.mp4", "quad-mpeg4.avi", "quad-mpeg4.mp4", "quad-vp9.webm", "quad-av1.mp4",
            "quad-flac.mkv",
            "quad-ac3.ts", "quad.3gp", "quad.3g2", "quad.m4v", "quad.mov", "quad-5994.mp4", "quad-odd.mp4",
            "quad-anamorphic.mp4",
            "quad-hevc10.mkv", "quad-videoonly.mkv", "quad-h263.3gp", "quad-av1.webm",
        ])
    func plays(name: String) async throws {
        let rig = try Rig(name)
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        #expect(item.status == .readyToPlay)
        rig.player.rate = 4
        #expect(await rig.wait { rig.player.timeControlStatus == .paused && rig.player.isAtEnd })
        let frame = try #require(rig.picture())
        // Luma of red, green, blue and white by BT.601 in limited range: 81, 145, 41, 235. Codecs may deviate a little.
        for (quadrant, expected) in [81, 145, 41, 235].enumerated() {
            #expect(abs(Rig.luma(frame, quadrant: quadrant) - expected) <= 12, "\(name), quadrant \(quadrant)")
        }
    }

    @Test("many audio channels of unknown positions are mixed to stereo", arguments: [9, 11, 64])
    func manyChannels(count: Int) throws {
        // No layout has these numbers of channels. FFmpeg 6.1 and later assume 5.1.4 for ten channels.
        let folder = try SineFile.Folder()
        let sine = SineFile(frequency: 440, seconds: 1, channels: count)
        let reader = try ItemReader(
            url: sine.write("many.wav", to: folder.url), selection: TrackSelection(), interrupt: InterruptToken())
        let track = try #require(reader.description.audio)
        let format = AudioFormat(sampleRate: 48_000, channelMask: track.channelMask)
        #expect(format.channelCount == 2)
        let decoder = try AudioDecoder(track: track, format: format, startOffset: 0, location: "test")
        var samples: [Float] = []
        func append(_ part: UnsafePointer<Float>, _ frames: Int, _: MediaTime?) {
            samples.append(contentsOf: UnsafeBufferPointer(start: part, count: frames * 2))
        }
        while case .audio(let packet) = reader.next() { decoder.decode(packet, deliver: append) }
        decoder.decode(nil, deliver: append)
        try #require(samples.count == sine.count * 2)
        // All channels are the same sine, so their mean is that sine.
        #expect(samples.indices.allSatisfy { abs(samples[$0] - sine.sample($0 / 2)) < 0.001 })
    }

    @Test("color range, bit depth and HDR tags reach the frame")
    func ranges() async throws {
        let full = try Rig("quad-full.mp4")
        try await full.ready()
        #expect(try #require(full.picture()).withAVFrame { $0.pointee.color_range } == AVCOL_RANGE_JPEG)
        #expect(Rig.luma(try #require(full.picture()), quadrant: 3) >= 250)
        let hdr = try Rig("quad-hdr10.mkv")
        try await hdr.ready()
        let (transfer, format) = try #require(hdr.picture()).withAVFrame { ($0.pointee.color_trc, $0.pointee.format) }
        #expect(transfer == AVCOL_TRC_SMPTE2084)
        #expect(format == AV_PIX_FMT_YUV420P10LE.rawValue)
        let hlg = try Rig("quad-hlg.mkv")
        try await hlg.ready()
        #expect(try #require(hlg.picture()).withAVFrame { $0.pointee.color_trc } == AVCOL_TRC_ARIB_STD_B67)
    }

    @Test("edit lists remove frames and delay the start")
    func editLists() async throws {
        let trimmed = try Rig("trimmed.mp4")
        try await trimmed.ready()
        #expect(trimmed.number() == 30)
        #expect(abs(try #require(trimmed.player.currentItem?.duration.seconds) - 9) < 0.05)
        for n in [45, 31, 290, 30] {
            #expect(await trimmed.seek((Double(n - 30) + 0.5) / 30))
            #expect(trimmed.number() == n)
        }
        let delayed = try Rig("editlist.mov")
        try await delayed.ready()
        #expect(await delayed.seek(1.51))
        // The first frame is at 0.5 s, so the thirtieth after it is displayed at 1.51 s.
        #expect(abs(try #require(delayed.picture()).presentationTime.seconds - 1.5) < 0.001)
        #expect(await delayed.seek(0))
        #expect(abs(try #require(delayed.picture()).presentationTime.seconds - 0.5) < 0.001)
    }

    @Test(
        "rotation reaches each frame and changes the presentation size",
        arguments: [(90, 180.0, 320.0), (180, 320.0, 180.0), (270, 180.0, 320.0)])
    func rotation(degrees: Int, width: Double, height: Double) async throws {
        let rig = try Rig("quad-rot\(degrees).mp4")
        try await rig.ready()
        let frame = try #require(rig.picture())
        #expect(frame.rotation == degrees)
        #expect(rig.player.currentItem?.presentationSize == CGSize(width: width, height: height))
        #expect(frame.presentationSize == CGSize(width: width, height: height))
    }

    @Test("anamorphic pixels widen the presentation size")
    func anamorphic() async throws {
        let rig = try Rig("quad-anamorphic.mp4")
        try await rig.ready()
        #expect(rig.player.currentItem?.presentationSize == CGSize(width: 320, height: 180))
    }

    @Test(
        "audio files of any layout play to the end and show artwork",
        arguments: [
            ("audio.mp3", false), ("audio.flac", false), ("audio-mono.wav", false), ("audio-51.m4a", false),
            ("audio-71.flac", false), ("audio-cover.m4a", true),
        ])
    func soundAlone(name: String, hasCover: Bool) async throws {
        let rig = try Rig(name)
        rig.player.play()
        let item = try #require(rig.player.currentItem)
        #expect(
            await rig.wait { rig.player.currentTime().seconds > 0.3 },
            "\(item.status) \(String(describing: item.error)) \(rig.player.timeControlStatus)")
        #expect(item.status == .readyToPlay)
        #expect((rig.picture() != nil) == hasCover)
        if hasCover { #expect(item.presentationSize == CGSize(width: 64, height: 64)) }
        rig.player.rate = 4
        #expect(await rig.wait { rig.player.timeControlStatus == .paused })
        #expect(abs(rig.player.currentTime().seconds - 2) < 0.1)
    }

    @Test(
        "a reader decodes artwork unless it reads only audio", arguments: [TrackSelection.Choice.automatic, .none])
    func artwork(video: TrackSelection.Choice) throws {
        let reader = try ItemReader(
            url: TestMedia.url("audio-cover.m4a"), selection: TrackSelection(video: video),
            interrupt: InterruptToken())
        #expect((reader.description.still != nil) == (video != .none))
        #expect(reader.description.audio != nil)
    }

    @Test("surround is mixed to stereo only if the device lacks the channels")
    func downmix() async throws {
        let surround: UInt64 = 0x3F
        let side: UInt64 = 0x60F
        let stereo: UInt64 = 0x3
        let mono: UInt64 = 0x4
        #expect(PulseChannels.preferred(source: surround, device: stereo) == stereo)
        #expect(PulseChannels.preferred(source: surround, device: surround) == surround)
        #expect(PulseChannels.preferred(source: mono, device: stereo) == mono)
        #expect(PulseChannels.preferred(source: stereo, device: mono) == mono)
        #expect(PulseChannels.preferred(source: side, device: nil) == stereo)
        for mask in [stereo, surround, side, 0x63F] { #expect(PulseChannels.mask(PulseChannels.map(mask)) == mask) }
        let server = try await PrivateSoundServer.launch(channels: 2)
        defer { server.stop() }
        let device = AudioDevice(server: server.address)
        #expect(
            device.preferredFormat(channelMask: surround, sampleRate: 48000)
                == AudioFormat(sampleRate: 48000, channelMask: stereo))
    }

    @Test("a hardware decoder failure loses and repeats no frame")
    func hardwareFallback() throws {
        // Test machines have no hardware decoder. The software decoder acts as one and fails at every possible packet.
        func decode(breakingAt broken: Int?, capacity: Int? = nil) throws -> [Int64] {
            let reader = try ItemReader(
                url: TestMedia.url("counter-video.mp4"), selection: TrackSelection(), interrupt: InterruptToken())
            let track = try #require(reader.description.video)
            let decoder = try VideoDecoder(track: track, startOffset: 0, location: "counter", device: nil)
            if broken != nil { decoder.pretendHardware(capacity: capacity) }
            var times: [Int64] = []
            var count = 0
            reading: while true {
                switch reader.next() {
                case .video(let packet):
                    if count == broken { decoder.failNextPacket() }
                    count += 1
                    decoder.decode(packet) { times.append($0.pts.nanoseconds) }
                case .end, .failed: break reading
                default: continue
                }
            }
            decoder.decode(nil) { times.append($0.pts.nanoseconds) }
            if broken != nil { #expect(!decoder.isHardware) }
            return times
        }
        let whole = try decode(breakingAt: nil)
        #expect(whole.count == 300)
        for broken in [0, 1, 2, 5, 59, 60, 61, 100, 150, 299] {
            #expect(try decode(breakingAt: broken) == whole, "broken at packet \(broken)")
        }
        // The packets before the failure were too large to be kept. Frames are shown before the keyframe at packet 60.
        let cut = try decode(breakingAt: 30, capacity: 1)
        #expect(cut.suffix(240) == whole.suffix(240) && cut.contains { $0 > whole[35] && $0 < whole[60] })
    }

    @Test("damaged packets leave hardware decoding on; a broken device turns it off", arguments: [1, 3, 4])
    func damagedPackets(count damaged: Int) throws {
        let reader = try ItemReader(
            url: TestMedia.url("counter-video.mp4"), selection: TrackSelection(), interrupt: InterruptToken())
        let track = try #require(reader.description.video)
        // One thread, as for a device, so that a failure belongs to its packet.
        let decoder = try VideoDecoder(track: track, startOffset: 0, location: "counter", threads: 1, device: nil)
        decoder.pretendHardware()
        var (packets, frames) = (0, 0)
        reading: while true {
            switch reader.next() {
            case .video(let packet):
                // The packets begin with the size of a unit, which exceeds the packet.
                if 70..<70 + damaged ~= packets { memset(packet.raw.pointee.data, 0xFF, 4) }
                packets += 1
                decoder.decode(packet) { _ in frames += 1 }
            case .end, .failed: break reading
            default: continue
            }
        }
        decoder.decode(nil) { _ in frames += 1 }
        #expect(decoder.isHardware == (damaged < 4))
        #expect(packets == 300 && frames >= 300 - 2 * damaged && decoder.failedPackets >= damaged)
    }

    @Test(
        "a language tag selects the matching audio track",
        arguments: [
            ("en", 440.0, false), ("de", 550, false), ("de", 550, true), ("fr-CA", 660, false), ("ja", 440, false),
        ])
    func language(tag: String, frequency: Double, isSetWhileOpening: Bool) async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let recording = try await server.record()
        let rig = Rig(server: server.address)
        let item = AVPlayerItem(url: try TestMedia.url("languages.mkv"))
        if !isSetWhileOpening { item.preferredAudioLanguages = [tag] }
        rig.player.insert(item)
        if isSetWhileOpening { item.preferredAudioLanguages = [tag] }
        func playToEnd() async {
            rig.player.play()
            #expect(await rig.wait { rig.player.timeControlStatus == .paused && rig.player.isAtEnd })
        }
        await playToEnd()
        // Audio is lost that plays before the stream is connected. On a busy machine, this can be all of it.
        if try recording.samples().count(where: { abs($0) > 0.01 }) < 24_000 {
            #expect(await rig.seek(0))
            await playToEnd()
        }
        let proof = await SineProof.of(try await recording.finish(), frequency: frequency)
        #expect(abs(proof.pitch - frequency) < 5)
    }
}
