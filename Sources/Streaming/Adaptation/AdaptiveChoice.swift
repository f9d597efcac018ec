import MediaCore

/// Which rung the next segment is fetched from.
///
/// A value: it does no I/O, keeps no time of its own and starts no thread. It is told what was received and asked
/// before each segment; times are of any one monotonic clock, buffers are nanoseconds of media. Rungs go by
/// their index in the array given, in whatever order the playlist has them.
///
/// Two rules in one. By throughput: what the network carries, by `ThroughputEstimate`. By buffer, as BOLA does (Spiteri
/// et al., INFOCOM 2016): the fuller the buffer, the further above that a rung may lie, since the buffer pays the
/// difference. A rung is taken if, after a horizon on it, the buffer would still stand above a level: a high level and
/// a far horizon to climb, a low and a near one to stay. That gap is what keeps it from going to and fro between two
/// rungs.
package struct AdaptiveChoice: Sendable {
    package typealias Settings = AdaptationSettings

    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Nothing has been played yet.
        case startup
        /// Another rung, because the network carries more or less than before.
        case throughput
        /// Another rung, because of how much is buffered.
        case buffer
        /// Another rung, because the present one may not be chosen: a limit, a failure.
        case limit
        /// The buffer is about to run dry: the highest rung that still comes in time, or the lowest.
        case panic
        /// The rung it was.
        case steady
    }

    package struct Decision: Sendable, Hashable {
        /// Index of the rung.
        package var rung: Int
        package var reason: Reason
        /// Nanoseconds to wait before fetching, because enough is buffered; 0: at once.
        package var delay: Int64
        package init(rung: Int, reason: Reason, delay: Int64 = 0) {
            self.rung = rung
            self.reason = reason
            self.delay = delay
        }
    }

    package let rungs: [Rung]
    package var limits: AdaptationLimits {
        didSet { if limits != oldValue { ladder = limits.allowed(of: rungs) } }
    }
    /// What the network carries. Its `bitRate` is worth keeping for the next session's `rememberedBitRate`.
    package private(set) var throughput: ThroughputEstimate

    let settings: Settings
    /// Seconds a segment lasts, as the playlist promises (`EXT-X-TARGETDURATION`).
    let segmentSeconds: Double
    /// Indices that limits allow, least demanding first.
    private(set) var ladder: [Int]
    private(set) var failures = RungFailures()

    /// - Parameters:
    ///   - rungs: what is offered, in any order; may be empty (then `nextRung` answers rung 0).
    ///   - segmentDuration: nanoseconds a segment lasts; not positive: 6 s, the usual advice.
    ///   - rememberedBitRate: bit/s an earlier session found; nil: none.
    package init(
        rungs: [Rung], segmentDuration: Int64, limits: AdaptationLimits = AdaptationLimits(),
        rememberedBitRate: Double? = nil,
        settings: Settings = Settings()
    ) {
        self.rungs = rungs
        self.limits = limits
        self.settings = settings
        segmentSeconds = segmentDuration > 0 ? min(3600, Double(segmentDuration) / 1e9) : 6
        throughput = ThroughputEstimate(remembered: rememberedBitRate, settings: settings.throughput)
        ladder = limits.allowed(of: rungs)
    }

    /// A transfer has ended, whole or broken off.
    ///
    /// - Parameters:
    ///   - bytes: of its body.
    ///   - from: when it was asked for.
    ///   - firstByte: when the first byte of the body came; nil: unknown.
    ///   - to: when the last one came.
    package mutating func received(bytes: Int, from: HostTime, firstByte: HostTime? = nil, to: HostTime) {
        throughput.add(bytes: bytes, from: from, firstByte: firstByte, to: to)
    }

    /// A segment of `rung` could not be had, though asked for again. It is avoided for a while.
    package mutating func failed(rung: Int, at now: HostTime) {
        failures.add(rung, at: now, first: settings.avoidance.first, longest: settings.avoidance.longest)
    }

    /// A segment of `rung` came whole: earlier failures are forgotten.
    package mutating func succeeded(rung: Int) {
        failures.forget(rung)
    }

    /// The rung to fetch the next segment from.
    ///
    /// - Parameters:
    ///   - now: for failures' back-off.
    ///   - buffer: media ahead of the playhead, nanoseconds.
    ///   - bufferTarget: as much as is to be buffered; above it `delay` says how long to wait.
    ///   - current: the rung of the segment before; nil: none yet.
    ///   - isStartup: nothing has been played since the start or a seek, and nothing is buffered.
    ///   - isLive: the stream grows; what is missed is missed.
    ///   - playbackRate: seconds of media played a second; 0, negative or not a number: 1.
    ///   - remaining: media still to be fetched, this segment included, nanoseconds; nil: unknown or live. Towards the
    ///     end the buffer may be spent: nothing comes after it.
    ///   - nextSegmentBytes: the size of the next segment on a rung, where known.
    package func nextRung(
        now: HostTime, buffer: Int64, bufferTarget: Int64, current: Int?, isStartup: Bool, isLive: Bool = false,
        playbackRate: Double = 1, remaining: Int64? = nil, nextSegmentBytes: (Int) -> Int? = { _ in nil }
    ) -> Decision {
        let open = openLadder(now)
        guard let lowest = open.first else { return Decision(rung: 0, reason: .limit) }
        let situation = Situation(
            choice: self, buffer: buffer, target: bufferTarget, isLive: isLive, rate: playbackRate,
            remaining: remaining, sizes: rungs.indices.map(nextSegmentBytes))
        let delay = isStartup ? 0 : situation.delay

        guard let current, let place = open.firstIndex(of: current) else {
            // No rung yet, or one that may not be had any more.
            let rung = isStartup || current == nil ? situation.start(open) : situation.hold(open)
            return Decision(rung: rung ?? lowest, reason: current == nil ? .startup : .limit, delay: delay)
        }
        if isStartup { return Decision(rung: situation.start(open) ?? lowest, reason: .startup) }

        if let higher = situation.climb(open, above: place) {
            let byThroughput = rungs[higher].sustainedBitRate <= situation.carried
            return Decision(rung: higher, reason: byThroughput ? .throughput : .buffer, delay: delay)
        }
        if situation.canStay(current) { return Decision(rung: current, reason: .steady, delay: delay) }
        let lower = situation.hold(Array(open[...place])) ?? lowest
        guard lower != current else { return Decision(rung: current, reason: .steady, delay: delay) }
        let reason: Reason =
            situation.isLow ? .panic : rungs[current].sustainedBitRate > situation.carried ? .throughput : .buffer
        return Decision(rung: lower, reason: reason, delay: delay)
    }

    /// What may be chosen now, least demanding first: the ladder without what failed lately; if all did, the one
    /// whose time is up first.
    func openLadder(_ now: HostTime) -> [Int] {
        let open = ladder.filter { !failures.avoids($0, at: now) }
        guard open.isEmpty else { return open }
        return failures.soonest(of: ladder).map { [$0] } ?? []
    }
}
