import Foundation
import MediaCore
import Observation

/// An object that plays one item at a time. The equivalent of AVFoundation's `AVPlayer`.
///
/// ```swift
/// struct FilmView: View {
///     @State private var player = AVPlayer(url: URL(fileURLWithPath: "film.mp4"))
///     var body: some View {
///         VideoPlayer(player: player)
///             .onAppear { player.play() }
///             .onDisappear { player.pause() }
///     }
/// }
/// ```
/// All properties are observable by `observe(_:options:changeHandler:)`, `values(of:)` and `@Observable`. A subclass
/// can override the initializers, `rate`, `volume`, `isMuted` and the methods that play, pause and replace the item.
@MainActor @preconcurrency
open class AVPlayer: KeyPathObservable, Observable, PropertyTracking {
    public let keyPathObservers = KeyPathObservers()
    nonisolated let registrar = ObservationRegistrar()
    let pipeline: PlaybackPipeline
    let relay = PipelineRelay()

    // MARK: Parts

    private(set) var current: AVPlayerItem?
    private(set) var settings = PlayerSettings()
    private(set) var desiredRate: Float = 0
    private var timeControl = TimeControl()
    private var interruption = Interruption()
    private var lacksAudioServer = false
    /// The reason for rate changes that happen now.
    private var rateChangeReason = RateDidChangeReason.setRateCalled
    let seeks = PendingSeeks()
    let prerolls = PendingPrerolls()
    let playhead = Playhead()
    let external = ExternalDevice()

    // MARK: State

    /// The item that plays or is ready to play; nil without an item. In a queue, the first item.
    public var currentItem: AVPlayerItem? { tracked(\.currentItem, current) }
    /// The state of playback: paused, waiting or playing. While the player waits, `reasonForWaitingToPlay` gives the
    /// reason.
    ///
    /// A view that reads the property is updated when it changes:
    /// ```swift
    /// switch player.timeControlStatus {
    /// case .paused: Text("Paused")
    /// case .waitingToPlayAtSpecifiedRate: ProgressView()
    /// case .playing: EmptyView()
    /// }
    /// ```
    public var timeControlStatus: TimeControlStatus { tracked(\.timeControlStatus, timeControl.status) }
    /// The reason why the player waits; nil unless `timeControlStatus` is `.waitingToPlayAtSpecifiedRate`.
    public var reasonForWaitingToPlay: WaitingReason? { tracked(\.reasonForWaitingToPlay, timeControl.reason) }
    /// The status of the player itself. Always `.readyToPlay`, because a failed item changes only its own status.
    public var status: Status { .readyToPlay }
    /// The error of the player itself. Always nil, because `status` is never `.failed`.
    public var error: (any Error)? { nil }

    /// The rate that `play()` sets. The default is 1.
    ///
    /// ```swift
    /// player.defaultRate = 1.5
    /// player.play()  // plays at 1.5
    /// ```
    /// Values are clamped to 0.01 … 16. Setting NaN changes nothing.
    public var defaultRate: Float {
        get { tracked(\.defaultRate, settings.defaultRate) }
        set { set(\.defaultRate, in: \.settings.defaultRate, to: newValue) }
    }

    /// The requested playback rate; 0 pauses.
    ///
    /// ```swift
    /// player.rate = 2  // plays at double speed
    /// player.rate = 0  // pauses
    /// ```
    /// Positive values are clamped to 0.01 … 16. A negative value or NaN counts as 0. From 0.25 to 4, the audio keeps
    /// its pitch. At other rates, the video plays without audio.
    open var rate: Float {
        get { tracked(\.rate, desiredRate) }
        set { setRate(newValue) }
    }

    /// The audio volume, from 0 to 1. The default is 1.
    ///
    /// ```swift
    /// Slider(value: Binding { player.volume } set: { player.volume = $0 }, in: 0...1)
    /// ```
    /// Values are clamped; setting NaN changes nothing. Changes are ramped, so that no click is audible.
    open var volume: Float {
        get { tracked(\.volume, settings.volume) }
        set { set(\.volume, in: \.settings.volume, to: newValue, effect: applyVolume) }
    }

    /// Whether the audio is muted. The default is false.
    ///
    /// ```swift
    /// Button(player.isMuted ? "Unmute" : "Mute") { player.isMuted.toggle() }
    /// ```
    /// Muting does not change `volume`. The change is ramped, so that no click is audible.
    open var isMuted: Bool {
        get { tracked(\.isMuted, settings.isMuted) }
        set { set(\.isMuted, in: \.settings.isMuted, to: newValue, effect: applyVolume) }
    }

    /// The loudness to which the player adjusts its items, in addition to `volume`. The default is `.asRecorded`.
    ///
    /// ```swift
    /// player.loudness = .r128(-16)  // the loudness of streaming services
    /// ```
    public var loudness: AVLoudness {
        get { tracked(\.loudness, settings.loudness) }
        set {
            let old = settings.loudness
            set(\.loudness, in: \.settings.loudness, to: newValue) {
                if newValue != old { pipeline.setLoudness(newValue.target) }
            }
        }
    }

    /// The duration for which the audio of two consecutive items overlaps, in seconds. The default is 0.
    ///
    /// ```swift
    /// let player = AVQueuePlayer(items: songs.map { AVPlayerItem(url: $0) })
    /// player.crossfadeDuration = 4
    /// player.play()
    /// ```
    /// At 0, items are joined without a gap. Values are clamped to 0 … 12; NaN counts as 0. A looped item overlaps with
    /// its own beginning. The overlap is at most half of the shorter item; after a seek, it is at most half of what
    /// remains. An item shorter than 1 s does not overlap.
    ///
    /// The crossfade has equal power and is accurate to the sample. When it begins, the next item becomes the current
    /// one, and the previous item counts as played to its end. From then on, the time and the frames are those of the
    /// next item. A seek in the next item ends the crossfade. If the next item is not ready in time, the crossfade is
    /// shorter, or the items are joined without a gap. Items are also joined without a gap if one of them has no audio,
    /// or if the duration of the first is unknown.
    ///
    /// A crossfade requires an `AVPlayerLooper`, or `.advance` as `actionAtItemEnd`.
    public var crossfadeDuration: Double {
        get { tracked(\.crossfadeDuration, settings.crossfadeDuration) }
        set {
            set(\.crossfadeDuration, in: \.settings.crossfadeDuration, to: newValue) {
                pipeline.setCrossfade(MediaTime(seconds: settings.crossfadeDuration))
            }
        }
    }

    /// The action at the end of an item. The default is `.pause`; for `AVQueuePlayer`, it is `.advance`.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { tracked(\.actionAtItemEnd, settings.actionAtItemEnd) }
        set { set(\.actionAtItemEnd, in: \.settings.actionAtItemEnd, to: newValue) { syncPlaylist() } }
    }

    /// Whether a stream or a remote file waits, at its start and after a stall, until playback is likely to keep up.
    /// The default is true.
    ///
    /// If false, playback starts with the data that is available. Local files never wait.
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { tracked(\.automaticallyWaitsToMinimizeStalling, settings.automaticallyWaitsToMinimizeStalling) }
        set {
            set(
                \.automaticallyWaitsToMinimizeStalling, in: \.settings.automaticallyWaitsToMinimizeStalling,
                to: newValue
            ) { pipeline.setWaitsForBuffer(newValue) }
        }
    }

    /// Whether the preferred languages of the items choose audio and subtitles. The default is true.
    ///
    /// If false, `preferredAudioLanguages` and `preferredSubtitleLanguages` of the items have no effect: the default
    /// options of the file or stream play. `AVPlayerItem.select(_:in:)` works in either case.
    public var appliesMediaSelectionCriteriaAutomatically: Bool {
        get {
            tracked(
                \.appliesMediaSelectionCriteriaAutomatically, settings.appliesMediaSelectionCriteriaAutomatically)
        }
        set {
            set(
                \.appliesMediaSelectionCriteriaAutomatically,
                in: \.settings.appliesMediaSelectionCriteriaAutomatically, to: newValue
            ) { for item in playlist { item.selectionCriteriaChanged() } }
        }
    }

    /// Sets the preferred languages for audio (`.audible`) or subtitles (`.legible`); nil removes them.
    ///
    /// They apply to all items of the player that have no preferred languages of their own
    /// (`AVPlayerItem.preferredAudioLanguages`), if `appliesMediaSelectionCriteriaAutomatically` is true. Criteria for
    /// any other characteristic have no effect.
    public final func setMediaSelectionCriteria(
        _ criteria: AVPlayerMediaSelectionCriteria?, forMediaCharacteristic characteristic: AVMediaCharacteristic
    ) {
        settings.selectionCriteria[characteristic] = criteria
        for item in playlist { item.selectionCriteriaChanged() }
    }
    /// Returns the criteria that `setMediaSelectionCriteria(_:forMediaCharacteristic:)` has set; nil if there are none.
    public final func mediaSelectionCriteria(forMediaCharacteristic characteristic: AVMediaCharacteristic)
        -> AVPlayerMediaSelectionCriteria?
    { settings.selectionCriteria[characteristic] }

    /// Whether the desktop shows what this player plays, and can control it. The default is true.
    ///
    /// A player that is both inaudible and looping, such as a background video, is never shown. AVKit has this property
    /// in `AVPlayerViewController`.
    public var updatesNowPlayingInfoCenter: Bool {
        get { tracked(\.updatesNowPlayingInfoCenter, settings.updatesNowPlayingInfoCenter) }
        set { set(\.updatesNowPlayingInfoCenter, in: \.settings.updatesNowPlayingInfoCenter, to: newValue) }
    }

    /// Whether the screen stays on while the player's video plays and is visible. The default is true.
    public var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { tracked(\.preventsDisplaySleepDuringVideoPlayback, settings.preventsDisplaySleepDuringVideoPlayback) }
        set {
            set(
                \.preventsDisplaySleepDuringVideoPlayback, in: \.settings.preventsDisplaySleepDuringVideoPlayback,
                to: newValue)
        }
    }

    /// A closure that is called with each player that starts to play.
    package static var playbackDidStart: (@MainActor (AVPlayer) -> Void)?
    /// A closure that is called after a player is released.
    package static var playerDidDeinit: (@MainActor () -> Void)?

    // MARK: External playback (ExternalPlayback.swift)

    /// Whether a cast device, chosen by `AVRoutePickerView`, can play instead of this player. The default is true.
    ///
    /// Setting false ends external playback; the player continues locally.
    public var allowsExternalPlayback: Bool {
        get { tracked(\.allowsExternalPlayback, settings.allowsExternalPlayback) }
        set {
            set(\.allowsExternalPlayback, in: \.settings.allowsExternalPlayback, to: newValue) {
                if !newValue { endExternalPlayback() }
            }
        }
    }

    /// Whether an external device plays. Meanwhile, `volume` and `isMuted` are those of the device.
    public var isExternalPlaybackActive: Bool { tracked(\.isExternalPlaybackActive, external.device != nil) }
    /// The display name of the external device; nil while the player plays locally. Not part of AVFoundation.
    ///
    /// ```swift
    /// if let name = player.externalPlaybackName {
    ///     Text("Playing on \(name)")
    /// }
    /// ```
    public var externalPlaybackName: String? { tracked(\.externalPlaybackName, external.device?.name) }
    /// The error, an `AVError`, that ended external playback unexpectedly. Not part of AVFoundation.
    ///
    /// Nil if there was no such error. Reset to nil when external playback starts.
    public var externalPlaybackError: (any Error)? { tracked(\.externalPlaybackError, external.error) }

    /// Performs `mutation`, which changes the external device or its error, and notifies the observers.
    func changeExternal<Result>(_ mutation: () -> Result) -> Result {
        defer { keyPathObservers.objectDidChange() }
        return registrar.withMutation(of: self, keyPath: \.isExternalPlaybackActive) {
            registrar.withMutation(of: self, keyPath: \.externalPlaybackName) {
                registrar.withMutation(of: self, keyPath: \.externalPlaybackError, mutation)
            }
        }
    }

    /// The volume that is audible: 0 while the player is muted.
    var outputVolume: Float { settings.isMuted ? 0 : settings.volume }

    private func applyVolume() {
        AVAudioSession.sharedInstance().volumeMayHaveChanged()
        if external.command({ $0.setVolume(settings.volume, isMuted: settings.isMuted) }) { return }
        pipeline.setVolume(settings.volume, muted: settings.isMuted)
    }

    /// Whether the audio server interrupts this player, for example for a phone call.
    ///
    /// A playing player pauses when the interruption begins. It resumes when the interruption ends, unless the app sets
    /// a rate meanwhile. It also stays paused if the audio server restarts during a call, or if another item begins whose
    /// audio format differs: the end of the call is then not reported, and `isInterrupted` becomes false at once.
    public var isInterrupted: Bool { tracked(\.isInterrupted, interruption.isActive) }

    /// The error, an `AVError`, if the player is inaudible because no audio server is running. Nil when a server is
    /// available. Not part of AVFoundation.
    ///
    /// ```swift
    /// if let error = player.audioError {
    ///     Text(error.localizedDescription)
    /// }
    /// ```
    public var audioError: (any Error)? { tracked(\.audioError, lacksAudioServer ? AVError.noAudioServer : nil) }

    // MARK: Life cycle

    /// Creates a player with its own title and audio server. For most uses, `init()` is sufficient.
    ///
    /// - Parameters:
    ///   - title: The title that the audio server shows to the user. If empty, it shows the title of the current item.
    ///   - audioServer: The server string of PulseAudio, such as `unix:/run/user/1000/pulse/native`; nil selects the
    ///     user's default server.
    public init(title: String, audioServer: String?) {
        pipeline = AVPlayer.pipeline(relay, title, audioServer)
        begin(title: title)
    }

    /// Creates a player without an item that uses the user's default audio server.
    public init() {
        pipeline = AVPlayer.pipeline(relay)
        begin()
    }

    /// Creates a player for `item`, which opens immediately. Call `play()` to start playback.
    public init(playerItem item: AVPlayerItem?) {
        pipeline = AVPlayer.pipeline(relay)
        begin()
        replaceCurrentItem(with: item)
    }

    /// Creates a player for the file or HTTP(S) URL `url`, which opens immediately.
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
        registerForSession()
        if advancesByDefault { actionAtItemEnd = .advance }
    }
    /// Whether the initial value of `actionAtItemEnd` is `.advance`.
    var advancesByDefault: Bool { false }

    deinit {
        pipeline.close()
        // The audio session identifies players by their relay, so the relay must live until the session is notified.
        // The completion handlers of the seeks are called here, because no more events of the pipeline arrive.
        Task { @MainActor [relay, external, seeks, prerolls] in
            external.close()
            AVAudioSession.sharedInstance().interruption(.ended, of: ObjectIdentifier(relay), resumes: false)
            AVAudioSession.sharedInstance().volumeMayHaveChanged()
            AVPlayer.playerDidDeinit?()
            for completion in seeks.abandon() { completion(false) }
            prerolls.finish(false)
        }
    }

    /// Ends the player permanently, even if other references to it exist.
    ///
    /// When the method returns, the threads have ended, and the decoder, the file and the audio output are released. A
    /// second call does nothing.
    package func close() {
        pause()
        playhead.close()
        relay.scheduler.cancel()
        external.close()
        pipeline.close()
    }

    /// The source from which a display pulls this player's frames.
    package var videoFrameSource: any VideoFrameSource { pipeline }
    /// The playback statistics so far: frames decoded, displayed and dropped, loops, underruns, offsets.
    package var statistics: PlaybackStatistics { pipeline.currentStatistics }

    // MARK: Transport

    /// Sets `rate` to `defaultRate`. An item that has played to its end stays there; seek first to play it again.
    open func play() { rate = settings.defaultRate }
    /// Sets `rate` to 0. The current frame stays displayed, and there is no audio.
    open func pause() { rate = 0 }
    /// Plays at `rate` as soon as there is enough data to start.
    ///
    /// For example, to start a live stream without a delay:
    /// ```swift
    /// player.playImmediately(atRate: 1)
    /// ```
    /// Only this start skips the wait for a larger buffer. After a stall, `automaticallyWaitsToMinimizeStalling`
    /// applies again.
    open func playImmediately(atRate rate: Float) {
        self.rate = rate
        pipeline.beginAtOnce()
    }

    /// Plays at `defaultRate`. If `time` is not nil, seeks to `time` first.
    package func playAtDefaultRate(from time: CMTime?) {
        if let time { seek(to: time) }
        play()
    }

    /// Whether the displayed frame belongs to the current item, not to the item before it.
    package var showsCurrentItem: Bool {
        pipeline.shownEntry.map { $0 === currentItem?.entry } ?? false
    }
    /// Whether the current item has played to its end and no other item follows.
    package var isAtEnd: Bool { position?.isAtEnd == true }

    private func setRate(_ new: Float) {
        let new = PlayerSettings.rate(new)
        // A rate that the app sets during an interruption replaces the rate at which the player would resume.
        interruption.rateWasSet()
        guard new != desiredRate else { return }
        keyPathObservers.performChanges {
            change(\.rate) { desiredRate = new }
            if new > 0 { seeks.endSteps() }
            playhead.rateDidChange()
            if !external.command({ $0.setRate(new) }) { pipeline.setRate(Double(new)) }
            refreshStatus()
            reschedule()
        }
        notifyRateChanged(rateChangeReason)
        // An observer may have set another rate.
        if new > 0, desiredRate == new {
            pauseOthers()
            withoutObservationTracking { AVPlayer.playbackDidStart?(self) }
        }
    }

    /// Returns the current time on the timeline of the current item. While a seek is in progress, returns its target, or
    /// the nearest time to which the item can seek. Without an item, returns zero.
    ///
    /// A view that calls this method in its `body` is not updated as time passes. To follow the time, add a periodic
    /// time observer.
    public func currentTime() -> CMTime { currentTime(at: position) }

    /// Returns the current time at the display refresh `tick`.
    package func currentTime(in tick: DisplayTick) -> CMTime { currentTime(at: tick.position ?? position) }

    private func currentTime(at position: @autoclosure () -> PlaybackPosition?) -> CMTime {
        if let target = seeks.target { return (current?.reachable(target) ?? playhead.media ?? 0).time }
        if let stepped = seeks.steppedTime, desiredRate == 0 { return stepped.time }
        guard let position = position(), position.entry === current?.entry else { return .zero }
        return position.media.time
    }

    // MARK: Items

    /// Replaces the current item with `item`; nil shows nothing. The rate does not change.
    ///
    /// An item plays in one player at a time. If another player has the item, the item is removed from that player.
    ///
    /// ```swift
    /// player.replaceCurrentItem(with: AVPlayerItem(url: nextEpisode))
    /// player.play()
    /// ```
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== current else { return }
        takeFromOther(item)
        keyPathObservers.performChanges {
            setCurrent(item)
            syncPlaylist()
        }
    }

    /// Removes `item` from another player that has it.
    final func takeFromOther(_ item: AVPlayerItem?) {
        if let item, let other = item.player, other !== self { other.giveUp(item) }
    }

    /// Removes `item`, which another player plays from now on.
    func giveUp(_ item: AVPlayerItem) {
        if item === current { replaceCurrentItem(with: nil) }
    }

    /// The items in playing order, the current one first. Only a queue has more than one.
    var playlist: [AVPlayerItem] { current.map { [$0] } ?? [] }

    func setCurrent(_ item: AVPlayerItem?) {
        guard item !== current else { return }
        prerolls.finish(false)
        current?.leftTime = timeBeforeEnd
        item?.leftTime = nil
        if let old = current, !playlist.dropFirst().contains(where: { $0 === old }) { old.leave(self) }
        playhead.itemDidChange()
        endSeek { seeks.itemDidChange() }
        item?.player = self
        keyPathObservers.performChanges {
            change(\.currentItem) { current = item }
            if let item { forwardBufferChanged(of: item) }
            if let item { audioTitleChanged(of: item) }
            externalFollows()
            refreshStatus()
        }
    }

    /// The current time; nil if the current item has played to its end, or if the pipeline already plays the next item.
    private var timeBeforeEnd: CMTime? {
        guard seeks.target == nil, let position, position.entry !== current?.entry || position.isAtEnd else {
            return currentTime()
        }
        return nil
    }

    func forwardBufferChanged(of item: AVPlayerItem) {
        guard item === current else { return }
        pipeline.setForwardDuration(MediaTime(seconds: min(item.limits.forwardBufferDuration, 1e6)))
    }

    func syncPlaylist() {
        // Items that a queue inserts belong to it already.
        if let first = playlist.first, first.player == nil { first.player = self }
        pipeline.setPlaylist(playlist.map(\.entry), feedsNext: settings.actionAtItemEnd == .advance)
        refreshStatus()
        reschedule()
    }

    /// Removes the ended or failed `item`, and makes the next item of the queue the current one. Does nothing in a
    /// player without a queue.
    func advance(past item: AVPlayerItem) {}

    func loops(of item: AVPlayerItem, _ loops: Bool, in range: ClosedRange<MediaTime>? = nil, passes: Int? = nil) {
        pipeline.setLoops(item.entry, loops, in: range, passes: passes)
    }

    // MARK: Seeking

    /// Whether a seek is in progress.
    package var isSeeking: Bool { tracked(\.isSeeking, seeks.target != nil) }

    /// Performs `mutation`, which ends the seek in progress, and notifies the observers of `isSeeking`.
    private func endSeek<Result>(_ mutation: () -> Result) -> Result {
        seeks.target == nil ? mutation() : registrar.withMutation(of: self, keyPath: \.isSeeking, mutation)
    }

    // These methods are final. In a `@preconcurrency` class, Swift 6.3 mangles the names of members with such function
    // parameters differently from file to file. A subclass's method table would then refer to undefined symbols.

    /// Seeks to the frame that is displayed at `time`. Times before the start or after the end are clamped.
    ///
    /// ```swift
    /// player.seek(to: CMTime(seconds: 90, preferredTimescale: 600)) { isDisplayed in
    ///     if isDisplayed { player.play() }
    /// }
    /// ```
    ///
    /// - Parameter completionHandler: Called once, on the main actor. The argument is true when the frame is displayed.
    ///   It is false if a later seek or another item replaces this seek, or if the player has no item or a failed one.
    ///   For an invalid or indefinite time, it is called with false immediately.
    public final func seek(to time: CMTime, completionHandler: @escaping @MainActor @Sendable (Bool) -> Void = { _ in })
    {
        seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: completionHandler)
    }

    /// Seeks to a time between `time − toleranceBefore` and `time + toleranceAfter`. A wide tolerance makes the seek
    /// faster.
    ///
    /// ```swift
    /// // While the user drags a slider, a frame near the position is sufficient.
    /// let tolerance = CMTime(value: 1, timescale: 2)
    /// player.seek(to: position, toleranceBefore: tolerance, toleranceAfter: tolerance)
    /// ```
    ///
    /// - Parameters:
    ///   - time: The target. Times before the start or after the end are clamped. For an invalid or indefinite time,
    ///     `completionHandler` is called with false immediately.
    ///   - toleranceBefore: The maximum time before `time`. An invalid or negative tolerance counts as zero.
    ///   - toleranceAfter: The maximum time after `time`. An invalid or negative tolerance counts as zero.
    ///   - completionHandler: Called once, on the main actor. The argument is true when the frame is displayed. It is
    ///     false if a later seek or another item replaces this seek, or if the player has no item or a failed one.
    public final func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: @escaping @MainActor @Sendable (Bool) -> Void = { _ in }
    ) {
        guard let item = current, item.opening.status != .failed, let target = MediaTime(time) else {
            return ObservationScope.callOut { completionHandler(false) }
        }
        prerolls.finish(false)
        var clamped = max(0, target)
        if let end = MediaTime(item.opening.duration) { clamped = min(clamped, end) }
        playhead.seekDidBegin()
        let id = registrar.withMutation(of: self, keyPath: \.isSeeking) {
            seeks.begin(to: clamped, completion: completionHandler)
        }
        if let device = external.device {
            return device.seek(to: clamped) { [weak self] in self?.seekFinished(id, $0) }
        }
        pipeline.seek(
            SeekRequest(
                id: id, target: clamped, toleranceBefore: max(0, MediaTime(toleranceBefore) ?? 0),
                toleranceAfter: max(0, MediaTime(toleranceAfter) ?? 0), entry: item.entry,
                // A paused player can stay at the end of a loop, so the pipeline must not begin the next pass there.
                holdsAtEnd: desiredRate == 0 && clamped >= MediaTime(item.opening.duration) ?? .max))
    }

    /// Seeks to a time between `time − toleranceBefore` and `time + toleranceAfter`. By default, the seek is exact.
    ///
    /// ```swift
    /// let isDisplayed = await player.seek(to: chapter.timeRange.start)
    /// if isDisplayed { player.play() }
    /// ```
    ///
    /// - Returns: Whether the frame is displayed. False if a later seek or another item replaces this seek, or if the
    ///   player has no item or a failed one. Also false if `time` is invalid or indefinite.
    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime = .zero, toleranceAfter: CMTime = .zero) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
                continuation.resume(returning: $0)
            }
        }
    }

    func step(by requestedCount: Int) {
        let count = PendingSeeks.limited(requestedCount)
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
        let shown = external.device == nil ? pipeline.currentFrameTime() : nil
        let from = shown ?? MediaTime(currentTime()) ?? 0
        // For one frame backward, the moment just before the current frame is exact at any frame rate.
        let target = left == -1 ? from.justBefore : from + left * frame + frame / 2
        let end = MediaTime(item.opening.duration) ?? .max
        seek(to: min(max(0, target), max(0, end - 1)).time) { [weak self] done in
            guard let self, done else { return }
            // Steps count from frame to frame, so the current time is the timestamp of the frame.
            seeks.didStep(to: external.device == nil ? pipeline.currentFrameTime() : nil)
        }
    }

    // MARK: Pipeline events

    /// The events that have been taken from the pipeline and are not handled yet. A handler can cause a nested call of
    /// `handleEvents()`, which handles the remaining events first.
    private var events: [PipelineEvent] = []
    /// Handles all events that the pipeline has reported so far, in order.
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
            if item === current { item.failurePosition = failurePosition }
            item.failed(error)
            if item === current { prerolls.finish(false) }
            pipeline.abandon(entry)
            if settings.actionAtItemEnd == .advance {
                // A queue skips an item that fails.
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
            checkPrerolls()
        case .seekFinished(let id, let completed): seekFinished(id, completed)
        case .audio(.interruptionBegan), .audio(.interruptionEnded):
            // The interruption concerns the local audio, which is silent during external playback.
            if external.device != nil, !interruption.isActive { break }
            if case .audio(.interruptionEnded(let resumes)) = event {
                interruptionEnded(resumes: resumes)
            } else {
                interruptionBegan()
            }
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
        let completion = seeks.isNewest(id) ? endSeek { seeks.finish(id) } : seeks.finish(id)
        guard let completion else { return }
        if completed {
            playhead.seekDidFinish()
            notifyTimeJumped()
        }
        completion(completed)
        let steps = seeks.takeSteps()
        if completed { step(by: steps) }
        timePassed()
    }

    /// Calls the completion handlers of all pending seeks with false. The device that plays from now on does not carry
    /// out these seeks.
    func abandonSeeks() {
        let completions = endSeek { seeks.abandon() }
        ObservationScope.callOut { for completion in completions { completion(false) } }
    }

    private func interruptionBegan() {
        keyPathObservers.performChanges {
            // The server reports the end of a phone call only to clients that paused themselves.
            let playing = desiredRate
            rateChangeReason = .audioSessionInterrupted
            if playing > 0 { pause() }
            rateChangeReason = .setRateCalled
            change(\.isInterrupted) { interruption.begin(at: playing) }
        }
        AVAudioSession.sharedInstance().interruption(.began, of: ObjectIdentifier(relay))
    }

    private func interruptionEnded(resumes: Bool) {
        let resumed = resumes ? interruption.resumingRate : nil
        keyPathObservers.performChanges {
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
        keyPathObservers.afterChanges { [weak self] in
            guard let self else { return }
            playhead.report(MediaTime(currentTime()) ?? 0)
        }
    }

    private var progress: TimeControl.Progress {
        if let device = external.device { return device.isPlaying ? .advancing : .preparing }
        // The pipeline can run before its `.opened` event is handled. Until then, the item is not ready, and the player
        // does not count as playing.
        if pipeline.isRunning, current?.opening.status == .readyToPlay { return .advancing }
        return pipeline.waitReason == .data ? .waitingForData : .preparing
    }
}

/// A relay that forwards events from the pipeline's threads to the main actor, in order. It also wakes the player when
/// time observers are due.
@MainActor
final class PipelineRelay {
    weak var player: AVPlayer?
    private(set) lazy var scheduler = TimeScheduler { [weak self] in self?.player?.timePassed() }

    nonisolated init() {}

    nonisolated func eventsPending() { Task { @MainActor in player?.handleEvents() } }
}
