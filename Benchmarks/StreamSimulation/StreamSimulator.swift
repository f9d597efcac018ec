import Streaming

/// The result of a simulated session.
package struct SimulationResult: Sendable, Hashable {
    package var rule: String
    /// The variant of every segment.
    package var chosen: [Int]
    /// The time from the first request until playback began, in seconds.
    package var startup: Double
    /// The total duration of stalls after the start, in seconds. `stalls` is their number.
    package var stalled = 0.0
    package var stalls = 0
    /// The number of transfers that were abandoned for a lower variant.
    package var abandoned = 0
    /// The number of bytes received that were never played.
    package var wastedBytes = 0
    /// The time from the first request to the end of playback, in seconds.
    package var duration = 0.0

    package init(rule: String, chosen: [Int] = [], startup: Double = 0) {
        self.rule = rule
        self.chosen = chosen
        self.startup = startup
    }

    package var switches: Int { zip(chosen, chosen.dropFirst()).count { $0 != $1 } }
    /// The fraction of the time after the start during which playback stalled.
    package var rebufferRatio: Double { duration > startup ? stalled / (duration - startup) : 0 }
    /// Returns the average bit rate of the played segments, in bit/s.
    package func meanBitRate(_ variants: [AdaptationVariant]) -> Double {
        chosen.isEmpty ? 0 : chosen.reduce(0) { $0 + variants[$1].sustainedBitRate } / Double(chosen.count)
    }
}

/// A simulator that streams a video over a recorded network with a rule. Time is simulated and there is no I/O, so
/// results are reproducible.
///
/// Segments are loaded one after the other. A request is answered after `latency`. Bits then arrive at the rates of the
/// trace, even if the rate changes within a segment. Playback begins with the first whole segment, stalls when the
/// buffer is empty, and continues with the next segment. No request is made while more than `bufferTarget` is buffered.
package struct StreamSimulator: Sendable {
    package var stream: SimulatedStream
    package var trace: NetworkTrace
    /// The media to buffer, in seconds.
    package var bufferTarget = 60.0
    /// The seconds from a request to the first byte of its answer.
    package var latency = 0.08
    /// The interval at which a rule may check a transfer, in seconds.
    package var watchInterval = 0.25

    package init(stream: SimulatedStream, trace: NetworkTrace) {
        self.stream = stream
        self.trace = trace
    }

    package func run(_ rule: some VariantRule) -> SimulationResult {
        var session = Session(simulator: self, rule: rule)
        for segment in 0..<stream.segmentCount { session.fetch(segment) }
        return session.finish()
    }
}

private struct Session<Rule: VariantRule> {
    let simulator: StreamSimulator
    var rule: Rule
    var now = 0.0
    var buffer = 0.0
    var isPlaying = false
    var result: SimulationResult

    init(simulator: StreamSimulator, rule: Rule) {
        self.simulator = simulator
        self.rule = rule
        result = SimulationResult(rule: rule.name)
    }

    /// Advances the time. Buffered media is played; the missing time is counted as a stall.
    mutating func pass(to time: Double) {
        let length = max(0, time - now)
        now = max(now, time)
        guard isPlaying else { return }
        // A rounding error is not a stall.
        if length > buffer + 1e-9 { result.stalled += length - buffer }
        buffer = max(0, buffer - length)
    }

    mutating func fetch(_ segment: Int) {
        let stream = simulator.stream
        if buffer > simulator.bufferTarget { pass(to: now + buffer - simulator.bufferTarget) }
        let bytes = stream.bits[segment].map { Int($0 / 8) }
        var chosen: Int?
        while chosen == nil {
            chosen = rule.choose(
                RuleQuestion(
                    now: now, buffer: buffer, bufferTarget: simulator.bufferTarget, current: result.chosen.last,
                    isStartup: !isPlaying,
                    remaining: Double(stream.segmentCount - segment) * stream.segmentSeconds, nextBytes: bytes))
            guard chosen == nil else { break }
            // A rule that waits although nothing is buffered would wait forever.
            guard buffer > 1e-6 else {
                chosen = 0
                break
            }
            pass(to: now + min(buffer, 0.1))
        }
        let before = result.stalled
        var variant = min(max(0, chosen ?? 0), stream.variants.count - 1)
        while let lower = transfer(segment, variant, bytes) { variant = lower }
        if result.stalled > before { result.stalls += 1 }
        result.chosen.append(variant)
        buffer += stream.segmentSeconds
        if !isPlaying {
            isPlaying = true
            result.startup = now
        }
    }

    /// Loads a segment from a variant, until its end or until the rule abandons it.
    /// - Returns: The lower variant that the rule requests instead; nil if the segment is complete.
    private mutating func transfer(_ segment: Int, _ variant: Int, _ bytes: [Int]) -> Int? {
        let trace = simulator.trace
        let start = now
        let flows = start + simulator.latency
        let bits = simulator.stream.bits[segment][variant]
        let end = trace.end(of: bits, from: flows)
        let already = trace.bits(until: flows)
        var nextCheck = start + simulator.watchInterval
        while nextCheck < end {
            pass(to: nextCheck)
            let soFar = nextCheck > flows ? Int((trace.bits(until: nextCheck) - already) / 8) : 0
            let transfer = RuleTransfer(
                now: now, startedAt: start, bytesSoFar: soFar, bytesTotal: bytes[variant], variant: variant,
                buffer: buffer,
                isStartup: !isPlaying, bytes: bytes)
            if let lower = rule.abandon(transfer), lower < variant, lower >= 0 {
                rule.received(bytes: soFar, from: start, firstByte: flows, to: now)
                result.abandoned += 1
                result.wastedBytes += soFar
                return lower
            }
            nextCheck += simulator.watchInterval
        }
        pass(to: end)
        rule.received(bytes: bytes[variant], from: start, firstByte: flows, to: end)
        return nil
    }

    mutating func finish() -> SimulationResult {
        pass(to: now + buffer)
        result.duration = now
        return result
    }
}
