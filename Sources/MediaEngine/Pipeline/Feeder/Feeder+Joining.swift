import MediaCore

/// The end of a segment, and the start of the next one without a gap: another pass, the next entry or nothing.
extension Feeder {
    /// Finishes a segment that has been read to its end, and starts what follows.
    func finish(_ segment: Segment, videoEnd: MediaTime?, audioEnd: MediaTime?) {
        context.state.withLock { $0.endReading(segment, videoEnd: videoEnd, audioEnd: audioEnd) }
        while true {
            let reads = clip != nil || reader != nil
            switch context.state.withLock({ $0.next(after: segment, reads: reads) }) {
            case .nothing:
                if context.state.withLock({ $0.endFeed(after: segment) }) { return }
            case .pass(let start):
                if clip == nil, let error = rewind(to: start) { return rewindFailed(segment, error) }
                return join(segment.entry, after: segment, isPass: true, from: start)
            case .open(let next, let isPass):
                if !follow(segment, by: next, isPass: isPass) { continue }
                return
            }
        }
    }

    private func rewind(to start: MediaTime) -> AVError? {
        if let reader, let error = rewind(reader, keepingPackets: true) { return error }
        return start > 0 ? reader.flatMap { seek($0, to: start) } : nil
    }

    /// Ends the feed after a rewind that did not succeed. If a seek or another item interrupted the rewind, the feeder
    /// continues with that. Otherwise the entry has failed.
    private func rewindFailed(_ segment: Segment, _ error: AVError) {
        context.state.withLock { state in
            switch state.wantedInstead(of: error) {
            case .item: return
            case .seek: return state.cutFeed()
            case nil: break
            }
            // The rewind stopped for a seek that is no longer pending.
            if error.code == .cancelled {
                state.readAgain()
                return state.cutFeed()
            }
            state.report(.failed(segment.entry, error))
            _ = state.endFeed(after: nil)
        }
    }

    /// Opens `next` and starts its segment after `segment`.
    ///
    /// - Returns: `false` if the caller must determine again what follows.
    private func follow(_ segment: Segment, by next: PlaybackEntry, isPass: Bool) -> Bool {
        dropReader()
        let error = prepare(next, isLooping: next.loops, joins: true)
        switch context.state.withLock({ $0.endJoining() }) {
        case .wanted: break
        case .stale:
            dropClip()
            dropReader()
            return false
        case .sought:
            dropClip()
            dropReader()
            return true
        }
        guard let error else {
            let start = isPass ? segment.entry.part(of: segment.description)?.lowerBound ?? 0 : partStart(of: next)
            join(next, after: segment, isPass: isPass, from: start)
            return true
        }
        return context.state.withLock { state in
            switch state.wantedInstead(of: error) {
            case .item: return true
            case .seek:
                state.cutFeed()
                return true
            case nil:
                if error.code == .cancelled { return false }
                state.failed(next, error)
                state.playlist.entries.removeAll { $0 === next }
                return false
            }
        }
    }

    /// Starts a segment of `entry` directly after `segment`: another pass or the next item.
    private func join(_ entry: PlaybackEntry, after segment: Segment, isPass: Bool, from start: MediaTime) {
        if !isPass { entry.restartLoopNumbers() }
        begin(
            entry, pass: isPass ? segment.pass + 1 : 0, loopNumber: isPass ? segment.loopNumber + 1 : nil,
            mediaStart: start,
            at: .endOfBefore)
        // The next entry may have changed since the decision.
        context.state.withLock { $0.replanIfStale() }
    }
}
