import CGTK
import Foundation
import GLibSupport
import MediaCore
import MediaEngine

/// Takes the pointer away while it rests over a video that plays; it is back with its first motion. Main actor.
@MainActor
package final class PointerRest {
    package enum Place: Sendable {
        /// Only while the window fills the screen.
        case fullScreen
        case everywhere
    }
    var place = Place.fullScreen { didSet { wait() } }

    /// Seconds without motion until it goes.
    static let rest = 2.5

    private var picture: UnsafeMutablePointer<GtkWidget>?
    private var window: UnsafeMutablePointer<GtkWidget>?
    private var controller: OpaquePointer?
    private var fullScreen: (of: WindowFullScreen, token: Int)?
    private var isPlaying: () -> Bool = { false }
    private let signals = Signals()
    /// Where it is in the window; nil: not there.
    private var point: CGPoint?
    private var isHidden = false
    /// When it goes.
    private var hidesAt = HostTime.min
    private var isWaiting = false

    init() {}

    /// Watches the pointer in the window of `picture`, which is mapped, until `leave()`.
    func follow(_ picture: UnsafeMutablePointer<GtkWidget>, isPlaying: @escaping () -> Bool) {
        leave()
        guard let root = gtk_widget_get_root(picture), let motion = gtk_event_controller_motion_new() else { return }
        let window = UnsafeMutablePointer<GtkWidget>(root)
        (self.picture, self.window, self.isPlaying, controller) = (picture, window, isPlaying, motion)
        gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE)
        for signal in ["enter", "motion"] {
            signals.on(motion, signal) { [weak self] (x: Double, y: Double) in
                self?.moved(to: CGPoint(x: x, y: y))
            }
        }
        signals.on(motion, "leave") { [weak self] in
            self?.point = nil
            self?.show()
        }
        let full = WindowFullScreen.of(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)))
        fullScreen = (
            full,
            full.addListener { [weak self] _ in
                self?.show()
                self?.wait()
            }
        )
        gtk_widget_add_controller(window, motion)
    }

    func leave() {
        show()
        signals.disconnect()
        if let window, let controller { gtk_widget_remove_controller(window, controller) }
        if let fullScreen { fullScreen.of.removeListener(fullScreen.token) }
        fullScreen = nil
        (picture, window, controller, point) = (nil, nil, nil, nil)
    }

    /// GTK tells of motion, too, when what lies below the pointer changes.
    private func moved(to new: CGPoint) {
        guard new != point else { return }
        point = new
        show()
        wait()
    }

    private func show() {
        guard isHidden else { return }
        isHidden = false
        if let window { gtk_widget_set_cursor(window, nil) }
    }

    /// It goes in a while, if it does not move; one timer at a time, however much it does.
    func wait() {
        guard !isHidden, point != nil, mayHide else { return }
        hidesAt = .now() + Int64(PointerRest.rest * 1e9)
        if !isWaiting { sleep() }
    }

    private func sleep() {
        isWaiting = true
        let left = max(0, Double(hidesAt - HostTime.now()) / 1e9)
        DispatchQueue.main.asyncAfter(deadline: .now() + left) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isWaiting = false
                guard self.window != nil else { return }
                if HostTime.now() < self.hidesAt { return self.sleep() }
                self.hide()
            }
        }
    }

    private var mayHide: Bool {
        guard window != nil else { return false }
        return (place == .everywhere || fullScreen?.of.isOn == true) && isPlaying()
    }

    private func hide() {
        guard let window, let point, mayHide, isOverVideo(point) else { return }
        isHidden = true
        gtk_widget_set_cursor_from_name(window, "none")
    }

    /// Over the picture, and over nothing that wants to be clicked.
    private func isOverVideo(_ point: CGPoint) -> Bool {
        guard let window, let picture else { return false }
        var x = 0.0
        var y = 0.0
        let bounds = CGRect(
            x: 0, y: 0, width: Double(gtk_widget_get_width(picture)), height: Double(gtk_widget_get_height(picture)))
        guard gtk_widget_translate_coordinates(window, picture, point.x, point.y, &x, &y) != 0,
            bounds.contains(CGPoint(x: x, y: y))
        else { return false }
        var widget = gtk_widget_pick(window, point.x, point.y, GTK_PICK_DEFAULT)
        while let current = widget, current != window {
            if zt_gtk_is_control(current) != 0 { return false }
            widget = gtk_widget_get_parent(current)
        }
        return true
    }
}
