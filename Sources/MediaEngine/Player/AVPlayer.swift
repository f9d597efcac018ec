import Foundation
import MediaCore
import Observation

/// Plays one item: Apple's `AVPlayer`, over Zoetrope's own pipeline.
///
/// Main actor. Observe any property by `observe(_:options:changeHandler:)`, `values(of:)` or `@Observable`. A subclass
/// can override the initializers, `rate`, `volume`, `isMuted` and the methods that play, pause and replace the item.
@MainActor @preconcurrency
open class AVPlayer: KeyPathObservable, Observable, PropertyTracking {
    public let keyPathObservers = KeyPathObservers()
    nonisolated let registrar = ObservationRegistrar()
    let pipeline: PlaybackPipeline
    let relay = PipelineRelay()

    // MARK: parts

    private(set) var current: AVPlayerItem?
    private(set) var settings = PlayerSettings()
    private(set) var desiredRate: Float = 0
    private var timeControl = TimeControl()
    private var interruption = Interruption()
    private var lacksAudioServer = false
    let seeks = PendingSeeks()
    let playhead = Playhead()
    let external = ExternalDevice()

    // MARK: state

    /// What plays, or would; nil: nothing. Of a queue the first.
    public var currentItem: AVPlayerItem? { tracked(\.currentItem, current) }
    /// Paused, waiting or playing. While it waits `reasonForWaitingToPlay` says for what.
    public var timeControlStatus: TimeControlStatus { tracked(\.timeControlStatus, timeControl.status) }
    /// Nil unless it waits.
    public var reasonForWaitingToPlay: WaitingReason? { tracked(\.reasonForWaitingToPlay, timeControl.reason) }
    /// `.failed` only when the player itself is beyond use; an item's failure is the item's.
    public var status: Status { .readyToPlay }
    /// An `AVError` when `status` is `.failed`.
    public var error: (any Error)? { nil }

    /// The rate `play()` sets. 0.01 … 16, clamped; one that is no number changes nothing. Default 1.
    public var defaultRate: Float {
        get { tracked(\.defaultRate, settings.defaultRate) }
        set { set(\.defaultRate, in: \.settings.defaultRate, to: newValue) }
    }

    /// Speed asked for: 0 (paused), or 0.01 … 16, clamped; a negative one, or one that is no number, is 0. From 0.25 to
    /// 4 with sound at its own pitch, beyond without sound.
    open var rate: Float {
        get { tracked(\.rate, desiredRate) }
        set { setRate(newValue) }
    }

    /// 0 … 1, clamped; changes are ramped so that nothing clicks.
    open var volume: Float {
        get { tracked(\.volume, settings.volume) }
        set { set(\.volume, in: \.settings.volume, to: newValue, effect: applyVolume) }
    }

    /// Without sound, whatever `volume` is, which stays. The change is ramped so that nothing clicks. Default false.
    open var isMuted: Bool {
        get { tracked(\.isMuted, settings.isMuted) }
        set { set(\.isMuted, in: \.settings.isMuted, to: newValue, effect: applyVolume) }
    }

    /// Brings all items to one loudness. Multiplies with `volume`.
    public var loudness: AVLoudness {
        get { tracked(\.loudness, settings.loudness) }
        set {
            let old = settings.loudness
            set(\.loudness, in: \.settings.loudness, to: newValue) {
                if newValue != old { pipeline.setLoudness(newValue.target) }
            }
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
    public var crossfadeDuration: Double {
        get { tracked(\.crossfadeDuration, settings.crossfadeDuration) }
        set {
            set(\.crossfadeDuration, in: \.settings.crossfadeDuration, to: newValue) {
                pipeline.setCrossfade(MediaTime(seconds: settings.crossfadeDuration))
            }
        }
    }

    /// Default `.pause`, of an `AVQueuePlayer` `.advance`.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { tracked(\.actionAtItemEnd, settings.actionAtItemEnd) }
        set { set(\.actionAtItemEnd, in: \.settings.actionAtItemEnd, to: newValue) { syncPlaylist() } }
    }

    /// A stream begins, and goes on after a stall, when it is likely to keep up; false: with what there is. Local
    /// files never wait.
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { tracked(\.automaticallyWaitsToMinimizeStalling, settings.automaticallyWaitsToMinimizeStalling) }
        set {
            set(
                \.automaticallyWaitsToMinimizeStalling, in: \.settings.automaticallyWaitsToMinimizeStalling,
                to: newValue
            ) { pipeline.setWaitsForBuffer(newValue) }
        }
    }

    /// Whether the desktop is told what plays here, and may control it (Apple has it in `AVPlayerViewController`). What
    /// cannot be heard and goes round, as a background does, is not told of in any case. Default true.
    public var updatesNowPlayingInfoCenter: Bool {
        get { tracked(\.updatesNowPlayingInfoCenter, settings.updatesNowPlayingInfoCenter) }
        set { set(\.updatesNowPlayingInfoCenter, in: \.settings.updatesNowPlayingInfoCenter, to: newValue) }
    }

    /// While its pictures move and are seen, the screen does not go dark. Default true.
    public var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { tracked(\.preventsDisplaySleepDuringVideoPlayback, settings.preventsDisplaySleepDuringVideoPlayback) }
        set {
            set(
                \.preventsDisplaySleepDuringVideoPlayback, in: \.settings.preventsDisplaySleepDuringVideoPlayback,
                to: newValue)
        }
    }

    /// Who wants to know of each player that begins to play, and when one has gone.
    package static var began: (@MainActor (AVPlayer) -> Void)?
    package static var gone: (@MainActor () -> Void)?

    // MARK: elsewhere (ExternalPlayback.swift)

    /// Whether another device may play in this player's stead: a renderer in the network, chosen by
    /// `AVRoutePickerView`. Default true; false brings playback back here.
    public var allowsExternalPlayback: Bool {
        get { tracked(\.allowsExternalPlayback, settings.allowsExternalPlayback) }
        set {
            set(\.allowsExternalPlayback, in: \.settings.allowsExternalPlayback, to: newValue) {
                if !newValue { endExternalPlayback() }
            }
        }
    }

    /// Another device plays. `volume` and `isMuted` are its own meanwhile.
    public var isExternalPlaybackActive: Bool { tracked(\.isExternalPlaybackActive, external.device != nil) }
    /// As people know it, nil while playing is here. Ours.
    public var externalPlaybackName: String? { tracked(\.externalPlaybackName, external.device?.name) }
    /// Why it plays here again though nobody wished that; nil once it plays elsewhere anew. An `AVError`. Ours.
    public var externalPlaybackError: (any Error)? { tracked(\.externalPlaybackError, external.error) }

    /// Another device plays, or none does any more.
    func changeExternal<Result>(_ mutation: () -> Result) -> Result {
        defer { keyPathObservers.objectDidChange() }
        return registrar.withMutation(of: self, keyPath: \.isExternalPlaybackActive) {
            registrar.withMutation(of: self, keyPath: \.externalPlaybackName) {
                registrar.withMutation(of: self, keyPath: \.externalPlaybackError, mutation)
            }
        }
    }

    private func applyVolume() {
        if external.command({ $0.setVolume(settings.volume, isMuted: settings.isMuted) }) { return }
        pipeline.setVolume(settings.volume, muted: settings.isMuted)
    }

    /// Interruption by the sound server (a phone call cut in): true between its begin and end. A playing
    /// player pauses for it and goes on by itself.
    public var isInterrupted: Bool { tracked(\.isInterrupted, interruption.isActive) }

    /// Why the player's audio cannot be heard though it plays: there is no audio server. Nil once there is one. An
    /// `AVError`. Ours.
    public var audioError: (any Error)? { tracked(\.audioError, lacksAudioServer ? AVError.noAudioServer : nil) }

    // MARK: life

    /// With a name and a server of its own; `init()` does for most.
    ///
    /// - Parameters:
    ///   - title: what the sound server shows its user; empty: the title of the item that plays.
    ///   - audioServer: PulseAudio's address, such as `unix:/run/user/1000/pulse/native`; nil: the user's own.
    public init(title: String, audioServer: String?) {
        pipeline = AVPlayer.pipeline(relay, title, audioServer)
        begin(title: title)
    }

    /// Without an item, at the user's sound server.
    public init() {
        pipeline = AVPlayer.pipeline(relay)
        begin()
    }

    /// With an item, or with none yet. It opens at once, and plays by `play()`.
    public init(playerItem item: AVPlayerItem?) {
        pipeline = AVPlayer.pipeline(relay)
        begin()
        replaceCurrentItem(with: item)
    }

    /// With an item of a file or an http(s) address, which opens at once.
    public init(url: URL) {
        pipeline = AVPlayer.pipeline(relay)
        begin()
        replaceCurrentItem(with: AVPlayerItem(url: url))
    }

    private static func pipeline(_ relay: PipelineRelay, _ title: String = "", _ audioServer: String? = nil)
        -> PlaybackPipeline
    { PlaybackPipeline(title: title, audioServer: audioServer) { relay.eventsPending() } }
    private func begin(title: String = "") {
        settings.showsItemTitle = title.isEmpty
        relay.player = self
        if advances { actionAtItemEnd = .advance }
    }
    /// Whether `actionAtItemEnd` is `.advance` at first.
    var advances: Bool { false }

    deinit {
        pipeline.close()
        // The session knows players by their relay, which lives until it has been told. Seeks are answered though the
        // pipeline's answers reach nobody any more.
        Task { @MainActor [relay, external, seeks] in
            external.close()
            AVAudioSession.sharedInstance().interruption(.ended, of: ObjectIdentifier(relay), resumes: false)
            AVPlayer.gone?()
            for answer in seeks.abandon() { answer(false) }
        }
    }

    /// Ends the player for good, whoever still holds it: threads are joined, decoder, file and sound freed
    /// when this returns. Safe to call twice.
    package func close() {
        pause()
        playhead.close()
        relay.scheduler.cancel()
        external.close()
        pipeline.close()
    }

    /// Where a display pulls this player's pictures from.
    package var videoFrameSource: any VideoFrameSource { pipeline }
    /// What happened so far: pictures decoded, shown, dropped, loops, underruns, offsets.
    package var statistics: PlaybackStatistics { pipeline.currentStatistics }

    // MARK: transport

    /// Sets `rate` to `defaultRate`. An item that has played to its end stays there: seek first.
    open func play() { rate = settings.defaultRate }
    /// Sets `rate` to 0: the picture stands, and there is no sound.
    open func pause() { rate = 0 }
    /// Plays at `rate` without waiting for more than is needed to begin, this once; after a stall it waits as ever.
    open func playImmediately(atRate rate: Float) {
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
        let new = PlayerSettings.rate(new)
        // Whoever plays or pauses during an interruption has decided for himself.
        interruption.rateWasSet()
        guard new != desiredRate else { return }
        keyPathObservers.together {
            change(\.rate) { desiredRate = new }
            if new > 0 { seeks.endSteps() }
            playhead.rateDidChange()
            if !external.command({ $0.setRate(new) }) { pipeline.setRate(Double(new)) }
            refreshStatus()
            reschedule()
        }
        if new > 0 {
            pauseOthers()
            withoutObservationTracking { AVPlayer.began?(self) }
        }
    }

    /// Timeline of the current item. While a seek is under way: where it goes.
    public func currentTime() -> CMTime { currentTime(at: place) }

    /// The same, as of a display's refresh.
    package func currentTime(in tick: DisplayTick) -> CMTime { currentTime(at: tick.position ?? place) }

    private func currentTime(at place: @autoclosure () -> PlaybackPosition?) -> CMTime {
        if let target = seeks.target { return target.time }
        if let stepped = seeks.steppedTime, desiredRate == 0 { return stepped.time }
        guard let position = place(), position.entry === current?.entry else { return .zero }
        return position.media.time
    }

    // MARK: items

    /// Plays `item` instead of the current one; nil shows nothing. The rate stays.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== current else { return }
        keyPathObservers.together {
            setCurrent(item)
            syncPlaylist()
        }
    }

    /// The items in order, the current one first; a queue has more than one.
    var playlist: [AVPlayerItem] { current.map { [$0] } ?? [] }

    func setCurrent(_ item: AVPlayerItem?) {
        guard item !== current else { return }
        if let old = current, !playlist.dropFirst().contains(where: { $0 === old }) { old.player = nil }
        playhead.itemDidChange()
        endSeek { seeks.itemDidChange() }
        item?.player = self
        keyPathObservers.together {
            change(\.currentItem) { current = item }
            if let item { forwardBufferChanged(of: item) }
            if let item { audioTitleChanged(of: item) }
            externalFollows()
            refreshStatus()
        }
    }

    func forwardBufferChanged(of item: AVPlayerItem) {
        guard item === current else { return }
        pipeline.setForwardDuration(MediaTime(seconds: min(item.limits.forwardBufferDuration, 1e6)))
    }

    func syncPlaylist() {
        for item in playlist { item.player = self }
        pipeline.setPlaylist(playlist.map(\.entry), feedsNext: settings.actionAtItemEnd == .advance)
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
    package var isSeeking: Bool { tracked(\.isSeeking, seeks.target != nil) }

    /// Carries out what ends the seek under way, if there is one.
    private func endSeek<Result>(_ mutation: () -> Result) -> Result {
        seeks.target == nil ? mutation() : registrar.withMutation(of: self, keyPath: \.isSeeking, mutation)
    }

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
        guard let item = current, item.opening.status != .failed, let target = MediaTime(time) else {
            return ObservationScope.callOut { completionHandler(false) }
        }
        var clamped = max(0, target)
        if let end = MediaTime(item.opening.duration) { clamped = min(clamped, end) }
        playhead.seekDidBegin()
        let id = registrar.withMutation(of: self, keyPath: \.isSeeking) {
            seeks.begin(to: clamped, answer: completionHandler)
        }
        if let device = external.device {
            return device.seek(to: clamped) { [weak self] in self?.seekFinished(id, $0) }
        }
        pipeline.seek(
            SeekRequest(
                id: id, target: clamped, toleranceBefore: max(0, MediaTime(toleranceBefore) ?? 0),
                toleranceAfter: max(0, MediaTime(toleranceAfter) ?? 0), entry: item.entry,
                // A loop that stands has an end to stand at.
                holdsAtEnd: desiredRate == 0 && clamped >= MediaTime(item.opening.duration) ?? .max))
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
        let count = PendingSeeks.limited(wanted)
        guard count != 0, let item = current else { return }
        playhead.stepDidBegin()
        if desiredRate != 0 { pause() }
        guard !seeks.wait(toStep: count) else { return }
        var left = count
        while left > 0, external.device == nil, pipeline.stepForward() { left -= 1 }
        guard left != 0 else {
            seeks.didStep(to: nil)
            playhead.stepDidFinish()
            return notifyTimeJumped()
        }
        let frame = max(item.description?.video?.frameDuration ?? 40_000_000, 1_000_000)
        let shown = external.device == nil ? pipeline.currentPictureTime() : nil
        let from = shown ?? MediaTime(currentTime()) ?? 0
        // Backward by one is exact whatever the frame rate: the moment just before this picture.
        let target = left == -1 ? from.justBefore : from + left * frame + frame / 2
        let end = MediaTime(item.opening.duration) ?? .max
        seek(to: min(max(0, target), max(0, end - 1)).time) { [weak self] done in
            guard let self, done else { return }
            // One steps from picture to picture: time is the picture's.
            seeks.didStep(to: external.device == nil ? pipeline.currentPictureTime() : nil)
        }
    }

    // MARK: from the pipeline

    /// Events that were taken and are not handled yet. Handling one may look at the time, which first handles the
    /// events behind it.
    private var events: [PipelineEvent] = []
    /// Handles the pipeline's events up to now, in order.
    func handleEvents() {
        events += pipeline.takeEvents()
        ObservationScope.callOut { while !events.isEmpty { handle(events.removeFirst()) } }
    }

    private func handle(_ event: PipelineEvent) {
        switch event {
        case .opened(let entry, let description):
            if let item = playlist.first(where: { $0.entry === entry }) {
                item.opened(description)
                audioTitleChanged(of: item)
            }
            refreshStatus()
        case .failed(let entry, let error):
            guard let item = playlist.first(where: { $0.entry === entry }) else { return }
            item.failed(error)
            pipeline.abandon(entry)
            if settings.actionAtItemEnd == .advance {
                // A queue plays what it can.
                advance(past: item)
                syncPlaylist()
            }
            refreshStatus()
        case .trackFailed(let entry, let problem):
            playlist.first { $0.entry === entry }?.trackFailed(problem)
        case .endsEarly(let entry, let error):
            playlist.first { $0.entry === entry }?.endsEarly(error)
        case .timelineChanged:
            timePassed()
        case .readinessChanged:
            refreshStatus()
            timePassed()
        case .seekFinished(let id, let completed): seekFinished(id, completed)
        case .audio(.interruptionBegan), .audio(.interruptionEnded):
            // The sound here, of which there is none now.
            if external.device != nil, !interruption.isActive { break }
            if case .audio(.interruptionBegan) = event { interruptionBegan() } else { interruptionEnded() }
        case .audio(.deviceChanged): AVAudioSession.sharedInstance().routeChanged(.unknown)
        case .audio(.serverLost): AVAudioSession.sharedInstance().routeChanged(.oldDeviceUnavailable)
        case .audio(.serverRestored): AVAudioSession.sharedInstance().routeChanged(.newDeviceAvailable)
        case .audio(.serverMissing): change(\.audioError) { lacksAudioServer = true }
        case .audio(.serverFound): change(\.audioError) { lacksAudioServer = false }
        case .stalled:
            current?.stalled()
        case .buffered(let entry, let status):
            playlist.first { $0.entry === entry }?.buffered(status)
            refreshStatus()
        case .loudness(let entry, let measure):
            playlist.first { $0.entry === entry }?.measured(measure)
        case .streamTitle(let entry, let title):
            if let item = playlist.first(where: { $0.entry === entry }) {
                item.streamTitleChanged(to: title)
                audioTitleChanged(of: item)
            }
        case .presentationSize(let entry, let size):
            playlist.first { $0.entry === entry }?.presentationSizeChanged(to: size)
        }
    }

    private func seekFinished(_ id: UInt64, _ completed: Bool) {
        let answer = seeks.isNewest(id) ? endSeek { seeks.finish(id) } : seeks.finish(id)
        guard let answer else { return }
        if completed {
            playhead.seekDidFinish()
            notifyTimeJumped()
        }
        answer(completed)
        let steps = seeks.takeSteps()
        if completed { step(by: steps) }
        timePassed()
    }

    /// Who plays is another one now: what was sought of the one before is not answered by it any more.
    func abandonSeeks() {
        let answers = endSeek { seeks.abandon() }
        ObservationScope.callOut { for answer in answers { answer(false) } }
    }

    private func interruptionBegan() {
        keyPathObservers.together {
            // The server tells of a call's end only those who went quiet themselves.
            let playing = desiredRate
            if playing > 0 { pause() }
            change(\.isInterrupted) { interruption.begin(at: playing) }
        }
        AVAudioSession.sharedInstance().interruption(.began, of: ObjectIdentifier(relay))
    }

    private func interruptionEnded() {
        let resumed = interruption.resumingRate
        keyPathObservers.together {
            change(\.isInterrupted) { interruption.end() }
            if let resumed { rate = resumed }
        }
        AVAudioSession.sharedInstance().interruption(.ended, of: ObjectIdentifier(relay), resumes: resumed != nil)
    }

    func refreshStatus() {
        let new = TimeControl(rate: desiredRate, item: current?.opening.status, progress: progress)
        if new.reason != timeControl.reason { change(\.reasonForWaitingToPlay) { timeControl.reason = new.reason } }
        guard new.status != timeControl.status else { return }
        change(\.timeControlStatus) { timeControl.status = new.status }
        keyPathObservers.afterwards { [weak self] in
            guard let self else { return }
            playhead.report(MediaTime(currentTime()) ?? 0)
        }
    }

    private var progress: TimeControl.Progress {
        if let device = external.device { return device.isPlaying ? .advances : .prepares }
        // A pipeline may run before word of its opening has come here: nothing plays that is not known to be ready.
        if pipeline.isRunning, current?.opening.status == .readyToPlay { return .advances }
        return pipeline.waitReason == .data ? .lacksData : .prepares
    }
}

/// Carries events from the pipeline's threads to the main actor, in order, and wakes the player when time observers are
/// due.
@MainActor
final class PipelineRelay {
    weak var player: AVPlayer?
    private(set) lazy var scheduler = TimeScheduler { [weak self] in self?.player?.timePassed() }

    nonisolated init() {}

    nonisolated func eventsPending() { Task { @MainActor in player?.handleEvents() } }
}
