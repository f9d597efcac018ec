import Foundation
import Streaming

/// The quality of a session as one number. It follows the linear model of Yin et al., as used by Pensieve (SIGCOMM
/// 2017). The model is described in “A Control-Theoretic Approach for Dynamic Adaptive Video Streaming over HTTP”
/// (SIGCOMM 2015).
///
///     QoE = ( Σ q(Rₖ) − λ Σ |q(Rₖ₊₁) − q(Rₖ)| − μ · stalled − μₛ · start-up ) / segments
///
/// Rₖ are the bit rates of the segments, and times are in seconds.
/// - q is the quality: Mbit/s for `linear` (QoE_lin), ln(R / lowest) for `log` (QoE_log).
/// - λ = 1: a switch between two segments costs as much as the difference of their quality.
/// - μ = q of the highest variant: a second of stalling costs as much as a segment of the highest quality gains. For
///   the bit rates of these papers, μ is 4.3 and 2.66, their own constants.
/// - μₛ = μ, Yin's “balanced” setting: a second of waiting for the start costs as much as a second of stalling.
///
/// The division by the number of segments makes sessions of different lengths comparable.
package struct QualityOfExperience: Sendable, Hashable {
    package enum Quality: String, Sendable, Hashable, CaseIterable {
        case linear, log
    }

    /// The weight of switches, λ.
    package static let switchPenalty = 1.0

    package let quality: Quality
    /// The quality q of each variant.
    package let values: [Double]
    /// The cost of a second of stalling or of waiting for the start, μ and μₛ.
    package let stallPenalty: Double

    package init(_ quality: Quality = .linear, variants: [AdaptationVariant]) {
        self.quality = quality
        let rates = variants.map(\.sustainedBitRate)
        let lowest = rates.min() ?? 1
        values = rates.map { rate in
            switch quality {
            case .linear: rate / 1e6
            case .log: Foundation.log(rate / lowest)
            }
        }
        stallPenalty = values.max() ?? 0
    }

    /// Returns the quality of a session.
    /// - Parameters:
    ///   - chosen: The variant of every segment, in order, as indices of the variants.
    ///   - stalled: The total duration of stalls, in seconds.
    ///   - startup: The time until playback began, in seconds.
    package func score(chosen: [Int], stalled: Double, startup: Double) -> Double {
        guard !chosen.isEmpty else { return 0 }
        var sum = 0.0
        for (index, variant) in chosen.enumerated() {
            sum += values[variant]
            if index > 0 { sum -= QualityOfExperience.switchPenalty * abs(values[variant] - values[chosen[index - 1]]) }
        }
        return (sum - stallPenalty * (stalled + startup)) / Double(chosen.count)
    }
}
