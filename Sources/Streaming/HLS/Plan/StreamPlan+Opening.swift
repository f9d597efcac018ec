import Foundation
import MediaCore

// Opening a stream and seeking in it.
extension StreamPlan {
    mutating func open(_ selection: StreamSelection, at start: Int64?, _ conditions: any StreamConditions) {
        opening.selection = selection
        opening.start = start
        if presentation == nil { emit(.loadPresentation) } else { prepare(conditions) }
    }

    /// Chooses the first variant and requests its playlists. Loading begins when they have arrived.
    mutating func prepare(_ conditions: any StreamConditions) {
        guard let presentation else { return }
        if variants.choice == nil {
            variants.makeChoice(
                segmentDuration: 0, rememberedBitRate: conditions.rememberedBitRate, at: conditions.now)
        }
        variants.limitChoice()
        selectedAudio = SelectedAudio(opening.selection.audioOption(in: presentation.audio), in: presentation)
        // A selected option with a playlist of its own can play only beside variants with separate audio.
        if opening.selection.isExplicit, selectedAudio.isSeparate {
            variants.keepApart(variantIndices(hasSeparateAudio: false))
        }
        let first = variants.current ?? variants.first(question(at: nil, conditions))
        variants.current = first
        awaitPlaylists(of: first, conditions)
    }

    private mutating func awaitPlaylists(of first: Int, _ conditions: any StreamConditions) {
        opening.awaited = nil
        var variant = first
        var forgotten: Set<URL> = []
        // Each iteration uses another playlist or another variant, and none twice, so the loop ends.
        while variants[variant] != nil {
            let mainURL = variants.playlist(of: variant)
            let audioURL = audioPlaylist(of: variant)
            let needed = [mainURL] + [audioURL].compactMap { $0 }
            for url in needed where conditions.playlist(url).isMissing { emit(.need(url)) }
            guard let missing = needed.first(where: { conditions.playlist($0).isMissing }) else {
                guard let timed = conditions.playlist(mainURL).timed else { return }
                return begin(timed, hasAudio: audioURL != nil, conditions)
            }
            guard !forgotten.contains(missing), let failure = conditions.playlist(missing).failure else {
                opening.awaited = (missing, variant)
                return
            }
            // Use another playlist or another variant. If there is none, the last failure is the item's error.
            guard missing == mainURL || audioPlaylist(of: variant).map(isElsewhere) == true,
                let other = variants.substitute(for: variant, after: failure, at: conditions.now)
            else {
                // The main rendition may contain audio too. Its reader decides.
                if missing == audioURL, let timed = conditions.playlist(mainURL).timed {
                    return begin(timed, hasAudio: true, conditions)
                }
                variants.useFirstCopies()
                return emit(.opened(.failure(failure)))
            }
            emit(.forgetFailure(missing))
            forgotten.insert(missing)
            variants.current = other
            variant = other
        }
    }

    private mutating func begin(_ timed: TimedPlaylist, hasAudio: Bool, _ conditions: any StreamConditions) {
        if variants.choice?.throughput.hasSamples != true {
            // The duration of segments is known now.
            variants.makeChoice(
                segmentDuration: timed.targetDuration, rememberedBitRate: conditions.rememberedBitRate,
                at: conditions.now)
        }
        // The reader uses either separate audio or the audio of the main rendition, so the kind stays the same.
        variants.keepApart(variantIndices(hasSeparateAudio: !hasAudio))
        main = main ?? RenditionProgress(.main)
        if !hasAudio { stop(.audio) }
        audio = hasAudio ? audio ?? RenditionProgress(.audio) : nil
        emit(.chooseSubtitles)
        if !opening.hasAccess, let variant = variants.current { access(variant) }
        let usesParts = usesParts(conditions)
        let range = timed.seekable(usesParts: usesParts)
        let start =
            (opening.start ?? settings.start).map { max(range.lowerBound, min($0, range.upperBound - 2_000_000)) }
            ?? timed.defaultStart(presentation?.multivariant?.common.start, usesParts: usesParts)
        move(to: start, conditions)
        emit(
            .opened(
                .success(
                    HLSSession.Opened(
                        start: start, duration: timed.playlist.isLive ? nil : timed.end - timed.epoch,
                        hasSeparateAudio: hasAudio,
                        encryption: timed.playlist.segments.first { !$0.keys.isEmpty }?.keys.first?.method.name))))
    }

    mutating func access(_ variant: Int) {
        opening.hasAccess = true
        emit(.access(variant: variant, reason: variants.reason))
    }

    // MARK: seeking

    mutating func move(to time: Int64, _ conditions: any StreamConditions) {
        guard main != nil else { return }
        target.move(to: time)
        variants.reconsider()
        for role in StreamRole.allCases where self[role] != nil {
            stop(role)
            emit(.feed(role, .reset))
            self[role]?.position = time
            self[role]?.isAtBoundary = false
            loadNext(role, conditions)
        }
        emit(.moveSubtitles)
        emit(.changed)
    }

    mutating func stopLoading() {
        opening.awaited = nil
        for role in StreamRole.allCases { stop(role) }
    }

    /// Stops loading a rendition. An incomplete segment is dropped, so that the cache contains only complete ones.
    mutating func stop(_ role: StreamRole) {
        guard let rendition = self[role] else { return }
        if rendition.load != nil { emit(.drop(role, .replaced)) }
        sleep(role, until: nil)
        self[role]?.stop()
    }

    // MARK: playlists

    mutating func playlistChanged(_ url: URL, _ conditions: any StreamConditions) {
        // Another playlist than the awaited one may have changed what must be loaded: a restart forgets all others.
        if let awaited = opening.awaited { return awaitPlaylists(of: awaited.variant, conditions) }
        loadNextForAllRoles(conditions)
        // The window of a live stream moves even if nothing is loaded.
        emit(.progressed)
    }

    /// Handles a restart of the stream: the server uses the same URLs, but its numbers start again. Everything known
    /// about the old stream is forgotten, and media time continues after it.
    mutating func handleRestart(_ url: URL) {
        timeline.restart(with: url)
        emit(.forgetStream(except: url, generation: timeline.generation))
        variants.reconsider()
        for role in StreamRole.allCases {
            // Sequence numbers and gaps are no longer valid, so the next segment is found by time only.
            self[role]?.last = nil
            self[role]?.gaps = []
            self[role]?.givenUp = []
            unread[role] = nil
            if self[role]?.load != nil { replace(role) }
        }
        emit(.moveSubtitles)
    }

    /// Reloads a playlist while segments are loaded from it. Of the other playlists, only those that other roles play
    /// are reloaded.
    mutating func activate(_ url: URL, _ known: KnownPlaylist, for role: StreamRole) {
        guard !known.isActive else { return }
        let others = StreamRole.allCases.filter { $0 != role && self[$0] != nil }.compactMap { currentPlaylist(of: $0) }
        if role == .main { timeline.follow(url) }
        emit(.play(url, besides: others))
    }
}
