import Foundation
import MediaCore

/// Subtitles of a stream: loaded beside what plays, and never in its way.
extension HLSSession {
    // MARK: the player's side (any thread)

    /// Which subtitles are to be loaded; takes effect where we are. An option is an index in
    /// `HLSPresentation.subtitles`.
    package func setSubtitles(_ choice: StreamSelection.Choice) {
        loop.perform {
            self.subtitles.choice = choice
            self.chooseSubtitles()
        }
    }

    /// The cues that are at hand, in media time, sorted by when they begin.
    package var cues: [WebVTTCue] { subtitles.cues }
    package var subtitleProgress: SubtitleProgress { subtitles.progress }
    /// Called on the loop when `cues` has changed.
    package func setOnCues(_ call: (@Sendable () -> Void)?) { subtitles.setOnCues(call) }

    // MARK: the feeder's side

    /// What the reader found: nanoseconds from the containers' stamps to media time, in a discontinuity.
    package func noteOffset(_ offset: Int64, discontinuity: Int) {
        loop.perform {
            guard self.subtitles.offsets[discontinuity] != offset else { return }
            self.subtitles.offsets[discontinuity] = offset
            self.subtitles.loader?.arrange()
        }
    }

    // MARK: the loop's side

    /// The choice made is carried out, as soon as it is known what there is to choose.
    func chooseSubtitles() {
        guard let presentation = plan.presentation, !plan.isStopped else { return }
        let spoken = plan.audioOption.flatMap {
            presentation.audio.indices.contains($0) ? presentation.audio[$0].language : nil
        }
        let option = presentation.subtitlesOption(subtitles.choice, audioLanguage: spoken)
        guard option != subtitles.loader?.option else { return }
        if let old = subtitles.loader {
            old.stop()
            // Nobody plays from it any more.
            if let url = old.url { trackers[url]?.isActive = false }
        }
        let group = plan.rungs.current.flatMap { plan.rungs[$0]?.subtitlesGroup }
        subtitles.loader = option.map {
            SubtitleLoader($0, presentation.subtitles[$0], preferring: group, of: subtitleStream())
        }
        subtitles.note { $0.option = option }
        subtitles.publish([])
        // Before something plays there is no timeline to put them on.
        if plan.main != nil { subtitles.loader?.begin() }
    }

    private func subtitleStream() -> SubtitleLoader.Stream {
        SubtitleLoader.Stream(
            loop: loop, gate: gate, options: options, retry: settings.opening, keys: means.keys, track: subtitles,
            window: { [weak self] in
                guard let self, !self.plan.isStopped, self.plan.reference != nil else { return nil }
                let playhead = self.playhead
                return playhead..<max(playhead, playhead + self.plan.bufferTarget(self))
            },
            tracker: { [weak self] in self?.tracker($0) },
            offset: { [weak self] in self?.offset(of: $0) },
            note: { [weak self] in self?.note($0) },
            broke: { [weak self] url, status, reason in
                guard let self else { return }
                self.log.add(
                    StreamLog.Failure(
                        date: Date(), url: url ?? self.url, status: status, comment: "subtitles: \(reason)"))
                self.changed()
            })
    }

    /// Nanoseconds from the programme's clock to media time where a subtitle segment lies; nil: not known yet.
    private func offset(of segment: CueStore.Held) -> Int64? {
        if let known = subtitles.offsets[segment.discontinuity] { return known }
        // A playlist of subtitles that does not number its discontinuities as the main one does.
        guard let reference = plan.reference, let timed = trackers[reference]?.timed,
            let index = timed.index(at: segment.start + timed.tolerance)
        else { return nil }
        return subtitles.offsets[timed.discontinuity(timed.playlist.segments[index].discontinuitySequence)]
    }
}
