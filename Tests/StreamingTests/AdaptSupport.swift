import Foundation
import MediaCore
import StreamSimulation
import Streaming
import TestSupport
import Testing

/// Seconds as nanoseconds.
func ns(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
/// Seconds of a clock of the test's.
func at(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

extension AdaptiveChoice {
    /// The usual six variants and four-second segments.
    static func usual(limits: AdaptationLimits = AdaptationLimits(), remembered: Double? = nil) -> AdaptiveChoice {
        AdaptiveChoice(
            variants: SimulatedStream.usualBitRates.map { AdaptationVariant(peakBitRate: $0) }, segmentDuration: ns(4),
            limits: limits,
            rememberedBitRate: remembered)
    }

    /// Is told of `count` transfers in a row at `bitRate`, each `seconds` long, from `start` seconds on.
    mutating func see(_ bitRate: Double, count: Int = 20, seconds: Double = 2, from start: Double = 0) {
        for index in 0..<count {
            let from = start + Double(index) * seconds
            received(bytes: Int(bitRate * seconds / 8), from: at(from), to: at(from + seconds))
        }
    }

    func next(
        buffer: Double, current: Int?, now: Double = 100, startup: Bool = false, rate: Double = 1, live: Bool = false
    ) -> Decision {
        nextVariant(
            now: at(now), buffer: ns(buffer), bufferTarget: ns(live ? 12 : 60), current: current, isStartup: startup,
            isLive: live, playbackRate: rate)
    }
}

/// The traces in the repository.
enum CommittedTraces {
    static let folder = Repository.root.appendingPathComponent("Benchmarks/traces")
    static let names = ["hovering", "lossy", "mobile", "sawtooth", "steady", "step-down", "step-up"]

    static func read(_ name: String) throws -> NetworkTrace {
        let file = folder.appendingPathComponent(name + ".txt")
        return try NetworkTrace(parsing: String(contentsOf: file, encoding: .utf8), file: file.path, name: name)
    }
}

/// A network that always carries the same.
func constantTrace(_ bitRate: Double) throws -> NetworkTrace {
    try #require(NetworkTrace(name: "constant", steps: [(1, bitRate)]))
}
