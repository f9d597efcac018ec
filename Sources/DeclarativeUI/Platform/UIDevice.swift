import Foundation

/// The orientation of a device. Modeled on UIKit's type.
public enum UIDeviceOrientation: Int, Sendable {
    /// The orientations of a device. `UIDevice` reports only `unknown`, `portrait` and `landscapeLeft`.
    case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
    /// Whether the device is on one of its long sides.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// Whether the device is on one of its short sides.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// Whether the device is flat, with its screen up or down.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    /// Whether the orientation is portrait or landscape.
    public var isValidInterfaceOrientation: Bool { isLandscape || isPortrait }
}

/// The kind of a device. Modeled on UIKit's type.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// An unknown kind.
    case unspecified = -1
    /// A phone, a tablet, a television, and a car.
    case phone, pad, tv, carPlay
    /// A computer with windows. `UIDevice` always reports this kind.
    case mac = 5
    /// A headset.
    case vision
}

/// The computer on which the app runs. Modeled on UIKit's type.
///
/// Apps mostly read the orientation of a device. A desktop computer is not rotated, so the shape of the window
/// determines the orientation.
@MainActor @preconcurrency
public final class UIDevice {
    /// The only device.
    public static let current = UIDevice()
    private init() {}

    /// Posted on the main actor after the app's window has changed between portrait and landscape.
    ///
    /// The first window that is shown also posts this notification.
    nonisolated public static let orientationDidChangeNotification = Notification.Name(
        "UIDeviceOrientationDidChangeNotification")

    /// The orientation of the app's window.
    ///
    /// The value is `.landscapeLeft` if the window whose size changed last is at least as wide as high, otherwise
    /// `.portrait`. The value is `.unknown` until the first window is shown.
    public private(set) var orientation = UIDeviceOrientation.unknown
    /// The kind of the device, which is always `.mac`.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .mac }
    /// The computer's host name.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// The model of the device, which is always "Linux".
    public var model: String { "Linux" }
    /// The name of the operating system, which is always "Linux".
    public var systemName: String { "Linux" }
    /// The version of the kernel as three numbers, as Foundation reports it.
    public var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// Whether orientation notifications are posted. Always true.
    public var isGeneratingDeviceOrientationNotifications: Bool { true }
    /// Has no effect: orientation notifications are always posted.
    public func beginGeneratingDeviceOrientationNotifications() {}
    /// Has no effect: orientation notifications are always posted.
    public func endGeneratingDeviceOrientationNotifications() {}

    /// Has no effect. Apps for devices set the key "orientation" to rotate the device.
    ///
    /// A desktop computer is not rotated, and the user chooses the shape of a window. To enter or leave full screen,
    /// use `UIWindowScene.requestGeometryUpdate(_:errorHandler:)`.
    public func setValue(_ value: Any?, forKey key: String) {}

    func windowSizeChanged(to size: CGSize) {
        guard size.width > 0, size.height > 0 else { return }
        let newOrientation: UIDeviceOrientation = size.width >= size.height ? .landscapeLeft : .portrait
        guard newOrientation != orientation else { return }
        orientation = newOrientation
        // GTK is allocating sizes now, so handlers run later.
        DispatchQueue.main.async {
            NotificationCenter.default.post(name: UIDevice.orientationDidChangeNotification, object: nil)
        }
    }
}
