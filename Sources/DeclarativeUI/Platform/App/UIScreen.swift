import CGTK
import Foundation
import GTK

/// A monitor. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIScreen {
    /// The monitor of the window with the keyboard focus, or of the first window, or the first monitor.
    public static let main = UIScreen()
    /// The available screens: `main` alone.
    public static var screens: [UIScreen] { [main] }
    private init() {}

    private var window: GTKWindow? { (HostWindow.all.first(where: \.isActive) ?? HostWindow.all.first)?.window }
    private var monitor: GDKMonitor? {
        guard GTKStart.hasStarted, let display = GDKDisplay.standard else { return nil }
        return window?.surface.flatMap { display.monitor(at: $0) } ?? display.firstMonitor
    }

    /// The monitor's size in points, with the origin at (0, 0). Without a display, the default size of windows.
    ///
    /// If the app has a window in the phone style (see `PlatformStyle`), the size is that of the window's content, and
    /// the window can be smaller than its content. Before an app in the phone style has a window, the size is that with
    /// which windows open. Otherwise, use `GeometryReader` to get the size of a window.
    ///
    /// A body that reads the property is evaluated again when the user resizes the window. A stored property of a view
    /// then gets the new size too, because that body creates the view again: `let width = UIScreen.main.bounds.width`.
    /// Global and static properties, `@State` and objects keep the size that they have read.
    public var bounds: CGRect {
        let phones = HostWindow.all.filter(\.isPhone)
        if let phone = phones.first(where: \.isActive) ?? phones.first {
            return CGRect(origin: .zero, size: phone.sizeAsScreen())
        }
        return CGRect(origin: .zero, size: sizeWithoutPhone(in: .ofApp))
    }
    /// Returns the size of the screen while no window has the look of a phone.
    func sizeWithoutPhone(in style: PlatformStyle) -> CGSize {
        if style == .phone {
            UIScreen.isReadWithoutWindow = true
            return UIScreen.phone.shown
        }
        guard let frame = monitor?.frame, frame.width > 0, frame.height > 0 else { return WindowSize.useful }
        return frame.size
    }
    /// The size of the latest window with the look of a phone, or the size with which such a window opens. The bodies
    /// of an app's scenes read it, because they are evaluated before the window exists.
    private static let phone = ControlValues(
        WindowSize.useful(isPhone: true, on: GTKStart.hasStarted ? WindowSize.screen : WindowSize.phone))
    /// Whether the app has read the size of its screen before a window existed.
    private(set) static var isReadWithoutWindow = false
    /// Stores the size of a window with the look of a phone.
    static func phoneWindow(has size: CGSize) {
        if size != .zero, size != phone.current { phone.current = size }
    }
    /// The size of `bounds` in pixels.
    public var nativeBounds: CGRect {
        CGRect(x: 0, y: 0, width: bounds.width * scale, height: bounds.height * scale)
    }
    /// The number of pixels per point.
    public var scale: CGFloat { CGFloat(max(1, window?.scaleFactor ?? 1)) }
    /// The number of pixels per point, same as `scale`.
    public var nativeScale: CGFloat { scale }
    /// The refresh rate in frames per second; 60 if the monitor reports none.
    public var maximumFramesPerSecond: Int {
        let rate = monitor?.framesPerSecond ?? 0
        return rate > 0 ? Int(rate.rounded()) : 60
    }
    /// A brightness value from 0 to 1, clamped, for the app's own use. The desktop controls the brightness of monitors.
    public var brightness: CGFloat {
        get { storedBrightness }
        set { storedBrightness = newValue.isFinite ? min(1, max(0, newValue)) : storedBrightness }
    }
    private var storedBrightness: CGFloat = 1
    /// Whether the screen is recorded. Always false, because Linux does not report recording.
    public var isCaptured: Bool { false }
}
