import Filters

/// The way in which the video fits its view. Default: `.resizeAspect`.
///
/// The video fills its view, and the parts outside of the view are cut off:
/// ```swift
/// ExtVideoPlayer { VideoSettings { SourceName("background.mp4"); Gravity(.resizeAspectFill); Loop() } }
/// ```
public struct Gravity: SettingsConvertible {
    private let gravity: AVLayerVideoGravity
    /// Creates the setting.
    /// - Parameter gravity: Whether the video is shown as a whole, fills the view in its own aspect ratio, or is
    ///   stretched.
    public init(_ gravity: AVLayerVideoGravity) { self.gravity = gravity }
    /// Returns `Setting.gravity`.
    public func asSettings() -> [Setting] { [.gravity(gravity)] }
}

/// A setting that allows vector layers over the video: the commands `addVector` and `removeAllVectors`.
public struct EnableVector: SettingsConvertible {
    /// Creates the setting. Without it, commands about vector layers are ignored.
    public init() {}
    /// Returns `Setting.vector`.
    public func asSettings() -> [Setting] { [.vector] }
}

/// A setting that allows Picture in Picture: the commands `startPiP` and `stopPiP`.
///
/// The command `idle` lets the button work again after the small window has closed:
/// ```swift
/// @State private var command = PlaybackCommand.play
///
/// var body: some View {
///     VStack {
///         ExtVideoPlayer(
///             { VideoSettings { SourceName("film.mp4"); PictureInPicture(); Events([.stoppedPiP]) } },
///             command: $command
///         )
///         .onPlayerEventChange { _ in command = .idle }
///         Button("Picture in Picture") { command = .startPiP }
///     }
/// }
/// ```
public struct PictureInPicture: SettingsConvertible {
    /// Creates the setting. Without it, commands about Picture in Picture have no effect.
    public init() {}
    /// Returns `Setting.pictureInPicture`.
    public func asSettings() -> [Setting] { [.pictureInPicture] }
}

/// A setting that allows full screen: the commands `enterFullScreen` and `exitFullScreen`, and a double click.
///
/// ```swift
/// @State private var command = PlaybackCommand.play
///
/// var body: some View {
///     ExtVideoPlayer({ VideoSettings { SourceName("film.mp4"); FullScreen(); Events() } }, command: $command)
///         .onPlayerEventChange { if $0.contains(.fullScreenChanged(false)) { command = .idle } }
///         .overlay(alignment: .topTrailing) {
///             Button("Full screen") { command = .enterFullScreen }
///         }
/// }
/// ```
public struct FullScreen: SettingsConvertible {
    /// Creates the setting. Without it, commands about full screen have no effect.
    public init() {}
    /// Returns `Setting.fullScreen`.
    public func asSettings() -> [Setting] { [.fullScreen] }
}
