import MediaCore

/// The failures of a media playlist: the failure of its last load, and those of reloads in a row.
struct PlaylistFailures {
    private var lastLoad: (error: AVError, isTransient: Bool)?
    private var failedReloads = 0
    /// The number of failed reloads in a row from which they are reported.
    private static let reportedReloads = 3

    /// The failure of the last load; nil after a success, and after `forget()`.
    var failure: AVError? { lastLoad?.error }
    /// Whether another request may succeed after `failure`.
    var isTransient: Bool { lastLoad?.isTransient ?? false }
    /// The last failure, if several reloads in a row have failed. They are still retried.
    private(set) var reloadFailure: AVError?
    /// Whether a reload has failed since the last success.
    var reloadsFail: Bool { failedReloads > 0 }

    mutating func loadDidFail(_ error: AVError, isTransient: Bool) { lastLoad = (error, isTransient) }

    mutating func reloadDidFail(_ error: HTTPError) {
        failedReloads += 1
        if failedReloads >= PlaylistFailures.reportedReloads { reloadFailure = error.avError }
    }

    /// Forgets the failures. If a further reload fails, its failure is reported at once, because their number is kept.
    mutating func forget() {
        lastLoad = nil
        reloadFailure = nil
    }

    /// Records a success, which ends the row of failures.
    mutating func didSucceed() {
        forget()
        failedReloads = 0
    }
}
