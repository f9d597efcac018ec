import Foundation
import GTK

/// A window of the app by AppKit's name: what `NSApp.keyWindow` gives. After the window was closed nothing has an
/// effect. Main actor.
@MainActor @preconcurrency
public final class NSWindow {
    private weak var host: HostWindow?
    init(_ host: HostWindow) { self.host = host }

    /// What a window has around it, and what users can do with it.
    public struct StyleMask: OptionSet, Sendable {
        /// AppKit's bits.
        public let rawValue: UInt
        /// Makes a set of raw bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // AppKit's bits.
        /// Without a frame.
        public static let borderless: StyleMask = []
        /// With a frame; with a button that closes it; its size can be changed.
        public static let titled = StyleMask(rawValue: 1), closable = StyleMask(rawValue: 1 << 1),
            resizable = StyleMask(rawValue: 1 << 3)
        /// It fills the screen.
        public static let fullScreen = StyleMask(rawValue: 1 << 14)
    }
    /// `.fullScreen` while it fills the screen.
    public var styleMask: StyleMask {
        guard let host else { return [] }
        var mask: StyleMask = host.window.isDecorated ? .titled : .borderless
        if host.window.isDeletable { mask.insert(.closable) }
        if host.window.isResizable { mask.insert(.resizable) }
        if host.fullScreen.isOn { mask.insert(.fullScreen) }
        return mask
    }
    /// The title it shows; empty after it was closed.
    public var title: String { host?.title ?? "" }
    /// It has the keyboard.
    public var isKeyWindow: Bool { host?.isActive ?? false }
    /// To full screen, or back. It is so when `didEnterFullScreenNotification` or `didExitFullScreenNotification` is
    /// posted.
    public func toggleFullScreen(_ sender: Any?) {
        guard let host else { return }
        host.fullScreen.set(!host.fullScreen.isOn)
    }
    /// Brings it to the front and gives it the keyboard, as far as the desktop lets programs do that.
    public func makeKeyAndOrderFront(_ sender: Any?) { host?.raise() }
    /// As by the user.
    public func performClose(_ sender: Any?) { host?.onClose?() }
    /// Makes it an icon, as the desktop does.
    public func miniaturize(_ sender: Any?) { if let host { host.window.minimize() } }

    /// The object is the window.
    nonisolated public static let didEnterFullScreenNotification = Notification.Name(
        "NSWindowDidEnterFullScreenNotification")
    /// Posted after the window is back from full screen. The object is the window.
    nonisolated public static let didExitFullScreenNotification = Notification.Name(
        "NSWindowDidExitFullScreenNotification")
}

/// The app by AppKit's name: its windows, and its end. Main actor.
@MainActor @preconcurrency
public final class NSApplication {
    /// The app; there is one.
    public static let shared = NSApplication()
    private init() {}
    /// Those that are open, the oldest first.
    public var windows: [NSWindow] { HostWindow.all.map(\.facade) }
    /// The one with the keyboard; nil while that is another program's.
    public var keyWindow: NSWindow? { HostWindow.all.first { $0.isActive }?.facade }
    /// The same as `keyWindow`.
    public var mainWindow: NSWindow? { keyWindow }
    /// Ends the program as when its last window is closed.
    public func terminate(_ sender: Any?) { MainLoop.quit() }
}

/// `NSApplication.shared`.
@MainActor @preconcurrency public let NSApp = NSApplication.shared
