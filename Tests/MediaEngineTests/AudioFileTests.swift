import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio files")
struct AudioFileTests {
    private func buffer(_ file: AVAudioFile, _ capacity: Int) throws -> AVAudioPCMBuffer {
        try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(capacity)))
    }
    /// Returns the valid samples of a channel.
    private func samples(_ buffer: AVAudioPCMBuffer, _ channel: Int = 0) throws -> [Float] {
        let data = try #require(buffer.floatChannelData)
        return (0..<Int(buffer.frameLength)).map { data[channel][$0 * buffer.stride] }
    }
    /// Reads the whole file from its beginning, and returns the samples of the first channel.
    private func whole(_ file: AVAudioFile, part: Int = 5000) throws -> [Float] {
        file.framePosition = 0
        let buffer = try buffer(file, part)
        var all: [Float] = []
        while file.framePosition < file.length {
            try file.read(into: buffer)
            all += try samples(buffer)
        }
        return all
    }

    @Test(
        "format and length are known after opening",
        arguments: [
            ("audio-mono.wav", 96_000, 1, 48_000.0, AVAudioCommonFormat.pcmFormatInt16),
            ("audio-stereo.wav", 48_000, 2, 48_000, .pcmFormatInt16), ("audio.mp3", 88_200, 1, 44_100, .otherFormat),
            ("audio-51.m4a", 96_000, 6, 48_000, .otherFormat), ("audio-71.flac", 96_000, 8, 48_000, .otherFormat),
            ("sine-flac.mkv", 96_000, 1, 48_000, .otherFormat),
        ])
    func format(
        name: String, frames: AVAudioFramePosition, channels: AVAudioChannelCount, rate: Double,
        type: AVAudioCommonFormat
    ) throws {
        let file = try AVAudioFile(forReading: try TestMedia.url(name))
        // A container can state its length in milliseconds, and the length of its video.
        #expect(abs(file.length - frames) <= 2400, "\(file.length)")
        #expect(file.framePosition == 0 && file.url.lastPathComponent == name)
        #expect(file.fileFormat.commonFormat == type && file.fileFormat.channelCount == channels)
        #expect(file.processingFormat.isStandard && file.processingFormat.channelCount == channels)
        #expect(file.processingFormat.sampleRate == rate && file.fileFormat.sampleRate == rate)
        #expect(file.processingFormat.settings[AVNumberOfChannelsKey] as? Int == Int(channels))
    }

    @Test("reading returns every sample of each channel", arguments: [false, true])
    func exact(interleaved: Bool) throws {
        let folder = try SineFile.Folder()
        let sine = SineFile(frequency: 440, seconds: 0.5)
        let file = try AVAudioFile(
            forReading: try sine.write("sine.wav", to: folder.url), commonFormat: .pcmFormatFloat32,
            interleaved: interleaved)
        #expect(file.length == AVAudioFramePosition(sine.count))
        #expect(file.fileFormat.commonFormat == .pcmFormatFloat32)
        let buffer = try buffer(file, 4096)
        #expect(buffer.stride == (interleaved ? 2 : 1))
        var next = 0
        while next < sine.count {
            try file.read(into: buffer, frameCount: 1000)
            let count = min(1000, sine.count - next)
            try #require(buffer.frameLength == AVAudioFrameCount(count))
            let expected = (next..<next + count).map { sine.sample($0) }
            #expect(try samples(buffer, 0) == expected && samples(buffer, 1) == expected)
            next += count
            #expect(file.framePosition == AVAudioFramePosition(next))
        }
        try file.read(into: buffer)
        #expect(buffer.frameLength == 0 && file.framePosition == file.length)
    }

    @Test(
        "framePosition seeks to the exact frame",
        arguments: ["audio.flac", "audio-mono.wav", "audio.mp3", "audio-51.m4a"])
    func seek(name: String) throws {
        let file = try AVAudioFile(forReading: try TestMedia.url(name))
        let all = try whole(file)
        let buffer = try buffer(file, 200)
        for start in [all.count / 2, 10, all.count - 200, all.count / 3, all.count / 3 + 1000] {
            file.framePosition = AVAudioFramePosition(start)
            try file.read(into: buffer)
            let read = try samples(buffer)
            try #require(read.count == 200)
            // Between two frames, the tone changes by up to 0.02.
            let difference = zip(read, all[start...]).map { abs($0 - $1) }.max() ?? 1
            #expect(difference < 0.003, "\(difference) at \(start)")
        }
        file.framePosition = .max
        #expect(file.framePosition == file.length)
        try file.read(into: buffer)
        #expect(buffer.frameLength == 0 && file.length == AVAudioFramePosition(all.count))
        file.framePosition = -5
        #expect(file.framePosition == 0)
    }

    @Test(
        "a buffer as long as the file receives all frames",
        arguments: ["audio.mp3", "audio-51.m4a", "audio.flac", "sine-opus.webm", "sine-aac44.mp4"])
    func wholeFile(name: String) throws {
        let file = try AVAudioFile(forReading: try TestMedia.url(name))
        let buffer = try buffer(file, Int(file.length))
        try file.read(into: buffer)
        #expect(file.length == AVAudioFramePosition(buffer.frameLength))
        #expect(abs(Double(buffer.frameLength) / file.processingFormat.sampleRate - 2) < 0.05)
        let samples = try samples(buffer)
        #expect((samples.max() ?? 0) > 0.1 && (samples.min() ?? 0) < -0.1)
        let again = try whole(file)
        #expect(again == samples, "\(again.count) and \(samples.count) frames, file of \(file.length)")
    }

    @Test("frames are counted if the header has no length")
    func counted() throws {
        let url = try AssetTestMedia.make("two-seconds.aac", "-f lavfi -i sine=440:r=48000:d=2 -c:a aac")
        let file = try AVAudioFile(forReading: url)
        let length = file.length
        // The encoder adds frames at both ends.
        #expect(abs(length - 96_000) <= 4096, "\(length)")
        #expect(abs(try whole(file).count - Int(length)) <= 1024)
    }

    @Test("files without readable audio are refused with a remedy")
    func refused() throws {
        func error(_ body: () throws -> AVAudioFile) -> AVError? { #expect(throws: AVError.self) { _ = try body() } }
        let missing = error { try AVAudioFile(forReading: URL(fileURLWithPath: "/nonexistent/rain.mp3")) }
        #expect(missing?.code == .fileNotFound)
        let silent = try TestMedia.url("quad-videoonly.mkv")
        let noAudio = error { try AVAudioFile(forReading: silent) }
        #expect(noAudio?.code == .noPlayableTracks && noAudio?.reason.contains("no audio track") == true)
        let remote = try #require(URL(string: "http://127.0.0.1:9/rain.mp3"))
        let distant = error { try AVAudioFile(forReading: remote) }
        let url = try TestMedia.url("audio.flac")
        let wrongType = error { try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true) }
        #expect(distant?.code == .operationNotSupported && wrongType?.code == .operationNotSupported)
        for found in [missing, noAudio, distant, wrongType] { #expect(found?.suggestion.isEmpty == false) }
    }

    @Test("a buffer with another format is refused")
    func otherFormat() throws {
        let file = try AVAudioFile(forReading: try TestMedia.url("audio-stereo.wav"))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 100))
        let error = #expect(throws: AVError.self) { try file.read(into: buffer) }
        #expect(error?.code == .invalidArgument && error?.suggestion.isEmpty == false && file.framePosition == 0)
    }

    @Test("a truncated file is read to its cut, then fails")
    func truncated() throws {
        let url = try TruncatedFileTests.cut("whole.wav", to: 0.3)
        defer { AssetTestMedia.remove(url) }
        let file = try AVAudioFile(forReading: url)
        let buffer = try buffer(file, 10_000)
        var frames: AVAudioFramePosition = 0
        var failure: AVError?
        // Six seconds are at most 60 reads.
        for _ in 0..<60 {
            do {
                try file.read(into: buffer)
            } catch {
                failure = error
                break
            }
            frames += AVAudioFramePosition(buffer.frameLength)
        }
        #expect(failure?.code == .fileTruncated && frames > 48_000 && file.length == frames)
    }

    @Test("buffers and formats outside the limits are refused")
    func limits() throws {
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        #expect(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: .max) == nil)
        let integers = AVAudioFormat(
            commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true)
        #expect(AVAudioPCMBuffer(pcmFormat: try #require(integers), frameCapacity: 10) == nil)
        for rate in [0, -1, .nan, .infinity] as [Double] {
            #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) == nil)
        }
        for channels in [0, 3] as [AVAudioChannelCount] {
            #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channels) == nil)
        }
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 10))
        buffer.frameLength = 50
        #expect(buffer.frameLength == 10)
        #expect(try samples(buffer, 1) == [Float](repeating: 0, count: 10))
        #expect(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 0) != nil)
    }
}
