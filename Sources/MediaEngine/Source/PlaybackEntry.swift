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
        var loop: EntryLoop
    }
    private let choices: Mutex<Choices>
    var selection: TrackSelection {
        get { choices.withLock { $0.selection } }
        set { choices.withLock { $0.selection = newValue } }
    }
    var loops: Bool { choices.withLock { $0.loop.isOn } }
    var loopRange: ClosedRange<MediaTime>? {
        get { choices.withLock { $0.loop.range } }
        set { choices.withLock { $0.loop.range = newValue } }
    }
    var loopNumber: Int {
        get { choices.withLock { $0.loop.number } }
        set { choices.withLock { $0.loop.number = newValue } }
    }

    /// Sets whether and how the entry loops.
    ///
    /// - Parameter loopNumber: The loop number that is playing; `nil` for the last one that was recorded.
    func setLoops(_ loops: Bool, in range: ClosedRange<MediaTime>?, passes: Int?, from loopNumber: Int? = nil) {
        choices.withLock { $0.loop.set(loops, in: range, passes: passes, from: loopNumber) }
    }
    /// Resets the loop numbers because the entry starts again.
    func restartLoopNumbers() { choices.withLock { $0.loop.restartNumbers() } }
    /// Returns whether another pass follows the pass `loopNumber`.
    func hasNextPass(after loopNumber: Int) -> Bool {
        choices.withLock { $0.loop.hasNextPass(after: loopNumber) }
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
    private let remote: RemoteAccess
    /// The session of an HLS stream, kept across seeks and changes of tracks. The feeder sets it once.
    var session: HLSSession? {
        get { remote.session }
        set { remote.session = newValue }
    }
    /// The remote file being read.
    var remoteFile: RemoteFile? {
        get { remote.file }
        set { remote.file = newValue }
    }
    /// The limits of the variants of a stream. Thread-safe.
    var limits: AdaptationLimits { remote.limits }
    func limit(_ change: (inout AdaptationLimits) -> Void) { remote.limit(change) }

    let subtitles: ItemSubtitles
    /// Selects the subtitles of a stream. The selection is kept until the session exists.
    func setSubtitles(_ choice: StreamSelection.Choice) { remote.setSubtitles(choice) }

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
        remote = RemoteAccess(subtitles: subtitles)
        choices = Mutex(Choices(selection: selection, loop: EntryLoop(isOn: loops)))
    }

    deinit {
        cancelPreparation()
        session?.close()
    }

    // MARK: preparation

    private let opening = EntryOpening()

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
        let used = opening.add(fresh)
        if let onFinish {
            if let used { used.whenFinished(onFinish) } else { onFinish(nil) }
        }
        if used === fresh { ItemPreparer.add(fresh) }
    }
    var isPrepared: Bool { opening.preparation?.isReady == true }
    var firstPreparedFrame: (frame: VideoFrame, media: MediaTime, description: ItemDescription)? {
        opening.preparation?.firstFrame()
    }
    /// Runs `body`, which prepares the entry. Waits for an earlier preparation.
    func runPreparation(_ body: () -> Void) { opening.prepare(body) }
    func cancelPreparation() { opening.cancel() }

    /// Takes the prepared item for a pipeline, which opens the entry itself if there is none. Waits until no other
    /// thread prepares the entry, and until the pipeline that played a stream before has released it. Call `release`
    /// when the pipeline no longer reads the entry.
    ///
    /// - Parameter isInterrupted: Returns whether the pipeline no longer needs the entry.
    func takePreparation(_ selection: TrackSelection, isInterrupted: () -> Bool) -> PreparedItem? {
        opening.take(selection, isStream: session != nil, isInterrupted: isInterrupted)
    }
    func release() { opening.release() }
}
