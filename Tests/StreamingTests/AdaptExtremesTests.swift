import MediaCore
import Streaming
import Testing

@Suite("Adaptive variant choice with invalid input")
struct AdaptExtremesTests {
    private static let times: [Int64] = [.min, -1, 0, 1, 1_000_000_000, .max]
    private static let counts = [Int.min, -1, 0, 1, 1_000_000, Int.max]
    private static let rates = [Double.nan, .infinity, -.infinity, -1, 0, 1e-300, 1, 1e300]

    @Test("any number of variants gives a valid choice")
    func ladders() {
        #expect(AdaptiveChoice(variants: [], segmentDuration: 0).next(buffer: 10, current: nil).variant == 0)
        var single = AdaptiveChoice(variants: [AdaptationVariant(peakBitRate: 9_000_000)], segmentDuration: ns(4))
        single.see(100_000)
        #expect(single.next(buffer: 0, current: 0).variant == 0)
        var many = AdaptiveChoice(
            variants: (1...100).map { AdaptationVariant(peakBitRate: $0 * 100_000) }, segmentDuration: ns(4))
        many.see(5_000_000)
        #expect((35...60).contains(many.next(buffer: 40, current: 45).variant))
        let odd = [0, -7, Int.min, Int.max].map {
            AdaptationVariant(peakBitRate: $0, averageBitRate: $0 / -2, resolution: .init(width: $0, height: .max))
        }
        #expect(
            odd.indices.contains(
                AdaptiveChoice(variants: odd, segmentDuration: .min).next(buffer: 10, current: 1).variant))
    }

    @Test("invalid measurements never trap and always give a variant")
    func questions() {
        for rate in Self.rates {
            var choice = AdaptiveChoice.usual(limits: AdaptationLimits(peakBitRate: rate), remembered: rate)
            for number in Self.times {
                let time = HostTime(nanoseconds: number)
                for count in Self.counts {
                    choice.received(bytes: count, from: time, firstByte: time, to: at(0))
                    choice.received(bytes: count, from: at(0), firstByte: at(0), to: time)
                }
                choice.failed(variant: Int(truncatingIfNeeded: number), at: time)
            }
            #expect(choice.throughput.bitRate.isFinite && choice.throughput.bitRate > 0)
            for buffer in Self.times {
                for target in Self.times {
                    for current in [nil, -1, 0, 5, Int.max] {
                        let decision = choice.nextVariant(
                            now: HostTime(nanoseconds: target), buffer: buffer, bufferTarget: target, current: current,
                            isStartup: buffer == 0,
                            isLive: current == 0,
                            playbackRate: rate, remaining: buffer,
                            nextSegmentBytes: { _ in Self.counts[abs(Int(truncatingIfNeeded: buffer % 6))] })
                        #expect(choice.variants.indices.contains(decision.variant))
                        #expect(decision.delay >= 0)
                    }
                }
            }
        }
    }

    @Test("abandonment with invalid input never suggests the same or a higher variant")
    func abandonment() {
        var choice = AdaptiveChoice.usual()
        choice.see(2_000_000)
        for now in Self.times {
            for started in Self.times {
                for bytes in Self.counts {
                    for variant in [-1, 0, 3, 5, Int.max] {
                        let instead = choice.abandonment(
                            now: HostTime(nanoseconds: now), startedAt: HostTime(nanoseconds: started),
                            bytesSoFar: bytes,
                            bytesTotal: bytes == 0 ? nil : Int.max,
                            segmentDuration: started,
                            variant: variant, buffer: now, playbackRate: Self.rates[abs(variant % 8)],
                            segmentBytes: { _ in bytes })
                        if let instead { #expect(instead < variant) }
                    }
                }
            }
        }
    }
}
