import Foundation
import GTK

/// A window of the app, as returned by `NSApp.keyWindow`. Modeled on AppKit's type.
///
/// After the window is closed, its methods have no effect.
@MainActor @preconcurrency
public final class NSWindow {
    private weak var host: HostWindow?
    init(_ host: HostWindow) { self.host = host }

    /// The decoration and the capabilities of a window.
    public struct StyleMask: OptionSet, Sendable {
        /// The bit mask, with AppKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// A window without a frame.
        public static let borderless: StyleMask = []
        /// A window with a frame, with a close button, and with a variable size.
        public static let titled = StyleMask(rawValue: 1), closable = StyleMask(rawValue: 1 << 1),
            resizable = StyleMask(rawValue: 1 << 3)
        /// A window that can be minimized. Stored without effect: the desktop decides whether the frame has the button.
        public static let miniaturizable = StyleMask(rawValue: 1 << 2)
        /// A window in full screen.
        public static let fullScreen = StyleMask(rawValue: 1 << 14)
    }
    /// The style of the window. Contains `.fullScreen` while the window is in full screen.
    ///
    /// Setting it changes the frame, the close button, and whether users can resize the window. It does not change
    /// full screen; use `toggleFullScreen(_:)`. A later change of the scene's settings, or of view modifiers such as
    /// `windowResizeBehavior(_:)`, takes precedence. Has no effect after the window is closed.
    public var styleMask: StyleMask {
        get {
            guard let host else { return [] }
            var mask: StyleMask = host.window.isDecorated ? .titled : .borderless
            if host.window.isDeletable { mask.insert(.closable) }
            if host.window.isResizable { mask.insert(.resizable) }
            if host.look.isMinimizable { mask.insert(.miniaturizable) }
            if host.fullScreen.isOn { mask.insert(.fullScreen) }
            return mask
        }
        set {
            guard let host, !host.isClosed else { return }
            host.window.isDecorated = newValue.contains(.titled)
            host.window.isDeletable = newValue.contains(.closable)
            host.window.isResizable = newValue.contains(.resizable)
            host.look.isMinimizable = newValue.contains(.miniaturizable)
        }
    }

    /// The visibility of a window's title. Modeled on AppKit's type.
    public enum TitleVisibility: Int, Sendable {
        /// The frame shows the title, or an empty text in its place.
        case visible, hidden
    }
    /// Whether the frame shows the title.
    ///
    /// While the title is hidden, the desktop's lists of windows do not have it either.
    public var titleVisibility: TitleVisibility {
        get { host?.look.showsTitle == false ? .hidden : .visible }
        set { host?.look.showsTitle = newValue == .visible }
    }
    /// Whether the title bar has the window's background instead of its own. False unless set.
    ///
    /// Has an effect where GTK draws the title bar, as on Wayland desktops such as GNOME. A frame that the window
    /// manager draws does not change. The content stays below the title bar.
    public var titlebarAppearsTransparent: Bool {
        get { host?.look.hasClearTitlebar ?? false }
        set { host?.look.hasClearTitlebar = newValue }
    }
    /// Whether users can move the window by dragging its content, where no control and no gesture uses the drag. False
    /// unless set.
    public var isMovableByWindowBackground: Bool {
        get { host?.look.isMovedByContent ?? false }
        set { host?.look.isMovedByContent = newValue }
    }
    /// The GTK window, or nil after the window is closed.
    var gtkWindow: GTKWindow? { host?.isClosed == false ? host?.window : nil }
    /// The title of the window; empty after the window is closed.
    public var title: String { host?.title ?? "" }
    /// Whether the window has the keyboard focus.
    public var isKeyWindow: Bool { host?.isActive ?? false }
    /// Enters or leaves full screen.
    ///
    /// The change is complete when `didEnterFullScreenNotification` or `didExitFullScreenNotification` is posted.
    public func toggleFullScreen(_ sender: Any?) {
        guard let host else { return }
        host.fullScreen.set(!host.fullScreen.isOn)
    }
    /// Moves the window to the front and gives it the keyboard focus, as far as the desktop permits.
    public func makeKeyAndOrderFront(_ sender: Any?) { host?.raise() }
    /// Closes the window like a click on its close button.
    public func performClose(_ sender: Any?) { host?.onClose?() }
    /// Minimizes the window.
    public func miniaturize(_ sender: Any?) { if let host { host.window.minimize() } }

    /// Posted after the window has entered full screen. The notification's object is the window.
    nonisolated public static let didEnterFullScreenNotification = Notification.Name(
        "NSWindowDidEnterFullScreenNotification")
    /// Posted after the window has left full screen. The notification's object is the window.
    nonisolated public static let didExitFullScreenNotification = Notification.Name(
        "NSWindowDidExitFullScreenNotification")
}

/// The app with its windows. Modeled on AppKit's type.
@MainActor @preconcurrency
public final class NSApplication {
    /// The only instance.
    public static let shared = NSApplication()
    private init() {}
    /// The open windows, the oldest first.
    public var windows: [NSWindow] { HostWindow.all.map(\.facade) }
    /// The window with the keyboard focus, or nil if another app has the focus.
    public var keyWindow: NSWindow? { HostWindow.all.first { $0.isActive }?.facade }
    /// The main window, which is the same as `keyWindow`.
    public var mainWindow: NSWindow? { keyWindow }
    /// Quits the app, in the same way as when its last window is closed.
    public func terminate(_ sender: Any?) { MainLoop.quit() }
}

/// The app: the same object as `NSApplication.shared`.
@MainActor @preconcurrency public let NSApp = NSApplication.shared
