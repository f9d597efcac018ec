import Foundation
import MediaCore
import StreamSimulation
import Streaming
import TestSupport
import Testing

/// Converts seconds to nanoseconds.
func ns(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
/// Returns a time of the simulated clock, in seconds.
func at(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

extension AdaptiveChoice {
    /// Returns a choice with the usual six variants and segments of four seconds.
    static func usual(limits: AdaptationLimits = AdaptationLimits(), remembered: Double? = nil) -> AdaptiveChoice {
        AdaptiveChoice(
            variants: SimulatedStream.usualBitRates.map { AdaptationVariant(peakBitRate: $0) }, segmentDuration: ns(4),
            limits: limits,
            rememberedBitRate: remembered)
    }

    /// Records `count` successive transfers at `bitRate`, each `seconds` long, starting at `start` seconds.
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

/// The network traces in the repository.
enum CommittedTraces {
    static let folder = Repository.root.appendingPathComponent("Benchmarks/traces")
    static let names = ["hovering", "lossy", "mobile", "sawtooth", "steady", "step-down", "step-up"]

    static func read(_ name: String) throws -> NetworkTrace {
        let file = folder.appendingPathComponent(name + ".txt")
        return try NetworkTrace(parsing: String(contentsOf: file, encoding: .utf8), file: file.path, name: name)
    }
}

/// Returns the trace of a network with a constant bit rate.
func constantTrace(_ bitRate: Double) throws -> NetworkTrace {
    try #require(NetworkTrace(name: "constant", steps: [(1, bitRate)]))
}
