import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine

/// A small window without a frame in which a player's picture floats over others.
///
/// It shows the same player in a `PlayerView` of its own; the player is not touched, so neither sound nor
/// pictures pause. Dragged anywhere it moves, its edges and corners resize it, always in the picture's shape.
/// Over the picture, while the pointer moves or keys are pressed: play/pause, restore, close. Space plays and
/// pauses, Esc and a double click restore; what closes the window in another way counts as close.
///
/// **X11**: a utility window that stays above others, on all workspaces, in no taskbar (Extended Window Manager
/// Hints), in the lower right corner of the work area, with its least, greatest size and shape as hints for the
/// window manager. **Wayland**: xdg-shell lets no client stay above or choose a place, so it is a frameless window
/// that the compositor puts where it likes; most offer "always on top" in the window's menu (Alt + Space). One
/// line in the log says so. A shape is corrected after the resizing.
///
/// Main actor.
@MainActor @preconcurrency
public final class PictureInPictureWindow {
    /// Whether there is a display whose windows can float: X11's or Wayland's.
    public static var isSupported: Bool {
        guard GTKStart.ensure(), let display = GDKDisplay.standard else { return false }
        return display.windowing != .other
    }

    /// What it shows; the app's own player, which goes on when the window goes.
    public let player: AVPlayer
    /// What shows the picture, for settings that are to follow the inline view's.
    public let view: PlayerView
    /// The window, for GTK code of one's own. Kept alive by this.
    public var window: GTKWindow { reference.object }
    private let reference: GTKReference<GTKWindow>

    /// The window is on the screen, and a picture in it (or none came within half a second): the inline view may stop.
    /// Once.
    public var onShown: (() -> Void)?
    /// The user wants the picture back in its place. The owner closes the window.
    public var onRestore: (() -> Void)?
    /// The user closed the window. The owner pauses, and closes it.
    public var onClose: (() -> Void)?

    private let setPlaying: (Bool) -> Void
    private let shape: FloatingShape
    private let signals = Signals()
    private var controls: PictureInPictureControls?
    private var drag: PictureInPictureDrag?
    private var watch: FloatingWatch?
    private var isShown = false
    private var isClosed = false

    /// - Parameters:
    ///   - title: for lists of windows and assistive technology.
    ///   - setPlaying: called when the user wants it to play (true) or to pause.
    ///   - makeView: a view with whatever is set of the inline one; its player is set here.
    /// - Returns: nil where `isSupported` is false, or when there is no view.
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
            onMove: { [weak self] isHand in
                // Where the hand puts it is where it stays. What was not settled meanwhile is now.
                if isHand { self?.shape.forgetPlace() } else { self?.shape.laidOut() }
            }, doubleClick: { [weak self] in self?.onRestore?() })
        shape.isHeld = { [weak self] in self?.drag?.isUnderWay == true }
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

    /// Shows it, without taking the keyboard from whoever has it.
    /// - Parameter inline: the widget whose place it takes: it comes on the same monitor.
    public func present(beside inline: GTKWidget? = nil) {
        guard !isClosed else { return }
        guard let place = shape.open(picture: player.currentItem?.presentationSize ?? .zero, beside: inline) else {
            return
        }
        view.onPresent = { [weak self] _ in self?.shown() }
        window.isVisible = true
        shape.insist(at: place)
        controls?.focus()
        watch?.followItem()
        if shape.x11 == nil { PictureInPictureWindow.sayWhatWaylandLacks() }
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

    /// Takes it off the screen when `inline` shows the picture, within a quarter of a second in any case. Nobody is
    /// told.
    public func close(for inline: PlayerView?) {
        (onShown, onRestore, onClose) = (nil, nil, nil)
        guard let inline, inline.player != nil else { return close() }
        let others = inline.onPresent
        inline.onPresent = { [weak inline] time in
            others?(time)
            inline?.onPresent = others
            // Not within the drawing of a picture.
            DispatchQueue.main.async { MainActor.assumeIsolated { self.close() } }
        }
        // Nobody sees the inline view: it is minimised, say.
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.25) { MainActor.assumeIsolated { self.close() } }
    }

    /// Takes it off the screen. Nobody is told. Safe to call twice.
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
        let told = onShown
        onShown = nil
        // Not within the drawing of a picture.
        DispatchQueue.main.async { MainActor.assumeIsolated { told?() } }
    }

    // MARK: keys

    private func takeKeys() {
        let keys = GTKKeyController()
        signals.answer(keys, "key-pressed") { [weak self] (symbol: UInt32) in
            let key = Int32(bitPattern: symbol)
            guard let self else { return false }
            switch key {
            case GDK_KEY_space: toggle()
            case GDK_KEY_Escape: onRestore?()
            default: return false
            }
            return true
        }
        window.add(keys)
        // Whatever it is for: who uses keys wants to see what they reach.
        let any = GTKKeyController()
        any.setPhase(GTK_PHASE_CAPTURE)
        signals.answer(any, "key-pressed") { [weak self] in
            self?.controls?.show()
            return false
        }
        window.add(any)
    }

    private func toggle() { setPlaying(player.timeControlStatus == .paused) }

    private static var hasSaid = false
    private static func sayWhatWaylandLacks() {
        guard !hasSaid else { return }
        hasSaid = true
        FileHandle.standardError.write(
            Data(
                "zoetrope: Picture in Picture: on Wayland, the compositor decides where the window is and whether it stays above others.\n"
                    .utf8))
    }
}
