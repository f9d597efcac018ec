import Foundation
import MediaCore
import MediaEngine
import Overlays

/// The controller of an `ExtVideoPlayer`'s player. It receives settings and commands, and reports the time, events and
/// errors.
///
/// All callbacks are called on the main actor. The controller's three threads and the resources of a video exist until
/// `close()` is called or the controller is released.
///
/// Mute, loop, volume, speed, brightness, contrast, filters and vector layers stay as a command has set them, even if
/// the source changes. A setting takes effect when it changes, not each time that settings are applied.
@MainActor @preconcurrency
public final class ExtPlayerController {
    /// The player, for a view to display. It plays one item at a time and keeps the last frame visible.
    public let player: AVQueuePlayer
    /// The settings that were applied last; nil before the first ones.
    public private(set) var settings: VideoSettings?
    /// Whether `close()` was called. After that nothing has an effect.
    public private(set) var isClosed = false

    /// The last settings without an error. New settings are compared with them.
    private var appliedSettings: VideoSettings?
    private var lastCommand: PlaybackCommand?
    private let reports: EventReports
    private let time: TimePublisher
    private let watch: ItemWatch
    private let transport: Transport
    private let screen: ScreenState
    private let frames: FrameState
    let list: SourceQueue
    let preloads = PreloadedItems()
    let tracks: TrackChoice
    let subtitleChoice: SubtitleChoice

    // MARK: lifetime

    /// Creates a controller that plays audio on the user's audio server. Nothing is opened before settings are applied.
    public convenience init() { self.init(audioServer: nil) }

    /// - Parameter audioServer: A server string of libpulse; nil for the user's audio server.
    package convenience init(audioServer: String?) {
        self.init(audioServer: audioServer, resolver: SourceResolver(), timer: .mainQueue)
    }

    init(audioServer: String?, resolver: SourceResolver, timer: BatchTimer) {
        player = AVQueuePlayer(title: "", audioServer: audioServer)
        player.actionAtItemEnd = .pause
        reports = EventReports(timer: timer)
        time = TimePublisher(player)
        watch = ItemWatch(player, reports)
        transport = Transport(player)
        screen = ScreenState(reports)
        list = SourceQueue(player, resolver)
        tracks = TrackChoice(player)
        subtitleChoice = SubtitleChoice(player, tracks, resolver)
        frames = FrameState(below: subtitleChoice.overlay)
        connect()
    }

    private func connect() {
        composition.onProblem = { [weak self] in self?.post(.error(.filterError($0))) }
        watch.onItem = { [weak self] in
            self?.tracks.cancel()
            self?.list.noticeMove()
        }
        watch.onReady = { [weak self] in self?.list.didOpen() }
        watch.onFailure = { [weak self] in self?.list.didFail() }
        watch.isLast = { [weak self] in self.map { !$0.list.isLooping || $0.list.next == nil } ?? true }
        transport.start = { [weak self] in self?.list.loopStart ?? .zero }
        transport.onSeek = { [weak self] done in
            guard let self else { return }
            post(.seek(done, currentTime: player.currentTime().seconds))
        }
        list.makeItem = { [weak self] in self?.makeItem($0) ?? AVPlayerItem(url: $0) }
        list.onMove = { [weak self] in self?.sourceDidChange() }
        list.onError = { [weak self] in self?.post(.error($0)) }
        list.onWithdraw = { [weak self] in self?.keepIfPreloaded($0) }
        preloads.onShortage = { [weak self] in self?.dropPreloads() }
        subtitleChoice.onError = { [weak self] in self?.post(.error($0)) }
    }

    isolated deinit { close() }

    /// Closes the player for good, and ignores all later calls. A second call has no effect.
    ///
    /// Before this method returns, it delivers the collected events, ends the threads, and frees the decoder, the file
    /// and the audio.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        watch.close()
        tracks.cancel()
        subtitleChoice.close()
        transport.interrupt()
        time.publish(every: nil)
        dropPreloads()
        preloads.close()
        list.clear()
        player.removeAllItems()
        player.close()
        frames.close()
        reports.close()
    }

    func post(_ event: PlayerEvent) { reports.post(event) }

    // MARK: settings

    /// Changes the player to match `new`. Settings that equal the current ones change nothing.
    ///
    /// If the source is another one, it replaces the current one, and plays unless `NotAutoPlay()` is set. The same
    /// source is opened again in this way if its headers or cookies have changed, or if it has failed and its name, its
    /// extension or the playlist has changed. Otherwise the player and its item stay, and all other differences are
    /// applied to them.
    ///
    /// If a setting is given twice, or if neither the source nor a later one of the playlist is found, `error` is set
    /// and reported as an event, and playback stops.
    public func apply(settings new: VideoSettings) { withoutObservationTracking { apply(new) } }

    private func apply(_ new: VideoSettings) {
        guard !isClosed, new != settings else { return }
        // The settings apply to the item that plays, which may have changed. Handlers of that change may call any
        // method, so the checks are repeated.
        player.followPipeline()
        guard !isClosed, new != settings else { return }
        if new.timePublishing != settings?.timePublishing { time.publish(every: new.timePublishing) }
        settings = new
        subtitleChoice.use(new)
        reports.configure(filters: new.events, interval: new.eventsInterval)
        guard new.areUnique else { return refuse(.settingsNotUnique) }
        let old = appliedSettings
        // An open source stays open, even if its file has been deleted.
        let isSame =
            list.url != nil && new.isEqual(old) && new.playlist == old?.playlist && new.headers == old?.headers
            && new.cookies == old?.cookies
        do throws(VPErrors) {
            let start = isSame ? nil : try list.start(of: new, after: old)
            appliedSettings = new
            applyToPlayer(new, old)
            applyToList(new, old, start)
            updatePreloads()
            for item in player.items() + preloads.items { new.prefer(item) }
            if new.subtitles != old?.subtitles || new.subtitleStyle != old?.subtitleStyle { subtitleChoice.show() }
        } catch {
            refuse(error)
        }
    }

    private func applyToPlayer(_ new: VideoSettings, _ old: VideoSettings?) {
        if new.mute != old?.mute ?? false { player.isMuted = new.mute }
        if new.loudness != old?.loudness ?? .asRecorded { player.loudness = new.loudness }
        if new.nowPlayingOff != old?.nowPlayingOff ?? false {
            player.updatesNowPlayingInfoCenter = !new.nowPlayingOff
        }
        if new.crossfade != old?.crossfade ?? 0 { player.crossfadeDuration = new.crossfade }
        if !new.vector { frames.change { $0.removeAllVectors() } }
        if new.subtitles != old?.subtitles { subtitleChoice.reset() }
        if !new.pictureInPicture, old?.pictureInPicture == true { screen.stopFloating() }
        if !new.fullScreen, old?.fullScreen == true { screen.exitFullScreen() }
    }

    private func applyToList(_ new: VideoSettings, _ old: VideoSettings?, _ start: SourceQueue.Start?) {
        let requestsDiffer = new.headers != old?.headers || new.cookies != old?.cookies
        if requestsDiffer {
            // Items that were requested with other headers or cookies are not reused, nor is the item that waits in the
            // queue.
            list.withdrawNext()
            dropPreloads()
            subtitleChoice.forgetFile()
        }
        list.use(ext: new.ext)
        let hasOtherLoop =
            new.loop != old?.loop ?? false || new.loopRange != old?.loopRange || new.loopCount != old?.loopCount
        if hasOtherLoop { list.setLoop(new.loop, limit: new.loopCount, range: new.loopRange) }
        if let start {
            // A failed item does not continue by itself, even though another source now follows it.
            if start.url != list.url || requestsDiffer || player.currentItem?.status == .failed {
                list.open(start, plays: !new.notAutoPlay)
            } else {
                list.rearrange(start, hasOtherLoop: hasOtherLoop)
            }
        } else if hasOtherLoop {
            list.restartLoop()
        }
    }

    private func refuse(_ reason: VPErrors) {
        if player.currentItem != nil { transport.pause() }
        list.clear()
        reports.fail(reason)
    }

    /// Opens the source again after an error, and plays it from the position at which it failed. If nothing is open,
    /// applies the settings again instead.
    func retry() {
        guard !isClosed, error != nil, !withoutObservationTracking({ list.retry() }), let lastSettings = settings else {
            return
        }
        settings = nil
        apply(settings: lastSettings)
    }

    // MARK: commands

    /// Carries out `command`, unless it equals the last one and no `.idle` was sent in between.
    public func perform(_ command: PlaybackCommand) { withoutObservationTracking { begin(command) } }

    private func begin(_ command: PlaybackCommand) {
        guard !isClosed else { return }
        if command == .idle {
            lastCommand = nil
            return
        }
        guard command != lastCommand else { return }
        // The command applies to the item that plays, which may have changed. Handlers of that change may call any
        // method, so the check is repeated.
        player.followPipeline()
        guard !isClosed else { return }
        lastCommand = command.snapshot
        execute(command)
    }

    private func execute(_ command: PlaybackCommand) {
        switch command {
        case .idle: break
        case .play: play()
        case .pause: pause()
        case .seek(let seconds, let plays):
            transport.seek(to: CMTime(seconds: seconds, preferredTimescale: 1_000_000_000), thenPlay: plays)
        case .begin: transport.seekToStart()
        case .end: transport.seekToEnd()
        case .mute: player.isMuted = true
        case .unmute: player.isMuted = false
        case .volume(let volume): player.volume = volume
        case .playbackSpeed(let speed): transport.setSpeed(speed)
        case .loop: list.loop(true)
        case .unloop: list.loop(false)
        case .startPiP: if settings?.pictureInPicture == true { screen.startFloating() }
        case .stopPiP: if settings?.pictureInPicture == true { screen.stopFloating() }
        case .enterFullScreen: if settings?.fullScreen == true { screen.enterFullScreen() }
        case .exitFullScreen: if settings?.fullScreen == true { screen.exitFullScreen() }
        case .brightness(let value): frames.change { $0.brightness = value }
        case .contrast(let value): frames.change { $0.contrast = value }
        case .filter(let filter, let clear): frames.change { $0.add(filter, clear: clear) }
        case .removeAllFilters: frames.change { $0.removeAllFilters() }
        case .addVector(let builder, let clear):
            if settings?.vector == true { frames.change { $0.add(builder, clear: clear) } }
        case .removeAllVectors: frames.change { $0.removeAllVectors() }
        case .audioTrack(let language): tracks.choose(.audible, language: language)
        case .subtitles(let language): subtitleChoice.choose(language)
        case .next: list.step(by: 1)
        case .previous: list.step(by: -1)
        case .jump(let index): list.jump(to: index)
        case .batch(let commands): for command in commands { execute(command) }
        }
    }

    func play() { transport.play() }
    func pause() { transport.pause() }

    // MARK: items

    private func makeItem(_ url: URL) -> AVPlayerItem {
        preloads.take(url) ?? settings?.makeItem(url) ?? AVPlayerItem(url: url)
    }

    /// Called when another source has become the current one.
    private func sourceDidChange() {
        transport.interrupt()
        subtitleChoice.reset()
        reports.error = nil
        updatePreloads()
        subtitleChoice.show()
    }

    /// Keeps an item that was removed from the queue, if it was preloaded and may play later.
    private func keepIfPreloaded(_ item: AVPlayerItem) {
        if let appliedSettings, appliedSettings.preloadAhead > 0 || !appliedSettings.preload.isEmpty,
            item.status == .unknown
        {
            preloads.keep(item)
        }
    }

    /// Preloads the sources that the settings and the position in the list require, and releases the others.
    private func updatePreloads() {
        guard !isClosed, let settings = appliedSettings else { return dropPreloads() }
        let ahead = min(max(0, settings.preloadAhead), PreloadedItems.maximum)
        var requestedURLs: [URL] = []
        for name in list.following(ahead) + settings.preload where requestedURLs.count < PreloadedItems.maximum {
            guard let url = list.url(of: name), !requestedURLs.contains(url), url != list.url else { continue }
            requestedURLs.append(url)
        }
        preloads.update(requestedURLs, next: list.next, make: makeItem)
    }

    /// Releases all preloaded items. They are preloaded again when the list, the position in it or the settings change.
    func dropPreloads() {
        list.next?.cancelPreload()
        preloads.removeAll()
    }
}

// MARK: state

extension ExtPlayerController {
    /// The filters and overlays of the frames, for the views that display the player.
    public var composition: PictureComposition { frames.composition }
    /// The URL of the current source; nil if nothing is open.
    public var sourceURL: URL? { list.url }
    /// The reason why there is no video; nil while the video can be played. Commands that fail are reported as events
    /// only.
    public var error: VPErrors? { reports.error }
    /// The error as a text for the user, with the player's reason if it is known; nil without an error.
    public var errorText: String? { error?.description }
    /// The settings that are applied to each frame. They stay when the source changes.
    public var picture: PictureSettings { frames.settings }
    /// The requested subtitles; `.automatic` again with each new source.
    public var subtitles: SubtitleSelection { subtitleChoice.selection }
    /// Whether the video starts again at its end, as set by the setting `Loop` and by commands. It stays true after
    /// `Loop(count:)` has ended: another source loops that many times again.
    public var isLooping: Bool { list.isLooping }
    /// The sources that play one after the other: the playlist, or the single source.
    public var sources: [String] { list.sources }
    /// The index of the current source in `sources`; 0 if there are none.
    public var currentIndex: Int { list.index }
    /// The number of completed passes of the current item; 0 in its first pass, and without an item.
    public var loopCount: Int { player.currentItem?.loopCount ?? 0 }
    /// The frame of the video in its window, in points, as the view last reported it; nil before that. Never empty.
    public var bounds: CGRect? { frames.bounds }
    /// Whether the video is shown in Picture in Picture, as the view last reported it.
    public var isPictureInPictureActive: Bool { screen.isFloating }
    /// Whether the video fills the screen, as the view last reported it.
    public var isFullScreenActive: Bool { screen.isFullScreen }

    // MARK: reports of the view

    /// Reports the frame of the video in its window, in points. An empty, infinite or unchanged rectangle is ignored.
    public func boundsChanged(_ rect: CGRect) {
        guard !isClosed, frames.resize(to: rect) else { return }
        post(.boundsChanged(CGRect(origin: .zero, size: rect.size)))
    }

    /// Reports whether Picture in Picture is active now.
    public func pictureInPictureChanged(_ isActive: Bool) { if !isClosed { screen.floatingChanged(isActive) } }

    /// Reports whether the video fills the screen now.
    public func fullScreenChanged(_ isActive: Bool) { if !isClosed { screen.fullScreenChanged(isActive) } }
}

// MARK: events

extension ExtPlayerController {
    /// Called with events in batches, in order. `VideoSettings.events` selects the events, and
    /// `VideoSettings.eventsInterval` sets how often they are delivered.
    public var onEvents: (([PlayerEvent]) -> Void)? {
        get { reports.onEvents }
        set { reports.onEvents = newValue }
    }
    /// Called with the time of the current item in seconds, at the interval `VideoSettings.timePublishing`.
    public var onTime: ((Double) -> Void)? {
        get { time.onTime }
        set { time.onTime = newValue }
    }
    /// Called after each change of `error`.
    public var onErrorChange: ((VPErrors?) -> Void)? {
        get { reports.onErrorChange }
        set { reports.onErrorChange = newValue }
    }
    /// Called after each change of `picture`.
    public var onPictureChange: ((PictureSettings) -> Void)? {
        get { frames.onChange }
        set { frames.onChange = newValue }
    }
    /// Called after each change of `subtitles`.
    public var onSubtitlesChange: ((SubtitleSelection) -> Void)? {
        get { subtitleChoice.onChange }
        set { subtitleChoice.onChange = newValue }
    }
    /// Called with true to start Picture in Picture, and with false to end it. A view that supports it sets this
    /// property.
    ///
    /// When the change is complete, the view calls `pictureInPictureChanged(_:)`. If the property is nil, the command
    /// `startPiP` is answered with the error `notSupportedPiP`.
    public var onPictureInPicture: ((Bool) -> Void)? {
        get { screen.onPictureInPicture }
        set { screen.onPictureInPicture = newValue }
    }
    /// Called with true to start full screen, and with false to end it. A view that supports it sets this property.
    ///
    /// When the change is complete, the view calls `fullScreenChanged(_:)`. If the property is nil, commands about full
    /// screen have no effect.
    public var onFullScreen: ((Bool) -> Void)? {
        get { screen.onFullScreen }
        set { screen.onFullScreen = newValue }
    }
}
