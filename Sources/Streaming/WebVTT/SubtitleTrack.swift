import Foundation
import MediaCore
import Synchronization

/// The subtitles of a stream: the selection, the loaded cues, and the offsets between timestamps and media time.
@NetworkActor
final class SubtitleTrack {
    /// The state that other threads read.
    private struct Shared {
        var cues: [WebVTTCue] = []
        var progress = SubtitleProgress()
        var onCues: (@Sendable () -> Void)?
    }
    private nonisolated let shared = Mutex(Shared())

    private var choice = StreamSelection.Choice.automatic
    private var loader: SubtitleLoader?
    /// The offsets from the containers' timestamps to media time by discontinuity, in nanoseconds, as the reader found
    /// them.
    private var offsets: [Int: Int64] = [:]

    nonisolated init() {}

    // MARK: any thread

    nonisolated var cues: [WebVTTCue] { shared.withLock { $0.cues } }
    nonisolated var progress: SubtitleProgress { shared.withLock { $0.progress } }
    nonisolated func setOnCues(_ call: (@Sendable () -> Void)?) { shared.withLock { $0.onCues = call } }

    // MARK: the session's calls

    /// The playlist that is being loaded, or nil if there is none.
    var url: URL? { loader?.url }

    /// Sets the requested subtitles. `choose` then carries out the selection.
    func select(_ new: StreamSelection.Choice) { choice = new }

    /// Carries out the selection.
    /// - Parameters:
    ///   - first: The group whose playlist is tried first.
    ///   - begins: Whether playback has begun, so that loading can begin.
    ///   - stream: Returns the parts of the stream for a new loader. Called only if other subtitles are selected.
    /// - Returns: The playlist that is no longer used, or nil if nothing has changed.
    func choose(
        of presentation: HLSPresentation, audioLanguage: String?, preferring first: String?, begins: Bool,
        stream: () -> SubtitleLoader.Stream
    ) -> URL? {
        let option = presentation.subtitlesOption(choice, audioLanguage: audioLanguage)
        guard option != loader?.option else { return nil }
        let previousURL = loader?.url
        loader?.stop()
        loader = option.map { SubtitleLoader($0, presentation.subtitles[$0], preferring: first, of: stream()) }
        note { $0.option = option }
        publish([])
        if begins { loader?.begin() }
        return previousURL
    }

    func begin() { loader?.begin() }
    func loadNext() { loader?.loadNext() }
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

/// The progress of loading subtitles.
package struct SubtitleProgress: Sendable, Hashable {
    /// The index in `HLSPresentation.subtitles` of the subtitles being loaded, or nil if there are none.
    package var option: Int?
    /// The number of loaded segments.
    package var segments = 0
    /// The number of segments that failed or were not WebVTT. Each was skipped.
    package var brokenSegments = 0
    /// The number of cues whose times could not be read.
    package var skippedCues = 0
}

extension HLSPresentation {
    /// Returns the index in `subtitles` of the subtitles to play, or nil for none.
    ///
    /// The automatic choice is the default subtitles, or else the forced ones (`FORCED`) in the language of the audio.
    func subtitlesOption(_ choice: StreamSelection.Choice, audioLanguage: String?) -> Int? {
        switch choice {
        case .none: return nil
        case .option(let index): return subtitles.indices.contains(index) ? index : nil
        case .languages(let wanted): return automaticSubtitles(wanted, audioLanguage: audioLanguage)
        case .automatic: return automaticSubtitles([], audioLanguage: audioLanguage)
        }
    }

    private func automaticSubtitles(_ languages: [String], audioLanguage: String?) -> Int? {
        let candidates = subtitles.map {
            SubtitleCandidate(language: $0.language, isDefault: $0.isDefault, isForced: $0.isForced)
        }
        return SubtitleCandidate.automatic(among: candidates, languages: languages, audioLanguage: audioLanguage)
    }
}
