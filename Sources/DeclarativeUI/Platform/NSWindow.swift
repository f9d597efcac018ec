import CGTK
import Foundation
import GLibSupport

/// A window of the app by AppKit's name: what `NSApp.keyWindow` gives. After the window was closed nothing has an
/// effect. Main actor.
@MainActor @preconcurrency
public final class NSWindow {
    private weak var host: HostWindow?
    init(_ host: HostWindow) { self.host = host }

    public struct StyleMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // AppKit's bits.
        public static let borderless: StyleMask = []
        public static let titled = StyleMask(rawValue: 1), closable = StyleMask(rawValue: 1 << 1),
            resizable = StyleMask(rawValue: 1 << 3)
        public static let fullScreen = StyleMask(rawValue: 1 << 14)
    }
    /// `.fullScreen` while it fills the screen.
    public var styleMask: StyleMask {
        guard let host else { return [] }
        var mask: StyleMask = gtk_window_get_decorated(host.gtkWindow) != 0 ? .titled : .borderless
        if gtk_window_get_deletable(host.gtkWindow) != 0 { mask.insert(.closable) }
        if gtk_window_get_resizable(host.gtkWindow) != 0 { mask.insert(.resizable) }
        if host.fullScreen.isOn { mask.insert(.fullScreen) }
        return mask
    }
    public var title: String { host?.title ?? "" }
    /// It has the keyboard.
    public var isKeyWindow: Bool { host?.isActive ?? false }
    /// To full screen, or back. It is so when `didEnterFullScreenNotification` or `didExitFullScreenNotification` is
    /// posted.
    public func toggleFullScreen(_ sender: Any?) {
        guard let host else { return }
        host.fullScreen.set(!host.fullScreen.isOn)
    }
    public func makeKeyAndOrderFront(_ sender: Any?) { host?.raise() }
    /// As by the user.
    public func performClose(_ sender: Any?) { host?.onClose?() }
    public func miniaturize(_ sender: Any?) { if let host { gtk_window_minimize(host.gtkWindow) } }

    /// The object is the window.
    nonisolated public static let didEnterFullScreenNotification = Notification.Name(
        "NSWindowDidEnterFullScreenNotification")
    nonisolated public static let didExitFullScreenNotification = Notification.Name(
        "NSWindowDidExitFullScreenNotification")
}

/// The app by AppKit's name: its windows, and its end. Main actor.
@MainActor @preconcurrency
public final class NSApplication {
    public static let shared = NSApplication()
    private init() {}
    /// Those that are open, the oldest first.
    public var windows: [NSWindow] { HostWindow.all.map(\.facade) }
    /// The one with the keyboard; nil while that is another program's.
    public var keyWindow: NSWindow? { HostWindow.all.first { $0.isActive }?.facade }
    public var mainWindow: NSWindow? { keyWindow }
    /// Ends the program as when its last window is closed.
    public func terminate(_ sender: Any?) { MainLoop.quit() }
}

/// `NSApplication.shared`.
@MainActor @preconcurrency public let NSApp = NSApplication.shared
