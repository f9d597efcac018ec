import MediaCore

/// Decides when an answer has been silent, or nearly so, for too long: see `HTTPTimeouts.idle`. A value without a clock.
struct SilenceWatch {
    enum Verdict: Equatable {
        case lookAgain(at: HostTime)
        /// The head of the answer is not there yet.
        case isUnanswered
        case isSilent
        /// So few bytes came within `idle`.
        case isSlow(bytes: Int64)
    }

    private let timeouts: HTTPTimeouts
    /// The head of the answer must be whole by then.
    private(set) var headDeadline = HostTime.zero
    private var lastBytes = HostTime.zero
    private var stretchStart = HostTime.zero
    private var stretchBytes: Int64 = 0

    init(_ timeouts: HTTPTimeouts) { self.timeouts = timeouts }

    /// A connection is looked for, and then the request is sent.
    mutating func begins(at time: HostTime) { headDeadline = time + timeouts.connect + timeouts.idle }

    /// The connection stands: from now on the server has `idle` for its head.
    mutating func isSent(at time: HostTime) { headDeadline = time + timeouts.idle }

    /// The body begins, or goes on after a pause of the receiver's.
    /// - Returns: when to look.
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

    /// - Parameter isAnswered: the head of the answer is whole.
    mutating func look(at time: HostTime, isAnswered: Bool) -> Verdict {
        guard isAnswered else { return time >= headDeadline ? .isUnanswered : .lookAgain(at: headDeadline) }
        let idle = timeouts.idle
        if time - lastBytes >= idle { return .isSilent }
        if time - stretchStart >= idle {
            if Double(stretchBytes) < Double(HTTPTimeouts.minimumRate) * Double(idle) / 1e9 {
                return .isSlow(bytes: stretchBytes)
            }
            stretchStart = time
            stretchBytes = 0
        }
        return .lookAgain(at: min(lastBytes, stretchStart) + idle)
    }
}
