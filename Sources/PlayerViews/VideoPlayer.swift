import DeclarativeUI
import Foundation
import MediaEngine

/// A view that shows a player with controls. AVKit's view for SwiftUI.
///
/// ```swift
/// VideoPlayer(player: player) { Watermark() }
/// ```
/// The view takes all the space that is offered, and is black around the video. The controls for playback, position,
/// volume, Picture in Picture and full screen appear with the pointer, a touch or the keyboard. They disappear after
/// three seconds without use. A disabled view plays without controls.
///
/// The player belongs to the app, which plays and pauses it. It does not change when the view disappears. If an item
/// can't be played, the view shows the reason in its center. `ExtVideoPlayer` is a player view without controls.
public struct VideoPlayer<VideoOverlay: View>: View {
    let player: AVPlayer?
    let videoOverlay: VideoOverlay
    @State private var stage = PlayerStage()

    /// Creates a player view with an overlay between the video and the controls.
    /// - Parameters:
    ///   - player: The player; nil for a black view.
    ///   - videoOverlay: The overlay. It receives gestures where its views handle them; elsewhere the controls do.
    public init(player: AVPlayer?, @ViewBuilder videoOverlay: () -> VideoOverlay) {
        self.player = player
        self.videoOverlay = videoOverlay()
    }

    public var body: some View {
        let (stage, player) = (stage, player)
        PlayerBody(stage: stage, overlay: AnyView(videoOverlay))
            .onChange(of: player.map { ObjectIdentifier($0) }, initial: true) { stage.player = player }
            .onAppear { stage.player = player }
            // A player in a hidden tab, page or row keeps its controls and Picture in Picture.
            .onRemoval { stage.close() }
    }
}

extension VideoPlayer where VideoOverlay == EmptyView {
    /// Creates a player view without an overlay.
    ///
    /// ```swift
    /// @State private var player = AVPlayer(url: URL(fileURLWithPath: "film.mp4"))
    ///
    /// var body: some View {
    ///     VideoPlayer(player: player)
    ///         .onAppear { player.play() }
    ///         .onDisappear { player.pause() }
    /// }
    /// ```
    /// - Parameter player: The player, which is not paused when the view disappears; nil for a black view.
    public init(player: AVPlayer?) { self.init(player: player) { EmptyView() } }
}

/// The video of a stage in its usual place with its overlays, and a second time in full screen.
struct PlayerBody: View {
    let stage: PlayerStage
    let overlay: AnyView
    @Environment(\.playerKeyMap) private var keyMap

    var body: some View {
        let (stage, keyMap) = (stage, keyMap)
        PlayerScene(stage: stage, picture: stage.picture, overlay: stage.isFullScreen ? nil : overlay)
            .fullScreenCover(
                isPresented: Binding(get: { stage.isFullScreen }, set: { if !$0 { stage.exitFullScreen() } })
            ) {
                if let screen = stage.fullScreen.view { PlayerScene(stage: stage, picture: screen, overlay: overlay) }
            }
            .onChange(of: keyMap, initial: true) { stage.keyMap = keyMap }
    }
}

/// The video, the app's overlay and the controls, in this order.
private struct PlayerScene: View {
    let stage: PlayerStage
    let picture: PictureView
    /// The app's overlay; nil while it is in the other scene.
    let overlay: AnyView?
    @State private var presence = ControlsPresence()
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        let (stage, presence, isEnabled, picture) = (stage, presence, isEnabled, picture)
        ZStack {
            Color.black
            PlacedPicture(view: picture)
            if let overlay { overlay }
            if let problem = stage.transport.problem {
                PlayerProblem(problem, bars: ControlExtent.bar) { stage.transport.control?.retry() }
            }
            if stage.controls != .none { ControlsOverlay(stage: stage, presence: presence) }
            if !stage.additions.contextualActions.isEmpty, isEnabled {
                ContextualActions(actions: stage.additions.contextualActions)
            }
        }
        .clipped()
        .onChange(of: presence.isShown && isEnabled && stage.controls == .bar, initial: true) { _, hasBar in
            picture.playerLayer.coveredBottom = hasBar ? ControlExtent.overPicture : 0
        }
        .contentShape(Rectangle())
        .onContinuousHover { phase in
            switch phase {
            case .active: if isEnabled { presence.show() }
            case .ended: presence.pointerLeft()
            }
        }
        // The gesture is on the whole scene, so that views of the overlay that handle clicks come first.
        .gesture(TapGesture().onEnded { presence.show() }, isEnabled: stage.controls != .none)
    }
}

/// The buttons of contextual actions, such as “Skip Intro”.
private struct ContextualActions: View {
    let actions: [UIAction]
    /// The distance from the lower edge in points, so that the control bar fits below.
    private static let overBar = ControlExtent.overPicture
    var body: some View {
        VStack {
            Spacer()
            HStack {
                Spacer()
                ForEach(Array(actions.enumerated()), id: \.offset) { _, action in
                    if !action.attributes.contains(.hidden) {
                        Button {
                            action.choose()
                        } label: {
                            // Dark, because a button of the desktop may have any color over a video.
                            ElementLabel(element: action).padding(.horizontal, Space.edge).padding(
                                .vertical, Space.regular
                            )
                            .background(RoundedRectangle(cornerRadius: Radius.control).fill(Shade.label))
                        }
                        .buttonStyle(.plain)
                        .foregroundColor(Shade.ink)
                        .disabled(action.attributes.contains(.disabled))
                    }
                }
            }
        }
        .padding(.horizontal, Space.edge)
        .padding(.bottom, ContextualActions.overBar)
        .colorScheme(.dark)
    }
}
