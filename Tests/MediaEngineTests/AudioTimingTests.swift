import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import Testing

@testable import MediaEngine

@Suite("Volume, position and channels of the audio output")
struct AudioTimingTests {
    // MARK: gain

    /// Applies the ramp to `blocks` blocks of ones, one channel, and calls `before` with each block's number first.
    private func ramped(_ ramp: GainRamp, blocks: Int, from: Int = 0, before: (Int) -> Void) -> [Float] {
        var all: [Float] = []
        for block in 0..<blocks {
            before(block)
            var ones = [Float](repeating: 1, count: 480)
            ones.withUnsafeMutableBufferPointer { p in
                if let base = p.baseAddress { ramp.apply(to: base, frames: 480, first: from + block * 480) }
            }
            all += ones
        }
        return all
    }

    private func largestStep(_ samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    @Test("volume and mute ramps never step, even when changed midway")
    func ramps() {
        let ramp = GainRamp(sampleRate: 48_000, channels: 1)
        ramp.begin(at: 0, fadingIn: false)
        let out = ramped(ramp, blocks: 12) { block in
            switch block {
            case 1: ramp.setVolume(0)
            case 2: ramp.setVolume(1)  // reverses the direction in the middle of the ramp
            case 5: ramp.setMuted(true)
            case 8: ramp.setVolume(0.25)
            case 9: ramp.setMuted(false)
            default: break
            }
        }
        #expect(largestStep(out) < 1.01 / 720)
        #expect(out[0] == 1)
        #expect(out[4 * 480] == 1)
        #expect(out[7 * 480] == 0 && out[8 * 480] == 0)
        #expect(out[11 * 480] == 0.25)
    }

    @Test("volume is clamped to 0…1; NaN is silent")
    func clamped() {
        let ramp = GainRamp(sampleRate: 48_000, channels: 1)
        for (set, expected) in [(Float(7), Float(1)), (-3, 0), (.nan, 0), (.infinity, 1), (0.5, 0.5)] {
            ramp.setVolume(set)
            ramp.begin(at: 0, fadingIn: false)
            #expect(ramped(ramp, blocks: 1) { _ in }.allSatisfy { $0 == expected })
        }
    }

    @Test("the gain of a frame is repeatable")
    func repeatable() {
        let ramp = GainRamp(sampleRate: 48_000, channels: 1)
        ramp.begin(at: 1000, fadingIn: true)
        let out = ramped(ramp, blocks: 4, from: 1000) { if $0 == 1 { ramp.setVolume(0.3) } }
        #expect(out[0] == 0)
        #expect(largestStep(out) < 1.01 / 480)
        for (index, value) in out.enumerated() { #expect(ramp.gain(at: 1000 + index) == value) }
    }

    // MARK: position

    @Test("jittery reports leave the position smooth, monotonic and accurate")
    func jitter() {
        let position = HeardPosition(sampleRate: 48_000)
        let begin = HostTime(nanoseconds: 1_000_000_000_000)
        position.run(isReported: true, limit: .max, host: begin)
        var jitter = UInt64(20_260_101)  // the same jitter each time: Knuth's MMIX generator
        var last = -1.0
        var worst = 0.0
        var steepest = 0.0
        // The device begins 60 ms late and runs 200 ppm fast.
        for millisecond in 0..<20_000 {
            let host = begin + Int64(millisecond) * 1_000_000
            let truth = max(0, Double(millisecond) - 60) / 1000 * 48_000 * 1.0002
            if millisecond % 30 == 0, millisecond > 60 {
                jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let error = Double(jitter >> 40) / Double(1 << 24) * 480 - 240
                position.correct(truth + error, at: host, onlyForward: false, host: host)
            }
            let now = position.frames(at: host, limit: .max)
            #expect(now >= last)
            if millisecond > 2000 {
                worst = max(worst, abs(now - truth))
                steepest = max(steepest, abs(now - last - 48))
            }
            last = now
        }
        #expect(worst < 240)  // 5 ms
        #expect(steepest <= 48 * 0.021)  // never more than 2 % off the host clock's slope
    }

    @Test("large corrections move forward at once, and backward by waiting")
    func resync() {
        let position = HeardPosition(sampleRate: 1000)  // a frame is a millisecond
        let ms: (Int64) -> HostTime = { HostTime(nanoseconds: $0 * 1_000_000) }
        position.run(isReported: true, limit: .max, host: ms(0))
        for t in stride(from: Int64(0), through: 1000, by: 10) {
            position.correct(Double(t), at: ms(t), onlyForward: false, host: ms(t))
        }
        #expect(abs(position.frames(at: ms(1000), limit: .max) - 1000) < 1e-6)
        position.correct(1100, at: ms(1010), onlyForward: false, host: ms(1010))
        #expect(abs(position.frames(at: ms(1010), limit: .max) - 1100) < 1e-6)
        position.correct(1000, at: ms(1020), onlyForward: false, host: ms(1020))
        #expect(abs(position.frames(at: ms(1020), limit: .max) - 1110) < 1e-6)
        #expect(abs(position.frames(at: ms(1129), limit: .max) - 1110) < 1e-6)
        #expect(abs(position.frames(at: ms(1140), limit: .max) - 1120) < 1e-6)
    }

    @Test("the position respects the start, the stop, a flush and the limit")
    func edges() {
        let position = HeardPosition(sampleRate: 1000)
        let ms: (Int64) -> HostTime = { HostTime(nanoseconds: $0 * 1_000_000) }
        position.run(isReported: true, limit: 5000, host: ms(0))
        #expect(position.frames(at: ms(300), limit: 5000) == 0)
        #expect(position.frames(at: ms(1900), limit: 5000) == 0)
        position.correct(0, at: ms(300), onlyForward: false, host: ms(300))
        #expect(position.frames(at: ms(350), limit: 5000) == 50)
        #expect(position.frames(at: ms(9000), limit: 5000) == 5000)
        position.stop(limit: 5000, host: ms(400))
        #expect(position.frames(at: ms(9000), limit: 5000) == 100)
        position.correct(900, at: ms(500), onlyForward: false, host: ms(500))
        #expect(position.frames(at: ms(9000), limit: 5000) == 100)
        position.jump(to: 5000, isReported: true, host: ms(600))
        #expect(position.frames(at: ms(600), limit: 5000) == 5000)
        position.run(isReported: true, limit: 6000, host: ms(700))
        position.correct(4800, at: ms(710), onlyForward: false, host: ms(710))  // reported before the flush
        #expect(position.frames(at: ms(710), limit: 6000) == 5000)
    }

    @Test("the position never goes back while its writer is delayed", arguments: 0..<4)
    func heldUp(change: Int) {
        let position = HeardPosition(sampleRate: 48_000)
        position.run(isReported: false, limit: .max)
        let begins = Flag()
        let ends = Flag()
        let wentBack = Flag()
        let last = Atomic<UInt64>(0)
        let reader = WorkerThread(name: "test-reader") {
            var isOver = false
            while !begins.isSet { sched_yield() }
            repeat {
                isOver = ends.isSet
                let now = position.frames(at: .now(), limit: .max)
                let before = Double(bitPattern: last.exchange(now.bitPattern, ordering: .relaxed))
                if now < before { wentBack.set() }
            } while !isOver
        }
        /// The limit of written frames. Its getter takes 20 ms, so that readers run while the position is being
        /// changed.
        var limit: Int {
            begins.set()
            let until = HostClock.now() + 20_000_000
            while HostClock.now() < until { sched_yield() }
            return .max
        }
        switch change {
        case 0: position.run(isReported: true, limit: limit)
        case 1: position.stop(limit: limit)
        case 2: position.hold(limit: limit)
        default: position.stall(limit: limit)
        }
        ends.set()
        reader.join()
        #expect(!wentBack.isSet)
        #expect(Double(bitPattern: last.load(ordering: .relaxed)) > 0)
    }

    // MARK: channels

    private static let stereo: UInt64 = 0x3, mono: UInt64 = 0x4
    private static let surround51: UInt64 = 0x3f, surround51side: UInt64 = 0x60f, surround71: UInt64 = 0x63f

    @Test(
        "a source keeps its layout if the device has enough channels",
        arguments: [
            (surround51, stereo, stereo), (surround51side, surround51, surround51side),
            (surround51, surround71, surround51),
            (surround71, surround51, surround51), (stereo, surround51, stereo), (mono, stereo, mono),
            (stereo, mono, mono),
            (surround71, mono, mono), (stereo, nil, stereo), (mono, nil, mono), (surround51, nil, stereo),
            (0, nil, stereo), (0, surround51, surround51), (0xfffff, surround51, surround51),
            (0xfffff, 0xfffff, stereo),
        ] as [(UInt64, UInt64?, UInt64)])
    func preferred(source: UInt64, device: UInt64?, expected: UInt64) {
        #expect(PulseChannels.preferred(source: source, device: device) == expected)
    }

    @Test(
        "channel layouts survive conversion to PulseAudio and back",
        arguments: [stereo, mono, surround51, surround51side, surround71, 0x7, 0x2d60f, 0x560f] as [UInt64])
    func roundTrip(mask: UInt64) {
        let map = PulseChannels.map(mask)
        #expect(Int(map.channels) == mask.nonzeroBitCount)
        #expect(PulseChannels.mask(map) == mask)
    }
}
