/// The statistics of a source's requests so far, used for access-log events.
package struct TransferLog: Sendable, Hashable {
    package var requests = 0
    /// The number of body bytes received.
    package var bytes: Int64 = 0
    /// The number of requests that repeat a failed one.
    package var retries = 0
    /// The number of failures so far, including those of requests that were repeated.
    package private(set) var errors = 0
    /// The time spent receiving, in nanoseconds. It excludes the wait for a response and pauses of a full buffer.
    package var receiving: Int64 = 0
    /// The last failure, or nil if there was none.
    package private(set) var lastError: HTTPError?
    /// An irregularity in the server's responses that does not prevent reading the file.
    package var note: HTTPError?

    mutating func add(_ error: HTTPError) {
        errors += 1
        lastError = error
    }

    /// The mean bit rate while receiving, in bits per second. 0 before any bytes have arrived.
    package var observedBitRate: Double {
        receiving > 0 ? Double(bytes) * 8e9 / Double(receiving) : 0
    }
}
