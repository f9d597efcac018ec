/// What a source has cost so far: the numbers behind access-log events.
package struct TransferLog: Sendable, Hashable {
    package var requests = 0
    /// Of bodies, as they were received.
    package var bytes: Int64 = 0
    /// Requests that repeat one which failed.
    package var retries = 0
    /// Requests that failed, whether or not they were repeated.
    package var errors = 0
    /// Spent receiving, nanoseconds: neither waiting for an answer nor paused because the buffer is full.
    package var receiving: Int64 = 0
    /// The last failure, if any.
    package var lastError: HTTPError?
    /// Something odd in the server's answers that does not keep the file from being read.
    package var note: HTTPError?

    /// Bits a second while bytes came; 0 before there are any.
    package var observedBitRate: Double {
        receiving > 0 ? Double(bytes) * 8e9 / Double(receiving) : 0
    }
}
