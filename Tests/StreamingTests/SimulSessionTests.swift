import StreamSimulation
import Streaming
import Testing

@Suite("Stream simulator")
struct SimulSessionTests {
    @Test("a session gives the values calculated by hand")
    func byHand() throws {
        // Variant 1 has segments of 4 s and 3 Mbit. At 1 Mbit/s and 0.1 s latency each takes 3.1 s, and playback begins
        // after the first.
        let stream = SimulatedStream(segmentCount: 3)
        var simulator = StreamSimulator(stream: stream, trace: try constantTrace(1_000_000))
        simulator.latency = 0.1
        let result = simulator.run(FixedRule(1))
        #expect(abs(result.startup - 3.1) < 1e-9)
        #expect(result.stalled == 0)
        #expect(abs(result.duration - 15.1) < 1e-9)
        // At 0.5 Mbit/s each takes 6.1 s, which is 2.1 s too late.
        simulator.trace = try constantTrace(500_000)
        let slow = simulator.run(FixedRule(1))
        #expect(abs(slow.startup - 6.1) < 1e-9)
        #expect(abs(slow.stalled - 4.2) < 1e-9)
        #expect(slow.stalls == 2)
        #expect(abs(slow.rebufferRatio - 4.2 / 16.2) < 1e-9)
        #expect(slow.meanBitRate(stream.variants) == 750_000)
    }

    @Test("the buffer never exceeds its target")
    func bufferTarget() throws {
        let stream = SimulatedStream()
        var simulator = StreamSimulator(stream: stream, trace: try constantTrace(50_000_000))
        simulator.bufferTarget = 20
        let spy = simulator.run(Spy { #expect($0.buffer <= 20 + 1e-9) })
        #expect(spy.stalled == 0)
    }

    @Test("a simulation is deterministic", arguments: CommittedTraces.names)
    func deterministic(name: String) throws {
        let stream = SimulatedStream(variation: 0.3)
        let simulator = StreamSimulator(stream: stream, trace: try CommittedTraces.read(name))
        #expect(simulator.run(AdaptiveRule(stream)) == simulator.run(AdaptiveRule(stream)))
    }

    @Test("variable segments differ but keep the average bit rate")
    func variation() {
        let stream = SimulatedStream(variation: 0.4, seed: 7)
        for variant in stream.variants.indices {
            let sizes = stream.bits.map { $0[variant] }
            #expect(Set(sizes).count > 100)
            let mean = sizes.reduce(0, +) / Double(sizes.count) / 4
            #expect(abs(mean / stream.variants[variant].sustainedBitRate - 1) < 0.001)
            #expect(sizes.allSatisfy { $0 / 4 <= Double(stream.variants[variant].peakBitRate) + 8 })
        }
    }

    @Test("the quality of experience follows the published formula")
    func quality() {
        let variants = SimulatedStream().variants
        let linear = QualityOfExperience(.linear, variants: variants)
        // 0.3 + 4.3 + 1.2 − (4.0 + 3.1) − 4.3 · (1 + 0.5), divided by three segments.
        #expect(abs(linear.score(chosen: [0, 5, 2], stalled: 1, startup: 0.5) - (5.8 - 7.1 - 6.45) / 3) < 1e-9)
        let log = QualityOfExperience(.log, variants: variants)
        #expect(abs(log.stallPenalty - 2.6626) < 1e-3)
        #expect(log.score(chosen: [0, 0], stalled: 0, startup: 0) == 0)
    }

    @Test("invalid rules still finish the session")
    func oddRules() throws {
        let stream = SimulatedStream(segmentCount: 5)
        let simulator = StreamSimulator(stream: stream, trace: try constantTrace(1_000_000))
        #expect(simulator.run(Answering(nil)).chosen == [0, 0, 0, 0, 0])
        #expect(simulator.run(Answering(99)).chosen == [5, 5, 5, 5, 5])
        #expect(simulator.run(Answering(-3)).chosen == [0, 0, 0, 0, 0])
    }
}

private struct Answering: VariantRule {
    let name = "answering"
    let answer: Int?
    init(_ answer: Int?) { self.answer = answer }
    mutating func choose(_ question: RuleQuestion) -> Int? { answer }
    mutating func abandon(_ transfer: RuleTransfer) -> Int? { transfer.variant }
}

private struct Spy: VariantRule {
    let name = "spy"
    let look: @Sendable (RuleQuestion) -> Void
    init(_ look: @escaping @Sendable (RuleQuestion) -> Void) { self.look = look }
    mutating func choose(_ question: RuleQuestion) -> Int? {
        look(question)
        return 2
    }
}
