extension StreamBuffer {
    /// Creates the buffer state of a stream.
    /// - Parameter cached: The complete segments in the cache.
    init(of plan: StreamPlan, in conditions: any StreamConditions, cached: some Sequence<StreamSegment>) {
        guard let main = plan.main else { return }
        let playlists = Set((plan.presentation?.variants ?? []).flatMap(\.playlists).map(\.absoluteString))
        self.main = Self.ranges(main, conditions, cached) { playlists.contains($0.run.source) }
        if let audio = plan.audio {
            let sources = Set(plan.audioPlaylists.map(\.absoluteString))
            self.audio = Self.ranges(audio, conditions, cached) { sources.contains($0.run.source) }
        }
        if let variant = plan.variants.current, let timed = plan.timed(conditions) {
            let usesParts = plan.usesParts(conditions)
            seekable = timed.seekable(usesParts: usesParts)
            if !timed.playlist.isLive {
                end = timed.end
            } else {
                holdBack = timed.holdBack(usesParts: usesParts)
            }
            let playhead = min(max(plan.playhead(conditions), timed.epoch), max(timed.epoch, timed.end - 1))
            anchor = timed.date(at: playhead).map { (playhead, $0) }
            dateRanges = timed.playlist.dateRanges
            if let rate = plan.variants[variant]?.attributes.sustainedBitRate, rate > 1,
                let throughput = plan.variants.choice?.throughput, throughput.isKnown
            {
                surplus = throughput.bitRate / rate
            }
        }
        let renditions = [main, plan.audio].compactMap { $0 }
        isFull = renditions.allSatisfy { $0.isFull || $0.isEnded }
        willFail =
            renditions.contains { $0.hasFailed } && renditions.allSatisfy { $0.isFull || $0.isEnded || $0.hasFailed }
    }

    /// Returns the loaded ranges of one rendition: complete segments, gaps, and a share of the segment that is loading.
    private static func ranges(
        _ rendition: RenditionProgress, _ conditions: any StreamConditions, _ cached: some Sequence<StreamSegment>,
        _ belongs: (StreamSegment) -> Bool
    ) -> [Range<Int64>] {
        var all = cached.filter(belongs).map { $0.start..<max($0.start, $0.end) } + rendition.gaps
        if let order = rendition.load?.order, let progress = conditions.progress(rendition.role) {
            let share = progress.total.map { $0 > 0 ? min(1, Double(progress.bytes) / Double($0)) : 0 } ?? 0
            let part = max(progress.mediaBrought, Int64(Double(order.duration) * share))
            all.append(order.start..<(order.start + part))
        }
        return union(all)
    }
}
