import DeclarativeUI
import Filters
import Foundation
import MediaCore
import PlayerViews
import Presentation

/// A video player as a view.
///
/// ```swift
/// ExtVideoPlayer({ VideoSettings { SourceName("swipe"); Loop() } }, command: $command)
///     .onPlayerTimeChange { print($0) }
///     .mask { RoundedRectangle(cornerRadius: 25) }
/// ```
/// It takes all the room that is offered. `settings` say what plays and how; `command` is carried out when it
/// becomes another one (and not again until it was `.idle`). When the view goes, decoder, threads and sound go
/// with it; when it goes by a transition, its last picture is seen until that is over. What cannot be played is told in
/// the middle of the view (`ErrorGroup` says how, `ErrorWidgetOff` that it is not), unless the app has words of its own
/// over that place. Main actor.
public struct ExtVideoPlayer: View {
    /// What it is told to do.
    @Binding public var command: PlaybackCommand
    /// What plays, and how.
    @Binding public var settings: VideoSettings
    @State private var model = VideoPlayerModel()
    @Environment(\.playerActions) private var actions

    /// - Parameters:
    ///   - fileName: see `SourceName`.
    ///   - ext: see `Ext`.
    ///   - gravity: how the picture fills the room.
    ///   - timePublishing: how often the time is told; nil: never.
    ///   - eColor: of the text that is shown instead of a video that cannot be played.
    ///   - eFontSize: that text's size, points.
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

    /// - Parameter settings: evaluated each time the view above is.
    public init(_ settings: () -> VideoSettings, command: Binding<PlaybackCommand> = .constant(.play)) {
        _settings = .constant(settings())
        _command = command
    }

    /// Settings that may be changed while it plays: the same source stays open, another one is opened in its place.
    public init(settings: Binding<VideoSettings>, command: Binding<PlaybackCommand> = .constant(.play)) {
        _settings = settings
        _command = command
    }

    /// The picture, and what stands in its place or over it; SwiftUI's requirement, not for apps to call.
    public var body: some View {
        let (model, settings) = (model, settings)
        // Not observed: who listens changes nothing about the view.
        let _ = (model.actions = actions)
        NativeWidget(model)
            .background {
                if let poster = settings.poster, !model.hasPicture {
                    PosterView(poster: poster, gravity: settings.gravity)
                }
            }
            .overlay {
                // An app that says what is wrong itself has the word.
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
            // Both in one: a command that comes with the settings it needs finds them applied.
            .onChange(of: Orders(settings: settings, command: command), initial: true) { old, new in
                let isFirst = !model.hasCommand
                if isFirst || old.settings != new.settings { model.apply(new.settings) }
                if isFirst || old.command != new.command { model.perform(new.command) }
            }
            .onDisappear { model.close() }
    }
}

/// Why there is no video. The words are neutral, and the symbol in the settings' colour, unless an app has chosen one.
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

private struct Orders: Equatable {
    var settings: VideoSettings
    var command: PlaybackCommand
}

/// What is told to views above a player.
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
    /// Called with the current time in seconds, as often as `TimePublishing` says, for each player in this view. Main
    /// actor.
    public func onPlayerTimeChange(perform action: @escaping @MainActor (Double) -> Void) -> some View {
        transformEnvironment(\.playerActions) { $0.time.append(action) }
    }
    /// Called with batches of what `Events` asked for, in order, for each player in this view. Main actor.
    public func onPlayerEventChange(perform action: @escaping @MainActor ([PlayerEvent]) -> Void) -> some View {
        transformEnvironment(\.playerActions) { $0.events.append(action) }
    }
}
