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
    /// the window can be smaller than its content. Otherwise, use `GeometryReader` to get the size of a window.
    public var bounds: CGRect {
        let phones = HostWindow.all.filter(\.isPhone)
        if let phone = phones.first(where: \.isActive) ?? phones.first {
            return CGRect(origin: .zero, size: phone.sizeAsScreen())
        }
        guard let frame = monitor?.frame, frame.width > 0, frame.height > 0 else {
            return CGRect(origin: .zero, size: WindowSize.useful)
        }
        return CGRect(origin: .zero, size: frame.size)
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
