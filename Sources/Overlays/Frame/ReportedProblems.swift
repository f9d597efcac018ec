import MediaCore

/// The errors that a composition has reported since the last change of its settings. Each frame may have another error.
struct ReportedProblems {
    private var all: Set<AVError> = []
    private static let maximumCount = 16

    /// Returns whether the error must be reported. False for an error that was reported before, and after 16 errors.
    mutating func insert(_ problem: AVError) -> Bool {
        all.count < ReportedProblems.maximumCount && all.insert(problem).inserted
    }

    mutating func removeAll() { all = [] }
}
