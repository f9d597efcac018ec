import Dispatch
import Foundation
import Testing

// How tests wait for something that has to happen. Tests sleep nowhere else to wait: a wait ends as soon as its condition
// holds. One that fails records what was expected and what the last look has seen (`Sightings`).

/// Waits on the caller's actor, which is free between two looks, until `isTrue` returns true. Returns false and records
/// an issue if the time ends first.
///
/// - Parameters:
///   - expected: What has to happen, for the issue.
///   - seen: How things are instead, for the issue. It is called only when the wait has failed.
///   - isPossible: Whether it can still happen. When this returns false, one last look decides: a process writes its
///     last line before it ends.
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

/// Waits on a thread of its own until `found` returns a value: for looks that take long, as they run a program or read
/// the screen. Returns nil and records an issue if the time ends first.
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

/// Blocks the calling thread until `isTrue` returns true: where the main actor has to be busy meanwhile, and in threads
/// of a test's own. Returns false and records an issue if the time ends first.
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
    /// Blocks the calling thread until `found` returns a value; nil if the time ends first. It records no issue: for
    /// helpers that throw an error with what they have seen.
    public func poll<T>(while isPossible: () -> Bool = { true }, _ found: () throws -> T?) rethrows -> T? {
        try lookAgain(while: isPossible, found).value
    }

    /// Waits on the caller's actor, which is free between two looks; false if the time ends first. It records no issue
    /// either.
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
            let isSo = try await Sightings.$current.withValue(sightings, operation: isTrue)
            if isSo || isLast { return (isSo, sightings) }
            await pause()
        }
    }

    fileprivate func lookAgain<T>(
        while isPossible: () -> Bool, _ found: () throws -> T?
    ) rethrows -> (value: T?, sightings: Sightings) {
        while true {
            let isLast = isPast || !isPossible()
            let sightings = Sightings()
            let value = try Sightings.$current.withValue(sightings) { try found() }
            if value != nil || isLast { return (value, sightings) }
            usleep(5_000)
        }
    }
}

/// Lets real time pass, where time itself is the subject of a test: it measures what happens meanwhile, or acts at any
/// moment of something that goes on. Never to wait for something.
public func letTimePass(
    _ seconds: Double, because reason: StaticString, isolation: isolated (any Actor)? = #isolation
) async {
    await withCheckedContinuation { continuation in
        alarm.asyncAfter(deadline: .now() + seconds) { continuation.resume() }
    }
}

/// The same, blocking the calling thread.
public func blockWhileTimePasses(_ seconds: Double, because reason: StaticString) {
    usleep(useconds_t(max(0, seconds) * 1e6))
}

/// A pause between two looks. Not `Task.sleep`: that wakes on Swift's pool, which a blocking test may hold.
private func pause(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
        alarm.asyncAfter(deadline: .now() + .milliseconds(5)) { continuation.resume() }
    }
}

private let alarm = DispatchQueue(label: "test.pause")
