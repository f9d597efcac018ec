import Foundation
import MediaCore

/// A record of a stream's activity, for `AVPlayerItemAccessLog`, its error log, and reports.
package struct StreamLog: Sendable {
    /// A period of playback from one variant. Its URL has no user name and password, so that it can be shown.
    package struct Access: Sendable {
        package var url: URL
        package var began: Date
        /// The peak bit rate that the playlist states, in bits per second.
        package var indicatedBitRate: Double
        package var averageBitRate: Double?
        package var resolution: AdaptationVariant.Resolution?
        /// The estimated throughput in bits per second, or 0 before the first measurement.
        package var observedBitRate: Double = 0
        package var bytes: Int64 = 0
        package var requests = 0
        /// The time spent receiving, in seconds.
        package var transferDuration: Double = 0
        /// The duration of the loaded media, in seconds.
        package var mediaDuration: Double = 0
        /// The number of segments that took longer to load than they last.
        package var overdue = 0
        /// The reason for choosing this variant.
        package var reason: String
    }
    package struct Failure: Sendable {
        package var date: Date
        package var url: URL
        package var status: Int?
        package var comment: String
        /// Whether the failure is in the stream's content. Otherwise a request failed.
        package var isOfContent = false
    }

    package var accesses: [Access] = []
    package private(set) var failures: [Failure] = []
    /// The number of failures so far, including those that have been removed.
    package private(set) var failureCount = 0
    package var abandoned = 0
    package var bytes: Int64 = 0
    package init() {}

    /// The maximum number of entries of each kind. The oldest entries are removed first.
    static let limit = 200

    mutating func add(_ failure: Failure) {
        var failure = failure
        failure.url = failure.url.withoutCredentials
        failure.comment = Credentials.removed(from: failure.comment)
        failures.append(failure)
        failureCount += 1
        if failures.count > StreamLog.limit { failures.removeFirst() }
    }

    mutating func add(_ access: Access) {
        var access = access
        access.url = access.url.withoutCredentials
        accesses.append(access)
        if accesses.count > StreamLog.limit { accesses.removeFirst() }
    }
}
