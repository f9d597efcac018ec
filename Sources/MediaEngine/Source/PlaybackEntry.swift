import Foundation
import MediaCore
import Streaming
import Synchronization

/// An entry in the playlist of the pipeline.
///
/// The entry keeps its settings and its progress when its item moves to another player. It therefore has its own locks
/// and is not part of a pipeline's state. Thread-safe.
final class PlaybackEntry: Sendable {
    let id: UInt64
    let url: URL

    /// The settings of the item and of a looper.
    private struct Choices {
        var selection: TrackSelection
        /// Whether playback restarts at the end.
        var loops: Bool
        /// The range of a looper in media time; `nil` for the whole item.
        var loopRange: ClosedRange<MediaTime>?
        /// The total number of passes of a looper, including the one in which it was set; `nil` for no limit.
        var passes: Int?
        /// The loop number at which the number of passes was set.
        var firstLoopNumber = 0
        /// The current loop number, kept across seeks. See `Segment.loopNumber`.
        var loopNumber = 0
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
    var loopNumber: Int {
        get { choices.withLock { $0.loopNumber } }
        set { choices.withLock { $0.loopNumber = newValue } }
    }

    /// Sets whether and how the entry loops.
    ///
    /// - Parameter loopNumber: The loop number that is playing; `nil` for the last one that was recorded.
    func setLoops(_ loops: Bool, in range: ClosedRange<MediaTime>?, passes: Int?, from loopNumber: Int? = nil) {
        choices.withLock {
            $0.loops = loops
            $0.loopRange = range
            $0.passes = passes
            $0.firstLoopNumber = loopNumber ?? $0.loopNumber
        }
    }
    /// Resets the loop numbers because the entry starts again.
    func restartLoopNumbers() { choices.withLock { ($0.loopNumber, $0.firstLoopNumber) = (0, 0) } }
    /// Returns whether another pass follows the pass `loopNumber`.
    func hasNextPass(after loopNumber: Int) -> Bool {
        choices.withLock { choices in
            choices.loops && (choices.passes.map { loopNumber - choices.firstLoopNumber + 1 < $0 } ?? true)
        }
    }
    /// Returns the part that plays, in a loop or in its last pass; `nil` for the whole item, or if the part begins
    /// after the end.
    func part(of description: ItemDescription?) -> ClosedRange<MediaTime>? {
        guard let range = loopRange, range.lowerBound < description?.duration ?? .max else { return nil }
        return range
    }

    /// Facts that were found while the entry played.
    private struct Findings {
        var refusesClip = false
        var hasDecodedFrame = false
        var hasDecodedAudio = false
        var droppedFrameCount = 0
    }
    private let findings = Mutex(Findings())
    /// Whether the entry must not be played as a decoded clip, because its frames exceed the budget or the clip does
    /// not fit.
    var refusesClip: Bool {
        get { findings.withLock { $0.refusesClip } }
        set { findings.withLock { $0.refusesClip = newValue } }
    }
    /// Records that a frame of the entry has been decoded.
    func didDecodeFrame() { findings.withLock { $0.hasDecodedFrame = true } }
    /// Records that a sample of the entry has been decoded.
    func didDecodeAudio() { findings.withLock { $0.hasDecodedAudio = true } }
    var hasDecodedFrame: Bool { findings.withLock { $0.hasDecodedFrame } }
    var hasDecodedAudio: Bool { findings.withLock { $0.hasDecodedAudio } }
    /// Adds frames that were dropped while the entry was displayed.
    func didDropFrames(_ count: Int) { findings.withLock { $0.droppedFrameCount += count } }
    /// The number of frames of the entry that were dropped because they missed their display time, in all players.
    var droppedFrameCount: Int { findings.withLock { $0.droppedFrameCount } }
    var hasDecodedNothing: Bool { findings.withLock { !$0.hasDecodedFrame && !$0.hasDecodedAudio } }

    /// The change that displays apply to the entry's frames.
    let composition = ItemComposition()
    /// The timed metadata that was found while the entry was read.
    let metadata = TimedMetadata()
    /// The audio mix of the entry. The reader of a composition applies it, and the audio thread for any other entry.
    let volumes = SharedTrackVolumes()
    let loudness = Mutex(ItemLoudness())

    /// The HTTP options of a remote entry.
    let options: HTTPOptions
    private let remote = Mutex<(session: HLSSession?, file: RemoteFile?)>((nil, nil))
    /// The session of an HLS stream, kept across seeks and changes of tracks. The feeder sets it once.
    var session: HLSSession? {
        get { remote.withLock { $0.session } }
        set {
            remote.withLock { $0.session = newValue }
            updateSubtitles()
        }
    }
    /// The remote file being read.
    var remoteFile: RemoteFile? {
        get { remote.withLock { $0.file } }
        set { remote.withLock { $0.file = newValue } }
    }

    /// The error in the asset's options; `nil` if there is none.
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

    // MARK: preparation

    private struct Ahead {
        /// The newest preparation, even if it was cancelled.
        var preparation: ItemPreparation?
        /// The number of pipelines that have opened the entry or are about to.
        var pipelines = 0
    }
    private let ahead = Locked(Ahead())
    /// The longest wait for another pipeline that still reads a stream, in nanoseconds. The pipeline is interrupted when
    /// the item is removed from it, so it releases the stream soon.
    private static let handOverLimit: Int64 = 2_000_000_000
    /// A lock held by the thread that prepares the entry, until it has released everything that it opened. All readers
    /// of a stream share one session, which has one reader at a time.
    let openingAhead = Mutex(())

    /// Starts to prepare the entry, unless it was prepared, is being prepared or is open.
    ///
    /// - Parameters:
    ///   - onChange: See `ItemPreparation`. Not called if a preparation exists.
    ///   - onFinish: Called once with the result of the new or existing preparation, see
    ///     `ItemPreparation.whenFinished`; with `nil` if the entry is open.
    func prepare(
        onChange: @escaping @Sendable (Bool) -> Void, onFinish: (@Sendable (AVError?) -> Void)? = nil
    ) {
        let fresh = ItemPreparation(self, selection, onChange: onChange)
        let used = ahead.withLock { ahead -> ItemPreparation? in
            if ahead.pipelines > 0 { return nil }
            if let existing = ahead.preparation, !existing.wasGivenUp { return existing }
            ahead.preparation = fresh
            return fresh
        }
        if let onFinish {
            if let used { used.whenFinished(onFinish) } else { onFinish(nil) }
        }
        if used === fresh { ItemPreparer.add(fresh) }
    }
    var isPrepared: Bool { ahead.read { $0.preparation }?.isReady == true }
    var firstPreparedFrame: (frame: VideoFrame, media: MediaTime, description: ItemDescription)? {
        ahead.read { $0.preparation }?.firstFrame()
    }
    /// Cancels the preparation. Holds the lock, so that a prepared item is released before the entry is opened again.
    func cancelPreparation() { ahead.withLock { $0.preparation?.cancel() } }

    /// Takes the prepared item for a pipeline, which opens the entry itself if there is none. Waits until no other
    /// thread prepares the entry, and until the pipeline that played a stream before has released it. Call `release`
    /// when the pipeline no longer reads the entry.
    ///
    /// - Parameter isInterrupted: Returns whether the pipeline no longer needs the entry.
    func takePreparation(_ selection: TrackSelection, isInterrupted: () -> Bool) -> PreparedItem? {
        let preparation = ahead.withLock { ahead in
            ahead.pipelines += 1
            defer { ahead.preparation = nil }
            return ahead.preparation
        }
        if let item = preparation?.take(for: selection) { return item }
        // A cancelled preparation may not have released its session yet.
        openingAhead.withLock { _ in }
        let limit = HostTime.now() + PlaybackEntry.handOverLimit
        while session != nil, ahead.read({ $0.pipelines > 1 }), !isInterrupted(), HostTime.now() < limit {
            _ = ahead.wait(until: .now() + 50_000_000) { $0.pipelines > 1 ? nil : true }
        }
        return nil
    }
    func release() { ahead.withLock { $0.pipelines = max(0, $0.pipelines - 1) } }

    private let chosenLimits = Mutex(AdaptationLimits())
    /// The limits of the variants of a stream. Thread-safe.
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

    let subtitles: ItemSubtitles
    private let streamSubtitles = Mutex(StreamSelection.Choice.automatic)

    /// Selects the subtitles of a stream. The selection is kept until the session exists.
    func setSubtitles(_ choice: StreamSelection.Choice) {
        streamSubtitles.withLock { $0 = choice }
        updateSubtitles()
    }

    private func updateSubtitles() {
        guard let session else { return }
        subtitles.stream = session
        session.setOnCues { [subtitles] in subtitles.changed() }
        session.setSubtitles(streamSubtitles.withLock { $0 })
    }
}
