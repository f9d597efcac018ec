import MediaCore

/// A detector for responses that stay silent, or nearly silent, for too long (see `HTTPTimeouts.idle`). It has no
/// clock; callers pass the time.
struct SilenceWatch {
    enum Verdict: Equatable {
        case checkAgain(at: HostTime)
        /// The head of the response is not complete.
        case isUnanswered
        case isSilent
        /// Too few bytes arrived within `idle`.
        case isSlow(bytes: Int64)
    }

    private let timeouts: HTTPTimeouts
    /// The time by which the head of the response must be complete.
    private(set) var headDeadline = HostTime.zero
    private var lastBytes = HostTime.zero
    private var stretchStart = HostTime.zero
    private var stretchBytes: Int64 = 0

    init(_ timeouts: HTTPTimeouts) { self.timeouts = timeouts }

    /// Records that the connection is being established and the request will follow.
    mutating func begins(at time: HostTime) { headDeadline = time + timeouts.connect + timeouts.idle }

    /// Records that the connection is established. The server now has `idle` to send the head of its response.
    mutating func isSent(at time: HostTime) { headDeadline = time + timeouts.idle }

    /// Records that the body begins, or continues after a pause of the receiver.
    /// - Returns: The time of the next check.
    @discardableResult
    mutating func bodyGoesOn(at time: HostTime) -> HostTime {
        lastBytes = time
        stretchStart = time
        stretchBytes = 0
        return time + timeouts.idle
    }

    mutating func received(_ count: Int, at time: HostTime) {
        lastBytes = time
        stretchBytes += Int64(count)
    }

    /// Checks whether the response has been silent for too long.
    /// - Parameter isAnswered: Whether the head of the response is complete.
    mutating func check(at time: HostTime, isAnswered: Bool) -> Verdict {
        guard isAnswered else { return time >= headDeadline ? .isUnanswered : .checkAgain(at: headDeadline) }
        let idle = timeouts.idle
        if time - lastBytes >= idle { return .isSilent }
        if time - stretchStart >= idle {
            if Double(stretchBytes) < Double(HTTPTimeouts.minimumRate) * Double(idle) / 1e9 {
                return .isSlow(bytes: stretchBytes)
            }
            stretchStart = time
            stretchBytes = 0
        }
        return .checkAgain(at: min(lastBytes, stretchStart) + idle)
    }
}
