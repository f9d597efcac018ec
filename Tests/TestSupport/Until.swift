import Dispatch
import Foundation
import Testing

// These functions wait for events. Tests must not sleep to wait. A wait ends as soon as its condition is true. A wait
// that fails records the expected event, and the observations of the last check (`Sightings`).

/// Waits until `isTrue` returns true. The caller's actor is free between two checks.
///
/// - Parameters:
///   - expected: The expected event, for the issue.
///   - seen: Returns the actual state, for the issue. Called only if the wait fails.
///   - isPossible: Returns whether the event can still happen. If not, one more check decides, because a process writes
///     its last line before it ends.
/// - Returns: False if the time ends first. An issue is then recorded.
@discardableResult
public func eventually(
    _ expected: String? = nil, seconds: Double = Deadline.seconds, seen: () -> String? = { nil },
    while isPossible: () -> Bool = { true }, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: () async throws -> Bool
) async rethrows -> Bool {
    let (isSo, sightings) = try await Deadline(seconds: seconds).lookAgain(while: isPossible, isTrue)
    if !isSo { sightings.report(expected, after: seconds, seen(), sourceLocation) }
    return isSo
}

/// Waits on a separate thread until `found` returns a value. Use for slow checks, which run a program or read the
/// screen.
/// - Returns: Nil if the time ends first. An issue is then recorded.
public func until<T: Sendable>(
    _ expected: String? = nil, seconds: Double = Deadline.seconds, seen: @escaping @Sendable () -> String? = { nil },
    while isPossible: @escaping @Sendable () -> Bool = { true }, sourceLocation: SourceLocation = #_sourceLocation,
    _ found: @escaping @Sendable () throws -> T?
) async throws -> T? {
    let (value, sightings) = try await offPool {
        try Deadline(seconds: seconds).lookAgain(while: isPossible, found)
    }
    if value == nil { sightings.report(expected, after: seconds, seen(), sourceLocation) }
    return value
}

/// Blocks the calling thread until `isTrue` returns true. Use in the threads of a test, and if the main actor must be
/// busy meanwhile.
/// - Returns: False if the time ends first. An issue is then recorded.
@discardableResult
public func blockUntil(
    _ expected: String? = nil, seconds: Double = Deadline.seconds, seen: () -> String? = { nil },
    while isPossible: () -> Bool = { true }, sourceLocation: SourceLocation = #_sourceLocation,
    _ isTrue: () throws -> Bool
) rethrows -> Bool {
    let (value, sightings) = try Deadline(seconds: seconds).lookAgain(while: isPossible) { try isTrue() ? true : nil }
    if value == nil { sightings.report(expected, after: seconds, seen(), sourceLocation) }
    return value ?? false
}

extension Deadline {
    /// Blocks the calling thread until `found` returns a value. Records no issue; use in helpers that throw an error.
    /// - Returns: Nil if the time ends first.
    public func poll<T>(while isPossible: () -> Bool = { true }, _ found: () throws -> T?) rethrows -> T? {
        try lookAgain(while: isPossible, found).value
    }

    /// Waits until `isTrue` returns true. The caller's actor is free between two checks. Records no issue.
    /// - Returns: False if the time ends first.
    public func isMet(
        isolation: isolated (any Actor)? = #isolation, _ isTrue: () async throws -> Bool
    ) async rethrows -> Bool {
        try await lookAgain(while: { true }, isTrue).isSo
    }

    fileprivate func lookAgain(
        while isPossible: () -> Bool, isolation: isolated (any Actor)? = #isolation, _ isTrue: () async throws -> Bool
    ) async rethrows -> (isSo: Bool, sightings: Sightings) {
        while true {
            let isLast = isPast || !isPossible()
            let sightings = Sightings()
            let start = ContinuousClock.now
            let isSo = try await Sightings.$current.withValue(sightings, operation: isTrue)
            if isSo || isLast { return (isSo, sightings) }
            await pause(seconds: pauseLength(after: .now - start))
        }
    }

    fileprivate func lookAgain<T>(
        while isPossible: () -> Bool, _ found: () throws -> T?
    ) rethrows -> (value: T?, sightings: Sightings) {
        while true {
            let isLast = isPast || !isPossible()
            let sightings = Sightings()
            let start = ContinuousClock.now
            let value = try Sightings.$current.withValue(sightings) { try found() }
            if value != nil || isLast { return (value, sightings) }
            usleep(useconds_t(pauseLength(after: .now - start) * 1e6))
        }
    }
}

/// Returns the pause between two checks in seconds: as long as a check takes, so that the program under test gets at
/// least half of the time, but 5 to 100 ms.
private func pauseLength(after check: Duration) -> Double {
    min(max(0.005, Double(check.components.attoseconds) / 1e18 + Double(check.components.seconds)), 0.1)
}

/// Waits for real time to pass. Use only in tests of time itself: to measure what happens meanwhile, or to act at any
/// moment of a running operation. To wait for an event, use `eventually` or `until`.
public func letTimePass(
    _ seconds: Double, because reason: StaticString, isolation: isolated (any Actor)? = #isolation
) async {
    await withCheckedContinuation { continuation in
        alarm.asyncAfter(deadline: .now() + seconds) { continuation.resume() }
    }
}

/// Blocks the calling thread while real time passes. The same rules apply as for `letTimePass`.
public func blockWhileTimePasses(_ seconds: Double, because reason: StaticString) {
    usleep(useconds_t(max(0, seconds) * 1e6))
}

/// Pauses between two checks. `Task.sleep` would wake on Swift's thread pool, which a blocking test may occupy.
private func pause(seconds: Double, isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
        alarm.asyncAfter(deadline: .now() + seconds) { continuation.resume() }
    }
}

private let alarm = DispatchQueue(label: "test.pause")
