import Foundation
import MediaCore

/// What of an HLS stream is loaded and what is loaded next: it decides, and does nothing.
///
/// It is told what has happened (`StreamEvent`), sees what there is (`StreamConditions`) and answers with what is to be
/// done (`StreamEffect`): which rung and which segment, when to look again, give up, retry. A value, without threads, a
/// network or a clock of its own, so that any order of events can be tried. `HLSSession` tells it and carries out what
/// it answers.
struct StreamPlan {
    let settings: HLSSession.Settings

    // What there is to choose, and what was asked for.
    private(set) var presentation: HLSPresentation?
    var audioOption: Int?
    var rungs: RungPlan
    var opening = Opening()
    struct Opening {
        var selection = StreamSelection()
        /// Nil: where the stream says.
        var start: Int64?
        /// The playlist that beginning waits for.
        var awaited: (url: URL, rung: Int)?
        /// The log has a first stretch.
        var hasAccess = false
    }

    var timeline = StreamTimeline()

    // What is loaded.
    var main: RenditionProgress?
    var audio: RenditionProgress?
    var target = SeekTarget()
    var isStopped = false
    /// Some segment has come whole: what fails now interrupts, and is no failure to open.
    var hasLoaded = false
    /// Playlists that failed since a segment has come.
    var trouble = TransferRetry()
    /// Segments that could not be read, and why the first of them could not.
    var unread: [StreamRole: Unread] = [:]
    struct Unread {
        var sequences: Set<Int> = []
        let first: AVError
    }
    private var loads = 0
    private var effects: [StreamEffect] = []

    init(url: URL, settings: HLSSession.Settings) {
        self.settings = settings
        rungs = RungPlan(url: url)
    }

    subscript(role: StreamRole) -> RenditionProgress? {
        get { role == .main ? main : audio }
        set { if role == .main { main = newValue } else { audio = newValue } }
    }

    // MARK: what happens

    /// - Returns: what is to be done, in order. Nothing after `.close`.
    mutating func handle(_ event: StreamEvent, in conditions: any StreamConditions) -> [StreamEffect] {
        guard !isStopped else { return [] }
        switch event {
        case .open(let selection, let start): open(selection, at: start, conditions)
        case .seek(let time): move(to: time, conditions)
        case .look: lookAround(conditions)
        case .limits(let limits): rungs.limit(to: limits)
        case .decodingIsTooSlow:
            if let heavy = rungs.avoidPresentSize() {
                emit(.readmit(heavy, at: conditions.now + RungPlan.avoidance))
            }
        case .readmit(let rungs): self.rungs.readmit(rungs)
        case .suspend: stopLoading()
        case .close:
            stopLoading()
            isStopped = true
        case .presentationCame(let presentation):
            self.presentation = presentation
            rungs.offer(presentation.sources)
            emit(.present(presentation))
            prepare(conditions)
        case .presentationFailed(let error): emit(.opened(.failure(error)))
        case .playlistChanged(let url): playlistChanged(url, conditions)
        case .beganAnew(let url): beginAnew(url)
        case .partCame(let metrics): rungs.received(metrics)
        case .progressed(let role, let load): if isCurrent(load, role) { judge(role, conditions) }
        case .failed(let role, let load, let error, let progress):
            if isCurrent(load, role) { failed(role, error, progress, conditions) }
        case .came(let role, let load, let progress):
            if isCurrent(load, role) { came(role, progress, conditions) }
        case .wasKept(let role, let load):
            if isCurrent(load, role) {
                arrived(role, conditions)
                emit(.lookAgain(role))
            }
        case .broke(let role, let load, let error):
            if isCurrent(load, role) { broke(role, error, conditions) }
        case .lookAgain(let role): look(role, conditions)
        case .awoke(let role):
            self[role]?.wakesAt = nil
            look(role, conditions)
        case .abandon(let role, let load, let rung):
            if isCurrent(load, role) { abandon(role, for: rung, conditions) }
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

    // MARK: where it is

    /// The media time being shown, nanoseconds. Before the first picture it is where the seek goes.
    func playhead(_ conditions: any StreamConditions) -> Int64 {
        target.playhead(shown: target.isStarting ? nil : conditions.shownTime)
    }

    /// What tells how long the programme is and where it is live: the current rung's playlist and, until that has come,
    /// the one played from before. Else a live stream would be none for as long as a change of the rung takes.
    func timed(_ conditions: any StreamConditions) -> TimedPlaylist? {
        rungs.current.flatMap { conditions.playlist(rungs.playlist(of: $0)).timed }
            ?? timeline.reference.flatMap { conditions.playlist($0).timed }
    }

    /// Low latency is used where the playlist offers it whole.
    func usesParts(_ conditions: any StreamConditions) -> Bool {
        guard let playlist = timed(conditions)?.playlist else { return false }
        return playlist.lowLatency.partTargetDuration != nil
            && playlist.lowLatency.serverControl?.canBlockReload == true
    }

    /// How far ahead to load, nanoseconds.
    func bufferTarget(_ conditions: any StreamConditions) -> Int64 {
        let wanted = conditions.forwardDuration
        guard let timed = timed(conditions), timed.playlist.isLive else { return wanted }
        // More than there is cannot be had.
        return min(wanted, max(timed.holdBack(usesParts: usesParts(conditions)), 2 * timed.targetDuration))
    }

    // MARK: sources

    func audioPlaylist(of rung: Int) -> URL? {
        guard let presentation, let audioOption, presentation.audio.indices.contains(audioOption),
            let group = rungs[rung]?.audioGroup
        else { return nil }
        return presentation.audio[audioOption].playlists[group] ?? nil
    }

    /// What `role` plays from now.
    func currentSource(of role: StreamRole) -> URL? {
        guard let rung = self[role]?.rung ?? rungs.current else { return nil }
        return role == .main ? rungs.playlist(of: rung) : audioPlaylist(of: rung)
    }

    /// Where a first version of a playlist lies on the stream's timeline: the first of all begins it.
    mutating func place(_ playlist: MediaPlaylist, of url: URL, beside known: TimedPlaylist?) -> (Int64, Int) {
        timeline.place(playlist, of: url, beside: known)
    }
}
