import Foundation
import MediaCore
import Streaming

/// The information that a rule gets for its choice.
package struct RuleQuestion: Sendable {
    /// The seconds since the session began.
    package var now: Double
    /// The media ahead of the playhead, in seconds. `bufferTarget` is the amount to buffer, in seconds.
    package var buffer: Double
    package var bufferTarget: Double
    /// The variant of the previous segment; nil for the first segment.
    package var current: Int?
    package var isStartup: Bool
    /// The media that must still be loaded, in seconds.
    package var remaining: Double
    /// The size of the next segment in bytes, by variant. A playlist with byte ranges contains these sizes.
    package var nextBytes: [Int]
}

/// A transfer in progress that a rule may abandon.
package struct RuleTransfer: Sendable {
    package var now: Double
    package var startedAt: Double
    package var bytesSoFar: Int
    package var bytesTotal: Int
    package var variant: Int
    package var buffer: Double
    package var isStartup: Bool
    /// The size of this segment in bytes, by variant.
    package var bytes: [Int]
}

/// A rule that chooses variants in a simulation.
package protocol VariantRule: Sendable {
    var name: String { get }
    /// Returns the variant of the next segment; nil to be called again slightly later.
    mutating func choose(_ question: RuleQuestion) -> Int?
    mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double)
    /// Returns the variant from which to load the segment instead; nil to continue the transfer.
    mutating func abandon(_ transfer: RuleTransfer) -> Int?
}

extension VariantRule {
    package mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {}
    package mutating func abandon(_ transfer: RuleTransfer) -> Int? { nil }
}

private func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
/// Converts seconds to a time of the simulation's clock.
private func moment(_ seconds: Double) -> HostTime { HostTime(nanoseconds: nanoseconds(seconds)) }

/// The rule of this package, `AdaptiveChoice`, with exactly the information that a player has.
package struct AdaptiveRule: VariantRule {
    package let name = "adaptive"
    private var choice: AdaptiveChoice
    private let segment: Int64

    package init(
        _ stream: SimulatedStream, limits: AdaptationLimits = AdaptationLimits(), rememberedBitRate: Double? = nil,
        settings: AdaptationSettings = AdaptationSettings()
    ) {
        segment = nanoseconds(stream.segmentSeconds)
        choice = AdaptiveChoice(
            variants: stream.variants, segmentDuration: segment, limits: limits, rememberedBitRate: rememberedBitRate,
            settings: settings)
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? {
        choice.nextVariant(
            now: moment(question.now), buffer: nanoseconds(question.buffer),
            bufferTarget: nanoseconds(question.bufferTarget),
            current: question.current, isStartup: question.isStartup, remaining: nanoseconds(question.remaining),
            nextSegmentBytes: { question.nextBytes[$0] }
        ).variant
    }

    package mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {
        choice.received(bytes: bytes, from: moment(from), firstByte: moment(firstByte), to: moment(to))
    }

    package mutating func abandon(_ transfer: RuleTransfer) -> Int? {
        choice.abandonment(
            now: moment(transfer.now), startedAt: moment(transfer.startedAt), bytesSoFar: transfer.bytesSoFar,
            bytesTotal: transfer.bytesTotal, segmentDuration: segment, variant: transfer.variant,
            buffer: nanoseconds(transfer.buffer),
            isStartup: transfer.isStartup, segmentBytes: { transfer.bytes[$0] })
    }
}

/// A rule that always chooses the same variant.
package struct FixedRule: VariantRule {
    package let name: String
    private let variant: Int

    package init(_ variant: Int) {
        self.variant = variant
        name = "fixed \(variant)"
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? { variant }
}

/// A rule that chooses the highest variant within nine tenths of the estimated throughput, like the throughput rule of
/// dash.js. The half-lives of 3 and 8 seconds are those of dash.js. `AdaptiveChoice` has longer ones, because its
/// buffer compensates for a slow estimate.
package struct ThroughputRule: VariantRule {
    package let name = "throughput"
    private var estimate: ThroughputEstimate
    private let rates: [Double]

    package init(_ stream: SimulatedStream) {
        var settings = ThroughputEstimate.Settings()
        settings.fastHalfLife = 3
        settings.slowHalfLife = 8
        estimate = ThroughputEstimate(settings: settings)
        rates = stream.variants.map(\.sustainedBitRate)
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? {
        rates.lastIndex { $0 <= estimate.bitRate * 0.9 } ?? 0
    }

    package mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {
        estimate.add(bytes: bytes, from: moment(from), firstByte: moment(firstByte), to: moment(to))
    }
}

/// A rule that depends only on the buffer: BOLA-BASIC (Spiteri, Urgaonkar, Sitaraman: “BOLA: Near-Optimal Bitrate
/// Adaptation for Online Videos”, INFOCOM 2016).
///
/// It chooses the variant with the maximum of (V · (ln(S / lowest) + γp) − buffer) / S. In this formula, γp is 5. V is
/// chosen so that the rule begins to wait only when the buffer is full.
package struct BufferRule: VariantRule {
    package let name = "buffer"
    private let utilities: [Double]
    private let rates: [Double]
    private let segment: Double
    private static let smoothness = 5.0

    package init(_ stream: SimulatedStream) {
        rates = stream.variants.map(\.sustainedBitRate)
        let lowest = rates.min() ?? 1
        utilities = rates.map { log($0 / lowest) }
        segment = stream.segmentSeconds
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? {
        let full = max(1, question.bufferTarget / segment - 1)
        let control = full / ((utilities.max() ?? 0) + BufferRule.smoothness)
        let held = question.buffer / segment
        let scores = zip(utilities, rates).map { (control * ($0 + BufferRule.smoothness) - held) / $1 }
        guard let best = scores.indices.max(by: { (scores[$0], $0) < (scores[$1], $1) }) else { return 0 }
        // If no variant is worth its bytes, the buffer is full enough.
        return scores[best] < 0 ? nil : best
    }
}
