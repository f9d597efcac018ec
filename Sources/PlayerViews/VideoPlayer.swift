import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine

/// A player with controls. AVKit's view for SwiftUI.
///
/// ```swift
/// VideoPlayer(player: player) { Watermark() }
/// ```
/// It takes all the room that is offered; beside the picture it is black. Play and pause, position, time, sound,
/// picture in picture and full screen come with the pointer, a touch or the keyboard, and go three seconds after the
/// last. Disabled, it plays without controls. The app's overlay lies between the picture and the controls. The player is the app's: it is played, paused and
/// ended by it, also when the view goes. Why an item cannot be played is said in the middle. `ExtVideoPlayer` is the
/// component without controls. Main actor.
public struct VideoPlayer<VideoOverlay: View>: View {
    let player: AVPlayer?
    let videoOverlay: VideoOverlay
    @State private var stage = PlayerStage()

    /// - Parameter videoOverlay: takes gestures where it has some; elsewhere they are the controls'.
    public init(player: AVPlayer?, @ViewBuilder videoOverlay: () -> VideoOverlay) {
        self.player = player
        self.videoOverlay = videoOverlay()
    }

    public var body: some View {
        let (stage, player) = (stage, player)
        PlayerBody(stage: stage, overlay: AnyView(videoOverlay))
            .onChange(of: player.map { ObjectIdentifier($0) }, initial: true) { stage.player = player }
            .onAppear { stage.player = player }
            .onDisappear { stage.close() }
    }
}

extension VideoPlayer where VideoOverlay == EmptyView {
    /// With nothing between picture and controls.
    ///
    /// - Parameter player: the app's; it is not paused when the view goes. Nil: black.
    public init(player: AVPlayer?) { self.init(player: player) { EmptyView() } }
}

/// A stage's picture in its place, with what lies over it; and all of it again on the screen.
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

/// Picture, the app's overlay, controls: in this order.
private struct PlayerScene: View {
    let stage: PlayerStage
    let picture: PictureView
    /// Nil while it is elsewhere.
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
        // Around all of it: what of the overlay takes clicks comes first.
        .onTapGesture { presence.show() }
    }
}

/// What can be done now: “Skip Intro”.
private struct ContextualActions: View {
    let actions: [UIAction]
    /// Points: the bar of controls may be below.
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
                            // A desktop's own button may be of any colour: over a picture this one is dark.
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
