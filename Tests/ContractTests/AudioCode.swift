import Foundation
import TestSupport
import Testing
import Zoetrope

// `AVAudioPlayer` and `AVAudioFile` as public apps use them.

final class AudioManager: NSObject, ObservableObject, AVAudioPlayerDelegate {
    private var audioPlayer: AVAudioPlayer?
    @Published private(set) var isPlaying = false
    private(set) var ends = 0

    func start(_ url: URL, loops: Int = 0) {
        do {
            try AVAudioSession.sharedInstance().setCategory(.playback)
            audioPlayer = try AVAudioPlayer(contentsOf: url, fileTypeHint: AVFileType.mp3.rawValue)
            audioPlayer?.delegate = self
            audioPlayer?.numberOfLoops = loops
            audioPlayer?.enableRate = true
            audioPlayer?.rate = 2
            audioPlayer?.volume = 0
            audioPlayer?.setVolume(0.5, fadeDuration: 0.1)
            audioPlayer?.prepareToPlay()
            audioPlayer?.play()
            isPlaying = audioPlayer?.isPlaying ?? false
        } catch {
            print("Can't play: \(error.localizedDescription)")
        }
    }
    func playData(_ url: URL) throws -> Bool {
        let player = try AVAudioPlayer(data: Data(contentsOf: url))
        defer { player.stop() }
        return player.play(atTime: player.deviceCurrentTime + 5) && player.isPlaying
    }
    func toggle() {
        guard let player = audioPlayer else { return }
        if player.isPlaying { player.pause() } else { player.play() }
        isPlaying = player.isPlaying
    }
    var progress: Double {
        get { (audioPlayer?.currentTime ?? 0) / (audioPlayer?.duration ?? 1) }
        set { audioPlayer?.currentTime = newValue * (audioPlayer?.duration ?? 0) }
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        if flag { ends += 1 }
        isPlaying = false
    }
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: Error?) {
        print(error?.localizedDescription ?? "no reason")
    }
}

/// A store whose player has no audio until a song is chosen.
@MainActor
final class SongStore: ObservableObject {
    var audioPlayer = AVAudioPlayer()
    @Published var duration: TimeInterval = 0

    func choose(_ url: URL) {
        audioPlayer.stop()
        guard let player = try? AVAudioPlayer(contentsOf: url) else { return }
        audioPlayer = player
        duration = audioPlayer.duration
    }
}

/// The samples of a file, for a waveform.
enum Waveform {
    static func samples(_ url: URL) throws -> [Float] {
        let file = try AVAudioFile(forReading: url)
        let format = file.processingFormat
        let frameCount = UInt32(file.length)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCount) else { return [] }
        try file.read(into: buffer)
        guard let channel = buffer.floatChannelData else { return [] }
        return Array(UnsafeBufferPointer(start: channel[0], count: Int(buffer.frameLength)))
    }
    static func peaks(_ url: URL, length: AVAudioFrameCount) throws -> [Float] {
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatFloat32, interleaved: false)
        let standard = AVAudioFormat(
            standardFormatWithSampleRate: file.fileFormat.sampleRate, channels: file.fileFormat.channelCount)
        guard let standard, standard == file.processingFormat, standard.isStandard,
            let buffer = AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: length)
        else { return [] }
        var peaks: [Float] = []
        file.framePosition = AVAudioFramePosition(0)
        while file.framePosition < file.length {
            try file.read(into: buffer, frameCount: length)
            guard let channels = buffer.floatChannelData else { break }
            let samples = stride(from: 0, to: Int(buffer.frameLength) * buffer.stride, by: buffer.stride)
            peaks.append(samples.map { abs(channels[0][$0]) }.max() ?? 0)
        }
        return peaks
    }
}

@Suite("Audio players in apps")
@MainActor
struct AudioCodeTests {
    @Test("an app's audio manager plays to the end")
    func manager() async throws {
        let manager = AudioManager()
        let url = try TestMedia.url("audio.mp3")
        manager.start(url)
        #expect(manager.isPlaying)
        manager.progress = 0.5
        #expect(abs(manager.progress - 0.5) < 0.01)
        await eventually("the end") { manager.ends == 1 }
        #expect(!manager.isPlaying)
        manager.toggle()
        #expect(manager.isPlaying)
        manager.toggle()
        #expect(try !manager.isPlaying && manager.playData(url))
    }

    @Test("an app draws a waveform of the samples")
    func waveform() throws {
        let url = try TestMedia.url("audio.mp3")
        let samples = try Waveform.samples(url)
        #expect(abs(samples.count - 88_200) < 4410 && (samples.max() ?? 0) > 0.1)
        let peaks = try Waveform.peaks(url, length: 4410)
        #expect(abs(peaks.count - samples.count / 4410) <= 1 && (peaks.max() ?? 0) > 0.1)
    }
}
