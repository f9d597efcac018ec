/// One trace, all rules, and what was possible: a table.
package struct SimulationComparison: Sendable {
    package struct Row: Sendable {
        package var result: SimulationResult
        /// By `QualityOfExperience`.
        package var score: Double
        /// The score as a share of the optimum's; nil if the optimum is not above 0, where a share says nothing.
        package var share: Double?
        /// What the injected clock says it took, nanoseconds.
        package var took: Int64
    }

    package let trace: String
    package let adaptive: Row
    package let throughput: Row
    package let buffer: Row
    /// One for each rung.
    package let fixed: [Row]
    package let optimum: OfflineOptimum.Result
    package let optimumTook: Int64

    /// - Parameter clock: nanoseconds, for `took`; the results do not depend on it.
    package init(
        _ simulator: StreamSimulator, _ quality: QualityOfExperience, optimum search: OfflineOptimum = OfflineOptimum(),
        clock: () -> Int64 = { 0 }
    ) {
        let stream = simulator.stream
        let began = clock()
        let optimum = search.solve(simulator, quality)
        optimumTook = clock() - began
        func row(_ rule: some RungRule) -> Row {
            let began = clock()
            let result = simulator.run(rule)
            let took = clock() - began
            let score = quality.score(chosen: result.chosen, stalled: result.stalled, startup: result.startup)
            return Row(result: result, score: score, share: optimum.score > 0 ? score / optimum.score : nil, took: took)
        }
        trace = simulator.trace.name
        self.optimum = optimum
        adaptive = row(AdaptiveRule(stream))
        throughput = row(ThroughputRule(stream))
        buffer = row(BufferRule(stream))
        fixed = stream.rungs.indices.map { row(FixedRule($0)) }
    }

    /// The fixed rung that came out best; the lower one of equals.
    package var bestFixed: Row { fixed.max { $0.score < $1.score } ?? adaptive }
    /// The least any of the simple rules stood still, seconds: throughput alone, buffer alone, the best fixed rung.
    package var leastStalledOfSimple: Double {
        min(throughput.result.stalled, buffer.result.stalled, bestFixed.result.stalled)
    }
}
