import Foundation
import MediaCore
import Testing

@testable import MediaEngine

@Suite("Parameters of audio mixes")
struct AudioMixTests {
    private let parameters = AVMutableAudioMixInputParameters()

    /// A time in hundredths of a second.
    private func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 100) }
    private func range(_ from: Int64, _ to: Int64) -> CMTimeRange { CMTimeRange(start: time(from), end: time(to)) }
    private func ramp(_ first: Float, _ last: Float, _ from: Int64, _ to: Int64) {
        parameters.setVolumeRamp(fromStartVolume: first, toEndVolume: last, timeRange: range(from, to))
    }
    /// Returns the volumes at `times`, in hundredths of a second.
    private func volumes(_ times: Int64...) -> [Float] {
        times.map { frame in
            var gains: [Float] = []
            parameters.state.ramps.fill(&gains, from: frame, 1, rate: 100)
            return gains.first ?? -1
        }
    }
    private func expectNear(
        _ volumes: [Float], _ expected: [Float], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isNear = volumes.count == expected.count && zip(volumes, expected).allSatisfy { abs($0 - $1) < 1e-6 }
        #expect(isNear, "\(volumes)", sourceLocation: sourceLocation)
    }
    private struct Found: Equatable {
        var start: Float = -1
        var end: Float = -1
        var range = CMTimeRange.invalid
    }
    private func found(at: Int64) -> Found? {
        var found = Found()
        let isFound = parameters.getVolumeRamp(
            for: time(at), startVolume: &found.start, endVolume: &found.end, timeRange: &found.range)
        return isFound ? found : nil
    }

    @Test("the volume is 1 before ramps and holds after them")
    func ramps() {
        expectNear(volumes(0, 1000), [1, 1])
        ramp(0.5, 0.25, 400, 500)
        ramp(0, 1, 600, 700)
        expectNear(volumes(0, 399, 400, 450, 499), [1, 1, 0.5, 0.375, 0.2525])
        expectNear(volumes(500, 599, 600, 625, 700, 9999), [0.25, 0.25, 0, 0.25, 1, 1])
        parameters.setVolume(0.75, at: .zero)
        expectNear(volumes(0, 399, 400), [0.75, 0.75, 0.5])
    }

    @Test("one run of frames contains all changes", arguments: [0, 90, 150, 260])
    func runs(first: Int) {
        ramp(0, 1, 100, 200)
        parameters.setVolume(0.5, at: time(250))
        var gains: [Float] = []
        parameters.state.ramps.fill(&gains, from: Int64(first), 200, rate: 100)
        let expected = (first..<first + 200).map { (frame: Int) -> Float in
            switch frame {
            case 100..<200: Float(frame - 100) / 100
            case 250...: 0.5
            default: 1
            }
        }
        expectNear(gains, expected)
    }

    @Test("volumes are clamped from 0 to 1")
    func clamping() {
        parameters.setVolume(3, at: .zero)
        parameters.setVolume(-1, at: time(100))
        parameters.setVolume(.nan, at: time(200))
        ramp(-.infinity, .infinity, 300, 400)
        expectNear(volumes(0, 100, 200, 300, 350, 400), [1, 0, 0, 0, 0.5, 1])
    }

    @Test("invalid times are ignored")
    func invalid() {
        for wrong in [CMTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity, time(-1)] {
            parameters.setVolume(0, at: wrong)
            parameters.setVolumeRamp(
                fromStartVolume: 0, toEndVolume: 0, timeRange: CMTimeRange(start: wrong, duration: time(100)))
            parameters.setVolumeRamp(
                fromStartVolume: 0, toEndVolume: 0, timeRange: CMTimeRange(start: time(100), duration: wrong))
        }
        #expect(parameters.state.ramps.isEmpty)
        #expect(!parameters.getVolumeRamp(for: .invalid, startVolume: nil, endVolume: nil, timeRange: nil))
        // A range without duration sets the end volume.
        ramp(0.5, 0.25, 100, 100)
        expectNear(volumes(99, 100, 101), [1, 0.25, 0.25])
    }

    @Test("a later ramp replaces what it overlaps")
    func overlaps() {
        ramp(0, 1, 0, 1000)
        ramp(1, 1, 400, 500)
        expectNear(volumes(200, 399, 400, 499, 500, 750), [0.2, 0.399, 1, 1, 0.5, 0.75])
        // The volume that is set inside a ramp ends it.
        parameters.setVolume(0.25, at: time(800))
        expectNear(volumes(799, 800, 900, 2000), [0.799, 0.25, 0.25, 0.25])
        // Ramps and volumes in the range of a later ramp are removed.
        ramp(0, 0.5, 300, 900)
        expectNear(volumes(200, 299, 300, 600, 900), [0.2, 0.299, 0, 0.25, 0.5])
        // A volume at the start of a ramp does not remove the ramp, in either order.
        parameters.setVolume(1, at: time(300))
        expectNear(volumes(300, 600), [0, 0.25])
        parameters.setVolume(1, at: time(1200))
        ramp(0, 0.5, 1200, 1300)
        expectNear(volumes(1199, 1200, 1250), [0.5, 0, 0.25])
    }

    @Test("a time's ramp is the current or the next one")
    func descriptions() throws {
        #expect(found(at: 0) == nil)
        ramp(0.5, 0.25, 400, 500)
        parameters.setVolume(0.75, at: time(600))
        parameters.setVolume(1, at: time(800))
        ramp(1, 0, 900, 1000)
        for at: Int64 in [0, 400, 499] {
            #expect(found(at: at) == Found(start: 0.5, end: 0.25, range: range(400, 500)), "at \(at)")
        }
        for at: Int64 in [500, 600, 799] {
            #expect(found(at: at) == Found(start: 0.75, end: 0.75, range: range(600, 800)), "at \(at)")
        }
        #expect(found(at: 950) == Found(start: 1, end: 0, range: range(900, 1000)))
        #expect(found(at: 1000) == nil)
        parameters.setVolume(0.5, at: time(1000))
        let endless = try #require(found(at: 5000))
        #expect(endless.range.start == time(1000) && endless.range.duration.isPositiveInfinity)
    }

    @Test("copies do not change with the original")
    func copies() throws {
        parameters.trackID = 7
        parameters.setVolume(0.5, at: .zero)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let copy = try #require(mix.copy() as? AVAudioMix)
        let changeable = try #require(copy.mutableCopy() as? AVMutableAudioMix)
        parameters.trackID = 8
        parameters.setVolume(0, at: .zero)
        mix.inputParameters = []
        #expect(copy.inputParameters.map(\.trackID) == [7] && !(copy is AVMutableAudioMix))
        let first = try #require(changeable.inputParameters.first as? AVMutableAudioMixInputParameters)
        first.trackID = 9
        var volume: Float = 0
        let kept = try #require(copy.inputParameters.first)
        #expect(kept.getVolumeRamp(for: .zero, startVolume: &volume, endVolume: nil, timeRange: nil) && volume == 0.5)
        #expect(kept.trackID == 7 && !(kept is AVMutableAudioMixInputParameters))
    }

    @Test("a track's first parameters apply; parameters without a track are ignored")
    func matching() {
        func parameters(_ id: CMPersistentTrackID, _ volume: Float) -> AVAudioMixInputParameters {
            let parameters = AVMutableAudioMixInputParameters(track: nil)
            #expect(parameters.trackID == kCMPersistentTrackID_Invalid)
            parameters.trackID = id
            parameters.setVolume(volume, at: .zero)
            return parameters
        }
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters(kCMPersistentTrackID_Invalid, 0), parameters(2, 0.5), parameters(2, 0.25)]
        var gains: [Float] = []
        mix.volumes.ramps(of: 2).fill(&gains, from: 0, 1, rate: 100)
        #expect(gains == [0.5])
        #expect(mix.volumes.ramps(of: kCMPersistentTrackID_Invalid).isEmpty && mix.volumes.ramps(of: 1).isEmpty)
    }
}
