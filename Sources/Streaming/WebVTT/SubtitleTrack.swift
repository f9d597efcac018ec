import Foundation
import MediaCore
import Synchronization

/// A stream's subtitles: which are wanted, what of them has come, and where the stream's clock stands.
@NetworkActor
final class SubtitleTrack {
    /// What other threads ask.
    private struct Shared {
        var cues: [WebVTTCue] = []
        var progress = SubtitleProgress()
        var onCues: (@Sendable () -> Void)?
    }
    private nonisolated let shared = Mutex(Shared())

    private var choice = StreamSelection.Choice.automatic
    private var loader: SubtitleLoader?
    /// Media time minus the containers' stamps by discontinuity, nanoseconds, as the reader found them.
    private var offsets: [Int: Int64] = [:]

    nonisolated init() {}

    // MARK: any thread

    nonisolated var cues: [WebVTTCue] { shared.withLock { $0.cues } }
    nonisolated var progress: SubtitleProgress { shared.withLock { $0.progress } }
    nonisolated func setOnCues(_ call: (@Sendable () -> Void)?) { shared.withLock { $0.onCues = call } }

    // MARK: the session's calls

    /// The playlist that is loaded; nil: none.
    var url: URL? { loader?.url }

    /// Which are wanted; `choose` carries it out.
    func wish(_ new: StreamSelection.Choice) { choice = new }

    /// Carries the wish out.
    /// - Parameters:
    ///   - first: the group whose playlist is tried first.
    ///   - begins: something plays already.
    ///   - stream: called where others are loaded from now on.
    /// - Returns: the playlist that is left.
    func choose(
        of presentation: HLSPresentation, audioLanguage: String?, preferring first: String?, begins: Bool,
        stream: () -> SubtitleLoader.Stream
    ) -> URL? {
        let option = presentation.subtitlesOption(choice, audioLanguage: audioLanguage)
        guard option != loader?.option else { return nil }
        let left = loader?.url
        loader?.stop()
        loader = option.map { SubtitleLoader($0, presentation.subtitles[$0], preferring: first, of: stream()) }
        note { $0.option = option }
        publish([])
        if begins { loader?.begin() }
        return left
    }

    func begin() { loader?.begin() }
    func look() { loader?.pump() }
    func suspend() { loader?.stop() }

    func stop() {
        loader?.stop()
        loader = nil
    }

    func note(_ offset: Int64, discontinuity: Int) {
        guard offsets[discontinuity] != offset else { return }
        offsets[discontinuity] = offset
        loader?.arrange()
    }

    func offset(discontinuity: Int) -> Int64? { offsets[discontinuity] }

    // MARK: the loader's calls

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
