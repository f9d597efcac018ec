import MediaCore

/// The choice of the variant from which the next segment is loaded.
///
/// The struct does no I/O and has no clock and no thread. Callers report received bytes, and request a decision before
/// each segment. All times are of one monotonic clock, and buffers are nanoseconds of media. Variants are identified by
/// their index in the given array, which may have any order.
///
/// Two rules are combined. The first uses the throughput from `ThroughputEstimate`. The second uses the buffer, as BOLA
/// does (Spiteri et al., INFOCOM 2016): the fuller the buffer, the further a variant may exceed the throughput, because
/// the buffer covers the difference.
///
/// A variant is chosen if the buffer would still be above a level after loading from it for a certain time. Switching
/// up requires a high level after a long time. Staying requires a low level after a short time. The difference between
/// the two prevents switching back and forth.
package struct AdaptiveChoice: Sendable {
    package typealias Settings = AdaptationSettings

    /// The reason for a decision.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Nothing has been played yet.
        case startup
        /// The variant changes because the throughput has changed.
        case throughput
        /// The variant changes because of the amount of buffered media.
        case buffer
        /// The variant changes because the current one is no longer allowed, after a limit or a failure.
        case limit
        /// The buffer is almost empty. The highest variant that still arrives in time is chosen, or the lowest one.
        case panic
        /// The variant does not change.
        case steady
    }

    package struct Decision: Sendable, Hashable {
        /// The index of the variant.
        package var variant: Int
        package var reason: Reason
        /// The time to wait before loading, in nanoseconds, because enough is buffered. 0 means no wait.
        package var delay: Int64
        package init(variant: Int, reason: Reason, delay: Int64 = 0) {
            self.variant = variant
            self.reason = reason
            self.delay = delay
        }
    }

    package let variants: [AdaptationVariant]
    package var limits: AdaptationLimits {
        didSet { if limits != oldValue { ladder = limits.allowed(of: variants) } }
    }
    /// The estimated throughput. Its `bitRate` can be stored as the next session's `rememberedBitRate`.
    package private(set) var throughput: ThroughputEstimate

    let settings: Settings
    /// The duration of a segment in seconds, as the playlist states it (`EXT-X-TARGETDURATION`).
    let segmentSeconds: Double
    /// The indices of the allowed variants, the least demanding first.
    private(set) var ladder: [Int]
    private(set) var failures = VariantFailures()

    /// Creates a choice.
    /// - Parameters:
    ///   - variants: The available variants, in any order. If it is empty, `nextVariant` returns index 0.
    ///   - segmentDuration: The duration of a segment, in nanoseconds. If it is not positive, the usual 6 s are
    ///     assumed.
    ///   - rememberedBitRate: The throughput of an earlier session in bits per second, or nil if there was none.
    package init(
        variants: [AdaptationVariant], segmentDuration: Int64, limits: AdaptationLimits = AdaptationLimits(),
        rememberedBitRate: Double? = nil,
        settings: Settings = Settings()
    ) {
        self.variants = variants
        self.limits = limits
        self.settings = settings
        segmentSeconds = segmentDuration > 0 ? min(3600, Double(segmentDuration) / 1e9) : 6
        throughput = ThroughputEstimate(remembered: rememberedBitRate, settings: settings.throughput)
        ladder = limits.allowed(of: variants)
    }

    /// Records a finished or canceled transfer.
    /// - Parameters:
    ///   - bytes: The number of body bytes received.
    ///   - from: The time of the request.
    ///   - firstByte: The time at which the body's first byte arrived, or nil if it is unknown.
    ///   - to: The time at which the last byte arrived.
    package mutating func received(bytes: Int, from: HostTime, firstByte: HostTime? = nil, to: HostTime) {
        throughput.add(bytes: bytes, from: from, firstByte: firstByte, to: to)
    }

    /// Records that a segment of a variant failed even after retries. The variant is avoided for a while.
    package mutating func failed(variant: Int, at now: HostTime) {
        failures.add(variant, at: now, first: settings.avoidance.first, longest: settings.avoidance.longest)
    }

    /// Records that a segment of a variant was loaded. Earlier failures of the variant are forgotten.
    package mutating func succeeded(variant: Int) {
        failures.forget(variant)
    }

    /// Returns the variant from which to load the next segment. If no variant is allowed, the result is variant 0 with
    /// the reason `.limit`.
    /// - Parameters:
    ///   - now: The current time, used for avoiding failed variants.
    ///   - buffer: The duration of media buffered ahead of the playhead, in nanoseconds.
    ///   - bufferTarget: The desired buffer in nanoseconds. Above it, the decision has a `delay`.
    ///   - current: The variant of the previous segment, or nil if there is none.
    ///   - isStartup: Whether nothing has been played since the start or a seek, and nothing is buffered.
    ///   - isLive: Whether the stream is live, so that a stall cannot be made up for.
    ///   - playbackRate: The seconds of media played per second. A value that is not positive or not finite means 1.
    ///     Other values are clamped to 0.05…64.
    ///   - remaining: The duration of media still to be loaded in nanoseconds, including this segment; nil if it is
    ///     unknown or the stream is live. Near the end, the buffer may be used up, because nothing follows.
    ///   - nextSegmentBytes: Returns the size of the next segment in a variant, or nil if it is unknown.
    package func nextVariant(
        now: HostTime, buffer: Int64, bufferTarget: Int64, current: Int?, isStartup: Bool, isLive: Bool = false,
        playbackRate: Double = 1, remaining: Int64? = nil, nextSegmentBytes: (Int) -> Int? = { _ in nil }
    ) -> Decision {
        let open = openLadder(now)
        guard let lowest = open.first else { return Decision(variant: 0, reason: .limit) }
        let input = DecisionInput(
            choice: self, buffer: buffer, target: bufferTarget, isLive: isLive, rate: playbackRate,
            remaining: remaining, sizes: variants.indices.map(nextSegmentBytes))
        let delay = isStartup ? 0 : input.delay

        guard let current, let index = open.firstIndex(of: current) else {
            // There is no current variant, or it may no longer be used.
            let variant = isStartup || current == nil ? input.start(open) : input.hold(open)
            return Decision(variant: variant ?? lowest, reason: current == nil ? .startup : .limit, delay: delay)
        }
        if isStartup { return Decision(variant: input.start(open) ?? lowest, reason: .startup) }

        if let higher = input.climb(open, above: index) {
            let byThroughput = variants[higher].sustainedBitRate <= input.carried
            return Decision(variant: higher, reason: byThroughput ? .throughput : .buffer, delay: delay)
        }
        if input.canStay(current) { return Decision(variant: current, reason: .steady, delay: delay) }
        let lower = input.hold(Array(open[...index])) ?? lowest
        guard lower != current else { return Decision(variant: current, reason: .steady, delay: delay) }
        let reason: Reason =
            input.isLow ? .panic : variants[current].sustainedBitRate > input.carried ? .throughput : .buffer
        return Decision(variant: lower, reason: reason, delay: delay)
    }

    /// Returns the variants that may be chosen now, the least demanding first. Variants that failed recently are left
    /// out. If all have failed, the result is the one that may be tried again first.
    func openLadder(_ now: HostTime) -> [Int] {
        let open = ladder.filter { !failures.avoids($0, at: now) }
        guard open.isEmpty else { return open }
        return failures.soonest(of: ladder).map { [$0] } ?? []
    }
}
