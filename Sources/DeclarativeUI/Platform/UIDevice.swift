import Foundation

/// How a device is held. UIKit's type.
public enum UIDeviceOrientation: Int, Sendable {
    /// Ways to hold a device. Of these `UIDevice` tells `unknown`, `portrait` and `landscapeLeft`.
    case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
    /// It lies on one of its long sides.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// It stands on one of its short sides.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// It lies on its back or on its face.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    /// It is upright in some way; not flat, and known.
    public var isValidInterfaceOrientation: Bool { isLandscape || isPortrait }
}

/// Kinds of devices. UIKit's type.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Not known.
    case unspecified = -1
    /// A telephone, a tablet, a television, a car.
    case phone, pad, tv, carPlay
    /// A computer with windows: what `UIDevice` says here.
    case mac = 5
    /// A headset.
    case vision
}

/// The machine. What apps ask it for is how it is held: that is answered by the window's shape, as nobody turns a
/// desktop. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIDevice {
    /// The machine; there is one.
    public static let current = UIDevice()
    private init() {}

    /// Posted on the main actor after a window has become wider than high, or the other way round, and when the first
    /// one is shown.
    nonisolated public static let orientationDidChangeNotification = Notification.Name(
        "UIDeviceOrientationDidChangeNotification")

    /// `.landscapeLeft` while the app's window (the one whose size changed last) is at least as wide as it is high,
    /// else `.portrait`; `.unknown` until there is one.
    public private(set) var orientation = UIDeviceOrientation.unknown
    /// Always `.mac`: windows on a desktop.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .mac }
    /// The computer's name in the network.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// Always "Linux".
    public var model: String { "Linux" }
    /// Always "Linux".
    public var systemName: String { "Linux" }
    /// The system's version as three numbers, as Foundation tells it: the kernel's.
    public var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// The notification is posted whether anybody asked for it or not.
    public var isGeneratingDeviceOrientationNotifications: Bool { true }
    /// Does nothing: the notification is posted in any case.
    public func beginGeneratingDeviceOrientationNotifications() {}
    /// Does nothing: the notification is posted in any case.
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
