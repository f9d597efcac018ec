import Foundation
import MediaCore

/// A plan that decides which segments of an HLS stream are loaded, and when.
///
/// A plan receives events (`StreamEvent`), reads conditions (`StreamConditions`) and returns actions (`StreamEffect`):
/// which variant and segment to load, and when to check again, give up or retry. It is a value without threads, network
/// or clock, so tests can try any order of events. `HLSSession` sends the events and carries out the actions.
struct StreamPlan {
    let settings: HLSSession.Settings

    // The available variants and options, and the requested ones.
    private(set) var presentation: HLSPresentation?
    var selectedAudio = SelectedAudio()
    var variants: VariantPlan
    var opening = Opening()
    struct Opening {
        var selection = StreamSelection()
        /// The requested start as media time in nanoseconds, or nil for the one that the settings or the stream state.
        var start: Int64?
        /// The playlist that must arrive before loading begins.
        var awaited: (url: URL, variant: Int)?
        /// Whether the access log has its first entry.
        var hasAccess = false
    }

    var timeline = StreamTimeline()

    // The loading state.
    var main: RenditionProgress?
    var audio: RenditionProgress?
    var target = SeekTarget()
    var isStopped = false
    /// Whether any segment has arrived. After that, failures interrupt playback and no longer prevent opening.
    var hasLoaded = false
    /// The failures of playlists in a row.
    var playlistRetry = TransferRetry()
    /// The segments that could not be read, and the error of the first of them.
    var unread: [StreamRole: Unread] = [:]
    struct Unread {
        var sequences: Set<Int> = []
        let first: AVError
    }
    private var loads = 0
    private var effects: [StreamEffect] = []

    init(url: URL, settings: HLSSession.Settings) {
        self.settings = settings
        variants = VariantPlan(url: url)
    }

    subscript(role: StreamRole) -> RenditionProgress? {
        get { role == .main ? main : audio }
        set { if role == .main { main = newValue } else { audio = newValue } }
    }

    // MARK: events

    /// Handles an event.
    /// - Returns: The actions to carry out, in order. After `.close`, there are none.
    mutating func handle(_ event: StreamEvent, in conditions: any StreamConditions) -> [StreamEffect] {
        guard !isStopped else { return [] }
        switch event {
        case .open(let selection, let start): open(selection, at: start, conditions)
        case .seek(let time): move(to: time, conditions)
        case .check: loadNextForAllRoles(conditions)
        case .limits(let limits): variants.limit(to: limits)
        case .decodingIsTooSlow:
            if let heavy = variants.excludeCurrentSize() {
                emit(.allowAgain(heavy, at: conditions.now + VariantPlan.avoidance))
            }
        case .allowAgain(let variants): self.variants.allowAgain(variants)
        case .suspend: stopLoading()
        case .close:
            stopLoading()
            isStopped = true
        case .didLoadPresentation(let presentation):
            self.presentation = presentation
            variants.offer(presentation.variants)
            emit(.present(presentation))
            prepare(conditions)
        case .presentationFailed(let error): emit(.opened(.failure(error)))
        case .playlistChanged(let url): playlistChanged(url, conditions)
        case .restarted(let url): handleRestart(url)
        case .didLoadPart(let metrics): variants.received(metrics)
        case .progressed(let role, let load): if isCurrent(load, role) { checkAbandonment(role, conditions) }
        case .tryFailed(let role, let load, let error, let progress):
            if isCurrent(load, role) { failed(role, error, progress, conditions) }
        case .didLoad(let role, let load, let progress):
            if isCurrent(load, role) { didLoad(role, progress, conditions) }
        case .wasCached(let role, let load):
            if isCurrent(load, role) {
                arrived(role, conditions)
                emit(.checkAgain(role))
            }
        case .loadFailed(let role, let load, let error):
            if isCurrent(load, role) { loadFailed(role, error, conditions) }
        case .checkAgain(let role): loadNext(role, conditions)
        case .timerFired(let role):
            self[role]?.wakesAt = nil
            loadNext(role, conditions)
        case .abandon(let role, let load, let variant):
            if isCurrent(load, role) { abandon(role, for: variant, conditions) }
        }
        return takeEffects()
    }

    mutating func emit(_ effect: StreamEffect) { effects.append(effect) }

    mutating func takeEffects() -> [StreamEffect] {
        defer { effects = [] }
        return effects
    }

    private func isCurrent(_ load: Int, _ role: StreamRole) -> Bool { self[role]?.load?.order.load == load }

    mutating func nextLoad() -> Int {
        loads += 1
        return loads
    }

    // MARK: positions

    /// Returns the media time of the displayed frame in nanoseconds. The result is the target of the last seek until
    /// media at the target has arrived, and also if no frame has been displayed.
    func playhead(_ conditions: any StreamConditions) -> Int64 {
        target.playhead(shown: target.isStarting ? nil : conditions.shownTime)
    }

    /// Returns the playlist that determines the duration and whether the stream is live: the playlist of the current
    /// variant. Until that playlist has arrived, the result is the playlist that was played before, so that a live
    /// stream still appears live while the variant changes.
    func timed(_ conditions: any StreamConditions) -> TimedPlaylist? {
        variants.current.flatMap { conditions.playlist(variants.playlist(of: $0)).timed }
            ?? timeline.reference.flatMap { conditions.playlist($0).timed }
    }

    /// Returns whether parts are loaded. The playlist must state a part duration, and the server must support blocking
    /// reloads.
    func usesParts(_ conditions: any StreamConditions) -> Bool {
        guard let playlist = timed(conditions)?.playlist else { return false }
        return playlist.lowLatency.partTargetDuration != nil
            && playlist.lowLatency.serverControl?.canBlockReload == true
    }

    /// Returns the duration to load ahead, in nanoseconds.
    func bufferTarget(_ conditions: any StreamConditions) -> Int64 {
        let wanted = conditions.forwardDuration
        guard let timed = timed(conditions), timed.playlist.isLive else { return wanted }
        // Media beyond the window of a live stream is not available.
        return min(wanted, max(timed.holdBack(usesParts: usesParts(conditions)), 2 * timed.targetDuration))
    }

    // MARK: playlists

    /// The selected audio option, or nil for the audio inside the variants.
    var audioOption: Int? { selectedAudio.option }

    /// The playlists of the audio in all groups. The audio of one group can continue that of another.
    var audioPlaylists: Set<URL> { selectedAudio.playlists }

    /// Returns the playlist of the audio beside the copy in use, or nil if the variant's own audio plays.
    func audioPlaylist(of variant: Int) -> URL? { selectedAudio.playlist(beside: variants.copies(of: variant)) }

    /// Returns the variants whose audio is separate, or those whose own audio plays. The result does not depend on the
    /// copies in use.
    func variantIndices(hasSeparateAudio: Bool) -> Set<Int> {
        Set((0..<variants.count).filter { (audioPlaylist(of: $0) != nil) == hasSeparateAudio })
    }

    /// Returns the playlist that a role currently plays.
    func currentPlaylist(of role: StreamRole) -> URL? {
        guard let variant = self[role]?.variant ?? variants.current else { return nil }
        return role == .main ? variants.playlist(of: variant) : audioPlaylist(of: variant)
    }

    /// Returns the start of a playlist's first version on the stream's timeline, and its generation. The first playlist
    /// defines the timeline.
    mutating func align(_ playlist: MediaPlaylist, of url: URL, beside known: TimedPlaylist?) -> (Int64, Int) {
        timeline.align(playlist, of: url, beside: known)
    }
}
