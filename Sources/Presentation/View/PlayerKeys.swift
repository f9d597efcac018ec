import CGTK
import Foundation

/// The player window's keys and its double click.
@MainActor
final class PlayerKeys {
    enum Action: Equatable {
        case playPause
        case seek(Double)
        case start, end
        case volume(Float)
        case mute, fullscreen, leaveFullscreen, loop
        /// +1 faster, −1 slower, 0 normal.
        case speed(Int)
        case step(Int)
        case close
    }

    private weak var owner: PlayerWindow?
    private var keys: OpaquePointer?
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

    func install(on widget: UnsafeMutablePointer<GtkWidget>, for owner: PlayerWindow) {
        self.owner = owner
        let me = Unmanaged.passUnretained(self).toOpaque()
        if let keys = gtk_event_controller_key_new() {
            let pressed:
                @convention(c) (UnsafeMutableRawPointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?) ->
                    gboolean = { _, key, _, state, me in
                        nonisolated(unsafe) let me = me
                        return MainActor.assumeIsolated { PlayerKeys.pressed(me, key, state) }
                    }
            g_signal_connect_data(
                UnsafeMutableRawPointer(keys), "key-pressed", unsafeBitCast(pressed, to: GCallback.self), me, nil,
                GConnectFlags(0))
            gtk_widget_add_controller(widget, keys)
            self.keys = keys
        }
        if let click = gtk_gesture_click_new() {
            let pressed:
                @convention(c) (UnsafeMutableRawPointer?, gint, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void = {
                    _, count, _, _, me in
                    nonisolated(unsafe) let me = me
                    MainActor.assumeIsolated {
                        guard count == 2, let me else { return }
                        Unmanaged<PlayerKeys>.fromOpaque(me).takeUnretainedValue().owner?.perform(.fullscreen)
                    }
                }
            g_signal_connect_data(
                UnsafeMutableRawPointer(click), "pressed", unsafeBitCast(pressed, to: GCallback.self), me, nil,
                GConnectFlags(0))
            gtk_widget_add_controller(widget, click)
        }
    }

    private static func pressed(_ me: UnsafeMutableRawPointer?, _ key: guint, _ state: GdkModifierType) -> gboolean {
        guard let me, let owner = Unmanaged<PlayerKeys>.fromOpaque(me).takeUnretainedValue().owner,
            let action = action(
                key, shift: state.rawValue & GDK_SHIFT_MASK.rawValue != 0,
                control: state.rawValue & GDK_CONTROL_MASK.rawValue != 0)
        else { return 0 }
        // In an open menu keys are the menu's.
        if let focus = gtk_window_get_focus(owner.window), gtk_widget_get_native(focus) != OpaquePointer(owner.window) {
            return 0
        }
        owner.perform(action)
        return 1
    }
}
