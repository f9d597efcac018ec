import DeclarativeUI
import Filters
import Foundation
import MediaCore
import PlayerViews

/// A view that plays a video.
///
/// ```swift
/// ExtVideoPlayer({ VideoSettings { SourceName("swipe"); Loop() } }, command: $command)
///     .onPlayerTimeChange { print($0) }
///     .mask { RoundedRectangle(cornerRadius: 25) }
/// ```
/// The view takes all the space that is offered. `settings` selects what it plays and how. A `command` is carried out
/// when it differs from the last one, or after `.idle`.
///
/// When the view is removed, its decoder, threads and audio are freed. If it is removed with a transition, the last
/// frame stays visible until the transition ends. In a hidden tab or page, and in a row that has scrolled out of the
/// visible area, the video keeps its position and continues to play: pause it in `onDisappear`.
///
/// If a video can't be played, the view shows an error text in its center. `ErrorGroup` changes the appearance of the
/// text, and `ErrorWidgetOff` hides it. The text is also hidden while the app shows other text over it.
public struct ExtVideoPlayer: View {
    /// The command for the player.
    @Binding public var command: PlaybackCommand
    /// The settings of the player.
    @Binding public var settings: VideoSettings
    @State private var model = VideoPlayerModel()
    @Environment(\.playerActions) private var actions

    /// Creates a player for a source with a name.
    /// - Parameters:
    ///   - fileName: The name of the source; see `SourceName`.
    ///   - ext: The file name extension of a source whose name has none; see `Ext`.
    ///   - gravity: The way in which the video fits its view.
    ///   - timePublishing: The interval at which the time is reported; nil for never.
    ///   - eColor: The color of the text that replaces a video that can't be played.
    ///   - eFontSize: The size of that text, in points.
    ///   - command: The command for the player.
    public init(
        fileName: String, ext: String = VideoSettings.defaultExt, gravity: AVLayerVideoGravity = .resizeAspect,
        timePublishing: CMTime? = CMTime(seconds: 1, preferredTimescale: 600), eColor: Color = .red,
        eFontSize: CGFloat = 17,
        command: Binding<PlaybackCommand> = .constant(.play)
    ) {
        let settings = VideoSettings(
            name: fileName, ext: ext, timePublishing: timePublishing, gravity: gravity, errorColor: eColor,
            errorFontSize: eFontSize)
        _settings = .constant(settings)
        _command = command
    }

    /// Creates a player from settings.
    /// - Parameters:
    ///   - settings: Returns the settings. It is called each time that the parent view is evaluated.
    ///   - command: The command for the player.
    public init(_ settings: () -> VideoSettings, command: Binding<PlaybackCommand> = .constant(.play)) {
        _settings = .constant(settings())
        _command = command
    }

    /// Creates a player whose settings can change while it plays. The same source stays open; another one replaces it.
    ///
    /// ```swift
    /// @State private var settings = VideoSettings { SourceName("film.mp4") }
    ///
    /// var body: some View {
    ///     VStack {
    ///         ExtVideoPlayer(settings: $settings)
    ///         Toggle("Loop", isOn: $settings.loop)
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - settings: The settings of the player.
    ///   - command: The command for the player.
    public init(settings: Binding<VideoSettings>, command: Binding<PlaybackCommand> = .constant(.play)) {
        _settings = settings
        _command = command
    }

    /// The video, and the views in its place or over it. SwiftUI requires this property; apps do not call it.
    public var body: some View {
        let (model, settings) = (model, settings)
        // The handlers are not observed, because they don't change the view.
        let _ = (model.actions = actions)
        NativeWidget(model)
            .background {
                if let poster = settings.poster, !model.hasPicture {
                    PosterView(poster: poster, gravity: settings.gravity)
                }
            }
            .overlay {
                // An app that hides the error text shows the error itself.
                if let text = model.errorText, !settings.errorWidgetOff {
                    PlayerErrorView(text: text, settings: settings) { model.retry() }
                }
            }
            .overlay { if model.isFloating { PictureInPicturePlaceholder() } }
            .gesture(TapGesture(count: 2).onEnded { model.enterFullScreen() }, isEnabled: settings.fullScreen)
            .fullScreenCover(
                isPresented: Binding(get: { model.isFullScreen }, set: { if !$0 { model.exitFullScreen() } })
            ) {
                FullScreenPicture(model: model, settings: settings)
            }
            // Settings and command are observed together, so that a command that needs new settings finds them applied.
            .onChange(of: PlayerInputs(settings: settings, command: command), initial: true) { old, new in
                let isFirst = !model.hasCommand
                if isFirst || old.settings != new.settings { model.apply(new.settings) }
                if isFirst || old.command != new.command { model.perform(new.command) }
            }
            .onRemoval { model.close() }
    }
}

/// The error text over a video. With the default color, the symbol is red and the text is white. Any other color in the
/// settings applies to both.
struct PlayerErrorView: View {
    let text: String
    let settings: VideoSettings
    let retry: @MainActor () -> Void
    var body: some View {
        let isOwn = settings.errorColor != .red
        PlayerProblem(
            text, ink: isOwn ? settings.errorColor : Shade.ink, mark: settings.errorColor, size: settings.errorFontSize,
            retry: retry)
    }
}

private struct PlayerInputs: Equatable {
    var settings: VideoSettings
    var command: PlaybackCommand
}

/// The handlers of the views that contain a player.
struct PlayerActions {
    var time: [@MainActor (Double) -> Void] = []
    var events: [@MainActor ([PlayerEvent]) -> Void] = []
}

private struct PlayerActionsKey: EnvironmentKey { static var defaultValue: PlayerActions { PlayerActions() } }
extension EnvironmentValues {
    var playerActions: PlayerActions {
        get { self[PlayerActionsKey.self] }
        set { self[PlayerActionsKey.self] = newValue }
    }
}

extension View {
    /// Adds a handler for the time of each player in this view.
    /// - Parameter action: Called on the main actor with the current time in seconds, at the interval of
    ///   `TimePublishing`. It is not called for a player whose settings have no interval.
    public func onPlayerTimeChange(perform action: @escaping @MainActor (Double) -> Void) -> some View {
        transformEnvironment(\.playerActions) { $0.time.append(action) }
    }
    /// Adds a handler for the events of each player in this view.
    /// - Parameter action: Called on the main actor with batches of the events that `Events` selects, in order. It is
    ///   not called for a player whose settings have no `Events`.
    public func onPlayerEventChange(perform action: @escaping @MainActor ([PlayerEvent]) -> Void) -> some View {
        transformEnvironment(\.playerActions) { $0.events.append(action) }
    }
}
