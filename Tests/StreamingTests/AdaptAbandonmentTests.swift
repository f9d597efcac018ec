import StreamSimulation
import Streaming
import Testing

@Suite("Abandoning late segments")
struct AdaptAbandonmentTests {
    /// Returns the variant to load instead of a segment of `variant` (2.15 MB for the highest), or nil to keep it. The
    /// request is `elapsed` seconds old, and `megabytes` have arrived.
    private func asked(
        _ choice: AdaptiveChoice, elapsed: Double, megabytes: Double, buffer: Double, variant: Int = 5,
        startup: Bool = false
    ) -> Int? {
        choice.abandonment(
            now: at(100 + elapsed), startedAt: at(100), bytesSoFar: Int(megabytes * 1e6),
            bytesTotal: SimulatedStream.usualBitRates[variant] / 2, segmentDuration: ns(4), variant: variant,
            buffer: ns(buffer),
            isStartup: startup)
    }

    private var fast: AdaptiveChoice {
        var choice = AdaptiveChoice.usual()
        choice.see(6_000_000)
        return choice
    }

    @Test("a segment that arrives in time is kept")
    func inTime() {
        #expect(asked(fast, elapsed: 2, megabytes: 1, buffer: 10) == nil)
        #expect(asked(fast, elapsed: 0.1, megabytes: 0, buffer: 0) == nil)
    }

    @Test("a late segment is abandoned for a lower variant")
    func late() throws {
        // 0.5 Mbit/s for six seconds: 14 Mbit are missing, and the buffer lasts five more seconds.
        let instead = try #require(asked(fast, elapsed: 6, megabytes: 0.375, buffer: 5))
        #expect(instead < 5)
        let poorer = try #require(asked(fast, elapsed: 20, megabytes: 0.4, buffer: 5))
        #expect(poorer < instead)
    }

    @Test("a segment is kept if no other arrives sooner")
    func sooner() {
        // Almost complete, although it is late.
        #expect(asked(fast, elapsed: 10, megabytes: 2.1, buffer: 0.1) == nil)
        // No variant is lower than the lowest.
        #expect(asked(fast, elapsed: 30, megabytes: 0.01, buffer: 0, variant: 0) == nil)
    }

    @Test("the replacement always needs fewer bytes than what is missing")
    func always() {
        let choice = fast
        for elapsed in [0.5, 1, 2, 4, 8, 16, 60] {
            for megabytes in [0, 0.05, 0.3, 1, 1.5, 2, 2.14] {
                for buffer in [0, 0.5, 2, 8, 30.0] {
                    guard let instead = asked(choice, elapsed: elapsed, megabytes: megabytes, buffer: buffer) else {
                        continue
                    }
                    #expect(Double(SimulatedStream.usualBitRates[instead]) / 2 < 2_150_000 - megabytes * 1e6)
                    #expect(instead < 5)
                }
            }
        }
    }

    @Test("a short pause is tolerated while the buffer lasts")
    func moment() {
        #expect(asked(fast, elapsed: 3, megabytes: 0.6, buffer: 20) == nil)
    }

    @Test("at startup, only a first segment that takes long is abandoned")
    func startup() {
        #expect(asked(fast, elapsed: 1, megabytes: 0.7, buffer: 0, startup: true) == nil)
        #expect(asked(fast, elapsed: 4, megabytes: 0.2, buffer: 0, startup: true) != nil)
    }

    @Test("abandonment reduces stalls, and does not happen on a steady network")
    func session() throws {
        let stream = SimulatedStream()
        // A fast network that almost stops for a minute.
        let trace = try #require(NetworkTrace(name: "gap", steps: [(90, 6e6), (60, 0.4e6)]))
        var simulator = StreamSimulator(stream: stream, trace: trace)
        simulator.bufferTarget = 12
        let with = simulator.run(AdaptiveRule(stream))
        let without = simulator.run(NeverAbandoning(stream))
        #expect(with.abandoned > 0)
        #expect(with.stalled < without.stalled)
        #expect(
            StreamSimulator(stream: stream, trace: try CommittedTraces.read("steady")).run(AdaptiveRule(stream))
                .abandoned == 0)
    }
}

/// `AdaptiveRule` without abandonment of segments.
private struct NeverAbandoning: VariantRule {
    let name = "never"
    private var rule: AdaptiveRule
    init(_ stream: SimulatedStream) { rule = AdaptiveRule(stream) }
    mutating func choose(_ question: RuleQuestion) -> Int? { rule.choose(question) }
    mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {
        rule.received(bytes: bytes, from: from, firstByte: firstByte, to: to)
    }
}
