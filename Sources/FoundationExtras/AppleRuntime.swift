import Foundation

/// Runs `body`. On Apple's platforms it also releases Objective-C's objects at the end; Swift for Linux has none, so
/// that nothing waits to be released.
public func autoreleasepool<Result, Failure: Error>(invoking body: () throws(Failure) -> Result) throws(Failure)
    -> Result
{
    try body()
}

/// Seconds since 1 January 2001.
public func CFAbsoluteTimeGetCurrent() -> Double { Date.timeIntervalSinceReferenceDate }

/// Seconds of a time; Foundation's name.
public typealias CFTimeInterval = Double
/// Seconds since 1 January 2001; Foundation's name.
public typealias CFAbsoluteTime = Double

extension ProcessInfo {
    /// Whether the machine saves power: its firmware's profile is the one that saves most. False where it has none.
    public var isLowPowerModeEnabled: Bool {
        let profile = try? String(contentsOfFile: "/sys/firmware/acpi/platform_profile", encoding: .utf8)
        return profile?.trimmingCharacters(in: .whitespacesAndNewlines) == "low-power"
    }
}
