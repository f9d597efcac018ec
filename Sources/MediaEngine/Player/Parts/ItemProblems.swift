import MediaCore

/// The problems of an item that plays: tracks that cannot be decoded, and a truncated file.
struct ItemProblems {
    private var tracks: [TrackProblem] = []
    /// The error for an item that ends earlier than its header says; otherwise nil. Known after the item has been read
    /// to its end.
    private(set) var shortfall: AVError?
    private var reported = 0

    /// The reasons why tracks do not play, in the order in which they failed.
    var trackErrors: [AVError] { tracks.map(\.error) }
    var all: [AVError] { trackErrors + [shortfall].compactMap { $0 } }

    func has(_ kind: TrackProblem.Kind) -> Bool { tracks.contains { $0.kind == kind } }

    /// Adds a problem.
    /// - Returns: False if a track of the same kind has failed before.
    mutating func add(_ problem: TrackProblem) -> Bool {
        guard !has(problem.kind) else { return false }
        tracks.append(problem)
        return true
    }

    mutating func add(shortfall error: AVError) { shortfall = error }

    /// Returns whether the error log, which now has `count` events, has grown since the last call.
    mutating func report(_ count: Int) -> Bool {
        guard count > reported else { return false }
        reported = count
        return true
    }
}
