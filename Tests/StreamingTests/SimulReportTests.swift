import StreamSimulation
import Streaming
import Testing

@Suite("Simulation report")
struct SimulReportTests {
    private func report(
        _ traces: [[(seconds: Double, bitRate: Double)]], quality: QualityOfExperience.Quality = .linear
    ) throws
        -> SimulationReport
    {
        let stream = SimulatedStream()
        let measure = QualityOfExperience(quality, variants: stream.variants)
        let comparisons = try traces.map { steps in
            let trace = try #require(NetworkTrace(name: "trace", steps: steps))
            return SimulationComparison(StreamSimulator(stream: stream, trace: trace), measure)
        }
        return SimulationReport(comparisons, stream: stream, quality: measure, bufferTarget: 60)
    }

    @Test("the report compares every rule with the optimum for each trace")
    func rows() throws {
        let tables = try report([[(10, 6e6), (10, 4.5e6)], [(30, 8.5e6), (30, 9e6)]]).tables
        #expect(tables.count == 2)
        for table in tables {
            #expect(
                table.rows.map(\.rule) == [
                    "adaptive", "throughput", "buffer", "fixed 0", "fixed 1", "fixed 2", "fixed 3", "fixed 4",
                    "fixed 5", "optimum",
                ])
            let optimum = table.rows.last?.qoe ?? 0
            for row in table.rows { #expect(row.qoe <= optimum + 0.002, "\(row.rule)") }
            #expect((table.rows.first?.ofOptimum ?? 0) > 0.9)
            #expect(table.rows.first?.stalls == 0)
        }
    }

    @Test("The text has a row for each rule")
    func text() throws {
        let text = try report([[(1, 9e6)]], quality: .log).text
        for word in [
            "adaptive", "throughput", "buffer", "fixed 5 (best)", "fixed 3", "optimum", "of optimum", "1 of 1. Lowest",
        ] {
            #expect(text.contains(word), "\(word)")
        }
    }
}
