import Foundation

/// SplitMix64: the same numbers for the same seed, on every machine.
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
    /// From 0 to below `limit`.
    public mutating func below<Number: FixedWidthInteger>(_ limit: Number) -> Number {
        Number(truncatingIfNeeded: next() % max(1, UInt64(clamping: limit)))
    }
}

/// How many seeded orders a test tries.
public enum SeededRuns {
    /// `count`, or the share of it that `ZOETROPE_SEEDED_SHARE` (0…1) asks for: under a sanitizer each takes ten times
    /// as long. One at least.
    public static func of(_ count: Int) -> Range<Int> {
        let share = ProcessInfo.processInfo.environment["ZOETROPE_SEEDED_SHARE"].flatMap(Double.init) ?? 1
        return 0..<max(1, Int(Double(count) * min(1, max(0, share))))
    }
}
