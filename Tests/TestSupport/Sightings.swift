import MediaCore
import Testing

/// A collector of observations during one check of a wait. Helpers that inspect a screen, a process or a server note
/// what they see. A wait that fails reports the notes of its last check.
public final class Sightings: Sendable {
    @TaskLocal static var current: Sightings?
    private let notes = Locked<[@Sendable () -> String]>([])

    /// Notes an observation for the wait that is checking now, if there is one. The text is made only for a report.
    public static func note(_ text: @escaping @Sendable () -> String) {
        guard let current else { return }
        // A check of a whole screen compares thousands of pixels, so only the first 12 notes are kept.
        current.notes.withLock { if $0.count < 12 { $0.append(text) } }
    }

    func report(_ expected: String?, after seconds: Double, _ state: String?, _ location: SourceLocation) {
        let seen = [state].compactMap { $0 } + notes.withLock { $0 }.map { $0() }
        Issue.record(
            """
            Expected within \(seconds) s: \(expected ?? "the condition of this line"). \
            Seen last: \(seen.isEmpty ? "that it does not hold" : seen.joined(separator: "; "))
            """, sourceLocation: location)
    }
}
