import MediaCore

extension AdaptiveChoice {
    /// Decides whether to abandon a running segment and load it from a lower variant.
    ///
    /// A segment is abandoned only if, at its speed so far, it would arrive after the buffer is empty. Before playback
    /// has begun, the limit is `Settings.abandonment.startupPatience` instead. The lower variant, loaded from its first
    /// byte, must also arrive clearly sooner.
    /// - Parameters:
    ///   - startedAt: The time of the request.
    ///   - bytesSoFar: The number of body bytes received.
    ///   - bytesTotal: The size of the body. nil means that it is estimated from the variant's bit rate.
    ///   - segmentDuration: The segment's duration, in nanoseconds.
    ///   - variant: The index of the variant that is being loaded.
    ///   - buffer: The duration of media buffered ahead of the playhead, in nanoseconds.
    ///   - isStartup: As in `nextVariant`.
    ///   - playbackRate: As in `nextVariant`.
    ///   - segmentBytes: Returns the size of this segment in another variant, or nil if it is unknown.
    /// - Returns: The index of the variant to load instead, or nil to continue.
    package func abandonment(
        now: HostTime, startedAt: HostTime, bytesSoFar: Int, bytesTotal: Int?, segmentDuration: Int64, variant: Int,
        buffer: Int64,
        isStartup: Bool = false, playbackRate: Double = 1, segmentBytes: (Int) -> Int? = { _ in nil }
    ) -> Int? {
        let elapsed = (Double(now.nanoseconds) - Double(startedAt.nanoseconds)) / 1e9
        guard variants.indices.contains(variant), elapsed >= settings.abandonment.grace else { return nil }
        let seconds = segmentDuration > 0 ? Double(segmentDuration) / 1e9 : segmentSeconds
        let speed = playbackRate.isFinite && playbackRate > 0 ? min(max(playbackRate, 0.05), 64) : 1
        let timeLimit =
            isStartup ? max(0, settings.abandonment.startupPatience - elapsed) : max(0, Double(buffer) / 1e9) / speed
        let soFar = Double(max(0, bytesSoFar)) * 8
        let total = bytesTotal.map { Double(max(0, $0)) * 8 } ?? variants[variant].sustainedBitRate * seconds
        let remainingBits = total - soFar
        guard remainingBits > 0 else { return nil }

        // The longer this transfer runs, the less the speed of earlier transfers counts.
        let transferring = elapsed - min(throughput.latency, elapsed * 0.75)
        let memory = max(0, settings.abandonment.memory)
        let assumedBitRate = max(1, (soFar + throughput.bitRate * memory) / max(0.001, transferring + memory))
        let remainingTime = remainingBits / assumedBitRate
        guard remainingTime > timeLimit else { return nil }

        let lower = openLadder(now).filter { variants[$0].sustainedBitRate < variants[variant].sustainedBitRate }
        func time(_ other: Int) -> Double {
            let bits = segmentBytes(other).map { Double(max(0, $0)) * 8 } ?? variants[other].sustainedBitRate * seconds
            return throughput.latency + bits / assumedBitRate
        }
        // The highest variant that arrives in time, or else the fastest one, if it saves enough to justify the
        // discarded bytes.
        let instead = lower.last { time($0) <= timeLimit * 0.75 } ?? lower.min { time($0) < time($1) }
        guard let instead, time(instead) < remainingTime * settings.abandonment.gain else { return nil }
        return instead
    }
}
