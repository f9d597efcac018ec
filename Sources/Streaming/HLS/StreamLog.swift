import Foundation
import MediaCore

/// What a stream has done: for `AVPlayerItemAccessLog`, its error log, and reports.
package struct StreamLog: Sendable {
    /// One stretch of playing from one rung. To be shown: its URL goes in without a name and password.
    package struct Access: Sendable {
        package var url: URL
        package var began: Date
        /// Bit/s by the playlist.
        package var indicatedBitRate: Double
        package var averageBitRate: Double?
        package var resolution: Rung.Resolution?
        /// Bit/s while bytes came.
        package var observedBitRate: Double = 0
        package var bytes: Int64 = 0
        package var requests = 0
        /// Seconds bytes were coming.
        package var transferDuration: Double = 0
        /// Seconds of media.
        package var mediaDuration: Double = 0
        /// Segments that took longer than they last.
        package var overdue = 0
        /// Why this rung.
        package var reason: String
    }
    package struct Failure: Sendable {
        package var date: Date
        package var url: URL
        package var status: Int?
        package var comment: String
        /// Of what the stream itself lacks; else a request failed.
        package var isOfContent = false
    }

    package var accesses: [Access] = []
    package var failures: [Failure] = []
    package var abandoned = 0
    package var bytes: Int64 = 0
    package init() {}

    /// Entries kept of each kind; the oldest go first.
    static let limit = 200

    mutating func add(_ failure: Failure) {
        var failure = failure
        failure.url = failure.url.withoutCredentials
        failure.comment = Credentials.removed(from: failure.comment)
        failures.append(failure)
        if failures.count > StreamLog.limit { failures.removeFirst() }
    }

    mutating func add(_ access: Access) {
        var access = access
        access.url = access.url.withoutCredentials
        accesses.append(access)
        if accesses.count > StreamLog.limit { accesses.removeFirst() }
    }
}
