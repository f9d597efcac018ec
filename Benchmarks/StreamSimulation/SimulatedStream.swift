import Foundation
import Streaming

/// A video to be streamed in a simulation, with its variants and the sizes of its segments.
package struct SimulatedStream: Sendable {
    package let variants: [AdaptationVariant]
    /// The duration of each segment, in seconds.
    package let segmentSeconds: Double
    /// The sizes in bits, by segment and variant.
    package let bits: [[Double]]

    package var segmentCount: Int { bits.count }
    package var duration: Double { Double(segmentCount) * segmentSeconds }

    /// The bit rates in bit/s that published comparisons of rules use (Pensieve, Oboe, Puffer's predecessors).
    package static let usualBitRates = [300_000, 750_000, 1_200_000, 1_850_000, 2_850_000, 4_300_000]

    /// Creates a stream.
    /// - Parameters:
    ///   - bitRates: The bit rate of each variant in bit/s, ascending, greater than 0.
    ///   - segmentSeconds: The duration of a segment, greater than 0. An invalid value is replaced by 4.
    ///   - segmentCount: The number of segments, at least 1.
    ///   - variation: How much segment sizes vary, from 0 to 0.9. Scenes deviate from the mean by up to 1.5 times this
    ///     fraction, and segments from their scene by up to half of it. 0 is a constant bit rate, 0.3 a typical video.
    ///     A complex scene is larger in every variant.
    package init(
        bitRates: [Int] = SimulatedStream.usualBitRates, segmentSeconds: Double = 4, segmentCount: Int = 150,
        variation: Double = 0, seed: UInt64 = 1
    ) {
        let length = segmentSeconds.isFinite && segmentSeconds > 0 ? segmentSeconds : 4
        let spread = variation.isFinite ? min(max(0, variation), 0.9) : 0
        var random = SplitMix(state: seed)
        // A scene lasts several segments, so complex segments are adjacent, as in a real video. The mean is normalized
        // to 1 below.
        var weights: [Double] = []
        var scene = 1.0
        for index in 0..<max(1, segmentCount) {
            if index % 3 == 0 { scene = 1 + spread * (2 * random.unit() - 1) * 1.5 }
            weights.append(max(0.1, scene * (1 + spread * 0.5 * (2 * random.unit() - 1))))
        }
        let mean = weights.reduce(0, +) / Double(weights.count)
        weights = weights.map { spread > 0 ? $0 / mean : 1 }
        let peak = weights.max() ?? 1
        variants = bitRates.map {
            AdaptationVariant(peakBitRate: Int((Double($0) * peak).rounded(.up)), averageBitRate: $0)
        }
        self.segmentSeconds = length
        bits = weights.map { weight in bitRates.map { (Double($0) * length * weight / 8).rounded() * 8 } }
    }
}

/// A generator of pseudorandom numbers that are the same on every machine (Steele, Lea, Flood: SplitMix64).
struct SplitMix: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
