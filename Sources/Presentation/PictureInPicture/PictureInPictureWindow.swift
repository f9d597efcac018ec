import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine

/// A small frameless window in which a player's video floats above other windows.
///
/// Keep a reference to this object, because the window closes when the object is released:
/// ```swift
/// floating = PictureInPictureWindow(
///     player: player,
///     setPlaying: { if $0 { player.play() } else { player.pause() } },
///     makeView: { PlayerView() })
/// floating?.onRestore = { [weak self] in self?.floating?.close(for: view) }
/// floating?.onClose = { [weak self] in
///     player.pause()
///     self?.floating?.close()
/// }
/// floating?.present(beside: view.widget)
/// ```
/// The window shows the same player in its own `PlayerView`. The player does not change, so that audio and video
/// continue. The user can drag the window anywhere, and resize it at its edges and corners with the aspect ratio of the
/// video. While the pointer moves or keys are pressed, buttons appear: play or pause, restore, close. Space plays and
/// pauses; Esc and a double click restore. Closing the window in any other way calls `onClose`.
///
/// **X11**: a utility window that stays above others, on all workspaces, and in no taskbar (Extended Window Manager
/// Hints). It opens in the lower right corner of the work area. The window manager receives its minimum size, maximum
/// size and aspect ratio as hints.
///
/// **Wayland**: xdg-shell lets no client stay above others or choose a position, so the compositor places the frameless
/// window. Most compositors offer "always on top" in the window's menu (Alt + Space). A message on standard error
/// reports this once per process. The aspect ratio is corrected after a resize.
@MainActor @preconcurrency
public final class PictureInPictureWindow {
    /// Whether there is a display that supports floating windows: X11 or Wayland.
    public static var isSupported: Bool {
        guard GTKStart.ensure(), let display = GDKDisplay.standard else { return false }
        return display.windowing != .other
    }

    /// The player that the window shows. It belongs to the app and continues when the window closes.
    public let player: AVPlayer
    /// The view that shows the video, for settings that must match those of the inline view.
    public let view: PlayerView
    /// The window, for GTK code of an app. This object keeps it alive.
    public var window: GTKWindow { reference.object }
    private let reference: GTKReference<GTKWindow>

    /// Called once when the window shows its first frame. If there is no frame half a second after
    /// `present(beside:)`, called as soon as the window is on the screen. The inline view may then stop.
    public var onShown: (() -> Void)?
    /// Called when the user returns the video to the app. The owner closes the window.
    public var onRestore: (() -> Void)?
    /// Called when the user closes the window. The owner pauses the player and calls `close()`.
    public var onClose: (() -> Void)?

    private let setPlaying: (Bool) -> Void
    private let shape: FloatingShape
    private let signals = Signals()
    private var controls: PictureInPictureControls?
    private var drag: PictureInPictureDrag?
    private var watch: FloatingWatch?
    private var isShown = false
    private var isClosed = false

    /// Creates a window that is not yet visible.
    ///
    /// Returns nil if `isSupported` is false or `makeView` returns nil.
    /// - Parameters:
    ///   - player: The player to show.
    ///   - title: The title in lists of windows and for assistive technologies.
    ///   - setPlaying: Called with true when the user requests playback, and with false when the user pauses.
    ///   - makeView: Returns a view with the settings of the inline view. The window sets its player.
    public init?(
        player: AVPlayer, title: String = PictureInPictureText.title, setPlaying: @escaping (Bool) -> Void,
        makeView: () -> PlayerView?
    ) {
        guard PictureInPictureWindow.isSupported, let view = makeView() else { return nil }
        MainLoop.attach()
        self.player = player
        self.view = view
        self.setPlaying = setPlaying
        reference = GTKReference(GTKWindow())
        let (window, root) = (reference.object, GTKOverlay())
        shape = FloatingShape(window, root, picture: player.currentItem?.presentationSize ?? .zero)
        window.setTitle(title)
        window.setIcon("video-x-generic")
        window.isDecorated = false
        window.addClass("zoetrope-pip-window")
        root.setChild(view.widget)
        window.child = root.widget
        controls = PictureInPictureControls(
            over: root, toggle: { [weak self] in self?.toggle() },
            restore: { [weak self] in self?.onRestore?() }, close: { [weak self] in self?.onClose?() })
        controls?.onCover = { [weak self] covered in self?.view.isCovered = covered }
        drag = PictureInPictureDrag(
            window: window, root: root, x11: { [weak self] in self?.shape.x11 },
            geometry: { [weak self] in self?.shape.geometry ?? FloatingGeometry(picture: .zero, area: .zero) },
            onMove: { [weak self] isDragging in
                // The window stays where the user drags it. Corrections that waited for the end of the drag happen now.
                if isDragging { self?.shape.discardReshaping() } else { self?.shape.laidOut() }
            }, doubleClick: { [weak self] in self?.onRestore?() })
        shape.isDragging = { [weak self] in self?.drag?.isUnderWay == true }
        takeKeys()
        signals.answer(window, "close-request") { [weak self] in
            self?.onClose?()
            return true
        }
        watch = FloatingWatch(
            player, onPlaying: { [weak self] in self?.controls?.set(isPlaying: $0) },
            onSize: { [weak self] in self?.shape.adopt($0) })
        view.hidesPointer = .everywhere
        view.player = player
    }

    isolated deinit { close() }

    /// Shows the window without taking the keyboard focus from another window. Call this method only once. It has no
    /// effect after the window was closed.
    /// - Parameter inline: The widget that showed the video so far. The window appears on the same monitor.
    public func present(beside inline: GTKWidget? = nil) {
        guard !isClosed else { return }
        guard let origin = shape.open(picture: player.currentItem?.presentationSize ?? .zero, beside: inline) else {
            return
        }
        view.onPresent = { [weak self] _ in self?.shown() }
        window.isVisible = true
        shape.reapplyState(at: origin)
        controls?.focus()
        watch?.followItem()
        if shape.x11 == nil { PictureInPictureWindow.reportWaylandLimits() }
        expectShown()
    }

    private func expectShown() {
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, !self.isShown, !self.isClosed else { return }
                self.shown()
                if !self.isShown { self.expectShown() }
            }
        }
    }

    /// Closes the window when `inline` shows the video, at the latest after a quarter of a second. No callback is
    /// called.
    ///
    /// If `inline` is nil or has no player, the window closes at once.
    public func close(for inline: PlayerView?) {
        (onShown, onRestore, onClose) = (nil, nil, nil)
        guard let inline, inline.player != nil else { return close() }
        let previousHandler = inline.onPresent
        inline.onPresent = { [weak inline] time in
            previousHandler?(time)
            inline?.onPresent = previousHandler
            // Closing during the drawing of a frame is not safe.
            DispatchQueue.main.async { MainActor.assumeIsolated { self.close() } }
        }
        // Closes the window even if the inline view is not visible, for example minimized.
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.25) { MainActor.assumeIsolated { self.close() } }
    }

    /// Closes the window without calling a callback. Further calls have no effect.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        (onShown, onRestore, onClose) = (nil, nil, nil)
        view.onPresent = nil
        view.player = nil
        watch = nil
        signals.disconnect()
        controls?.close()
        drag?.close()
        shape.close()
        window.destroy()
    }

    private func shown() {
        guard !isShown, !isClosed, window.isMapped else { return }
        isShown = true
        view.onPresent = nil
        let handler = onShown
        onShown = nil
        // The callback must not run during the drawing of a frame.
        DispatchQueue.main.async { MainActor.assumeIsolated { handler?() } }
    }

    // MARK: keys

    private var held = HeldKey()

    private func takeKeys() {
        let keys = GTKKeyController()
        signals.on(keys, "key-released") { [weak self] (_: UInt32, code: UInt32) in self?.held.release(code) }
        signals.on(window, "notify::is-active") { [weak self] in self?.held.forget() }
        signals.answer(keys, "key-pressed") { [weak self] (symbol: UInt32, code: UInt32) in
            let key = Int32(bitPattern: symbol)
            guard let self else { return false }
            let isRepeat = held.press(code)
            switch key {
            case GDK_KEY_space: if !isRepeat { toggle() }
            case GDK_KEY_Escape: onRestore?()
            default: return false
            }
            return true
        }
        window.add(keys)
        // Any key shows the buttons, so that keyboard users see them.
        let any = GTKKeyController()
        any.setPhase(GTK_PHASE_CAPTURE)
        signals.answer(any, "key-pressed") { [weak self] in
            self?.controls?.show()
            return false
        }
        window.add(any)
    }

    private func toggle() { setPlaying(player.timeControlStatus == .paused) }

    private static var hasReportedLimits = false
    private static func reportWaylandLimits() {
        guard !hasReportedLimits else { return }
        hasReportedLimits = true
        FileHandle.standardError.write(
            Data(
                "zoetrope: Picture in Picture: on Wayland, the compositor decides where the window is and whether it stays above others.\n"
                    .utf8))
    }
}
