import MediaCore

/// The problems of an item that plays: tracks that cannot be decoded, a truncated file, and errors of its video
/// composition.
struct ItemProblems {
    private var tracks: [TrackProblem] = []
    /// The error for an item that ends earlier than its header specifies; otherwise nil. Known after the item has been
    /// read to its end.
    private(set) var shortfall: AVError?
    private var compositionErrors: [AVError] = []
    private var reported = 0
    /// The maximum number of different errors of a video composition. Each frame may have another error.
    private static let maximumCompositionErrors = 16

    /// The reasons why tracks do not play, in the order in which they failed.
    var trackErrors: [AVError] { tracks.map(\.error) }
    var all: [AVError] { trackErrors + compositionErrors + [shortfall].compactMap { $0 } }

    func has(_ kind: TrackProblem.Kind) -> Bool { tracks.contains { $0.kind == kind } }

    /// Adds a problem.
    /// - Returns: False if a track of the same kind has failed before.
    mutating func add(_ problem: TrackProblem) -> Bool {
        guard !has(problem.kind) else { return false }
        tracks.append(problem)
        return true
    }

    /// Adds an error of the video composition.
    /// - Returns: False if the same error is known, or if there are too many.
    mutating func add(compositionError error: AVError) -> Bool {
        guard compositionErrors.count < ItemProblems.maximumCompositionErrors, !compositionErrors.contains(error) else {
            return false
        }
        compositionErrors.append(error)
        return true
    }

    mutating func add(shortfall error: AVError) { shortfall = error }

    /// Returns whether there are new errors since the last call.
    /// - Parameter count: The number of errors so far. It is smaller than before if the item's file was opened again.
    mutating func report(_ count: Int) -> Bool {
        defer { reported = count }
        return count > reported
    }
}
