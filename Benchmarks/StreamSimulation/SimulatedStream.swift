import Foundation
import Streaming

/// A film to be streamed in a simulation: its ladder and what each segment weighs.
package struct SimulatedStream: Sendable {
    package let rungs: [Rung]
    /// Seconds each segment lasts.
    package let segmentSeconds: Double
    /// Bits, by segment and rung.
    package let bits: [[Double]]

    package var segmentCount: Int { bits.count }
    package var duration: Double { Double(segmentCount) * segmentSeconds }

    /// Bit/s of the ladder that published comparisons of rules use (Pensieve, Oboe, Puffer's predecessors).
    package static let usualBitRates = [300_000, 750_000, 1_200_000, 1_850_000, 2_850_000, 4_300_000]

    /// - Parameters:
    ///   - bitRates: bit/s of each rung, ascending, above 0.
    ///   - segmentSeconds: above 0.
    ///   - segmentCount: above 0.
    ///   - variation: how far segments' sizes lie from the mean, as a share of it (0: constant bit rate; 0.3: a usual
    ///     film). A heavy scene is heavy on every rung.
    package init(
        bitRates: [Int] = SimulatedStream.usualBitRates, segmentSeconds: Double = 4, segmentCount: Int = 150,
        variation: Double = 0, seed: UInt64 = 1
    ) {
        let length = segmentSeconds.isFinite && segmentSeconds > 0 ? segmentSeconds : 4
        let spread = variation.isFinite ? min(max(0, variation), 0.9) : 0
        var random = SplitMix(state: seed)
        // Scenes last some segments, so that heavy ones come together as in a film; the mean is set to 1 at the end.
        var weights: [Double] = []
        var scene = 1.0
        for index in 0..<max(1, segmentCount) {
            if index % 3 == 0 { scene = 1 + spread * (2 * random.unit() - 1) * 1.5 }
            weights.append(max(0.1, scene * (1 + spread * 0.5 * (2 * random.unit() - 1))))
        }
        let mean = weights.reduce(0, +) / Double(weights.count)
        weights = weights.map { spread > 0 ? $0 / mean : 1 }
        let peak = weights.max() ?? 1
        rungs = bitRates.map { Rung(peakBitRate: Int((Double($0) * peak).rounded(.up)), averageBitRate: $0) }
        self.segmentSeconds = length
        bits = weights.map { weight in bitRates.map { (Double($0) * length * weight / 8).rounded() * 8 } }
    }
}

/// Numbers that look random and are the same everywhere (Steele, Lea, Flood: SplitMix64).
struct SplitMix: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 to 1, 1 excluded.
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
