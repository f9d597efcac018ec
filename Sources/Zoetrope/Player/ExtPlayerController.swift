import Foundation
import MediaCore
import MediaEngine
import Overlays

/// The player behind an `ExtVideoPlayer`: takes settings and commands, tells time, events and errors.
///
/// Main actor; every callback comes on it. Three threads and whatever a video needs live until `close()`,
/// at the latest until this is released.
///
/// State that commands set (mute, loop, volume, speed, picture) outlives a change of the source; a setting
/// takes effect when it changes, not each time settings are applied.
@MainActor @preconcurrency
public final class ExtPlayerController {
    /// The engine's player, for a view to show. It plays one item at a time and stands on its last picture.
    public let player: AVQueuePlayer
    /// The settings applied last; nil before any were.
    public private(set) var settings: VideoSettings?
    /// `close()` was called: nothing has an effect any more.
    public private(set) var isClosed = false

    /// The last settings that were no error: what a change is a change from.
    private var carriedOut: VideoSettings?
    private var lastCommand: PlaybackCommand?
    private let reports: EventReports
    private let time: TimePublisher
    private let watch: ItemWatch
    private let transport: Transport
    private let screen: ScreenState
    private let pictures: PictureState
    let list: SourceQueue
    let preloads = PreloadedItems()
    let tracks: TrackChoice
    let subtitleChoice: SubtitleChoice

    // MARK: life

    /// Plays sound by the user's own audio server; nothing is open until settings are applied.
    public convenience init() { self.init(audioServer: nil) }

    /// - Parameter audioServer: as libpulse's server string; nil for the user's own.
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
        pictures = PictureState(below: subtitleChoice.overlay)
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
        list.onMove = { [weak self] in self?.moved() }
        list.onError = { [weak self] in self?.post(.error($0)) }
        list.onWithdraw = { [weak self] in self?.withdrawn($0) }
        preloads.onShortage = { [weak self] in self?.dropPreloads() }
        subtitleChoice.onError = { [weak self] in self?.post(.error($0)) }
    }

    isolated deinit { close() }

    /// Stops for good: what is gathered of events is told, then threads are joined and decoder, file and sound
    /// are freed before this returns. Everything later is ignored. Safe to call twice.
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
        pictures.close()
        reports.close()
    }

    func post(_ event: PlayerEvent) { reports.post(event) }

    // MARK: settings

    /// Makes the player what `new` says. Equal settings change nothing.
    ///
    /// Another source is opened in place of the present one, and plays unless `NotAutoPlay()` is set. With the
    /// same source the player and its item stay, and whatever else differs is changed on them. Settings that
    /// cannot be carried out (one given twice, a source not found) set `error`, tell it as an event, and
    /// leave nothing playing.
    public func apply(settings new: VideoSettings) { withoutObservationTracking { carryOut(new) } }

    private func carryOut(_ new: VideoSettings) {
        guard !isClosed, new != settings else { return }
        // The settings are for the item that plays, which may have changed. Handlers of that change may do anything.
        player.noticeSeam()
        guard !isClosed, new != settings else { return }
        if new.timePublishing != settings?.timePublishing { time.publish(every: new.timePublishing) }
        settings = new
        subtitleChoice.use(new)
        reports.configure(filters: new.events, interval: new.eventsInterval)
        guard new.areUnique else { return refuse(.settingsNotUnique) }
        let old = carriedOut
        // What is open stays so, even if its file has gone meanwhile.
        let isSame =
            list.url != nil && new.isEqual(old) && new.playlist == old?.playlist && new.headers == old?.headers
            && new.cookies == old?.cookies
        do throws(VPErrors) {
            let start = isSame ? nil : try list.start(of: new, after: old)
            carriedOut = new
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
        if !new.vector { pictures.change { $0.removeAllVectors() } }
        if new.subtitles != old?.subtitles { subtitleChoice.reset() }
        if !new.pictureInPicture, old?.pictureInPicture == true { screen.stopFloating() }
        if !new.fullScreen, old?.fullScreen == true { screen.exitFullScreen() }
    }

    private func applyToList(_ new: VideoSettings, _ old: VideoSettings?, _ start: SourceQueue.Start?) {
        let isRequestedOtherwise = new.headers != old?.headers || new.cookies != old?.cookies
        if isRequestedOtherwise {
            // What was requested in another way is no longer it, nor what waits, which would be kept for later.
            list.withdrawNext()
            dropPreloads()
            subtitleChoice.forgetFile()
        }
        list.use(ext: new.ext)
        let hasOtherLoop =
            new.loop != old?.loop ?? false || new.loopRange != old?.loopRange || new.loopCount != old?.loopCount
        if hasOtherLoop { list.setLoop(new.loop, limit: new.loopCount, range: new.loopRange) }
        if let start {
            // What has failed does not go on by itself, now that something follows it.
            if start.url != list.url || isRequestedOtherwise || player.currentItem?.status == .failed {
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

    /// What could not be played, or not be found, is tried once more, and plays.
    func retry() {
        guard !isClosed, error != nil, !withoutObservationTracking({ list.retry() }), let asked = settings else {
            return
        }
        settings = nil
        apply(settings: asked)
    }

    // MARK: commands

    /// Carries `command` out, unless it equals the last one and no `.idle` came between.
    public func perform(_ command: PlaybackCommand) { withoutObservationTracking { begin(command) } }

    private func begin(_ command: PlaybackCommand) {
        guard !isClosed else { return }
        if command == .idle {
            lastCommand = nil
            return
        }
        guard command != lastCommand else { return }
        // The command is for the item that plays, which may have changed. Handlers of that change may do anything.
        player.noticeSeam()
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
        case .brightness(let value): pictures.change { $0.brightness = value }
        case .contrast(let value): pictures.change { $0.contrast = value }
        case .filter(let filter, let clear): pictures.change { $0.add(filter, clear: clear) }
        case .removeAllFilters: pictures.change { $0.removeAllFilters() }
        case .addVector(let builder, let clear):
            if settings?.vector == true { pictures.change { $0.add(builder, clear: clear) } }
        case .removeAllVectors: pictures.change { $0.removeAllVectors() }
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

    /// Another source has become the current one.
    private func moved() {
        transport.interrupt()
        subtitleChoice.reset()
        reports.error = nil
        updatePreloads()
        subtitleChoice.show()
    }

    /// An item that waited is kept, if it was preloaded and may play later.
    private func withdrawn(_ item: AVPlayerItem) {
        if let carriedOut, carriedOut.preloadAhead > 0 || !carriedOut.preload.isEmpty, item.status == .unknown {
            preloads.keep(item)
        }
    }

    /// Brings what is kept ready in line with the settings and the place in the list.
    private func updatePreloads() {
        guard !isClosed, let settings = carriedOut else { return dropPreloads() }
        let ahead = min(max(0, settings.preloadAhead), PreloadedItems.maximum)
        var wanted: [URL] = []
        for name in list.following(ahead) + settings.preload where wanted.count < PreloadedItems.maximum {
            guard let url = list.url(of: name), !wanted.contains(url), url != list.url else { continue }
            wanted.append(url)
        }
        preloads.update(wanted, next: list.next, make: makeItem)
    }

    /// Lets go of all; they are made ready again when the list, the place in it or the settings change.
    func dropPreloads() {
        list.next?.cancelPreload()
        preloads.removeAll()
    }
}

// MARK: state

extension ExtPlayerController {
    /// What is done to the pictures and what lies over them, for the views that show the player.
    public var composition: PictureComposition { pictures.composition }
    /// What the source's name stood for; nil when nothing is open.
    public var sourceURL: URL? { list.url }
    /// Why there is no video; nil while nothing stands in its way. Refused commands are events only.
    public var error: VPErrors? { reports.error }
    /// `error` as a text for a user, with the engine's reason where it has one.
    public var errorText: String? { error?.description }
    /// What is done to every picture; kept when the source changes.
    public var picture: PictureSettings { pictures.settings }
    /// Which subtitles are wanted; `.automatic` again with each new source.
    public var subtitles: SubtitleSelection { subtitleChoice.selection }
    /// Whether the video starts again at its end, as set by the setting `Loop` and by commands. It stays true after
    /// `Loop(count:)` has ended: another source loops that many times again.
    public var isLooping: Bool { list.isLooping }
    /// What plays one after the other: the playlist, or the one source alone.
    public var sources: [String] { list.sources }
    /// Which of `sources` plays.
    public var currentIndex: Int { list.index }
    /// The number of times the current item has started again.
    public var loopCount: Int { player.currentItem?.loopCount ?? 0 }
    /// The video's place, points, as the view told last; nil before. Never empty.
    public var bounds: CGRect? { pictures.bounds }
    /// The picture floats, as the view told last.
    public var isPictureInPictureActive: Bool { screen.isFloating }
    /// The video fills the screen, as the view told last.
    public var isFullScreenActive: Bool { screen.isFullScreen }

    // MARK: from the view

    /// Says where the video is now, points. An empty, infinite or unchanged rectangle is ignored.
    public func boundsChanged(_ rect: CGRect) {
        guard !isClosed, pictures.resize(to: rect) else { return }
        post(.boundsChanged(CGRect(origin: .zero, size: rect.size)))
    }

    /// Says that the picture floats now, or does no longer.
    public func pictureInPictureChanged(_ isActive: Bool) { if !isClosed { screen.floatingChanged(isActive) } }

    /// Says that the video fills the screen now, or does no longer.
    public func fullScreenChanged(_ isActive: Bool) { if !isClosed { screen.fullScreenChanged(isActive) } }
}

// MARK: events

extension ExtPlayerController {
    /// Events in batches, in order; which and how often say `VideoSettings.events` and `.eventsInterval`.
    public var onEvents: (([PlayerEvent]) -> Void)? {
        get { reports.onEvents }
        set { reports.onEvents = newValue }
    }
    /// Seconds of the current item, as often as `VideoSettings.timePublishing` says.
    public var onTime: ((Double) -> Void)? {
        get { time.onTime }
        set { time.onTime = newValue }
    }
    /// After each change of `error`.
    public var onErrorChange: ((VPErrors?) -> Void)? {
        get { reports.onErrorChange }
        set { reports.onErrorChange = newValue }
    }
    /// After each change of `picture`.
    public var onPictureChange: ((PictureSettings) -> Void)? {
        get { pictures.onChange }
        set { pictures.onChange = newValue }
    }
    /// After each change of `subtitles`.
    public var onSubtitlesChange: ((SubtitleSelection) -> Void)? {
        get { subtitleChoice.onChange }
        set { subtitleChoice.onChange = newValue }
    }
    /// Set by a view that can float its picture: called with true to start and false to stop. When it has, it
    /// says so by `pictureInPictureChanged(_:)`. Nil: commands about it are answered by `notSupportedPiP`.
    public var onPictureInPicture: ((Bool) -> Void)? {
        get { screen.onPictureInPicture }
        set { screen.onPictureInPicture = newValue }
    }
    /// Set by a view that can fill the screen: called with true to do so and false to go back. When it has, it says so
    /// by `fullScreenChanged(_:)`. Nil: commands about it have no effect.
    public var onFullScreen: ((Bool) -> Void)? {
        get { screen.onFullScreen }
        set { screen.onFullScreen = newValue }
    }
}
