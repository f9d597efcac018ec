import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine
import PlayerControls

/// A GTK window that shows a player (or a wall of them), with the keys people expect.
///
/// The keys are those of `KeyMap.window`: Space plays and pauses, ← and → seek by 5 s (with Shift 1 s, with Ctrl 1 min), ↑
/// and ↓ change the volume, M mutes, F toggles full screen, L toggles looping, Q closes the window.
/// Main actor.
@MainActor @preconcurrency
public final class PlayerWindow {
    /// The window, for GTK code of one's own. GTK's, which keeps it until it is closed.
    public let window: GTKWindow
    /// One for each picture, in the order of the grid. The app's own: closing the window does not pause them.
    public let players: [AVPlayer]
    /// What shows them, in the same order; empty once the window is closed.
    public var views: [PlayerView] { wall.views }
    private let wall: VideoWall
    private let layers: WindowLayers
    private let opening: WindowOpening
    private let keys: PlayerKeys
    private let sound: SoundCard?
    private var watch: WindowWatch?
    private let signals = Signals()
    private var isClosed = false
    package var isFullscreen: Bool { WindowFullScreen.of(window).isOn }

    /// For every picture shown; host time.
    package var onPresent: ((HostTime) -> Void)? {
        get { wall.onPresent }
        set { wall.onPresent = newValue }
    }
    /// The user closed the window.
    public var onClose: (() -> Void)?
    /// The user asked to loop or not to; answers whether it loops now.
    public var onToggleLoop: (() -> Bool)?
    /// Takes every key in the place of the window's own: its symbol (gdkkeysyms.h), the modifiers; answers whether it
    /// was for us. Not while a menu is open.
    package var onKey: ((_ key: UInt32, _ state: UInt32) -> Bool)?
    /// What plays, for the desktop and for assistive technology.
    public var title: String {
        didSet {
            guard title != oldValue, !isClosed else { return }
            window.setTitle(title)
            wall.setTitle(title)
        }
    }

    /// - Parameters:
    ///   - width: of what it shows, GTK units; default: the first picture's own size, at most 1280×720 and at least
    ///     160×90; of sound alone, a size fit for its cover and title.
    /// - Throws: `AVError` `.operationNotSupported` when there is no display, `.timedOut` when it does not answer for
    ///   10 s.
    public convenience init(players: [AVPlayer], title: String, width: Int? = nil, height: Int? = nil) throws {
        try self.init(players: players, title: title, width: width, height: height, bar: nil)
    }
    /// - Parameter bar: in the place of the bar that the window manager or GTK draws, which it must be before the window
    ///   has a size; asked for once GTK has started.
    package init(
        players: [AVPlayer], title: String, width: Int?, height: Int?,
        bar: (@MainActor () -> GTKWidget?)?
    ) throws {
        guard GTKStart.ensure() else { throw GTKStart.problem }
        self.players = players
        self.title = title
        // Only now that GTK has started.
        window = GTKWindow()
        MainLoop.attach()
        window.setTitle(title)
        window.setIcon("video-x-generic")
        if let bar = bar?() { window.setTitlebar(bar) }
        opening = WindowOpening(window, videos: players.count, width: width, height: height)
        wall = VideoWall(players, title: title)
        keys = PlayerKeys()
        sound = players.count == 1 ? SoundCard(title: title) : nil
        if let sound {
            let box = GTKBox(GTK_ORIENTATION_VERTICAL)
            box.addClass("zoetrope-player")
            box.append(wall.widget)
            box.append(sound.widget)
            layers = WindowLayers(over: box.widget)
        } else {
            layers = WindowLayers(over: wall.widget)
        }
        window.child = layers.widget
        layers.onCover = { [wall] in wall.setCovered($0) }
        keys.install(on: window.widget, picture: layers.widget, for: self)
        watch = players.first.map { player in
            WindowWatch(player, tellsFailures: players.count == 1) { [weak self] in self?.heard($0) }
        }
        signals.on(window, "close-request") { [weak self] in self?.closedByUser() }
    }

    /// A window with one picture; see `init(players:title:width:height:)`.
    public convenience init(player: AVPlayer, title: String, width: Int? = nil, height: Int? = nil) throws {
        try self.init(players: [player], title: title, width: width, height: height)
    }

    /// Controls over the videos, which come with the pointer.
    /// - Parameters:
    ///   - widget: asked for when the pointer moves for the first time; kept.
    ///   - moved, left: what the pointer does in the window; false: it is back where it was, and had not really left.
    package func addControls(
        _ widget: @escaping @MainActor () -> GTKWidget?,
        moved: @escaping @MainActor (_ isMotion: Bool) -> Void, left: @escaping @MainActor () -> Void
    ) {
        keys.goFirst()
        layers.addControls(
            in: window, widget,
            moved: { [weak self] isMotion in if self?.isClosed == false { moved(isMotion) } }, left: left)
    }
    /// Some of them are seen, or none.
    /// - Parameter height: of the bar at the bottom, points: subtitles move above it.
    package func controlsAreSeen(_ isSeen: Bool, height: Double) {
        wall.setCoveredBottom(isSeen ? height : 0)
        layers.controlsAreSeen(isSeen, height: height)
    }
    package func toggleFullscreen() { perform(.toggleFullScreen) }

    /// Says something over the video for a moment.
    /// - Parameter seconds: for how long.
    package func say(_ words: String, seconds: Double = 1.5) { if !isClosed { layers.say(words, seconds: seconds) } }
    /// Lays a widget over the video, as large as it wants to be; the window's from then on. It is seen when it is shown
    /// (`show`).
    package func addOverlay(_ widget: GTKWidget) { layers.add(widget) }
    /// Shows or hides what was laid over the video. While it is seen the video is drawn below it.
    package func show(_ isShown: Bool, overlay widget: GTKWidget) {
        guard !isClosed else { return }
        layers.show(isShown, widget)
    }
    /// What menus and controllers are put on; nil once it is closed.
    package var surface: GTKWidget? { isClosed ? nil : layers.widget }
    /// The window fills the screen, or does so no more.
    package func onFullscreen(_ told: @escaping @MainActor (Bool) -> Void) {
        _ = WindowFullScreen.of(window).addListener(told)
    }

    /// Shows the window.
    public func present(fullscreen: Bool = false) {
        guard fullscreen else { return opening.present() }
        opening.takeUsualSize()
        setFullscreen(true)
        window.present()
    }

    /// Takes the pictures out and destroys the window; the second time nothing happens. `onClose` is not called: that
    /// is for the user's closing.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        stop()
        wall.removeViews()
        signals.disconnect()
        window.destroy()
    }

    private func closedByUser() {
        stop()
        isClosed = true
        onClose?()
    }

    private func stop() {
        wall.takePlayersOut()
        layers.removePointer()
        opening.close()
        sound?.close()
        watch = nil
    }

    // MARK: size and errors

    private func heard(_ news: WindowWatch.News) {
        switch news {
        case .expectsSize(let size): opening.adopt(size)
        case .changed(let item): look(at: item)
        case .failed(let error): showError("\(error)")
        case .ready: layers.endSticky()
        case .tracksFailed(let text): say(text, seconds: TrackFailures.seconds)
        }
    }

    private func look(at item: AVPlayerItem) {
        guard !isClosed, item.status == .readyToPlay, item === players.first?.currentItem else { return }
        guard item.isSoundOnly, let sound, let player = players.first else {
            sound?.hide()
            wall.isVisible = true
            return opening.adopt(item.presentationSize)
        }
        let cover = item.presentationSize
        wall.isVisible = cover.width > 0
        sound.show(item, of: player, belowCover: cover.width > 0)
        opening.take(sound.windowSize(cover: cover))
    }

    /// Says over the video what went wrong, until something else plays.
    public func showError(_ message: String) {
        opening.presentNow()
        layers.say(PlayerWords.onScreen(message), seconds: nil)
    }

    // MARK: what keys do

    func setFullscreen(_ on: Bool) {
        // Not yet on the screen: it opens so.
        if on, !window.isMapped { return window.setFullScreen(true) }
        WindowFullScreen.of(window).set(on)
    }

    package func perform(_ action: PlaybackAction) {
        switch action {
        case .toggleFullScreen: setFullscreen(!isFullscreen)
        case .exitFullScreen: if isFullscreen { setFullscreen(false) }
        case .toggleLoop:
            if let loops = onToggleLoop?() { say(PlayerWords.localized(loops ? "Loop on" : "Loop off")) }
        case .close: window.close()
        default: if let words = PlaybackControl(players).performWithMessage(action) { say(words) }
        }
    }
}
