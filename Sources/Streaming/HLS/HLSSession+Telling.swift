import Foundation
import MediaCore

/// What the session tells the player and its log, from the loop.
extension HLSSession {
    /// The media time being shown, nanoseconds.
    var playhead: Int64 { plan.playhead(self) }

    func publish(_ result: Result<Opened, AVError>) {
        gate.monitor.withLock { opening }?.give(result)
    }

    func publish(_ presentation: HLSPresentation) {
        gate.monitor.withLock { sharedPresentation = presentation }
        changed()
    }

    /// Something came, in the middle of a segment: told ten times a second at most.
    func progressed() {
        guard notifyTimer == nil else { return }
        let due = lastNotified + 100_000_000
        if loop.time >= due { return changed() }
        notifyTimer = loop.schedule(at: due) { [weak self] in
            self?.notifyTimer = nil
            self?.changed()
        }
    }

    /// Takes a new picture of what is loaded and tells the player.
    func changed() {
        guard !plan.isStopped else { return }
        lastNotified = loop.time
        let fresh = snapshot()
        let call = gate.monitor.withLock {
            sharedBuffer = fresh
            sharedLog = log
            return onChange
        }
        call?()
    }

    private func snapshot() -> StreamBuffer {
        var buffer = StreamBuffer()
        guard let main = plan.main else { return buffer }
        let audio = plan.audio
        let audioURL = audio.flatMap { _ in plan.currentSource(of: .audio)?.absoluteString }
        let sources = Set((plan.presentation?.sources ?? []).flatMap(\.playlists).map(\.absoluteString))
        func ranges(_ rendition: RenditionPlan, _ belongs: (StreamSegment) -> Bool) -> [Range<Int64>] {
            var all = cache.segments.filter(belongs).map { $0.start..<max($0.start, $0.end) } + rendition.gaps
            if let fetch = loaders[rendition.role]?.fetch {
                let share = fetch.total.map { $0 > 0 ? min(1, Double(fetch.bytes) / Double($0)) : 0 } ?? 0
                let part = max(fetch.mediaBrought, Int64(Double(fetch.segment.duration) * share))
                all.append(fetch.segment.start..<(fetch.segment.start + part))
            }
            return StreamBuffer.union(all)
        }
        buffer.main = ranges(main) { sources.contains($0.run.source) }
        if let audio, let audioURL { buffer.audio = ranges(audio) { $0.run.source == audioURL } }
        if let rung = plan.rungs.current, let timed = plan.timed(self) {
            let usesParts = plan.usesParts(self)
            buffer.seekable = timed.seekable(usesParts: usesParts)
            if !timed.playlist.isLive {
                buffer.end = timed.end
            } else {
                buffer.holdBack = timed.holdBack(usesParts: usesParts)
            }
            let here = min(max(playhead, timed.epoch), max(timed.epoch, timed.end - 1))
            buffer.anchor = timed.date(at: here).map { (here, $0) }
            if let rate = plan.rungs[rung]?.rung.sustainedBitRate, rate > 1,
                let throughput = plan.rungs.choice?.throughput, throughput.isKnown
            {
                buffer.surplus = throughput.bitRate / rate
            }
        }
        let renditions = [main, audio].compactMap { $0 }
        buffer.isFull = renditions.allSatisfy { $0.isFull || $0.isEnded }
        buffer.breaksOff =
            renditions.contains { $0.hasFailed } && renditions.allSatisfy { $0.isFull || $0.isEnded || $0.hasFailed }
        return buffer
    }

    // MARK: the log

    func note(_ error: HTTPError) {
        log.add(StreamLog.Failure(date: Date(), url: error.url, status: error.status, comment: error.reason))
        // Told even while nothing comes.
        progressed()
    }

    /// What the stream itself lacks, and is played without.
    func warn(_ url: URL, _ comment: String, status: Int? = nil) {
        log.add(StreamLog.Failure(date: Date(), url: url, status: status, comment: comment, isOfContent: true))
        progressed()
    }

    /// Counts what has come, of segments that are given up too.
    func tally(_ bytes: Int64) {
        log.bytes += bytes
        if !log.accesses.isEmpty { log.accesses[log.accesses.count - 1].bytes += bytes }
    }

    func beginAccess(_ rung: Int, _ reason: String) {
        guard let source = plan.rungs[rung] else { return }
        let throughput = plan.rungs.choice?.throughput
        log.add(
            StreamLog.Access(
                url: plan.rungs.playlist(of: rung), began: Date(), indicatedBitRate: Double(source.rung.peakBitRate),
                averageBitRate: source.rung.averageBitRate.map(Double.init), resolution: source.rung.resolution,
                observedBitRate: throughput.map { $0.hasSamples ? $0.bitRate : 0 } ?? 0, reason: reason))
    }

    func account(_ role: StreamRole, duration: Int64, _ progress: LoadProgress) {
        guard !log.accesses.isEmpty else { return }
        let index = log.accesses.count - 1
        let now = loop.time
        log.accesses[index].requests += 1
        log.accesses[index].transferDuration += Double(now - (progress.firstByte ?? progress.began)) / 1e9
        if role == .main {
            log.accesses[index].mediaDuration += Double(duration) / 1e9
            if now - progress.began > duration { log.accesses[index].overdue += 1 }
        }
        log.accesses[index].observedBitRate = plan.rungs.choice?.throughput.bitRate ?? 0
    }
}
