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
    public private(set) var views: [PlayerView] = []
    private let osd: OSD
    private let keys: PlayerKeys
    private let wall: GTKGrid
    private let sound: SoundCard?
    private let sizing: WindowSizing
    private let signals = Signals()
    package var isFullscreen: Bool { WindowFullScreen.of(window).isOn }
    private var hasSize: Bool
    /// Points; while the picture's own is not known.
    private static let usualSize = CGSize(width: 640, height: 360)
    private var observations: [NSKeyValueObservation] = []
    private let overlay: GTKOverlay
    private var controls: WindowPointer?
    /// What lies over the videos now.
    private var hasOSD = false, hasControls = false
    private func followCovers() {
        for view in views { view.isCovered = hasOSD || hasControls || !shownOverlays.isEmpty }
    }
    private var shownOverlays: Set<GTKWidget> = []

    /// For every picture shown; host time.
    package var onPresent: ((HostTime) -> Void)? { didSet { for view in views { view.onPresent = onPresent } } }
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
            for (index, view) in views.enumerated() {
                view.accessibilityLabel = views.count == 1 ? title : "\(title) \(index + 1)"
            }
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
        (window, wall, overlay) = (GTKWindow(), GTKGrid(), GTKOverlay())
        MainLoop.attach()
        window.setTitle(title)
        window.setIcon("video-x-generic")
        if let bar = bar?() { window.setTitlebar(bar) }
        hasSize = width != nil || height != nil
        sizing = WindowSizing(window)
        if hasSize {
            sizing.set(
                CGSize(
                    width: width ?? Int(PlayerWindow.usualSize.width),
                    height: height ?? Int(PlayerWindow.usualSize.height)))
        }

        osd = OSD()
        keys = PlayerKeys()
        let columns = Int(Double(players.count).squareRoot().rounded(.up))
        wall.makeHomogeneous()
        for (index, player) in players.enumerated() {
            guard let view = PlayerView() else { continue }
            // The window shows that text of a single video itself: its video may be hidden for its artwork.
            view.showsTrackFailures = players.count > 1
            view.player = player
            view.hidesPointer = .everywhere
            view.accessibilityLabel = players.count == 1 ? title : "\(title) \(index + 1)"
            views.append(view)
            wall.attach(
                view.widget, column: Int32(index % max(columns, 1)), row: Int32(index / max(columns, 1)))
        }
        sound = players.count == 1 ? SoundCard(title: title) : nil
        if let sound {
            let box = GTKBox(GTK_ORIENTATION_VERTICAL)
            box.addClass("zoetrope-player")
            box.append(wall)
            box.append(sound.widget)
            overlay.setChild(box)
        } else {
            overlay.setChild(wall)
        }
        overlay.addOverlay(osd.widget)
        window.child = overlay.widget
        // It may lie over any of a wall's videos.
        osd.onVisible = { [weak self] visible in
            self?.hasOSD = visible
            self?.followCovers()
        }
        keys.install(on: window.widget, picture: overlay.widget, for: self)
        followSize()
        followErrors()
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
        var isThere = false
        keys.goFirst()
        controls = WindowPointer(
            window.widget,
            moved: { [weak self] isMotion in
                guard let self, !isClosed else { return }
                if isMotion, !isThere, let widget = widget() {
                    isThere = true
                    overlay.addOverlay(widget)
                }
                moved(isMotion)
            }, left: left)
    }
    /// Some of them are seen, or none.
    /// - Parameter height: of the bar at the bottom, points: subtitles move above it.
    package func controlsAreSeen(_ isSeen: Bool, height: Double) {
        hasControls = isSeen
        // What is told for a moment stands above them.
        osd.widget.marginBottom = isSeen ? 72 : 24
        for view in views { view.coveredBottom = isSeen ? height : 0 }
        placePanels()
        followCovers()
    }
    package func toggleFullscreen() { perform(.toggleFullScreen) }

    /// Says something over the video for a moment.
    /// - Parameter seconds: for how long.
    package func say(_ words: String, seconds: Double = 1.5) { if !isClosed { osd.show(words, seconds: seconds) } }
    /// Lays a widget over the video, as large as it wants to be; the window's from then on. It is seen when it is shown
    /// (`show`).
    package func addOverlay(_ widget: GTKWidget) {
        widget.isVisible = false
        overlay.addOverlay(widget)
        panels.append((widget, widget.marginBottom))
        placePanels()
    }
    /// Keeps panels above the bar of controls. They are translucent: the bar would make their last lines illegible.
    private func placePanels() {
        let covered = Int32(saturating: views.first?.coveredBottom ?? 0)
        for (panel, margin) in panels { panel.marginBottom = max(margin, covered) }
    }
    /// What was laid over the video, and the margin that it has below.
    private var panels: [(widget: GTKWidget, margin: Int32)] = []
    /// Shows or hides what was laid over the video. While it is seen the video is drawn below it.
    package func show(_ isShown: Bool, overlay widget: GTKWidget) {
        guard !isClosed else { return }
        widget.isVisible = isShown
        if isShown { shownOverlays.insert(widget) } else { shownOverlays.remove(widget) }
        followCovers()
    }
    /// What menus and controllers are put on; nil once it is closed.
    package var surface: GTKWidget? { isClosed ? nil : overlay.widget }
    /// The window fills the screen, or does so no more.
    package func onFullscreen(_ told: @escaping @MainActor (Bool) -> Void) {
        _ = WindowFullScreen.of(window).addListener(told)
    }

    /// Shows the window.
    public func present(fullscreen: Bool = false) {
        if fullscreen {
            if !hasSize { sizing.set(PlayerWindow.usualSize) }
            setFullscreen(true)
        }
        guard !hasSize, !fullscreen else { return window.present() }
        // The picture's size is known in a moment; a window that opens right beats one that jumps. If it comes late (a
        // slow server), the window takes it then.
        isWaitingForSize = true
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
            MainActor.assumeIsolated { self?.presentNow() }
        }
    }
    private var isWaitingForSize = false

    private func presentNow() {
        guard isWaitingForSize, !isClosed else { return }
        isWaitingForSize = false
        if !hasSize { sizing.set(PlayerWindow.usualSize) }
        window.present()
    }

    /// Takes the pictures out and destroys the window; the second time nothing happens. `onClose` is not called: that
    /// is for the user's closing.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        for view in views { view.player = nil }
        views = []
        controls = nil
        sizing.close()
        sound?.close()
        trackFailures = nil
        signals.disconnect()
        window.destroy()
    }
    private var isClosed = false

    private func closedByUser() {
        for view in views { view.player = nil }
        controls = nil
        sizing.close()
        sound?.close()
        trackFailures = nil
        isClosed = true
        onClose?()
    }

    // MARK: size and errors

    /// Takes the first picture's own size, within 1280×720, unless a size was given.
    private func followSize() {
        guard let player = players.first else { return }
        observations.append(
            player.observe(\.currentItem, options: [.initial]) { [weak self] player, _ in
                guard let self else { return }
                itemObservations = []
                guard let item = player.currentItem else { return }
                itemObservations.append(
                    item.observe(\.expectedSize, options: [.initial]) { [weak self] item, _ in
                        self?.adopt(item.expectedSize)
                    })
                // The size is told before it is known whether it is a cover's.
                for change in [
                    item.observe(
                        \.presentationSize, options: [.initial],
                        changeHandler: { [weak self] item, _ in self?.look(at: item) }),
                    item.observe(
                        \.status, options: [.initial], changeHandler: { [weak self] item, _ in self?.look(at: item) }),
                ] {
                    itemObservations.append(change)
                }
            })
    }
    private var itemObservations: [NSKeyValueObservation] = []

    private func look(at item: AVPlayerItem) {
        guard !isClosed, item.status == .readyToPlay, item === players.first?.currentItem else { return }
        guard item.isSoundOnly, let sound, let player = players.first else {
            sound?.hide()
            wall.isVisible = true
            return adopt(item.presentationSize)
        }
        let cover = item.presentationSize
        wall.isVisible = cover.width > 0
        sound.show(item, of: player, belowCover: cover.width > 0)
        guard !hasSize else { return }
        hasSize = true
        sizing.set(sound.windowSize(cover: cover))
        presentNow()
    }

    private func adopt(_ size: CGSize) {
        guard !hasSize, size.width > 0, size.height > 0 else { return }
        hasSize = true
        let columns = Double(players.count).squareRoot().rounded(.up)
        let rows = (Double(players.count) / columns).rounded(.up)
        let whole = CGSize(width: size.width * columns, height: size.height * rows)
        let factor = min(1, 1280 / whole.width, 720 / whole.height)
        sizing.set(CGSize(width: max(160, whole.width * factor), height: max(90, whole.height * factor)))
        presentNow()
    }

    private func followErrors() {
        guard players.count == 1, let player = players.first else { return }
        observations.append(
            player.observe(\.currentItem, options: [.initial]) { [weak self] player, _ in
                guard let self else { return }
                failureObservation = player.currentItem?.observe(\.status, options: [.initial]) { [weak self] item, _ in
                    switch item.status {
                    case .failed: if let error = item.error { self?.showError("\(error)") }
                    case .readyToPlay: self?.osd.endSticky()
                    case .unknown: break
                    }
                }
            })
        trackFailures = TrackFailures(player) { [weak self] text in
            if let text { self?.say(text, seconds: TrackFailures.seconds) }
        }
    }
    private var failureObservation: NSKeyValueObservation?
    private var trackFailures: TrackFailures?

    /// Says over the video what went wrong, until something else plays.
    public func showError(_ message: String) {
        presentNow()
        osd.show(PlayerWords.onScreen(message), seconds: nil)
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
