import Foundation

/// How a device is held. UIKit's type.
public enum UIDeviceOrientation: Int, Sendable {
    case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    public var isValidInterfaceOrientation: Bool { isLandscape || isPortrait }
}

public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad, tv, carPlay
    case mac = 5
    case vision
}

/// The machine. What apps ask it for is how it is held: that is answered by the window's shape, as nobody turns a
/// desktop. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIDevice {
    public static let current = UIDevice()
    private init() {}

    /// Posted on the main actor after a window has become wider than high, or the other way round, and when the first
    /// one is shown.
    nonisolated public static let orientationDidChangeNotification = Notification.Name(
        "UIDeviceOrientationDidChangeNotification")

    /// `.landscapeLeft` while the app's window (the one whose size changed last) is at least as wide as it is high,
    /// else `.portrait`; `.unknown` until there is one.
    public private(set) var orientation = UIDeviceOrientation.unknown
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .mac }
    public var name: String { ProcessInfo.processInfo.hostName }
    public var model: String { "Linux" }
    public var systemName: String { "Linux" }
    public var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// The notification is posted whether anybody asked for it or not.
    public var isGeneratingDeviceOrientationNotifications: Bool { true }
    public func beginGeneratingDeviceOrientationNotifications() {}
    public func endGeneratingDeviceOrientationNotifications() {}

    func windowHas(_ size: CGSize) {
        guard size.width > 0, size.height > 0 else { return }
        let now: UIDeviceOrientation = size.width >= size.height ? .landscapeLeft : .portrait
        guard now != orientation else { return }
        orientation = now
        // Not now: GTK is placing things.
        DispatchQueue.main.async {
            NotificationCenter.default.post(name: UIDevice.orientationDidChangeNotification, object: nil)
        }
    }
}
