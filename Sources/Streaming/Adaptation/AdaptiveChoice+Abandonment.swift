import MediaCore

extension AdaptiveChoice {
    /// Whether a running segment should be given up for a lower rung's.
    ///
    /// Only if, at the speed it has come so far, it would arrive after the buffer is empty (before playing has begun:
    /// after `Settings.abandonment.startupPatience`), and the lower one, fetched from its first byte on, would really be there
    /// sooner.
    ///
    /// - Parameters:
    ///   - startedAt: when it was asked for.
    ///   - bytesSoFar: of its body.
    ///   - bytesTotal: its whole size; nil: taken from the rung's bit rate.
    ///   - segmentDuration: nanoseconds.
    ///   - rung: the one it comes from.
    ///   - buffer: media ahead of the playhead now, nanoseconds.
    ///   - isStartup, playbackRate: as in `nextRung`.
    ///   - segmentBytes: this segment's size on another rung, where known.
    /// - Returns: the rung to fetch it from instead; nil: go on.
    package func abandonment(
        now: HostTime, startedAt: HostTime, bytesSoFar: Int, bytesTotal: Int?, segmentDuration: Int64, rung: Int,
        buffer: Int64,
        isStartup: Bool = false, playbackRate: Double = 1, segmentBytes: (Int) -> Int? = { _ in nil }
    ) -> Int? {
        let elapsed = (Double(now.nanoseconds) - Double(startedAt.nanoseconds)) / 1e9
        guard rungs.indices.contains(rung), elapsed >= settings.abandonment.grace else { return nil }
        let seconds = segmentDuration > 0 ? Double(segmentDuration) / 1e9 : segmentSeconds
        let speed = playbackRate.isFinite && playbackRate > 0 ? min(max(playbackRate, 0.05), 64) : 1
        let ahead =
            isStartup ? max(0, settings.abandonment.startupPatience - elapsed) : max(0, Double(buffer) / 1e9) / speed
        let soFar = Double(max(0, bytesSoFar)) * 8
        let total = bytesTotal.map { Double(max(0, $0)) * 8 } ?? rungs[rung].sustainedBitRate * seconds
        let left = total - soFar
        guard left > 0 else { return nil }

        // What earlier transfers showed counts less and less against what this one shows.
        let transferring = elapsed - min(throughput.latency, elapsed * 0.75)
        let memory = max(0, settings.abandonment.memory)
        let pace = max(1, (soFar + throughput.bitRate * memory) / max(0.001, transferring + memory))
        let rest = left / pace
        guard rest > ahead else { return nil }

        let lower = openLadder(now).filter { rungs[$0].sustainedBitRate < rungs[rung].sustainedBitRate }
        func time(_ other: Int) -> Double {
            let bits = segmentBytes(other).map { Double(max(0, $0)) * 8 } ?? rungs[other].sustainedBitRate * seconds
            return throughput.latency + bits / pace
        }
        // The highest one in time, else the quickest: as long as it gains enough to be worth what is thrown away.
        let instead = lower.last { time($0) <= ahead * 0.75 } ?? lower.min { time($0) < time($1) }
        guard let instead, time(instead) < rest * settings.abandonment.gain else { return nil }
        return instead
    }
}
