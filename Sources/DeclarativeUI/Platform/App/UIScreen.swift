import CGTK
import Foundation
import GTK

/// A monitor. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIScreen {
    /// The monitor of the window that has the keyboard, else of the first window, else the first monitor.
    public static let main = UIScreen()
    /// The monitors that UIKit tells of: `main` alone.
    public static var screens: [UIScreen] { [main] }
    private init() {}

    private var window: GTKWindow? { (HostWindow.all.first(where: \.isActive) ?? HostWindow.all.first)?.window }
    private var monitor: GDKMonitor? {
        guard GTKStart.hasStarted, let display = GDKDisplay.standard else { return nil }
        return window?.surface.flatMap { display.monitor(at: $0) } ?? display.firstMonitor
    }

    /// Its size in points, with the origin at 0, 0: not the window's, which `GeometryReader` tells. Without a display
    /// the size that windows open with.
    public var bounds: CGRect {
        guard let frame = monitor?.frame, frame.width > 0, frame.height > 0 else {
            return CGRect(origin: .zero, size: WindowSize.useful)
        }
        return CGRect(origin: .zero, size: frame.size)
    }
    /// Its size in pixels.
    public var nativeBounds: CGRect {
        CGRect(x: 0, y: 0, width: bounds.width * scale, height: bounds.height * scale)
    }
    /// Device pixels a point.
    public var scale: CGFloat { CGFloat(max(1, window?.scaleFactor ?? 1)) }
    /// Device pixels a point; the same as `scale`.
    public var nativeScale: CGFloat { scale }
    /// Frames a second, at most; 60 where the monitor does not tell.
    public var maximumFramesPerSecond: Int {
        let rate = monitor?.framesPerSecond ?? 0
        return rate > 0 ? Int(rate.rounded()) : 60
    }
    /// Kept for the app, 0 to 1: the brightness of a monitor is the desktop's affair, and does not change.
    public var brightness: CGFloat {
        get { kept }
        set { kept = newValue.isFinite ? min(1, max(0, newValue)) : kept }
    }
    private var kept: CGFloat = 1
    /// Whether the screen is recorded; nobody can tell on Linux, so false.
    public var isCaptured: Bool { false }
}
