import StreamSimulation
import Streaming
import Testing

@Suite("Limits of the adaptive choice")
struct AdaptLimitsTests {
    private let variants = [
        AdaptationVariant(peakBitRate: 5_000_000, resolution: .init(width: 1920, height: 1080)),
        AdaptationVariant(peakBitRate: 800_000, resolution: .init(width: 640, height: 360)),
        AdaptationVariant(peakBitRate: 12_000_000, resolution: .init(width: 3840, height: 2160)),
        AdaptationVariant(peakBitRate: 2_500_000, resolution: .init(width: 1280, height: 720)),
    ]

    @Test("variants are sorted by demand")
    func order() {
        #expect(AdaptationLimits().allowed(of: variants) == [1, 3, 0, 2])
    }

    @Test("preferredPeakBitRate limits the peak; 0, negative and NaN mean no limit")
    func peak() {
        #expect(AdaptationLimits(peakBitRate: 2_500_000).allowed(of: variants) == [1, 3])
        for none in [0, -1, Double.nan] {
            #expect(AdaptationLimits(peakBitRate: none).allowed(of: variants).count == 4)
        }
    }

    @Test("preferredMaximumResolution limits both sides, also for portrait video")
    func maximum() {
        let limits = AdaptationLimits(maximumResolution: .init(width: 1280, height: 720))
        #expect(limits.allowed(of: variants) == [1, 3])
        #expect(
            limits.allowed(of: [AdaptationVariant(peakBitRate: 1, resolution: .init(width: 720, height: 1280))]) == [0])
    }

    @Test("no variant larger than needed for the screen is used")
    func display() {
        #expect(AdaptationLimits(displaySize: .init(width: 1000, height: 562)).allowed(of: variants) == [1, 3])
        #expect(AdaptationLimits(displaySize: .init(width: 1920, height: 1080)).allowed(of: variants) == [1, 3, 0])
        // A display larger than all variants allows all.
        #expect(AdaptationLimits(displaySize: .init(width: 7680, height: 4320)).allowed(of: variants).count == 4)
        // If the aspect ratios differ, the video is large enough when one side covers the window.
        let wide = [
            AdaptationVariant(peakBitRate: 1, resolution: .init(width: 1280, height: 534)),
            AdaptationVariant(peakBitRate: 2, resolution: .init(width: 1920, height: 800)),
        ]
        #expect(AdaptationLimits(displaySize: .init(width: 1280, height: 720)).allowed(of: wide) == [0])
        #expect(AdaptationLimits(displaySize: .init(width: 0, height: 0)).allowed(of: variants).count == 4)
    }

    @Test("unmeetable limits leave the smallest variant that can be decoded")
    func least() {
        #expect(AdaptationLimits(peakBitRate: 1000).allowed(of: variants) == [1])
        #expect(AdaptationLimits(maximumResolution: .init(width: 10, height: 10)).allowed(of: variants) == [1])
        #expect(AdaptationLimits(peakBitRate: 1000, excluded: [1]).allowed(of: variants) == [3])
        #expect(AdaptationLimits(excluded: [0, 1, 2, 3]).allowed(of: variants) == [])
    }

    @Test("limits apply in every situation, also when changed during playback")
    func always() {
        var choice = AdaptiveChoice(variants: variants, segmentDuration: ns(4))
        choice.see(50_000_000)
        #expect(choice.next(buffer: 50, current: 2).variant == 2)
        choice.limits = AdaptationLimits(peakBitRate: 6_000_000, excluded: [0])
        for buffer in [0.0, 1, 5, 20, 60, 200] {
            for current in [nil, 0, 1, 2, 3, 9, -1] {
                for startup in [true, false] {
                    let decision = choice.next(buffer: buffer, current: current, startup: startup)
                    #expect([1, 3].contains(decision.variant))
                    if let current, !startup, ![1, 3].contains(current) { #expect(decision.reason == .limit) }
                }
            }
        }
    }

    @Test("a session keeps its limits on every network trace", arguments: CommittedTraces.names)
    func session(name: String) throws {
        let stream = SimulatedStream()
        let simulator = StreamSimulator(stream: stream, trace: try CommittedTraces.read(name))
        let result = simulator.run(
            AdaptiveRule(stream, limits: AdaptationLimits(peakBitRate: 2_000_000, excluded: [2])))
        #expect(Set(result.chosen).isSubset(of: [0, 1, 3]))
    }
}
