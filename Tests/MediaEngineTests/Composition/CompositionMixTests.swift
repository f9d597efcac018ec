import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio mixes of compositions")
struct CompositionMixTests {
    private let composition = AVMutableComposition()
    private let folder: SineFile.Folder

    init() throws { folder = try SineFile.Folder() }

    private func samples(_ from: Int64, _ to: Int64) -> CMTimeRange { CompositionRig.frames(from, to, 48_000) }
    private func add(_ sine: SineFile, _ name: String) throws -> AVMutableCompositionTrack {
        let source = try CompositionRig.track(sine.write(name, to: folder.url), .audio)
        return try CompositionRig.add([samples(0, Int64(sine.count))], of: source, to: composition)
    }
    private func mix(_ parameters: AVAudioMixInputParameters...) -> AVMutableAudioMix {
        let mix = AVMutableAudioMix()
        mix.inputParameters = parameters
        return mix
    }
    private func isNear(_ all: [Float], _ expected: [Float]) -> Bool {
        all.count == expected.count && zip(all, expected).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test("music is quieter while speech plays")
    func ducking() throws {
        let (tune, voice) = (SineFile(frequency: 440, seconds: 3), SineFile(frequency: 700, amplitude: 0.3, seconds: 1))
        let music = try add(tune, "music.wav")
        let speech = try add(voice, "speech.wav")
        speech.insertEmptyTimeRange(samples(0, 48_000))
        let parameters = AVMutableAudioMixInputParameters(track: music)
        parameters.setVolumeRamp(fromStartVolume: 1, toEndVolume: 0.2, timeRange: samples(38_400, 48_000))
        parameters.setVolumeRamp(fromStartVolume: 0.2, toEndVolume: 1, timeRange: samples(96_000, 105_600))
        let expected = (0..<tune.count).map { (n: Int) -> Float in
            let gain: Double =
                switch n {
                case ..<38_400: 1
                case ..<48_000: 1 - 0.8 * Double(n - 38_400) / 9_600
                case ..<96_000: 0.2
                case ..<105_600: 0.2 + 0.8 * Double(n - 96_000) / 9_600
                default: 1
                }
            let spoken = (48_000..<96_000).contains(n) ? voice.sample(n - 48_000) : 0
            return tune.sample(n) * Float(gain) + spoken
        }
        #expect(try isNear(CompositionRig.samples(composition, mix: mix(parameters)), expected))
    }

    @Test("the volumes of a track and of the mix are multiplied")
    func product() throws {
        let sine = SineFile(frequency: 440, seconds: 0.5)
        let track = try add(sine, "a.wav")
        track.preferredVolume = 0.5
        let parameters = AVMutableAudioMixInputParameters(track: track)
        parameters.setVolume(0.5, at: CompositionRig.time(10_001, 48_000))
        let expected = (0..<sine.count).map { sine.sample($0) * ($0 < 10_001 ? 0.5 : 0.25) }
        #expect(try isNear(CompositionRig.samples(composition, mix: mix(parameters)), expected))
    }

    @Test("a seek into a ramp begins with the volume there")
    func seek() throws {
        let sine = SineFile(frequency: 440, seconds: 1)
        let parameters = AVMutableAudioMixInputParameters(track: try add(sine, "a.wav"))
        parameters.setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: samples(0, 48_000))
        let reader = try CompositionRig.reader(
            composition, volumes: SharedTrackVolumes(mix(parameters).volumes))
        try reader.decodeSound(as: AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo))
        for target in [30_010, 12_010, 47_010] {
            try reader.seek(to: MediaTime(samples: Int64(target), rate: 48_000) + 1)
            guard case .sound(let chunk, let time) = try reader.read() else {
                Issue.record("no audio at \(target)")
                continue
            }
            #expect(time?.samples(at: 48_000) == Int64(target))
            let played = stride(from: 0, to: chunk.count, by: 2).map { chunk[$0] }
            let expected = played.indices.map { sine.sample(target + $0) * Float(target + $0) / 48_000 }
            #expect(isNear(played, expected), "at \(target)")
        }
    }

    @Test("parameters without an enabled audio track are ignored")
    func ignored() throws {
        let sine = SineFile(frequency: 440, seconds: 0.2)
        _ = try add(sine, "a.wav")
        let disabled = try add(sine, "b.wav")
        disabled.isEnabled = false
        func silent(_ track: AVAssetTrack?, _ id: CMPersistentTrackID? = nil) -> AVAudioMixInputParameters {
            let parameters = AVMutableAudioMixInputParameters(track: track)
            if let id { parameters.trackID = id }
            parameters.setVolume(0, at: .zero)
            return parameters
        }
        let mix = mix(silent(nil), silent(disabled), silent(nil, 99))
        #expect(try CompositionRig.samples(composition, mix: mix) == (0..<sine.count).map { sine.sample($0) })
    }

    @Test("a changed mix applies to the next packet within 10 ms")
    func changes() throws {
        let constant = SineFile(frequency: 440, seconds: 1)
        let source = try CompositionRig.track(constant.write("a.wav", to: folder.url) { _, _ in 0.5 }, .audio)
        let track = try CompositionRig.add([samples(0, 48_000)], of: source, to: composition)
        let quiet = AVMutableAudioMixInputParameters(track: track)
        quiet.setVolume(0.25, at: .zero)
        let volumes = SharedTrackVolumes()
        let reader = try CompositionRig.reader(composition, volumes: volumes)
        try reader.decodeSound(as: AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo))
        var all: [Float] = []
        func read(to count: Int) throws {
            while all.count < count {
                guard case .sound(let chunk, _) = try reader.read() else { return }
                all += stride(from: 0, to: chunk.count, by: 2).map { chunk[$0] }
            }
        }
        try read(to: 10_000)
        let first = all.count
        volumes.value = mix(quiet).volumes
        try read(to: 20_000)
        let second = all.count
        volumes.value = TrackVolumes()
        try read(to: 48_000)
        let expected = all.indices.map { n -> Float in
            let down = min(1, max(0, Float(n - first) / 480))
            let up = min(1, max(0, Float(n - second) / 480))
            return 0.5 - 0.375 * down + 0.375 * up
        }
        #expect(all.count == 48_000 && isNear(all, expected))
    }
}
