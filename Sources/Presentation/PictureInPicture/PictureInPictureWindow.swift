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

    private let root: GTKOverlay
    private let setPlaying: (Bool) -> Void
    private let signals = Signals()
    private var controls: PictureInPictureControls?
    private var drag: PictureInPictureDrag?
    private var x11: X11Floating?
    private var geometry: FloatingGeometry
    private var observations: [NSKeyValueObservation] = []
    private var sizeObservation: NSKeyValueObservation?
    private var settling = 0
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
        root = GTKOverlay()
        geometry = FloatingGeometry(picture: player.currentItem?.presentationSize ?? .zero, area: .zero)
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
            window: window, root: root, x11: { [weak self] in self?.x11 },
            geometry: { [weak self] in self?.geometry ?? FloatingGeometry(picture: .zero, area: .zero) },
            onMove: { [weak self] isHand in
                // Where the hand puts it is where it stays. What was not settled meanwhile is now.
                if isHand { self?.reshaped = nil } else { self?.laidOut() }
            }, doubleClick: { [weak self] in self?.onRestore?() })
        takeKeys()
        signals.answer(window, "close-request") { [weak self] in
            self?.onClose?()
            return true
        }
        observations.append(
            player.observe(\.timeControlStatus, options: [.initial]) { [weak self] player, _ in
                self?.controls?.set(isPlaying: player.timeControlStatus != .paused)
            })
        observations.append(player.observe(\.currentItem) { [weak self] _, _ in self?.followItem() })
        view.hidesPointer = .everywhere
        view.player = player
    }

    isolated deinit { close() }

    /// Shows it, without taking the keyboard from whoever has it.
    /// - Parameter inline: the widget whose place it takes: it comes on the same monitor.
    public func present(beside inline: GTKWidget? = nil) {
        guard !isClosed else { return }
        geometry = FloatingGeometry(picture: player.currentItem?.presentationSize ?? .zero, area: workArea(inline))
        let frame = geometry.corner(geometry.initial)
        setLeast()
        window.setDefaultSize(Int32(frame.width), Int32(frame.height))
        window.realize()
        guard let surface = window.surface else { return }
        x11 = X11Floating(surface: surface)
        signals.on(surface, "layout") { [weak self] in self?.laidOut() }
        x11?.describe()
        x11?.setSizes(geometry, place: frame.origin)
        x11?.move(to: frame.origin)
        view.onPresent = { [weak self] _ in self?.shown() }
        window.isVisible = true
        // Also now that somebody may manage it.
        x11?.insist()
        x11?.setSizes(geometry, place: frame.origin)
        x11?.move(to: frame.origin)
        controls?.focus()
        followItem()
        if x11 == nil { PictureInPictureWindow.sayWhatWaylandLacks() }
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
        for observation in observations { observation.invalidate() }
        sizeObservation?.invalidate()
        signals.disconnect()
        controls?.close()
        drag?.close()
        x11 = nil
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

    // MARK: size and shape

    private func followItem() {
        sizeObservation = player.currentItem?.observe(\.presentationSize, options: [.initial]) { [weak self] item, _ in
            self?.adopt(item.presentationSize)
        }
    }

    /// Where another shape has put it, until that has settled.
    private var reshaped: CGRect?

    /// Another picture's shape. Between two items there is none: the window stays as it is.
    private func adopt(_ picture: CGSize) {
        guard !isClosed, picture.width > 0, picture.height > 0 else { return }
        let new = FloatingGeometry(picture: picture, area: geometry.area)
        guard new.shape != geometry.shape else { return }
        geometry = new
        setLeast()
        if let x11 {
            x11.setSizes(new)
            let old = x11.frame
            let frame = new.reshaped(old)
            guard frame != old else { return }
            x11.place(frame)
            // GTK may make it larger first, for its least size as it was, and so move the corner that is to stay.
            // Looked at after the layout that now comes, not when an earlier one has settled.
            reshaped = frame
            settling += 1
        } else {
            let size = new.reshaped(CGRect(origin: .zero, size: size)).size
            window.setDefaultSize(Int32(size.width), Int32(size.height))
        }
    }

    private var size: CGSize {
        window.size
    }

    private func setLeast() {
        root.request(width: Int32(geometry.minimum.width), height: Int32(geometry.minimum.height))
    }

    /// The window has another size, or GDK has written hints of its own.
    private func laidOut() {
        x11?.setSizes(geometry)
        settling += 1
        let mine = settling
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.settling == mine else { return }
                self.settle()
            }
        }
    }

    /// Whoever resized it does not know of shapes or bounds: corrected when the hand rests.
    private func settle() {
        guard !isClosed, drag?.isUnderWay != true, let surface = window.surface else {
            return
        }
        let fixed =
            GDK_TOPLEVEL_STATE_MAXIMIZED.rawValue | GDK_TOPLEVEL_STATE_FULLSCREEN.rawValue
            | GDK_TOPLEVEL_STATE_TILED.rawValue
        if let reshaped, let x11 {
            self.reshaped = nil
            if x11.frame != reshaped { return x11.place(reshaped) }
        }
        let size = size
        guard surface.state.rawValue & fixed == 0, size.width > 0, !geometry.isShaped(size) else {
            return
        }
        let right = geometry.fitted(width: size.width)
        if let x11 {
            x11.place(CGRect(origin: x11.frame.origin, size: right))
        } else {
            window.setDefaultSize(Int32(right.width), Int32(right.height))
        }
    }

    /// Of the monitor that shows `inline`, or the first; without panels where X11 tells of them.
    private func workArea(_ inline: GTKWidget?) -> CGRect {
        guard let display = GDKDisplay.standard else { return CGRect(x: 0, y: 0, width: 1280, height: 720) }
        let shown = inline?.native?.surface.flatMap { display.monitor(at: $0) }
        guard let monitor = shown ?? display.firstMonitor else { return CGRect(x: 0, y: 0, width: 1280, height: 720) }
        return display.windowing == .x11 ? monitor.x11WorkArea : monitor.frame
    }

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
