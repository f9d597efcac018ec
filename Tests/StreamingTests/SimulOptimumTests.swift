import StreamSimulation
import Streaming
import Testing

@Suite("Offline optimum")
struct SimulOptimumTests {
    /// Returns the score of the search and the best score of all sequences of variants, for a stream short enough to
    /// try them all.
    private func small(_ trace: NetworkTrace, quality: QualityOfExperience.Quality = .linear) -> (
        optimum: Double, best: Double
    ) {
        let stream = SimulatedStream(bitRates: [300_000, 1_200_000, 2_850_000], segmentCount: 7, variation: 0.2)
        var simulator = StreamSimulator(stream: stream, trace: trace)
        simulator.bufferTarget = 12
        let measure = QualityOfExperience(quality, variants: stream.variants)
        var best = -Double.infinity
        for number in 0..<2187 {
            var rest = number
            let sequence = (0..<7).map { _ in
                defer { rest /= 3 }
                return rest % 3
            }
            let result = simulator.run(Sequence(sequence))
            best = max(best, measure.score(chosen: result.chosen, stalled: result.stalled, startup: result.startup))
        }
        var search = OfflineOptimum()
        search.timeStep = 0.02
        search.waitStep = 0.01
        return (search.solve(simulator, measure).score, best)
    }

    @Test("the optimum is the best of all sequences", arguments: QualityOfExperience.Quality.allCases)
    func exhaustive(quality: QualityOfExperience.Quality) throws {
        var traces = try [0.4e6, 1e6, 2e6, 9e6].map(constantTrace)
        traces.append(try #require(NetworkTrace(name: "gap", steps: [(6, 3e6), (7, 0.1e6), (4, 2e6)])))
        traces.append(try #require(NetworkTrace(name: "saw", steps: (0..<9).map { (1.7, Double($0 % 4) * 8e5) })))
        for trace in traces {
            let (optimum, best) = small(trace, quality: quality)
            // A second of waiting costs 2.85 over seven segments. The search uses steps of a hundredth of a second.
            #expect(optimum >= best - 0.005, "\(trace.name)")
            // The optimum may exceed the best sequence a little. The search assumes the earliest start, so a full
            // buffer delays requests less. This matters where stalls and a full buffer coincide.
            #expect(optimum <= best + 0.05, "\(trace.name): \(optimum) \(best)")
        }
    }

    @Test("a coarser search gives nearly the same score", arguments: ["lossy", "mobile", "step-up"])
    func quantisation(name: String) throws {
        let stream = SimulatedStream(segmentCount: 40)
        let simulator = StreamSimulator(stream: stream, trace: try CommittedTraces.read(name))
        let quality = QualityOfExperience(variants: stream.variants)
        var coarse = OfflineOptimum()
        var fine = OfflineOptimum()
        coarse.timeStep = 1
        fine.timeStep = 0.2
        let better = fine.solve(simulator, quality).score
        let worse = coarse.solve(simulator, quality).score
        #expect(abs(better - worse) < 0.003 * better)
    }

    @Test("the optimal sequence can be played and reaches its score")
    func playable() throws {
        let stream = SimulatedStream(segmentCount: 40)
        let quality = QualityOfExperience(variants: stream.variants)
        for name in ["steady", "step-up", "hovering"] {
            let simulator = StreamSimulator(stream: stream, trace: try CommittedTraces.read(name))
            var search = OfflineOptimum()
            search.timeStep = 1
            let optimum = search.solve(simulator, quality)
            let played = simulator.run(Sequence(optimum.chosen))
            let score = quality.score(chosen: played.chosen, stalled: played.stalled, startup: played.startup)
            #expect(abs(score - optimum.score) < 0.02, "\(name)")
        }
    }
}

private struct Sequence: VariantRule {
    let name = "sequence"
    private let variants: [Int]
    private var next = 0
    init(_ variants: [Int]) { self.variants = variants }
    mutating func choose(_ question: RuleQuestion) -> Int? {
        defer { next += 1 }
        return variants[next]
    }
}
