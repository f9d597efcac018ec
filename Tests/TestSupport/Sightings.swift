import MediaCore
import Testing

/// What one look of a wait has seen: the helpers that look at a screen, a process or a server note it here, and a wait
/// that fails reports what its last look noted.
public final class Sightings: Sendable {
    @TaskLocal static var current: Sightings?
    private let notes = Locked<[@Sendable () -> String]>([])

    /// Notes something for the wait that is looking now, if there is one. The text is made only for a report.
    public static func note(_ text: @escaping @Sendable () -> String) {
        guard let current else { return }
        // A look over a whole screen compares thousands of pixels.
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
