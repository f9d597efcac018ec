import MediaCore
import Synchronization

/// A stream's subtitles: which are wanted, what of them has come, and where the stream's clock stands.
final class SubtitleTrack: @unchecked Sendable {
    /// What other threads ask.
    private struct Shared {
        var cues: [WebVTTCue] = []
        var progress = SubtitleProgress()
        var onCues: (@Sendable () -> Void)?
    }
    private let shared = Mutex(Shared())

    // Guarded by confinement: everything below happens on the session's loop.
    var choice = StreamSelection.Choice.automatic
    var loader: SubtitleLoader?
    /// Media time minus the containers' stamps by discontinuity, nanoseconds, as the reader found them.
    var offsets: [Int: Int64] = [:]

    // MARK: any thread

    var cues: [WebVTTCue] { shared.withLock { $0.cues } }
    var progress: SubtitleProgress { shared.withLock { $0.progress } }
    func setOnCues(_ call: (@Sendable () -> Void)?) { shared.withLock { $0.onCues = call } }

    // MARK: the loop's side

    func note(_ change: (inout SubtitleProgress) -> Void) { shared.withLock { change(&$0.progress) } }

    func publish(_ cues: [WebVTTCue]) {
        let call = shared.withLock { shared -> (@Sendable () -> Void)? in
            guard shared.cues != cues else { return nil }
            shared.cues = cues
            return shared.onCues
        }
        call?()
    }
}

/// How loading subtitles has gone.
package struct SubtitleProgress: Sendable, Hashable {
    /// Index in `HLSPresentation.subtitles` of those that are loaded; nil: none.
    package var option: Int?
    /// Segments that came.
    package var segments = 0
    /// Segments that did not come or are no WebVTT; each was passed over.
    package var brokenSegments = 0
    /// Cues whose times could not be read.
    package var skippedCues = 0
}

extension HLSPresentation {
    /// Which of `subtitles` play; nil: none.
    ///
    /// Unless asked otherwise those marked as default, else the ones without which the programme cannot be
    /// understood (FORCED), in the language of the sound.
    func subtitlesOption(_ choice: StreamSelection.Choice, audioLanguage: String?) -> Int? {
        switch choice {
        case .none: return nil
        case .option(let index): return subtitles.indices.contains(index) ? index : nil
        case .languages(let wanted):
            let whole = subtitles.indices.filter { !subtitles[$0].isForced }
            if let best = LanguageTag.bestMatch(for: wanted, among: whole.map { subtitles[$0].language }) {
                return whole[best]
            }
            return subtitlesOption(.automatic, audioLanguage: audioLanguage)
        case .automatic:
            if let index = subtitles.firstIndex(where: { $0.isDefault && !$0.isForced }) { return index }
            guard let audioLanguage else { return nil }
            let forced = subtitles.indices.filter { subtitles[$0].isForced }
            return LanguageTag.bestMatch(for: [audioLanguage], among: forced.map { subtitles[$0].language }).map {
                forced[$0]
            }
        }
    }
}
