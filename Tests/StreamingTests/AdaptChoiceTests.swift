import StreamSimulation
import Streaming
import Testing

@Suite("Adaptive variant choice")
struct AdaptChoiceTests {
    @Test("the first variant is low, and higher with known throughput")
    func startup() {
        #expect(
            AdaptiveChoice.usual().next(buffer: 0, current: nil, startup: true) == .init(variant: 0, reason: .startup))
        let known = AdaptiveChoice.usual(remembered: 6_000_000).next(buffer: 0, current: nil, startup: true)
        #expect((2...3).contains(known.variant))
    }

    @Test("the variant rises within a few segments if throughput allows")
    func climbs() throws {
        let stream = SimulatedStream()
        let result = StreamSimulator(stream: stream, trace: try constantTrace(20_000_000)).run(AdaptiveRule(stream))
        #expect(result.chosen.prefix(4).max() == 5)
        #expect(result.startup < 0.3)
    }

    @Test("a network ten times slower than remembered causes no stall", arguments: [0.5, 1, 2, 5])
    func slower(mbits: Double) throws {
        let stream = SimulatedStream()
        let simulator = StreamSimulator(stream: stream, trace: try constantTrace(mbits * 1e6))
        let result = simulator.run(AdaptiveRule(stream, rememberedBitRate: mbits * 1e7))
        #expect(result.stalled == 0)
        // The lowest variant from the first byte on, and four seconds for the abandoned segment.
        #expect(result.startup < simulator.run(FixedRule(0)).startup + 4)
    }

    @Test("a steady network causes few variant switches", arguments: [400, 900, 1500, 2300, 3500])
    func noOscillation(kbits: Double) throws {
        let stream = SimulatedStream()
        for share in [0.9, 1, 1.1] {
            let result = StreamSimulator(stream: stream, trace: try constantTrace(kbits * 1000 * share)).run(
                AdaptiveRule(stream))
            // Excludes the rise at the start and the last buffer, where the remaining buffer may be used up.
            let settled = Array(result.chosen[20..<130])
            let turns = settled.indices.dropFirst().filter { settled[$0] != settled[$0 - 1] }
            for (turn, next) in zip(turns, turns.dropFirst()) {
                #expect(next - turn >= 6, "\(kbits * share) kbit/s: \(settled)")
            }
            #expect(turns.count <= 10, "\(kbits * share) kbit/s: \(settled)")
            #expect(result.stalled == 0)
        }
    }

    @Test("a hovering network causes far fewer switches than the buffer rule")
    func hovering() throws {
        let stream = SimulatedStream()
        let simulator = StreamSimulator(stream: stream, trace: try CommittedTraces.read("hovering"))
        let own = simulator.run(AdaptiveRule(stream)).switches
        #expect(own * 4 < simulator.run(BufferRule(stream)).switches)
        #expect(own < 12)
    }

    @Test("a full buffer keeps the variant during a short dip")
    func buffer() {
        var choice = AdaptiveChoice.usual()
        choice.see(3_500_000)
        choice.see(1_500_000, count: 1, seconds: 4, from: 40)
        #expect(choice.next(buffer: 55, current: 4) == .init(variant: 4, reason: .steady))
        let poor = choice.next(buffer: 3, current: 4)
        #expect(poor.variant < 4)
        #expect(poor.reason == .panic)
    }

    @Test("an almost empty buffer and a slow network give the lowest variant")
    func lowest() {
        var choice = AdaptiveChoice.usual()
        choice.see(350_000)
        for current in 1..<6 { #expect(choice.next(buffer: 1, current: current).variant == 0) }
    }

    @Test("double speed lowers the variant")
    func speed() {
        var choice = AdaptiveChoice.usual()
        choice.see(3_600_000)
        #expect(choice.next(buffer: 15, current: 4, rate: 1).variant == 4)
        #expect(choice.next(buffer: 15, current: 4, rate: 2).variant < 4)
        #expect(choice.next(buffer: 15, current: 4, rate: 0).variant == 4)
    }

    @Test("live playback lowers the variant with a small buffer")
    func live() {
        var choice = AdaptiveChoice.usual()
        choice.see(3_300_000)
        #expect(choice.next(buffer: 10, current: 4, live: true).variant <= 4)
        choice.see(2_500_000, from: 40)
        #expect(choice.next(buffer: 6, current: 4, live: true).variant < 4)
    }

    @Test("a buffer above its target delays the next request")
    func delay() {
        var choice = AdaptiveChoice.usual()
        choice.see(9_000_000)
        #expect(choice.next(buffer: 63, current: 5).delay == ns(3))
        #expect(choice.next(buffer: 63, current: 5, rate: 2).delay == ns(1.5))
        #expect(choice.next(buffer: 60, current: 5).delay == 0)
    }

    @Test("a large known segment size lowers the variant")
    func sizes() {
        var choice = AdaptiveChoice.usual()
        choice.see(3_000_000)
        func next(_ factor: Double) -> Int {
            choice.nextVariant(
                now: at(0), buffer: ns(12), bufferTarget: ns(60), current: 4, isStartup: false,
                nextSegmentBytes: { Int(Double(SimulatedStream.usualBitRates[$0]) * 4 / 8 * factor) }
            ).variant
        }
        #expect(next(1) == 4)
        #expect(next(4) < 4)
    }

    @Test("near the end of the stream, a higher variant is allowed")
    func ending() {
        var choice = AdaptiveChoice.usual()
        choice.see(2_300_000)
        func next(_ remaining: Int64?) -> Int {
            choice.nextVariant(
                now: at(0), buffer: ns(26), bufferTarget: ns(60), current: 3, isStartup: false, remaining: remaining
            ).variant
        }
        #expect(next(nil) == 3)
        #expect(next(ns(8)) > 3)
    }

    @Test("a failed variant is avoided for increasing times, until it succeeds")
    func failures() {
        var choice = AdaptiveChoice.usual()
        choice.see(9_000_000)
        choice.failed(variant: 5, at: at(100))
        #expect(choice.next(buffer: 50, current: 5, now: 101) == .init(variant: 4, reason: .limit))
        #expect(choice.next(buffer: 50, current: 4, now: 111).variant == 5)
        choice.failed(variant: 5, at: at(111))
        #expect(choice.next(buffer: 50, current: 4, now: 122).variant == 4)
        #expect(choice.next(buffer: 50, current: 4, now: 132).variant == 5)
        choice.succeeded(variant: 5)
        choice.failed(variant: 5, at: at(200))
        #expect(choice.next(buffer: 50, current: 4, now: 211).variant == 5)
        for _ in 0..<200 { choice.failed(variant: 5, at: at(300)) }
        #expect(choice.next(buffer: 50, current: 4, now: 601).variant == 5)
    }

    @Test("when all variants failed, the first to recover is used")
    func allFailed() {
        var choice = AdaptiveChoice.usual()
        for (index, variant) in [3, 0, 1, 2, 4, 5].enumerated() {
            choice.failed(variant: variant, at: at(100 + Double(index)))
        }
        #expect(choice.next(buffer: 50, current: 5, now: 106).variant == 3)
    }
}
