import CGTK
import Foundation
import MediaCore

/// The identity of this program for desktops, assistive technology and the audio server.
///
/// Set it before GTK starts, so before the first view or window is created (see `GTKStart`). Later changes do not reach
/// GTK.
@MainActor @preconcurrency
public enum AppIdentity {
    /// The `WM_CLASS` on X11 and the app ID on Wayland.
    ///
    /// Set it to the name of the program's desktop file, so that the desktop finds the icon and groups the windows. The
    /// default is the bundle's identifier, or else the executable's name.
    public static var identifier: String = Bundle.main.bundleIdentifier ?? executable {
        didSet { if identifier.contains(".") { AudioIdentity.identifier = identifier } }
    }
    /// The name that users see. The default is the executable's name.
    public static var name: String = executable {
        didSet { AudioIdentity.name = name }
    }

    /// The name of the executable, as it was started.
    private static var executable: String {
        let name = URL(fileURLWithPath: CommandLine.arguments.first ?? "").lastPathComponent
        return name.isEmpty || name == "/" ? ProcessInfo.processInfo.processName : name
    }

    /// Passes the identity to GLib, before GDK reads it when it opens the display. Names that other code has set are
    /// kept.
    static func passToGLib() {
        if g_get_prgname() == nil { g_set_prgname(identifier) }
        if g_get_application_name().map({ String(cString: $0) }) == g_get_prgname().map({ String(cString: $0) }) {
            g_set_application_name(name)
        }
    }
}
