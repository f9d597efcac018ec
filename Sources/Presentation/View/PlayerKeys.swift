import CGTK
import Foundation
import GLibSupport

/// The player window's keys and its double click.
@MainActor
final class PlayerKeys {
    typealias Action = PlayerAction

    private weak var owner: PlayerWindow?
    private var keys: OpaquePointer?
    private let signals = Signals()
    /// Before whatever in the window has the keyboard: a button of the controls does not keep the space bar for itself.
    func goFirst() { gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE) }

    /// What a key means; nil when it is none of ours. Key symbols as in gdkkeysyms.h.
    static func action(_ key: guint, shift: Bool, control: Bool) -> Action? {
        let step: Double = control ? 60 : shift ? 1 : 5
        switch Int32(bitPattern: key) {
        case GDK_KEY_space: return .playPause
        case GDK_KEY_Left: return .seek(-step)
        case GDK_KEY_Right: return .seek(step)
        case GDK_KEY_Up: return .volume(0.05)
        case GDK_KEY_Down: return .volume(-0.05)
        case GDK_KEY_Home: return .start
        case GDK_KEY_End: return .end
        case GDK_KEY_f, GDK_KEY_F11: return .fullscreen
        case GDK_KEY_Escape: return .leaveFullscreen
        case GDK_KEY_m: return .mute
        case GDK_KEY_l: return .loop
        case GDK_KEY_bracketleft: return .speed(-1)
        case GDK_KEY_bracketright: return .speed(1)
        case GDK_KEY_BackSpace: return .speed(0)
        case GDK_KEY_period: return .step(1)
        case GDK_KEY_comma: return .step(-1)
        case GDK_KEY_q: return .close
        case GDK_KEY_w: return control ? .close : nil
        default: return nil
        }
    }

    /// - Parameters:
    ///   - widget: has the keys: the window.
    ///   - picture: has the double click; nil: the window.
    func install(
        on widget: UnsafeMutablePointer<GtkWidget>, picture: UnsafeMutablePointer<GtkWidget>?, for owner: PlayerWindow
    ) {
        self.owner = owner
        if let keys = gtk_event_controller_key_new() {
            signals.answer(keys, "key-pressed") { [weak self] (key: UInt32, _: UInt32, state: UInt32) in
                self?.pressed(key, state) ?? false
            }
            gtk_widget_add_controller(widget, keys)
            self.keys = keys
        }
        if let click = gtk_gesture_click_new() {
            signals.on(click, "pressed") { [weak self] (count: Int32) in
                if count == 2 { self?.owner?.perform(.fullscreen) }
            }
            gtk_widget_add_controller(picture ?? widget, click)
        }
    }

    /// Whether the key was for us.
    private func pressed(_ key: UInt32, _ state: UInt32) -> Bool {
        guard let owner else { return false }
        // In an open menu keys are the menu's.
        if let focus = gtk_window_get_focus(owner.window.gtk),
            gtk_widget_get_native(focus) != owner.window.pointer
        {
            return false
        }
        if let onKey = owner.onKey { return onKey(key, state) }
        guard
            let action = PlayerKeys.action(
                key, shift: state & GDK_SHIFT_MASK.rawValue != 0, control: state & GDK_CONTROL_MASK.rawValue != 0)
        else { return false }
        owner.perform(action)
        return true
    }
}
