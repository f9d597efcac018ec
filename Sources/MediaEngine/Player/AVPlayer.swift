import Foundation
import MediaCore
import Observation

/// Plays one item: Apple's `AVPlayer`, over Zoetrope's own pipeline.
///
/// Main actor. Observe any property by `observe(_:options:changeHandler:)`, `values(of:)` or `@Observable`.
@MainActor @preconcurrency
@Observable
public class AVPlayer: KeyPathObservable {
    /// Whether time passes.
    public enum TimeControlStatus: Int, Sendable {
        /// The rate is 0.
        case paused = 0
        /// A rate is set, and time stands until there is something to play or enough has been loaded; or time passes.
        case waitingToPlayAtSpecifiedRate, playing
    }
    /// Whether the player itself is of use.
    public enum Status: Int, Sendable {
        /// Never given here: a player is ready at once.
        case unknown = 0
        /// It can play; or it is itself beyond use.
        case readyToPlay, failed
    }
    /// What follows an item's end.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Go on to the next item of the queue. The default of `AVQueuePlayer`.
        case advance = 0
        /// Pause on the last picture. The default of `AVPlayer`.
        case pause
        /// Leave the rate as it is; time stands at the end.
        case none
    }
    /// Why time stands though a rate is set. Raw values are AVFoundation's.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A stream's buffer ran empty, or holds less than is wanted to go on.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being opened, or its first pictures are on their way.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        /// Never given: nobody coordinates playback here.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
        /// There is no item.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }

    @ObservationIgnored public let keyPathObservers = KeyPathObservers()
    @ObservationIgnored let pipeline: PlaybackPipeline
    @ObservationIgnored let relay: PipelineRelay

    // MARK: state

    /// What plays, or would; nil: nothing. Of a queue the first.
    public internal(set) var currentItem: AVPlayerItem? { didSet { keyPathObservers.objectDidChange() } }
    /// Paused, waiting or playing. While it waits `reasonForWaitingToPlay` says for what.
    public private(set) var timeControlStatus: TimeControlStatus = .paused {
        didSet { keyPathObservers.objectDidChange() }
    }
    /// Nil unless it waits.
    public private(set) var reasonForWaitingToPlay: WaitingReason? { didSet { keyPathObservers.objectDidChange() } }
    /// `.failed` only when the player itself is beyond use; an item's failure is the item's.
    public private(set) var status: Status = .readyToPlay { didSet { keyPathObservers.objectDidChange() } }
    /// An `AVError` when `status` is `.failed`.
    public private(set) var error: (any Error)? { didSet { keyPathObservers.objectDidChange() } }
    private var desiredRate: Float = 0 { didSet { keyPathObservers.objectDidChange() } }

    /// The least rate that is not 0.
    static let slowest: Float = 0.01

    /// The rate `play()` sets. 0.01 … 16, clamped; one that is no number changes nothing. Default 1.
    public var defaultRate: Float = 1 {
        didSet {
            let clamped = defaultRate.isNaN ? oldValue : min(max(defaultRate, AVPlayer.slowest), 16)
            if clamped != defaultRate { defaultRate = clamped }
            keyPathObservers.objectDidChange()
        }
    }

    /// Speed asked for: 0 (paused), or 0.01 … 16, clamped; a negative one, or one that is no number, is 0. From 0.25 to
    /// 4 with sound at its own pitch, beyond without sound.
    public var rate: Float {
        get { desiredRate }
        set { setRate(newValue) }
    }

    /// 0 … 1, clamped; changes are ramped so that nothing clicks.
    public var volume: Float = 1 {
        didSet {
            let clamped = volume.isNaN ? oldValue : min(max(volume, 0), 1)
            if clamped != volume { volume = clamped }
            volumeChanged()
            keyPathObservers.objectDidChange()
        }
    }

    /// Without sound, whatever `volume` is, which stays. The change is ramped so that nothing clicks. Default false.
    public var isMuted = false {
        didSet {
            volumeChanged()
            keyPathObservers.objectDidChange()
        }
    }

    /// Brings all items to one loudness. Multiplies with `volume`.
    public var loudness: AVLoudness = .asRecorded {
        didSet {
            if loudness != oldValue { pipeline.setLoudness(loudness.target) }
            keyPathObservers.objectDidChange()
        }
    }

    /// How long the end of an item and the beginning of the next sound together, and the end and the beginning of an
    /// item that is looped, seconds: 0, the default, joins them without a gap. 0 … 12, clamped; one that is no number
    /// is 0. Of two items at most half of the shorter one overlaps; after a seek half of what is left; what is shorter
    /// than a second does not.
    ///
    /// The sounds go and come at equal power, to the sample. When the fade begins, the next item is the current one:
    /// its time is told, its pictures are shown, the one before has played to its end. A seek in it ends the fade.
    /// Where the next item is not ready in time the fade is shorter, or none: then they are joined. So are an item
    /// without sound and the one after it, and one whose length its container does not tell. Needs `actionAtItemEnd ==
    /// .advance`, or a looper.
    public var crossfadeDuration: Double = 0 {
        didSet {
            let clamped =
                crossfadeDuration.isNaN ? 0 : min(max(crossfadeDuration, 0), PlaybackPipeline.longestCrossfade.seconds)
            if clamped != crossfadeDuration { crossfadeDuration = clamped }
            pipeline.setCrossfade(MediaTime(seconds: clamped))
            keyPathObservers.objectDidChange()
        }
    }

    /// Default `.pause`, of an `AVQueuePlayer` `.advance`.
    public var actionAtItemEnd: ActionAtItemEnd = .pause {
        didSet {
            syncPlaylist()
            keyPathObservers.objectDidChange()
        }
    }

    /// A stream begins, and goes on after a stall, when it is likely to keep up; false: with what there is. Local
    /// files never wait.
    public var automaticallyWaitsToMinimizeStalling = true {
        didSet {
            pipeline.setWaitsForBuffer(automaticallyWaitsToMinimizeStalling)
            keyPathObservers.objectDidChange()
        }
    }

    /// Whether the desktop is told what plays here, and may control it (Apple has it in `AVPlayerViewController`). What
    /// cannot be heard and goes round, as a background does, is not told of in any case. Default true.
    public var updatesNowPlayingInfoCenter = true { didSet { keyPathObservers.objectDidChange() } }
    /// While its pictures move and are seen, the screen does not go dark. Default true.
    public var preventsDisplaySleepDuringVideoPlayback = true { didSet { keyPathObservers.objectDidChange() } }
    /// Who wants to know of each player that begins to play, and when one has gone.
    package static var began: (@MainActor (AVPlayer) -> Void)?
    package static var gone: (@MainActor () -> Void)?

    // MARK: elsewhere (ExternalPlayback.swift)

    /// Whether another device may play in this player's stead: a renderer in the network, chosen by
    /// `AVRoutePickerView`. Default true; false brings playback back here.
    public var allowsExternalPlayback = true {
        didSet {
            if !allowsExternalPlayback { endExternalPlayback() }
            keyPathObservers.objectDidChange()
        }
    }
    /// Another device plays. `volume` and `isMuted` are its own meanwhile.
    public internal(set) var isExternalPlaybackActive = false { didSet { keyPathObservers.objectDidChange() } }
    /// As people know it, nil while playing is here. Ours.
    public internal(set) var externalPlaybackName: String? { didSet { keyPathObservers.objectDidChange() } }
    /// Why it plays here again though nobody wished that; nil once it plays elsewhere anew. An `AVError`. Ours.
    public internal(set) var externalPlaybackError: (any Error)? { didSet { keyPathObservers.objectDidChange() } }
    @ObservationIgnored var external: (any ExternalPlayback)?
    @ObservationIgnored var volumeHere: (Float, Bool)?
    /// What changes now came from there, and is not told there.
    @ObservationIgnored var isHearingExternal = false

    private func volumeChanged() {
        guard external == nil else {
            if !isHearingExternal { external?.setVolume(volume, isMuted: isMuted) }
            return
        }
        pipeline.setVolume(volume, muted: isMuted)
    }

    /// Interruption by the sound server (a phone call cut in): true between its begin and end. A playing
    /// player pauses for it and goes on by itself.
    public private(set) var isInterrupted = false { didSet { keyPathObservers.objectDidChange() } }

    @ObservationIgnored private var rateAfterInterruption: Float?

    // MARK: life

    /// With a name and a server of its own; `init()` does for most.
    ///
    /// - Parameters:
    ///   - title: what the sound server shows its user.
    ///   - audioServer: PulseAudio's address, such as `unix:/run/user/1000/pulse/native`; nil: the user's own.
    public init(title: String, audioServer: String?) {
        let relay = PipelineRelay()
        self.relay = relay
        pipeline = PlaybackPipeline(title: title, audioServer: audioServer) { relay.eventsPending() }
        relay.player = self
        relay.scheduler = TimeScheduler { [weak self] in self?.timePassed() }
    }

    /// Without an item, named after the process at the user's sound server.
    public convenience init() { self.init(title: ProcessInfo.processInfo.processName, audioServer: nil) }

    /// With an item, or with none yet. It opens at once, and plays by `play()`.
    public convenience init(playerItem item: AVPlayerItem?) {
        self.init(title: item?.asset.url.lastPathComponent ?? "", audioServer: nil)
        replaceCurrentItem(with: item)
    }

    /// With an item of a file or an http(s) address, which opens at once.
    public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

    deinit {
        pipeline.close()
        if let external { DispatchQueue.main.async { MainActor.assumeIsolated { external.end() } } }
        // The session knows players by their relay, which lives until it has been told.
        let relay = relay
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                AVAudioSession.sharedInstance().interruption(.ended, of: ObjectIdentifier(relay), resumes: false)
                AVPlayer.gone?()
            }
        }
        // Nobody is left to hand the pipeline's answers on.
        let answers = seekAnswers.values
        guard !answers.isEmpty else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { for answer in answers { answer(false) } } }
    }

    /// Ends the player for good, whoever still holds it: threads are joined, decoder, file and sound freed
    /// when this returns. Safe to call twice.
    package func close() {
        pause()
        orders += 1
        for observer in timeObservers.values { observer.isRemoved = true }
        timeObservers.removeAll()
        relay.scheduler?.cancel()
        external?.end()
        external = nil
        pipeline.close()
    }

    /// Where a display pulls this player's pictures from.
    package var videoFrameSource: any VideoFrameSource { pipeline }
    /// What happened so far: pictures decoded, shown, dropped, loops, underruns, offsets.
    package var statistics: PlaybackStatistics { pipeline.currentStatistics }

    // MARK: transport

    /// Sets `rate` to `defaultRate`. An item that has played to its end stays there: seek first.
    public func play() { rate = defaultRate }
    /// Sets `rate` to 0: the picture stands, and there is no sound.
    public func pause() { rate = 0 }
    /// Plays at `rate` without waiting for more than is needed to begin, this once; after a stall it waits as ever.
    public func playImmediately(atRate rate: Float) {
        self.rate = rate
        pipeline.beginAtOnce()
    }

    /// Plays at `defaultRate`, from `time` on when given.
    package func playAtDefaultRate(from time: CMTime?) {
        if let time { seek(to: time) }
        play()
    }

    /// The picture that stands is the current item's, not one before's.
    package var showsCurrentItem: Bool {
        pipeline.shownEntry.map { $0 === currentItem?.entry } ?? false
    }
    /// The current item has been played to its end and nothing follows.
    package var isAtEnd: Bool { place?.isAtEnd == true }

    private func setRate(_ new: Float) {
        let clamped = new > 0 ? min(max(new, AVPlayer.slowest), 16) : 0
        // Whoever plays or pauses during an interruption has decided for himself.
        rateAfterInterruption = nil
        guard clamped != desiredRate else { return }
        keyPathObservers.together {
            desiredRate = clamped
            if clamped > 0 {
                steppedTime = nil
                stepsToCome = 0
            }
            endWasHandled = false
            if let external {
                if !isHearingExternal { external.setRate(clamped) }
            } else {
                pipeline.setRate(Double(clamped))
            }
            refreshStatus()
            reschedule()
        }
        if clamped > 0 {
            pauseOthers()
            AVPlayer.began?(self)
        }
    }

    /// Timeline of the current item. While a seek is under way: where it goes.
    public func currentTime() -> CMTime {
        if let target = seekTarget { return target.time }
        if let steppedTime, rate == 0 { return steppedTime.time }
        guard let position = place, position.entry === currentItem?.entry else { return .zero }
        return position.media.time
    }

    // MARK: items

    /// Plays `item` instead of the current one; nil shows nothing. The rate stays.
    public func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== currentItem else { return }
        keyPathObservers.together {
            setCurrent(item)
            syncPlaylist()
        }
    }

    /// The items in order, the current one first; a queue has more than one.
    var playlist: [AVPlayerItem] { currentItem.map { [$0] } ?? [] }

    func setCurrent(_ item: AVPlayerItem?) {
        guard item !== currentItem else { return }
        if let old = currentItem, !playlist.dropFirst().contains(where: { $0 === old }) { old.player = nil }
        orders += 1
        seekTarget = nil
        steppedTime = nil
        stepsToCome = 0
        endWasHandled = false
        endWasTold = false
        lastMedia = nil
        (lastPass, lastRound) = (0, 0)
        item?.player = self
        keyPathObservers.together {
            currentItem = item
            if let item { forwardBufferChanged(of: item) }
            externalFollows()
            refreshStatus()
        }
    }

    func forwardBufferChanged(of item: AVPlayerItem) {
        guard item === currentItem else { return }
        pipeline.setForwardDuration(MediaTime(seconds: min(item.preferredForwardBufferDuration, 1e6)))
    }

    func syncPlaylist() {
        for item in playlist { item.player = self }
        pipeline.setPlaylist(playlist.map(\.entry), feedsNext: actionAtItemEnd == .advance)
        refreshStatus()
        reschedule()
    }

    /// A queue drops the item that ended; a single player has nothing to advance to.
    func advance(past item: AVPlayerItem) {}

    func loops(of item: AVPlayerItem, _ loops: Bool, in range: ClosedRange<MediaTime>? = nil, passes: Int? = nil) {
        pipeline.setLoops(item.entry, loops, in: range, passes: passes)
    }

    // MARK: seeking

    /// A seek is under way and not answered yet.
    package var isSeeking: Bool { seekTarget != nil }
    var seekTarget: MediaTime?
    /// Where a step of a paused player went, until something else moves it.
    @ObservationIgnored private var steppedTime: MediaTime?
    /// Pictures to step once the seek under way has arrived: only there is known which picture that is.
    @ObservationIgnored private var stepsToCome = 0
    @ObservationIgnored private final var seekAnswers: [UInt64: @MainActor @Sendable (Bool) -> Void] = [:]
    @ObservationIgnored private var newestSeek: UInt64 = 0

    // Final: in a class that is `@preconcurrency`, Swift 6.3 spells the names of members that take such functions
    // differently from file to file, and a subclass's table would ask for what nobody defines.

    /// Exact, to the picture that stands at `time`. Before the start is the start, beyond the end the end.
    public final func seek(to time: CMTime, completionHandler: @escaping @MainActor @Sendable (Bool) -> Void = { _ in })
    {
        seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: completionHandler)
    }

    /// Anything between `time − toleranceBefore` and `time + toleranceAfter` will do; a wide tolerance is
    /// faster. Every call is answered once: true when its picture is there, false when a later seek (or
    /// another item) took its place. A time that is no number is answered false.
    public final func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: @escaping @MainActor @Sendable (Bool) -> Void = { _ in }
    ) {
        guard let item = currentItem, item.status != .failed, let target = MediaTime(time) else {
            return completionHandler(false)
        }
        orders += 1
        steppedTime = nil
        stepsToCome = 0
        newestSeek += 1
        seekAnswers[newestSeek] = completionHandler
        var clamped = max(0, target)
        if let end = MediaTime(item.duration) { clamped = min(clamped, end) }
        seekTarget = clamped
        endWasHandled = false
        endWasTold = false
        if let external {
            let id = newestSeek
            return external.seek(to: clamped) { [weak self] in self?.seekFinished(id, $0) }
        }
        pipeline.seek(
            SeekRequest(
                id: newestSeek, target: clamped, toleranceBefore: max(0, MediaTime(toleranceBefore) ?? 0),
                toleranceAfter: max(0, MediaTime(toleranceAfter) ?? 0), entry: item.entry,
                // A loop that stands has an end to stand at.
                holdsAtEnd: rate == 0 && clamped >= MediaTime(item.duration) ?? .max))
    }

    /// Anything between `time − toleranceBefore` and `time + toleranceAfter` will do; exact unless told otherwise.
    /// Returns true when its picture is there, false when a later seek or another item took its place, or `time` is no
    /// number.
    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime = .zero, toleranceAfter: CMTime = .zero) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
                continuation.resume(returning: $0)
            }
        }
    }

    func step(by wanted: Int) {
        // More than any media have.
        let count = min(max(wanted, -1_000_000_000), 1_000_000_000)
        guard count != 0, let item = currentItem else { return }
        orders += 1
        if rate != 0 { pause() }
        guard seekTarget == nil else {
            stepsToCome = min(max(stepsToCome + count, -1_000_000_000), 1_000_000_000)
            return
        }
        var left = count
        while left > 0, external == nil, pipeline.stepForward() { left -= 1 }
        guard left != 0 else {
            steppedTime = nil
            endWasHandled = false
            endWasTold = false
            return notifyTimeJumped()
        }
        let frame = max(item.description?.video?.frameDuration ?? 40_000_000, 1_000_000)
        let shown = external == nil ? pipeline.currentPictureTime() : nil
        let from = shown ?? MediaTime(currentTime()) ?? 0
        // Backward by one is exact whatever the frame rate: the moment just before this picture.
        let target = left == -1 ? from.justBefore : from + left * frame + frame / 2
        let end = MediaTime(item.duration) ?? .max
        seek(to: min(max(0, target), max(0, end - 1)).time) { [weak self] done in
            guard let self, done else { return }
            // One steps from picture to picture: time is the picture's.
            steppedTime = external == nil ? pipeline.currentPictureTime() : nil
        }
    }

    // MARK: time (AVPlayer+Time.swift)

    @ObservationIgnored var timeObservers: [ObjectIdentifier: TimeObserver] = [:]
    /// Up to where observers have been told, in the current item and pass.
    @ObservationIgnored var lastMedia: MediaTime?
    @ObservationIgnored var lastPass = 0
    /// The same as `Segment.round` counts: over seeks too.
    @ObservationIgnored var lastRound = 0
    /// What the end brings about has been done; whoever plays on there has it done again.
    @ObservationIgnored var endWasHandled = false
    /// That the item has ended was told, and it has gone nowhere since.
    @ObservationIgnored var endWasTold = false
    /// Counts what says where to go: a seek, another item. What was looked at before one is history after it.
    @ObservationIgnored var orders = 0

    // MARK: from the pipeline

    /// Events that were taken and are not handled yet. Handling one may look at the time, which first handles the
    /// events behind it.
    @ObservationIgnored private var events: [PipelineEvent] = []
    /// Handles the pipeline's events up to now, in order.
    func handleEvents() {
        events += pipeline.takeEvents()
        while !events.isEmpty { handle(events.removeFirst()) }
    }

    private func handle(_ event: PipelineEvent) {
        switch event {
        case .opened(let entry, let description):
            playlist.first { $0.entry === entry }?.opened(description)
            refreshStatus()
        case .failed(let entry, let error):
            guard let item = playlist.first(where: { $0.entry === entry }) else { return }
            item.failed(error)
            pipeline.abandon(entry)
            if actionAtItemEnd == .advance {
                // A queue plays what it can.
                advance(past: item)
                syncPlaylist()
            }
            refreshStatus()
        case .trackFailed(let entry, let problem):
            playlist.first { $0.entry === entry }?.trackFailed(problem)
        case .endsEarly(let entry, let error):
            playlist.first { $0.entry === entry }?.shortfall = error
        case .timelineChanged:
            timePassed()
        case .readinessChanged:
            refreshStatus()
            timePassed()
        case .seekFinished(let id, let completed): seekFinished(id, completed)
        case .audio(.interruptionBegan), .audio(.interruptionEnded):
            // The sound here, of which there is none now.
            if external != nil, !isInterrupted { break }
            if case .audio(.interruptionBegan) = event { interruptionBegan() } else { interruptionEnded() }
        case .audio(.deviceChanged): AVAudioSession.sharedInstance().routeChanged(.unknown)
        case .audio(.serverLost): AVAudioSession.sharedInstance().routeChanged(.oldDeviceUnavailable)
        case .audio(.serverRestored): AVAudioSession.sharedInstance().routeChanged(.newDeviceAvailable)
        case .audio: break
        case .stalled:
            if let currentItem { currentItem.stalled() }
        case .buffered(let entry, let status):
            playlist.first { $0.entry === entry }?.buffered(status)
            refreshStatus()
        case .loudness(let entry, let measure):
            playlist.first { $0.entry === entry }?.integratedLoudness = measure.integrated
        case .streamTitle(let entry, let title):
            playlist.first { $0.entry === entry }?.streamTitle = title
        case .presentationSize(let entry, let size):
            playlist.first { $0.entry === entry }?.presentationSize = size
        }
    }

    private func seekFinished(_ id: UInt64, _ completed: Bool) {
        if id == newestSeek { seekTarget = nil }
        guard let answer = seekAnswers.removeValue(forKey: id) else { return }
        if completed {
            lastPass = 0
            notifyTimeJumped()
        }
        answer(completed)
        if seekTarget == nil, stepsToCome != 0 {
            let steps = stepsToCome
            stepsToCome = 0
            if completed { step(by: steps) }
        }
        timePassed()
    }

    /// Who plays is another one now: what was sought of the one before is not answered by it any more.
    func abandonSeeks() {
        (seekTarget, steppedTime, stepsToCome) = (nil, nil, 0)
        let answers = seekAnswers.values
        seekAnswers = [:]
        for answer in answers { answer(false) }
    }

    private func interruptionBegan() {
        keyPathObservers.together {
            isInterrupted = true
            // The server tells of a call's end only those who went quiet themselves.
            if rate > 0 {
                let playing = rate
                pause()
                rateAfterInterruption = playing
            }
        }
        AVAudioSession.sharedInstance().interruption(.began, of: ObjectIdentifier(relay))
    }

    private func interruptionEnded() {
        let resumed = rateAfterInterruption
        keyPathObservers.together {
            isInterrupted = false
            if let resumed { rate = resumed }
        }
        AVAudioSession.sharedInstance().interruption(.ended, of: ObjectIdentifier(relay), resumes: resumed != nil)
    }

    func refreshStatus() {
        let new: TimeControlStatus
        var reason: WaitingReason?
        if desiredRate == 0 {
            new = .paused
        } else if currentItem == nil || currentItem?.status == .failed {
            new = .waitingToPlayAtSpecifiedRate
            reason = .noItemToPlay
        } else if let external {
            new = external.isPlaying ? .playing : .waitingToPlayAtSpecifiedRate
            if !external.isPlaying { reason = .evaluatingBufferingRate }
        } else if pipeline.isRunning, currentItem?.status == .readyToPlay {
            // A pipeline may run before word of its opening has come here: nothing plays that is not known to be ready.
            new = .playing
        } else {
            new = .waitingToPlayAtSpecifiedRate
            reason = pipeline.waitReason == .data ? .toMinimizeStalls : .evaluatingBufferingRate
        }
        if reasonForWaitingToPlay != reason { reasonForWaitingToPlay = reason }
        if timeControlStatus != new {
            timeControlStatus = new
            keyPathObservers.afterwards { [weak self] in
                guard let self else { return }
                let now = MediaTime(currentTime()) ?? 0
                for observer in timeObservers.values { observer.jumped(to: now) }
            }
        }
    }
}

/// Carries events from the pipeline's threads to the main actor, in order.
final class PipelineRelay: @unchecked Sendable {
    // `player` and `scheduler` are only touched on the main actor (and set before the first event).
    weak var player: AVPlayer?
    var scheduler: TimeScheduler?

    func eventsPending() {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { self.player?.handleEvents() }
        }
    }
}
