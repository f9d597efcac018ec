import Foundation
import Streaming

/// How good a session was, in one number: the linear model of Yin et al. (“A Control-Theoretic Approach for Dynamic
/// Adaptive Video Streaming over HTTP”, SIGCOMM 2015), as Pensieve (SIGCOMM 2017) uses it:
///
///     QoE = ( Σ q(Rₖ) − λ Σ |q(Rₖ₊₁) − q(Rₖ)| − μ · stalled − μₛ · start-up ) / segments
///
/// over the segments' bit rates Rₖ, with times in seconds, and
/// - q, the quality: `linear` Mbit/s (QoE_lin), or `log` ln(R / lowest) (QoE_log);
/// - λ = 1: a step between two segments costs as much as it gains in one;
/// - μ = q of the highest rung: a second of stalling costs as much as a segment at the top gives (4.3 and 2.66 for
///   the ladder of these papers, their own constants);
/// - μₛ = μ, Yin's “balanced”: a second of waiting for the start costs what a second of stalling does.
///
/// Dividing by the number of segments only makes sessions of different length comparable.
package struct QualityOfExperience: Sendable, Hashable {
    package enum Quality: String, Sendable, Hashable, CaseIterable {
        case linear, log
    }

    /// λ
    package static let switchPenalty = 1.0

    package let quality: Quality
    /// q by rung.
    package let values: [Double]
    /// μ and μₛ, per second.
    package let stallPenalty: Double

    package init(_ quality: Quality = .linear, rungs: [Rung]) {
        self.quality = quality
        let rates = rungs.map(\.sustainedBitRate)
        let lowest = rates.min() ?? 1
        values = rates.map { rate in
            switch quality {
            case .linear: rate / 1e6
            case .log: Foundation.log(rate / lowest)
            }
        }
        stallPenalty = values.max() ?? 0
    }

    /// - Parameters:
    ///   - chosen: the rung of every segment, in order; indices of the ladder.
    ///   - stalled, startup: seconds.
    package func score(chosen: [Int], stalled: Double, startup: Double) -> Double {
        guard !chosen.isEmpty else { return 0 }
        var sum = 0.0
        for (index, rung) in chosen.enumerated() {
            sum += values[rung]
            if index > 0 { sum -= QualityOfExperience.switchPenalty * abs(values[rung] - values[chosen[index - 1]]) }
        }
        return (sum - stallPenalty * (stalled + startup)) / Double(chosen.count)
    }
}
