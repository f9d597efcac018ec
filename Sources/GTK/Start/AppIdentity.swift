import CGTK
import Foundation
import MediaCore

/// What desktops, assistive technology and the sound server know this program by. Set before its first window; main
/// actor.
@MainActor @preconcurrency
public enum AppIdentity {
    /// `WM_CLASS` on X11, the app id on Wayland: with the name of the program's desktop file, a shell finds its icon
    /// and groups its windows. Default: the bundle's identifier, else the executable's name.
    public static var identifier: String = Bundle.main.bundleIdentifier ?? executable {
        didSet { if identifier.contains(".") { AudioIdentity.identifier = identifier } }
    }
    /// For people. Default: the executable's name.
    public static var name: String = executable {
        didSet { AudioIdentity.name = name }
    }

    /// The executable's name, as it was started.
    private static var executable: String {
        let name = URL(fileURLWithPath: CommandLine.arguments.first ?? "").lastPathComponent
        return name.isEmpty || name == "/" ? ProcessInfo.processInfo.processName : name
    }

    /// GDK asks GLib, once, when it opens the display. Code that has told GLib itself is not overruled.
    static func tell() {
        if g_get_prgname() == nil { g_set_prgname(identifier) }
        if g_get_application_name().map({ String(cString: $0) }) == g_get_prgname().map({ String(cString: $0) }) {
            g_set_application_name(name)
        }
    }
}
