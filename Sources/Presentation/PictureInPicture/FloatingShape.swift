import CGTK
import Foundation
import GTK

/// The size and position of a floating window. It keeps the aspect ratio of the video after every resize.
@MainActor
final class FloatingShape {
    private let window: GTKWindow
    private let root: GTKOverlay
    private let signals = Signals()
    private(set) var geometry: FloatingGeometry
    /// The window on X11. Nil before the window is open, and on Wayland.
    private(set) var x11: X11Floating?
    /// Returns whether the user is dragging the window now.
    var isDragging: () -> Bool = { false }
    /// The frame after a change of the aspect ratio, until the window has settled there.
    private var reshaped: CGRect?
    private var settling = 0
    private var isClosed = false

    init(_ window: GTKWindow, _ root: GTKOverlay, picture: CGSize) {
        (self.window, self.root) = (window, root)
        geometry = FloatingGeometry(picture: picture, area: .zero)
    }

    /// Creates the window in the corner of the monitor that shows `inline`.
    /// - Returns: The position of the window, or nil if GTK creates no window.
    func open(picture: CGSize, beside inline: GTKWidget?) -> CGPoint? {
        geometry = FloatingGeometry(picture: picture, area: workArea(inline))
        let frame = geometry.corner(geometry.initial)
        setMinimumSize()
        window.setDefaultSize(Int32(frame.width), Int32(frame.height))
        window.realize()
        guard let surface = window.surface else { return nil }
        x11 = X11Floating(surface: surface)
        signals.on(surface, "layout") { [weak self] in self?.laidOut() }
        x11?.describe()
        x11?.setSizes(geometry, place: frame.origin)
        x11?.move(to: frame.origin)
        return frame.origin
    }

    /// Repeats the requests to the window manager after the window has become visible.
    func reapplyState(at position: CGPoint) {
        x11?.reapplyState()
        x11?.setSizes(geometry, place: position)
        x11?.move(to: position)
    }

    /// Cancels a pending correction, so that the window stays where the user drags it.
    func discardReshaping() { reshaped = nil }

    func close() {
        isClosed = true
        signals.disconnect()
        x11 = nil
    }

    /// Adopts the aspect ratio of another video. Does nothing for an empty size, because there is no video between two
    /// items.
    func adopt(_ picture: CGSize) {
        guard !isClosed, picture.width > 0, picture.height > 0 else { return }
        let new = FloatingGeometry(picture: picture, area: geometry.area)
        guard new.shape != geometry.shape else { return }
        geometry = new
        setMinimumSize()
        if let x11 {
            x11.setSizes(new)
            let old = x11.frame
            let frame = new.reshaped(old)
            guard frame != old else { return }
            x11.place(frame)
            // GTK may enlarge the window first, to its old minimum size, and so move the corner that must stay. The
            // frame is checked after the next layout, not after an earlier one.
            reshaped = frame
            settling += 1
        } else {
            let size = new.reshaped(CGRect(origin: .zero, size: window.size)).size
            window.setDefaultSize(Int32(size.width), Int32(size.height))
        }
    }

    private func setMinimumSize() {
        root.request(width: Int32(geometry.minimum.width), height: Int32(geometry.minimum.height))
    }

    /// Restores the size hints after the window's size has changed or GDK has written its own hints, and schedules a
    /// correction.
    func laidOut() {
        x11?.setSizes(geometry)
        settling += 1
        let scheduled = settling
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.settling == scheduled else { return }
                self.settle()
            }
        }
    }

    /// Corrects the size after the last change, because other programs do not know the aspect ratio and the limits.
    private func settle() {
        guard !isClosed, !isDragging(), let surface = window.surface else {
            return
        }
        let fixed =
            GDK_TOPLEVEL_STATE_MAXIMIZED.rawValue | GDK_TOPLEVEL_STATE_FULLSCREEN.rawValue
            | GDK_TOPLEVEL_STATE_TILED.rawValue
        if let reshaped, let x11 {
            self.reshaped = nil
            if x11.frame != reshaped { return x11.place(reshaped) }
        }
        let size = window.size
        guard surface.state.rawValue & fixed == 0, size.width > 0, !geometry.isShaped(size) else {
            return
        }
        let corrected = geometry.fitted(width: size.width)
        if let x11 {
            x11.place(CGRect(origin: x11.frame.origin, size: corrected))
        } else {
            window.setDefaultSize(Int32(corrected.width), Int32(corrected.height))
        }
    }

    /// Returns the area of the monitor that shows `inline`, or of the first monitor. On X11, without panels.
    private func workArea(_ inline: GTKWidget?) -> CGRect {
        guard let display = GDKDisplay.standard else { return CGRect(x: 0, y: 0, width: 1280, height: 720) }
        let shown = inline?.native?.surface.flatMap { display.monitor(at: $0) }
        guard let monitor = shown ?? display.firstMonitor else { return CGRect(x: 0, y: 0, width: 1280, height: 720) }
        return display.windowing == .x11 ? monitor.x11WorkArea : monitor.frame
    }
}
