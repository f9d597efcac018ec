import Streaming

/// What came of a simulated session.
package struct SimulationResult: Sendable, Hashable {
    package var rule: String
    /// The rung of every segment.
    package var chosen: [Int]
    /// From the first request until playing began, seconds.
    package var startup: Double
    /// Standing still afterwards, seconds, and how often.
    package var stalled = 0.0
    package var stalls = 0
    /// Segments begun and given up for a lower rung.
    package var abandoned = 0
    /// Bytes received that were never played.
    package var wastedBytes = 0
    /// Seconds from the first request to the last picture.
    package var duration = 0.0

    package init(rule: String, chosen: [Int] = [], startup: Double = 0) {
        self.rule = rule
        self.chosen = chosen
        self.startup = startup
    }

    package var switches: Int { zip(chosen, chosen.dropFirst()).count { $0 != $1 } }
    /// The share of the time after the start that stood still.
    package var rebufferRatio: Double { duration > startup ? stalled / (duration - startup) : 0 }
    /// Bit/s of what was played, by the rungs' average.
    package func meanBitRate(_ rungs: [Rung]) -> Double {
        chosen.isEmpty ? 0 : chosen.reduce(0) { $0 + rungs[$1].sustainedBitRate } / Double(chosen.count)
    }
}

/// Streams a film over a recorded network with a rule, in simulated time: no clock, no I/O, the same result every time.
///
/// One segment after the other. A request is answered after `latency`; then bits come as the trace has them, also when
/// the rate changes within a segment. Playing begins with the first whole segment, stands still when the buffer is
/// empty and goes on with the next one. No request is made while more than `bufferTarget` is buffered.
package struct StreamSimulator: Sendable {
    package var stream: SimulatedStream
    package var trace: NetworkTrace
    /// Seconds of media.
    package var bufferTarget = 60.0
    /// Seconds from a request to the first byte of its answer.
    package var latency = 0.08
    /// How often a rule may look at a running transfer, seconds.
    package var watchInterval = 0.25

    package init(stream: SimulatedStream, trace: NetworkTrace) {
        self.stream = stream
        self.trace = trace
    }

    package func run(_ rule: some RungRule) -> SimulationResult {
        var session = Session(simulator: self, rule: rule)
        for segment in 0..<stream.segmentCount { session.fetch(segment) }
        return session.finish()
    }
}

private struct Session<Rule: RungRule> {
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

    /// Time goes on: what is buffered is played, and what is missing is stood still for.
    mutating func pass(to time: Double) {
        let length = max(0, time - now)
        now = max(now, time)
        guard isPlaying else { return }
        // Rounding is no stall.
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
            // A rule that waits with nothing to play would wait for ever.
            guard buffer > 1e-6 else {
                chosen = 0
                break
            }
            pass(to: now + min(buffer, 0.1))
        }
        let before = result.stalled
        var rung = min(max(0, chosen ?? 0), stream.rungs.count - 1)
        while let lower = transfer(segment, rung, bytes) { rung = lower }
        if result.stalled > before { result.stalls += 1 }
        result.chosen.append(rung)
        buffer += stream.segmentSeconds
        if !isPlaying {
            isPlaying = true
            result.startup = now
        }
    }

    /// Fetches a segment from a rung, to its end or until the rule gives it up; then the lower rung it wants instead.
    private mutating func transfer(_ segment: Int, _ rung: Int, _ bytes: [Int]) -> Int? {
        let trace = simulator.trace
        let start = now
        let flows = start + simulator.latency
        let bits = simulator.stream.bits[segment][rung]
        let end = trace.end(of: bits, from: flows)
        let already = trace.bits(until: flows)
        var look = start + simulator.watchInterval
        while look < end {
            pass(to: look)
            let soFar = look > flows ? Int((trace.bits(until: look) - already) / 8) : 0
            let transfer = RuleTransfer(
                now: now, startedAt: start, bytesSoFar: soFar, bytesTotal: bytes[rung], rung: rung, buffer: buffer,
                isStartup: !isPlaying, bytes: bytes)
            if let lower = rule.abandon(transfer), lower < rung, lower >= 0 {
                rule.received(bytes: soFar, from: start, firstByte: flows, to: now)
                result.abandoned += 1
                result.wastedBytes += soFar
                return lower
            }
            look += simulator.watchInterval
        }
        pass(to: end)
        rule.received(bytes: bytes[rung], from: start, firstByte: flows, to: end)
        return nil
    }

    mutating func finish() -> SimulationResult {
        pass(to: now + buffer)
        result.duration = now
        return result
    }
}
