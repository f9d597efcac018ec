import Foundation
import MediaCore
import Streaming
import Synchronization

/// One entry of a player's playlist, as the pipeline knows it.
///
/// What is chosen for it and how far it has come stays with it when its item goes from one player to another: so it is
/// guarded here and not in one pipeline's state. Any thread.
final class PlaybackEntry: Sendable {
    let id: UInt64
    let url: URL

    /// What its item and a looper have chosen.
    private struct Choices {
        var selection: TrackSelection
        /// Play again from the start when the end comes.
        var loops: Bool
        /// A looper's range in media time; nil: the whole item.
        var loopRange: ClosedRange<MediaTime>?
        /// How many passes a looper plays in all, the one in which it was set among them; nil: no end.
        var passes: Int?
        /// The round in which that was said, and the one that has been reached; kept over seeks. See `Segment.round`.
        var firstRound = 0
        var round = 0
    }
    private let choices: Mutex<Choices>
    var selection: TrackSelection {
        get { choices.withLock { $0.selection } }
        set { choices.withLock { $0.selection = newValue } }
    }
    var loops: Bool { choices.withLock { $0.loops } }
    var loopRange: ClosedRange<MediaTime>? {
        get { choices.withLock { $0.loopRange } }
        set { choices.withLock { $0.loopRange = newValue } }
    }
    var round: Int {
        get { choices.withLock { $0.round } }
        set { choices.withLock { $0.round = newValue } }
    }

    /// - Parameter round: the one that is under way; nil: the one it has come to.
    func setLoops(_ loops: Bool, in range: ClosedRange<MediaTime>?, passes: Int?, from round: Int? = nil) {
        choices.withLock {
            $0.loops = loops
            $0.loopRange = range
            $0.passes = passes
            $0.firstRound = round ?? $0.round
        }
    }
    /// It begins anew.
    func restartRounds() { choices.withLock { ($0.round, $0.firstRound) = (0, 0) } }
    /// Another pass follows this one.
    func goesRound(after round: Int) -> Bool {
        choices.withLock { choices in
            choices.loops && (choices.passes.map { round - choices.firstRound + 1 < $0 } ?? true)
        }
    }
    /// The part that plays, in a loop or for its last pass; one that begins behind the end is none.
    func part(of description: ItemDescription?) -> ClosedRange<MediaTime>? {
        guard let range = loopRange, range.lowerBound < description?.duration ?? .max else { return nil }
        return range
    }

    /// What playing it has shown.
    private struct Findings {
        var refusesClip = false
        var hasShown = false
        var hasSounded = false
    }
    private let findings = Mutex(Findings())
    /// Its decoded frames turned out not to fit the budget.
    var refusesClip: Bool {
        get { findings.withLock { $0.refusesClip } }
        set { findings.withLock { $0.refusesClip = newValue } }
    }
    /// A picture of it has come out of its decoder, a sample has; ever.
    func hasShown() { findings.withLock { $0.hasShown = true } }
    func hasSounded() { findings.withLock { $0.hasSounded = true } }
    var hasEverShown: Bool { findings.withLock { $0.hasShown } }
    var hasEverSounded: Bool { findings.withLock { $0.hasSounded } }
    var hasShownNothing: Bool { findings.withLock { !$0.hasShown && !$0.hasSounded } }

    /// How loud it is.
    let loudness = Mutex(ItemLoudness())

    /// How it is asked for, when it is remote.
    let options: HTTPOptions
    private let remote = Mutex<(session: HLSSession?, file: RemoteFile?)>((nil, nil))
    /// An HLS stream's state, kept over seeks and changes of tracks; set by the feeder, once.
    var session: HLSSession? {
        get { remote.withLock { $0.session } }
        set {
            remote.withLock { $0.session = newValue }
            tellSubtitles()
        }
    }
    /// The remote file being read.
    var remoteFile: RemoteFile? {
        get { remote.withLock { $0.file } }
        set { remote.withLock { $0.file = newValue } }
    }

    /// What is wrong with the asset's options; nil: nothing.
    let problem: AVError?
    /// Called with each container that is opened to play the entry, on the thread that opened it.
    let onOpen: (@Sendable (MediaSource) -> Void)?
    init(
        id: UInt64, url: URL, options: HTTPOptions = HTTPOptions(), problem: AVError? = nil,
        selection: TrackSelection = TrackSelection(), loops: Bool = false,
        onOpen: (@Sendable (MediaSource) -> Void)? = nil
    ) {
        self.onOpen = onOpen
        self.id = id
        self.url = url
        self.options = options
        self.problem = problem
        subtitles = ItemSubtitles(url: url)
        choices = Mutex(Choices(selection: selection, loops: loops))
    }

    deinit {
        cancelPreparation()
        session?.close()
    }

    // MARK: made ready ahead of its turn

    /// - preparation: the newest, also when it was given up.
    /// - isOpen: a pipeline has opened it, or is about to.
    private let ahead = Mutex<(preparation: ItemPreparation?, isOpen: Bool)>((nil, false))
    /// Held by whoever opens it ahead of its turn, up to when he has let go of all he opened: there is one session for
    /// all who read a stream, and it has one reader at a time.
    let openingAhead = Mutex(())

    /// Does nothing once it is being made ready, or open.
    /// - Parameters: see `ItemPreparation`. `onFinish` is also called, without an error, where nothing is done.
    func prepare(
        onChange: @escaping @Sendable (Bool) -> Void, onFinish: (@Sendable (AVError?) -> Void)? = nil
    ) {
        let fresh = ItemPreparation(self, selection, onChange: onChange, onFinish: onFinish)
        let starts = ahead.withLock { ahead in
            guard !ahead.isOpen, ahead.preparation.map({ $0.wasGivenUp }) ?? true else { return false }
            ahead.preparation = fresh
            return true
        }
        if starts { ItemPreparer.add(fresh) } else { onFinish?(nil) }
    }
    var isPrepared: Bool { ahead.withLock { $0.preparation }?.isReady == true }
    var firstPreparedPicture: (frame: VideoFrame, media: MediaTime, description: ItemDescription)? {
        ahead.withLock { $0.preparation }?.firstPicture()
    }
    /// Under the lock: what was ready has been let go of before anybody opens it anew.
    func cancelPreparation() { ahead.withLock { $0.preparation?.cancel() } }

    /// What was made ready, for a pipeline, which opens it now if there is nothing. Waits until nobody else is at it.
    /// `letGo` when it no longer reads it.
    func takePreparation(_ selection: TrackSelection) -> PreparedItem? {
        let preparation = ahead.withLock { ahead in
            ahead.isOpen = true
            defer { ahead.preparation = nil }
            return ahead.preparation
        }
        if let item = preparation?.take(for: selection) { return item }
        // One that was given up before it may still be on its way out.
        openingAhead.withLock { _ in }
        return nil
    }
    func letGo() { ahead.withLock { $0.isOpen = false } }

    private let chosenLimits = Mutex(AdaptationLimits())
    /// What of a stream may be chosen. Any thread.
    var limits: AdaptationLimits { chosenLimits.withLock { $0 } }
    func limit(_ change: (inout AdaptationLimits) -> Void) {
        let (old, new) = chosenLimits.withLock { limits in
            let old = limits
            change(&limits)
            return (old, limits)
        }
        if new != old { session?.setLimits(new) }
    }

    // MARK: subtitles

    /// What of the item is to be read.
    let subtitles: ItemSubtitles
    private let streamSubtitles = Mutex(StreamSelection.Choice.automatic)

    /// Which subtitles of a stream play. Kept until there is a session to tell.
    func setSubtitles(_ choice: StreamSelection.Choice) {
        streamSubtitles.withLock { $0 = choice }
        tellSubtitles()
    }

    private func tellSubtitles() {
        guard let session else { return }
        subtitles.stream = session
        session.setOnCues { [subtitles] in subtitles.changed() }
        session.setSubtitles(streamSubtitles.withLock { $0 })
    }
}
