import Foundation

/// A SplitMix64 generator: the same seed gives the same numbers on every machine.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64
    public init(seed: UInt64) { state = seed }
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
    /// Returns a number from 0 up to, but not including, `limit`.
    public mutating func below<Number: FixedWidthInteger>(_ limit: Number) -> Number {
        Number(truncatingIfNeeded: next() % max(1, UInt64(clamping: limit)))
    }
}

/// The number of seeded runs of a test.
public enum SeededRuns {
    /// Returns the runs of a test: `count`, multiplied by `ZOETROPE_SEEDED_SHARE` (0…1) if it is set. Each run takes
    /// ten times as long under a sanitizer. At least one run.
    public static func of(_ count: Int) -> Range<Int> {
        let share = ProcessInfo.processInfo.environment["ZOETROPE_SEEDED_SHARE"].flatMap(Double.init) ?? 1
        return 0..<max(1, Int(Double(count) * min(1, max(0, share))))
    }
}
