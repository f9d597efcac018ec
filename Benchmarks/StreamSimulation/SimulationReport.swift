import Foundation
import Streaming

/// The simulations of several traces, encoded as JSON or as tables.
package struct SimulationReport: Encodable {
    package struct Row: Encodable {
        package var rule: String, qoe: Double, ofOptimum: Double?, meanBitRate: Double, rebufferRatio: Double,
            stalledSeconds: Double, stalls: Int
        package var switches: Int, startupSeconds: Double, abandoned: Int, milliseconds: Double
    }
    package struct Table: Encodable {
        package var trace: String, rows: [Row], bestFixed: String, isGoalMet: Bool
    }

    package var quality: String, bitRates: [Int], bufferSeconds: Double, segmentSeconds: Double, segments: Int,
        tables: [Table]
    /// The adaptive rule's lowest fraction of the optimum's score over all traces.
    package private(set) var leastOfOptimum: Double?

    package init(
        _ comparisons: [SimulationComparison], stream: SimulatedStream, quality: QualityOfExperience,
        bufferTarget: Double
    ) {
        self.quality = quality.quality.rawValue
        bitRates = stream.variants.map { Int($0.sustainedBitRate) }
        bufferSeconds = bufferTarget
        segmentSeconds = stream.segmentSeconds
        segments = stream.segmentCount
        tables = comparisons.map { one in
            let rows = [one.adaptive, one.throughput, one.buffer] + one.fixed
            let isGoalMet =
                (one.adaptive.share ?? 1) >= 0.9 && one.adaptive.result.stalled <= one.leastStalledOfSimple + 1e-6
            return Table(
                trace: one.trace,
                rows: rows.map { SimulationReport.row($0, stream.variants) } + [
                    SimulationReport.optimum(one, stream.variants)
                ],
                bestFixed: one.bestFixed.result.rule, isGoalMet: isGoalMet)
        }
        leastOfOptimum = comparisons.compactMap(\.adaptive.share).min().map { rounded($0, 4) }
    }

    private static func row(_ row: SimulationComparison.Row, _ variants: [AdaptationVariant]) -> Row {
        let result = row.result
        return Row(
            rule: result.rule, qoe: rounded(row.score, 4), ofOptimum: row.share.map { rounded($0, 4) },
            meanBitRate: result.meanBitRate(variants).rounded(), rebufferRatio: rounded(result.rebufferRatio, 5),
            stalledSeconds: rounded(result.stalled, 3), stalls: result.stalls, switches: result.switches,
            startupSeconds: rounded(result.startup, 3), abandoned: result.abandoned,
            milliseconds: rounded(Double(row.elapsed) / 1e6, 3))
    }

    /// Returns the row of the optimum. It waits before the start instead of stalling, because both cost the same.
    private static func optimum(_ one: SimulationComparison, _ variants: [AdaptationVariant]) -> Row {
        let result = SimulationResult(rule: "optimum", chosen: one.optimum.chosen, startup: one.optimum.waited)
        return Row(
            rule: "optimum", qoe: rounded(one.optimum.score, 4), ofOptimum: one.optimum.score > 0 ? 1 : nil,
            meanBitRate: result.meanBitRate(variants).rounded(), rebufferRatio: 0, stalledSeconds: 0, stalls: 0,
            switches: result.switches,
            startupSeconds: rounded(result.startup, 3), abandoned: 0,
            milliseconds: rounded(Double(one.optimumTook) / 1e6, 3))
    }

    /// The tables as text. Of the fixed variants, only the best and the middle one are included.
    package var text: String {
        let middle = "fixed \(bitRates.count / 2)"
        var lines: [String] = []
        for table in tables {
            lines += [
                "", table.trace,
                line(
                    "rule",
                    [
                        "QoE", "of optimum", "Mbit/s", "rebuffer %", "stalled s", "switches", "start-up s", "abandoned",
                        "took ms",
                    ]),
            ]
            lines += table.rows.filter {
                !$0.rule.hasPrefix("fixed") || $0.rule == table.bestFixed || $0.rule == middle
            }.map { line($0, isBest: $0.rule == table.bestFixed) }
        }
        let met = tables.filter(\.isGoalMet).count
        lines += [
            "",
            "Traces with at least 0.9 of the optimum, and no more rebuffering than the best simple rule: \(met) of \(tables.count)"
                + (leastOfOptimum.map { ". Lowest share of the optimum: \(text($0, 3))" } ?? ""),
        ]
        return lines.joined(separator: "\n")
    }

    private func line(_ row: Row, isBest: Bool) -> String {
        line(
            row.rule + (isBest ? " (best)" : ""),
            [
                text(row.qoe, 3), row.ofOptimum.map { text($0, 3) } ?? "–", text(row.meanBitRate / 1e6, 2),
                text(row.rebufferRatio * 100, 2), text(row.stalledSeconds, 1), String(row.switches),
                text(row.startupSeconds, 2), String(row.abandoned), text(row.milliseconds, 2),
            ])
    }

    private func line(_ first: String, _ others: [String]) -> String {
        first.padding(toLength: 16, withPad: " ", startingAt: 0)
            + others.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    }

    private func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}

private func rounded(_ value: Double, _ digits: Int) -> Double {
    let scale = pow(10, Double(digits))
    return (value * scale).rounded() / scale
}
