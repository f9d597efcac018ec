import Foundation

/// Runs `body` and returns its result. On Apple's platforms, the function also releases autoreleased Objective-C
/// objects. Swift on Linux has none.
public func autoreleasepool<Result, Failure: Error>(invoking body: () throws(Failure) -> Result) throws(Failure)
    -> Result
{
    try body()
}

/// Returns the number of seconds since 1 January 2001.
public func CFAbsoluteTimeGetCurrent() -> Double { Date.timeIntervalSinceReferenceDate }

/// A duration in seconds, under Foundation's name.
public typealias CFTimeInterval = Double
/// A time in seconds since 1 January 2001, under Foundation's name.
public typealias CFAbsoluteTime = Double

extension ProcessInfo {
    /// Whether the machine saves power: the platform profile of its firmware is `low-power`. False if the firmware has
    /// no platform profile.
    public var isLowPowerModeEnabled: Bool {
        let profile = try? String(contentsOfFile: "/sys/firmware/acpi/platform_profile", encoding: .utf8)
        return profile?.trimmingCharacters(in: .whitespacesAndNewlines) == "low-power"
    }
}
