import Filters

/// How the picture fits its space. Default: `.resizeAspect`.
public struct Gravity: SettingsConvertible {
    private let gravity: AVLayerVideoGravity
    /// - Parameter gravity: whole, filling in its own shape, or stretched.
    public init(_ gravity: AVLayerVideoGravity) { self.gravity = gravity }
    /// `Setting.gravity`.
    public func asSettings() -> [Setting] { [.gravity(gravity)] }
}

/// Allows vector layers over the picture: the commands `addVector` and `removeAllVectors`.
public struct EnableVector: SettingsConvertible {
    /// Allows them; without this setting commands about them are ignored.
    public init() {}
    /// `Setting.vector`.
    public func asSettings() -> [Setting] { [.vector] }
}

/// Allows the picture to float: the commands `startPiP` and `stopPiP`.
public struct PictureInPicture: SettingsConvertible {
    /// Allows it; without this setting commands about it have no effect.
    public init() {}
    /// `Setting.pictureInPicture`.
    public func asSettings() -> [Setting] { [.pictureInPicture] }
}

/// Allows the video to fill the screen: the commands `enterFullScreen` and `exitFullScreen`, and a double click on it.
public struct FullScreen: SettingsConvertible {
    /// Allows it; without this setting commands about it have no effect.
    public init() {}
    /// `Setting.fullScreen`.
    public func asSettings() -> [Setting] { [.fullScreen] }
}
