import MediaCore

/// Every item as loud as the others: what is known of each, and its gain. How it is measured stands in `Loudness/`.
extension PlaybackPipeline {
    /// How far ahead of its turn an item is measured: the one that plays and as many behind it.
    private static let measuredAhead = 2

    /// - Parameter target: LUFS; nil: as recorded.
    func setLoudness(_ target: Double?) {
        monitor.withLock { loudnessTarget = target }
        measureLoudness()
    }

    /// Has measured what plays and what follows, as far as nobody knows it yet.
    func measureLoudness() {
        let wanted = monitor.withLock { () -> [PlaybackEntry] in
            guard loudnessTarget != nil, !isClosed else { return [] }
            let first = entries.firstIndex { $0 === playingSegment()?.entry } ?? 0
            return entries.dropFirst(first).prefix(1 + PlaybackPipeline.measuredAhead).filter { $0.loudness == nil }
        }
        for entry in wanted { measureLoudness(of: entry) }
    }

    private func measureLoudness(of entry: PlaybackEntry) {
        let choice = monitor.withLock { () -> TrackSelection.Choice? in
            guard entry.measuredChoice != entry.selection.audio else { return nil }
            entry.measuredChoice = entry.selection.audio
            return entry.selection.audio
        }
        guard let choice, entry.url.isFileURL else { return }
        LoudnessScanner.shared.measure(
            entry.url, choice, while: { [weak self, weak entry] in entry != nil && self.map { !$0.isOver } ?? false }
        ) { [weak self, weak entry] track, measure in
            guard let self, let entry else { return }
            learn(measure, ofTrack: track, entry)
        }
    }

    private var isOver: Bool { monitor.withLock { isClosed } }

    /// `entry` is open: what its tags and the cache say is there before its first sample.
    func loudnessOpened(_ entry: PlaybackEntry, _ description: ItemDescription) {
        let wants = monitor.withLock { () -> Bool in
            if entry.soundTrack != description.audio?.streamIndex { entry.loudness = nil }
            entry.soundTrack = description.audio?.streamIndex
            entry.taggedLoudness = description.audio?.tagged
            return loudnessTarget != nil
        }
        guard let track = description.audio?.streamIndex else { return }
        if wants, entry.url.isFileURL, let known = LoudnessScanner.shared.known(entry.url, track: track) {
            learn(known.measure, ofTrack: track, entry)
        } else if let tagged = description.audio?.tagged {
            onEvent(.loudness(entry, tagged))
        }
        measureLoudness()
    }

    private func learn(_ measure: LoudnessMeasure?, ofTrack track: Int, _ entry: PlaybackEntry) {
        let isOurs = monitor.withLock { () -> Bool in
            // Another track may have been chosen meanwhile.
            guard entry.soundTrack.map({ $0 == track }) ?? true else { return false }
            entry.loudness = measure
            return true
        }
        if isOurs, let measure { onEvent(.loudness(entry, measure)) }
    }

    /// With the monitor locked.
    func loudnessGain(of entry: PlaybackEntry) -> Float {
        guard let loudnessTarget, let measure = entry.loudness ?? entry.taggedLoudness else { return 1 }
        return measure.gain(to: loudnessTarget)
    }
}
