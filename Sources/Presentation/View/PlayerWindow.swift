import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine
import PlayerControls

/// A GTK window that shows one player or several players in a grid, with common keyboard shortcuts.
///
/// ```swift
/// let player = AVPlayer(url: film)
/// let window = try PlayerWindow(player: player, title: film.lastPathComponent)
/// window.onClose = { MainLoop.quit() }
/// window.present()
/// player.play()
/// MainLoop.run()
/// ```
/// The keys are those of `KeyMap.window`: Space plays and pauses, ← and → seek by 5 s (with Shift 1 s, with Ctrl 1
/// min). ↑ and ↓ change the volume, M mutes, F toggles full screen, L toggles looping, Q closes the window.
@MainActor @preconcurrency
public final class PlayerWindow {
    /// The window, for GTK code of an app. GTK owns it and frees it when it is closed. Do not use it after that.
    public let window: GTKWindow
    /// The players, in the order of the grid. They belong to the app and are not paused when the window closes.
    public let players: [AVPlayer]
    /// The views of the players, in the same order. Empty after the window was closed.
    public var views: [PlayerView] { wall.views }
    private let wall: VideoWall
    private let layers: WindowLayers
    private let opening: WindowOpening
    private let keys: PlayerKeys
    private let audioCard: AudioCard?
    private var monitors: [WindowItemMonitor] = []
    private let signals = Signals()
    private var isClosed = false
    package var isFullscreen: Bool { !isClosed && WindowFullScreen.of(window).isOn }

    /// Called for every displayed frame with its host time.
    package var onPresent: ((HostTime) -> Void)? {
        get { wall.onPresent }
        set { wall.onPresent = newValue }
    }
    /// Called when the user has closed the window.
    public var onClose: (() -> Void)?
    /// Called for each press and release of a key before `onKey`, with the controller that reports it. Returns whether a
    /// press was handled.
    package var onKeyFirst: ((_ keys: GTKKeyController, _ key: UInt32, _ isPress: Bool) -> Bool)?
    /// Called for every key instead of the window's own keys, except while a menu is open. Returns whether the key was
    /// handled.
    ///
    /// The parameters are the key symbol (gdkkeysyms.h), the modifiers, and whether the key is being held.
    package var onKey: ((_ key: UInt32, _ state: UInt32, _ isRepeat: Bool) -> Bool)?
    /// The name of the video, for the desktop and for assistive technologies.
    public var title: String {
        didSet {
            guard title != oldValue, !isClosed else { return }
            window.setTitle(title)
            wall.setTitle(title)
        }
    }

    /// Creates a window that shows several players in a grid.
    ///
    /// ```swift
    /// let players = cameras.map { AVPlayer(url: $0) }
    /// let window = try PlayerWindow(players: players, title: "Cameras")
    /// window.present(fullscreen: true)
    /// for player in players { player.play() }
    /// ```
    /// By default, the grid has space for every video in the size of the first one. The whole grid is at most 1280×720
    /// and at least 160×90 points. For one audio item, the default size fits the artwork and the title.
    /// - Parameters:
    ///   - players: The players.
    ///   - title: The name of the video.
    ///   - width: The width of the content in points, clamped to 1…16,000. Nil is the default width, or 640 if a height
    ///     is set.
    ///   - height: The height of the content in points, clamped to 1…16,000. Nil is the default height, or 360 if a
    ///     width is set.
    /// - Throws: `AVError.operationNotSupported` if there is no display, `.timedOut` if the display does not respond
    ///   within 10 s.
    public convenience init(players: [AVPlayer], title: String, width: Int? = nil, height: Int? = nil) throws {
        try self.init(players: players, title: title, width: width, height: height, bar: nil)
    }
    /// Creates a window with its own title bar.
    /// - Parameter bar: Returns a widget that replaces the title bar of the window manager or GTK. Called once GTK has
    ///   started, because the bar must be set before the window has a size.
    package init(
        players: [AVPlayer], title: String, width: Int?, height: Int?,
        bar: (@MainActor () -> GTKWidget?)?
    ) throws {
        guard GTKStart.ensure() else { throw GTKStart.problem }
        self.players = players
        self.title = title
        // Possible only after GTK has started.
        window = GTKWindow()
        MainLoop.attach()
        window.setTitle(title)
        window.setIcon("video-x-generic")
        if let bar = bar?() { window.setTitlebar(bar) }
        opening = WindowOpening(window, videos: players.count, width: width, height: height)
        wall = VideoWall(players, title: title)
        keys = PlayerKeys()
        audioCard = players.count == 1 ? AudioCard(title: title) : nil
        if let audioCard {
            let box = GTKBox(GTK_ORIENTATION_VERTICAL)
            box.addClass("zoetrope-player")
            box.append(wall.widget)
            box.append(audioCard.widget)
            layers = WindowLayers(over: box.widget)
        } else {
            layers = WindowLayers(over: wall.widget)
        }
        window.child = layers.widget
        layers.onCover = { [wall] in wall.setCovered($0) }
        keys.install(on: window.widget, picture: layers.widget, for: self)
        monitors = players.enumerated().map { index, player in
            WindowItemMonitor(player, reportsFailures: players.count == 1) { [weak self] in
                self?.handle($0, isFirst: index == 0)
            }
        }
        signals.on(window, "close-request") { [weak self] in self?.closedByUser() }
    }

    /// Creates a window that shows one player.
    ///
    /// See `init(players:title:width:height:)` for the size and the errors.
    /// - Parameters:
    ///   - player: The player.
    ///   - title: The name of the video.
    ///   - width: The width of the content in points, clamped to 1…16,000. Nil is the default width, or 640 if a height
    ///     is set.
    ///   - height: The height of the content in points, clamped to 1…16,000. Nil is the default height, or 360 if a
    ///     width is set.
    /// - Throws: `AVError.operationNotSupported` if there is no display, `.timedOut` if the display does not respond
    ///   within 10 s.
    public convenience init(player: AVPlayer, title: String, width: Int? = nil, height: Int? = nil) throws {
        try self.init(players: [player], title: title, width: width, height: height)
    }

    /// Adds controls over the videos, which appear when the pointer moves.
    /// - Parameters:
    ///   - widget: Returns the controls. Called when the pointer moves for the first time.
    ///   - moved: Called with true when the pointer moves in the window. Called with false if the pointer seemed to
    ///     leave the window and has returned to the same position.
    ///   - left: Called when the pointer leaves the window.
    package func addControls(
        _ widget: @escaping @MainActor () -> GTKWidget?,
        moved: @escaping @MainActor (_ isMotion: Bool) -> Void, left: @escaping @MainActor () -> Void
    ) {
        guard !isClosed else { return }
        keys.goFirst()
        layers.addControls(
            in: window, widget,
            moved: { [weak self] isMotion in if self?.isClosed == false { moved(isMotion) } }, left: left)
    }
    /// Adapts the window to visible or hidden controls.
    /// - Parameters:
    ///   - isSeen: Whether any control is visible.
    ///   - height: The height of the bar at the bottom, in points. Subtitles move above it.
    package func controlsAreSeen(_ isSeen: Bool, height: Double) {
        guard !isClosed else { return }
        wall.setCoveredBottom(isSeen ? height : 0)
        layers.controlsAreSeen(isSeen, height: height)
    }
    package func toggleFullscreen() { perform(.toggleFullScreen) }

    /// Shows a text over the video for a number of seconds.
    package func showMessage(_ text: String, seconds: Double = 1.5) {
        if !isClosed { layers.showMessage(text, seconds: seconds) }
    }
    /// Adds a widget over the video, in its natural size. The window owns the widget, which is hidden until `show` is
    /// called.
    package func addOverlay(_ widget: GTKWidget) { if !isClosed { layers.add(widget) } }
    /// Shows or hides a widget that was added over the video. While it is visible, GTK draws the video below it.
    package func show(_ isShown: Bool, overlay widget: GTKWidget) {
        guard !isClosed else { return }
        layers.show(isShown, widget)
    }
    /// The widget to which menus and controllers are added. Nil after the window was closed.
    package var surface: GTKWidget? { isClosed ? nil : layers.widget }
    /// Adds a listener for changes of full screen.
    package func onFullscreen(_ handler: @escaping @MainActor (Bool) -> Void) {
        if !isClosed { _ = WindowFullScreen.of(window).addListener(handler) }
    }

    /// Shows the window. Has no effect after the window was closed.
    ///
    /// If no size was set, the window appears when the size of the first video is known, at the latest after a second.
    /// In full screen, it appears at once.
    /// - Parameter fullscreen: Whether the window fills the screen.
    public func present(fullscreen: Bool = false) {
        guard !isClosed else { return }
        guard fullscreen else { return opening.present() }
        opening.takeUsualSize()
        setFullscreen(true)
        window.present()
    }

    /// Removes the videos and destroys the window. Does not call `onClose`, which is called only when the user closes
    /// the window. Further calls have no effect.
    public func close() {
        guard !isClosed else { return }
        end()
        window.destroy()
    }

    /// Ends like `close()`. GTK destroys the window after this method returns.
    private func closedByUser() {
        end()
        onClose?()
    }

    private func end() {
        isClosed = true
        signals.disconnect()
        wall.takePlayersOut()
        wall.removeViews()
        layers.close()
        opening.close()
        audioCard?.close()
        monitors = []
    }

    // MARK: size and errors

    private func handle(_ event: WindowItemMonitor.Event, isFirst: Bool) {
        switch event {
        // The first video determines the size of the window.
        case .expectsSize(let size): if isFirst { opening.adopt(size) }
        case .changed(let item): update(for: item)
        case .failed(let error): showError("\(error)")
        case .ready: layers.endSticky()
        case .tracksFailed(let text): showMessage(text, seconds: TrackFailures.seconds)
        }
    }

    private func update(for item: AVPlayerItem) {
        guard !isClosed, item.status == .readyToPlay, item === players.first?.currentItem else { return }
        guard item.isAudioOnly, let audioCard, let player = players.first else {
            audioCard?.hide()
            wall.isVisible = true
            return opening.adopt(item.presentationSize)
        }
        let cover = item.presentationSize
        wall.isVisible = cover.width > 0
        audioCard.show(item, of: player, belowCover: cover.width > 0)
        opening.take(audioCard.windowSize(cover: cover))
    }

    /// Shows an error over the video until another item is ready to play. With several players, this is an item that
    /// one of them takes after the error.
    ///
    /// A window that still waits for its size appears now. Has no effect after the window was closed.
    public func showError(_ message: String) {
        guard !isClosed else { return }
        opening.presentNow()
        layers.showMessage(PlayerWords.onScreen(message), seconds: nil)
        // The other videos of a grid may be about to become ready, which would hide the error at once.
        if players.count > 1 { for monitor in monitors { monitor.endsError = false } }
    }

    // MARK: actions of keys

    func setFullscreen(_ on: Bool) { WindowFullScreen.of(window).set(on) }

    package func perform(_ action: PlaybackAction) {
        guard !isClosed else { return }
        switch action {
        case .toggleFullScreen: setFullscreen(!isFullscreen)
        case .exitFullScreen: if isFullscreen { setFullscreen(false) }
        case .close: window.close()
        default: if let text = PlaybackControl(players).performWithMessage(action) { showMessage(text) }
        }
    }
}
