import Composition

/// How the picture fits its space. Default: `.resizeAspect`.
public struct Gravity: SettingsConvertible {
    private let gravity: AVLayerVideoGravity
    /// - Parameter gravity: how the picture fits its space.
    public init(_ gravity: AVLayerVideoGravity) { self.gravity = gravity }
    public func asSettings() -> [Setting] { [.gravity(gravity)] }
}

/// Allows vector layers over the picture: the commands `addVector` and `removeAllVectors`.
public struct EnableVector: SettingsConvertible {
    /// Vector layers may be drawn.
    public init() {}
    public func asSettings() -> [Setting] { [.vector] }
}

/// Allows the picture to float: the commands `startPiP` and `stopPiP`.
public struct PictureInPicture: SettingsConvertible {
    /// The picture may float.
    public init() {}
    public func asSettings() -> [Setting] { [.pictureInPicture] }
}

/// Allows the video to fill the screen: the commands `enterFullScreen` and `exitFullScreen`, and a double click on it.
public struct FullScreen: SettingsConvertible {
    /// The video may fill the screen.
    public init() {}
    public func asSettings() -> [Setting] { [.fullScreen] }
}
