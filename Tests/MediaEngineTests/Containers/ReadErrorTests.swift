import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Read errors of local files", .serialized)
struct ReadErrorTests {
    private func copy(_ url: URL) throws -> URL {
        try AssetTestMedia.temporary("unreadable-\(url.lastPathComponent)", Data(contentsOf: url))
    }

    @Test(
        "a read error is not the end of a local file",
        arguments: [
            "faststart.mp4", "fragments.mp4", "whole.mkv", "whole.webm", "whole.avi", "whole.flv", "whole.wav",
            "whole.flac", "whole.ts",
        ])
    func fails(name: String) throws {
        let url = try copy(TruncatedFileTests.whole(name))
        defer { AssetTestMedia.remove(url) }
        let reader = try ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken())
        try #require(OpenDescriptors.failReads(of: url) > 0)
        while true {
            switch reader.next() {
            case .failed(let error):
                #expect(error.code == .readFailed && error.reason.hasPrefix("reading the file failed"), "\(error)")
                return
            case .end:
                Issue.record("\(name) ended")
                return
            default: continue
            }
        }
    }

    @Test("an item fails after a read error", arguments: ["whole.mkv", "whole.wav"]) @MainActor
    func plays(name: String) async throws {
        let url = try copy(TruncatedFileTests.whole(name))
        defer { AssetTestMedia.remove(url) }
        let rig = Rig()
        defer { rig.stopDisplay() }
        let item = AVPlayerItem(url: url)
        let ended = NotificationCounter(AVPlayerItem.didPlayToEndTimeNotification, item)
        let failed = NotificationCounter(AVPlayerItem.failedToPlayToEndTimeNotification, item)
        rig.player.insert(item)
        #expect(await rig.wait { item.status == .readyToPlay })
        try #require(OpenDescriptors.failReads(of: url) > 0)
        rig.player.play()
        #expect(await rig.wait { failed.count > 0 })
        #expect(ended.count == 0 && item.status == .failed)
        #expect((item.error as? AVError)?.code == .readFailed, "\(String(describing: item.error))")
    }

    @Test("a clip that was not read completely does not loop")
    func clip() async throws {
        let url = try copy(TestMedia.url("loop-flac.mkv"))
        defer { AssetTestMedia.remove(url) }
        let reader = try ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken())
        try #require(OpenDescriptors.failReads(of: url) > 0)
        let clip = DecodedClip(
            description: reader.description, format: AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo),
            reservedBytes: 64 << 20)
        clip.load(reader: reader, startOffset: reader.startOffset, location: url.location)
        await eventually("the clip ends", seen: { "\(clip.currentState)" }) { clip.currentState != .loading }
        #expect(clip.currentState == .abandoned && clip.end == nil)
        clip.cancel()
    }

    @Test("a clip stays held when the clip that it replaced is released")
    func replacedClip() async throws {
        let url = try copy(TestMedia.url("loop-flac.mkv"))
        defer { AssetTestMedia.remove(url) }
        let key = DecodedClip.Key(file: try #require(FileIdentity(url: url)), selection: TrackSelection())
        let cache = ClipCache()
        func start(_ reader: ItemReader) throws -> DecodedClip {
            try #require(
                cache.start(
                    key, reader: reader, format: AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo),
                    location: url.location))
        }
        let unreadable = try ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken())
        try #require(OpenDescriptors.failReads(of: url) > 0)
        let first = try start(unreadable)
        await eventually("the first clip ends", seen: { "\(first.currentState)" }) { first.currentState != .loading }
        try #require(first.currentState == .abandoned)
        let second = try start(ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken()))
        cache.release(first, key)
        #expect(cache.isHeld(key))
        await eventually("the second clip ends", seen: { "\(second.currentState)" }) {
            second.currentState != .loading
        }
        #expect(second.currentState == .complete)
        cache.release(second, key)
        #expect(!cache.isHeld(key))
    }

    @Test("an audio file returns to its position after a failed seek")
    func audio() throws {
        let whole = try TruncatedFileTests.whole("whole.wav")
        let url = try copy(whole)
        defer { AssetTestMedia.remove(url) }
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1000))
        try file.read(into: buffer)
        try #require(OpenDescriptors.failReads(of: url) > 0)
        file.framePosition = file.length * 3 / 4
        #expect(throws: AVError.self) { try file.read(into: buffer) }
        file.framePosition = 1000
        try file.read(into: buffer)
        let intact = try AVAudioFile(forReading: whole)
        let expected = try #require(AVAudioPCMBuffer(pcmFormat: intact.processingFormat, frameCapacity: 2000))
        try intact.read(into: expected)
        let (read, all) = (try #require(buffer.floatChannelData), try #require(expected.floatChannelData))
        #expect(buffer.frameLength == 1000 && expected.frameLength == 2000)
        #expect((0..<1000).allSatisfy { read[0][$0 * buffer.stride] == all[0][(1000 + $0) * expected.stride] })
    }

    @Test("a read error is reported instead of an earlier frame")
    func frame() throws {
        let url = try copy(TruncatedFileTests.whole("whole.mkv"))
        defer { AssetTestMedia.remove(url) }
        let extractor = try FrameExtractor(url: url)
        try #require(OpenDescriptors.failReads(of: url) > 0)
        let error = #expect(throws: AVError.self) {
            try extractor.frame(at: CMTime(seconds: 5, preferredTimescale: 600))
        }
        #expect(error?.code == .readFailed, "\(String(describing: error))")
    }
}
