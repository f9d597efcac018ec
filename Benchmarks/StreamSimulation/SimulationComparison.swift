/// A comparison of all rules and the optimum over one trace.
package struct SimulationComparison: Sendable {
    package struct Row: Sendable {
        package var result: SimulationResult
        /// The score by `QualityOfExperience`.
        package var score: Double
        /// The score as a fraction of the optimum's score; nil if the optimum is not greater than 0, where a fraction
        /// is meaningless.
        package var share: Double?
        /// The duration of the simulation by the injected clock, in nanoseconds.
        package var elapsed: Int64
    }

    package let trace: String
    package let adaptive: Row
    package let throughput: Row
    package let buffer: Row
    /// The results of `FixedRule`, one per variant.
    package let fixed: [Row]
    package let optimum: OfflineOptimum.Result
    package let optimumTook: Int64

    /// Runs all rules over the trace.
    /// - Parameter clock: Returns nanoseconds for `elapsed`. The results do not depend on it.
    package init(
        _ simulator: StreamSimulator, _ quality: QualityOfExperience, optimum search: OfflineOptimum = OfflineOptimum(),
        clock: () -> Int64 = { 0 }
    ) {
        let stream = simulator.stream
        let began = clock()
        let optimum = search.solve(simulator, quality)
        optimumTook = clock() - began
        func row(_ rule: some VariantRule) -> Row {
            let began = clock()
            let result = simulator.run(rule)
            let elapsed = clock() - began
            let score = quality.score(chosen: result.chosen, stalled: result.stalled, startup: result.startup)
            return Row(
                result: result, score: score, share: optimum.score > 0 ? score / optimum.score : nil, elapsed: elapsed)
        }
        trace = simulator.trace.name
        self.optimum = optimum
        adaptive = row(AdaptiveRule(stream))
        throughput = row(ThroughputRule(stream))
        buffer = row(BufferRule(stream))
        fixed = stream.variants.indices.map { row(FixedRule($0)) }
    }

    /// The result of the fixed variant with the best score.
    package var bestFixed: Row { fixed.max { $0.score < $1.score } ?? adaptive }
    /// The shortest stalled time of the simple rules, in seconds: throughput alone, buffer alone, and the best fixed
    /// variant.
    package var leastStalledOfSimple: Double {
        min(throughput.result.stalled, buffer.result.stalled, bestFixed.result.stalled)
    }
}
