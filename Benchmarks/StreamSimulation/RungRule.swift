import Foundation
import MediaCore
import Streaming

/// What a rule may know when it is asked.
package struct RuleQuestion: Sendable {
    /// Seconds since the session began.
    package var now: Double
    /// Media ahead of the playhead, seconds, and as much as is to be buffered.
    package var buffer: Double
    package var bufferTarget: Double
    /// The rung of the segment before; nil: none.
    package var current: Int?
    package var isStartup: Bool
    /// Media still to be fetched, seconds.
    package var remaining: Double
    /// Bytes of the next segment, by rung: as a playlist with byte ranges tells them.
    package var nextBytes: [Int]
}

/// A running transfer that a rule may give up.
package struct RuleTransfer: Sendable {
    package var now: Double
    package var startedAt: Double
    package var bytesSoFar: Int
    package var bytesTotal: Int
    package var rung: Int
    package var buffer: Double
    package var isStartup: Bool
    /// Bytes of this segment, by rung.
    package var bytes: [Int]
}

/// A way to choose rungs, in a simulation.
package protocol RungRule: Sendable {
    var name: String { get }
    /// The next segment's rung, or nil: not yet, ask again a little later.
    mutating func choose(_ question: RuleQuestion) -> Int?
    mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double)
    /// The rung to fetch a running segment from instead; nil: go on.
    mutating func abandon(_ transfer: RuleTransfer) -> Int?
}

extension RungRule {
    package mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {}
    package mutating func abandon(_ transfer: RuleTransfer) -> Int? { nil }
}

private func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
/// A moment of the simulation's clock.
private func moment(_ seconds: Double) -> HostTime { HostTime(nanoseconds: nanoseconds(seconds)) }

/// Ours: `AdaptiveChoice`, told exactly what a player could tell it.
package struct AdaptiveRule: RungRule {
    package let name = "adaptive"
    private var choice: AdaptiveChoice
    private let segment: Int64

    package init(
        _ stream: SimulatedStream, limits: AdaptationLimits = AdaptationLimits(), rememberedBitRate: Double? = nil,
        settings: AdaptationSettings = AdaptationSettings()
    ) {
        segment = nanoseconds(stream.segmentSeconds)
        choice = AdaptiveChoice(
            rungs: stream.rungs, segmentDuration: segment, limits: limits, rememberedBitRate: rememberedBitRate,
            settings: settings)
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? {
        choice.nextRung(
            now: moment(question.now), buffer: nanoseconds(question.buffer),
            bufferTarget: nanoseconds(question.bufferTarget),
            current: question.current, isStartup: question.isStartup, remaining: nanoseconds(question.remaining),
            nextSegmentBytes: { question.nextBytes[$0] }
        ).rung
    }

    package mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {
        choice.received(bytes: bytes, from: moment(from), firstByte: moment(firstByte), to: moment(to))
    }

    package mutating func abandon(_ transfer: RuleTransfer) -> Int? {
        choice.abandonment(
            now: moment(transfer.now), startedAt: moment(transfer.startedAt), bytesSoFar: transfer.bytesSoFar,
            bytesTotal: transfer.bytesTotal, segmentDuration: segment, rung: transfer.rung,
            buffer: nanoseconds(transfer.buffer),
            isStartup: transfer.isStartup, segmentBytes: { transfer.bytes[$0] })
    }
}

/// Always the same rung.
package struct FixedRule: RungRule {
    package let name: String
    private let rung: Int

    package init(_ rung: Int) {
        self.rung = rung
        name = "fixed \(rung)"
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? { rung }
}

/// The highest rung within nine tenths of the estimated throughput, as dash.js's throughput rule, with that rule's
/// half-lives of 3 and 8 seconds: ours are longer, since its buffer covers what they are slow to see.
package struct ThroughputRule: RungRule {
    package let name = "throughput"
    private var estimate: ThroughputEstimate
    private let rates: [Double]

    package init(_ stream: SimulatedStream) {
        var settings = ThroughputEstimate.Settings()
        settings.fastHalfLife = 3
        settings.slowHalfLife = 8
        estimate = ThroughputEstimate(settings: settings)
        rates = stream.rungs.map(\.sustainedBitRate)
    }

    package mutating func choose(_ question: RuleQuestion) -> Int? {
        rates.lastIndex { $0 <= estimate.bitRate * 0.9 } ?? 0
    }

    package mutating func received(bytes: Int, from: Double, firstByte: Double, to: Double) {
        estimate.add(bytes: bytes, from: moment(from), firstByte: moment(firstByte), to: moment(to))
    }
}

/// BOLA-BASIC (Spiteri, Urgaonkar, Sitaraman: “BOLA: Near-Optimal Bitrate Adaptation for Online Videos”, INFOCOM 2016):
/// the rung with the most (V · (ln(S / lowest) + γp) − buffer) / S, γp = 5, V so that at a full buffer it only just
/// waits.
package struct BufferRule: RungRule {
    package let name = "buffer"
    private let utilities: [Double]
    private let rates: [Double]
    private let segment: Double
    private static let smoothness = 5.0

    package init(_ stream: SimulatedStream) {
        rates = stream.rungs.map(\.sustainedBitRate)
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
        // Nothing is worth its bytes: the buffer is full enough.
        return scores[best] < 0 ? nil : best
    }
}
