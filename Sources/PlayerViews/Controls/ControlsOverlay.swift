import DeclarativeUI
import DesktopServices
import Foundation
import MediaEngine
import PlayerControls
import Presentation

/// The controls over a player's video: the title above, the control bar below.
struct ControlsOverlay: View {
    let stage: PlayerStage
    let presence: ControlsPresence
    /// The control with the keyboard focus.
    @FocusState private var focus: PlayerControl?
    /// The search for cast devices. It starts when the controls are first shown.
    @State private var interest: CastRoutes.Interest?
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        let (transport, presence) = (stage.transport, presence)
        // A disabled player shows no controls, because they would not respond.
        let isShown = presence.isShown && isEnabled
        // Another button exits the full screen of the video.
        let isClosable = stage.isClosable && !stage.isFullScreen
        ZStack {
            RouteNotice(transport: transport)
            if transport.isWaiting { ProgressView().colorScheme(.dark) }
            GeometryReader { proxy in
                ZStack(alignment: stage.controls == .bar ? .bottom : .center) {
                    Color.clear
                    switch stage.controls {
                    case .bar:
                        if proxy.size.height >= 160 {
                            PlayerTitle(transport: transport, inset: isClosable ? CloseButton.width : 0)
                        }
                        ControlBar(stage: stage, presence: presence, size: proxy.size, focus: $focus)
                    default:
                        PlayButton(stage: stage, size: IconSize.large).focused($focus, equals: .play).padding(
                            Space.wide
                        )
                        .background(Circle().fill(Shade.panel))
                    }
                    if isClosable { CloseButton(stage: stage).focused($focus, equals: .close) }
                }
            }
            .opacity(isShown ? 1 : 0)
            .allowsHitTesting(isShown)
        }
        .foregroundColor(Shade.ink)
        .menuObserver(presence.menuObserver)
        .onChange(of: presence.isShown, initial: true) {
            if presence.isShown, interest == nil, transport.route.isAllowed {
                interest = CastRoutes.shared.startSearching()
            }
        }
        .onChange(of: focus) { if focus != nil { presence.show() } }
        .onKeyPress(phases: [.down, .repeat]) { press in PlayerControlKeys.handle(press, stage, presence) }
    }
}

enum PlayerControl: Hashable {
    case play, back, forward, position, mute, volume, options
    case custom(Int)
    case route, floating, fullScreen, close
}

/// The control bar: playback, time, volume, options, and the buttons for cast devices, Picture in Picture and full
/// screen.
private struct ControlBar: View {
    let stage: PlayerStage
    let presence: ControlsPresence
    /// The size of the player in points. Controls without enough space are left out.
    let size: CGSize
    let focus: FocusState<PlayerControl?>.Binding

    private var width: CGFloat { size.width }
    /// The width of the volume slider, in points.
    private static let volumeWidth: CGFloat = 70
    /// The color of an active control. The tint of the dark bar is white and can't mark it.
    private static var accent: Color { .themeAccent }

    var body: some View {
        let transport = stage.transport
        HStack(spacing: Space.wide) {
            PlayButton(stage: stage, size: IconSize.prominent).focused(focus, equals: .play)
            if stage.allowsSeeking, width >= 720 {
                ControlButton(symbol: "gobackward.10", text: PlayerText.back, key: stage.keyName(.seek(-10))) {
                    transport.seek(by: -10)
                }
                .focused(focus, equals: .back)
                ControlButton(symbol: "goforward.10", text: PlayerText.forward, key: stage.keyName(.seek(10))) {
                    transport.seek(by: 10)
                }
                .focused(focus, equals: .forward)
            }
            if let duration = transport.duration, stage.allowsSeeking {
                if width >= 300 { ClockText(seconds: transport.time) }
                PlayerSeekBar(
                    transport: transport, presence: presence, duration: duration, showsPictures: size.height >= 240,
                    isFocused: focus.wrappedValue == .position
                )
                .focused(focus, equals: .position)
                if width >= 300 { RemainingText(transport: transport, duration: duration) }
            } else {
                ClockText(seconds: transport.time)
                Spacer(minLength: 0)
            }
            ControlButton(
                symbol: transport.audio.isSilent ? "speaker.slash.fill" : "speaker.wave.2.fill",
                text: transport.audio.isMuted ? PlayerText.unmute : PlayerText.mute, key: stage.keyName(.mute)
            ) { transport.control?.toggleMuted() }
            .focused(focus, equals: .mute)
            if width >= 480 {
                Slider(
                    value: Binding(
                        get: { transport.audio.isMuted ? 0 : transport.audio.volume },
                        set: { transport.control?.setVolume($0) }),
                    in: 0...1
                ) { presence.isHeld = $0 }
                .focused(focus, equals: .volume)
                .frame(width: ControlBar.volumeWidth)
                .accessibilityLabel(PlayerText.volume)
                .help(PlayerText.tip(PlayerText.volume, stage.keyName(.volume(0.05), .volume(-0.05))))
            }
            if width >= 400 {
                CustomItems(items: stage.additions.customItems, focus: focus)
                PlayerOptionsMenu(stage: stage).focused(focus, equals: .options)
            }
            if width >= 360, transport.route.isAllowed, CastRoutes.shared.isChoice {
                RouteMenu(player: { stage.player }, active: ControlBar.accent).focused(focus, equals: .route)
            }
            if stage.allowsFloating, transport.route.name == nil, transport.videoSize.width > 0,
                AVPictureInPictureController.isPictureInPictureSupported()
            {
                ControlButton(symbol: "pip.enter", text: PictureInPictureText.title) { stage.toggleFloating() }.focused(
                    focus, equals: .floating)
            }
            if stage.allowsFullScreen {
                ControlButton(
                    symbol: stage.isFullScreen
                        ? "arrow.down.right.and.arrow.up.left" : "arrow.up.left.and.arrow.down.right",
                    text: stage.isFullScreen ? PlayerText.exitFullScreen : PlayerText.fullScreen,
                    key: stage.keyName(.toggleFullScreen)
                ) { stage.toggleFullScreen() }
                .focused(focus, equals: .fullScreen)
            }
        }
        .padding(.horizontal, Space.wide)
        .padding(.vertical, Space.tight)
        .tint(Shade.ink)
        .colorScheme(.dark)
        .background(RoundedRectangle(cornerRadius: Radius.card).fill(Shade.panel))
        .padding(Space.regular)
    }
}

/// The button at the upper left that closes the presentation of the player.
private struct CloseButton: View {
    let stage: PlayerStage
    /// The width of the button with its margin, in points.
    static let width = ControlButton.side + Space.regular

    var body: some View {
        let stage = stage
        ControlButton(symbol: "xmark", text: PlayerText.close, key: PlayerKey.escape.name) { stage.onClose?() }
            .background(RoundedRectangle(cornerRadius: Radius.control).fill(Shade.panel))
            .padding(Space.regular)
            .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    }
}

/// The buttons and menus of the app.
private struct CustomItems: View {
    let items: [UIMenuElement]
    let focus: FocusState<PlayerControl?>.Binding
    var body: some View {
        ForEach(Array(items.enumerated()), id: \.offset) { index, item in
            if let action = item as? UIAction {
                if !action.attributes.contains(.hidden) {
                    Button {
                        action.choose()
                    } label: {
                        CustomLabel(item: action)
                    }
                    .buttonStyle(.plain)
                    .disabled(action.attributes.contains(.disabled))
                    .accessibilityLabel(action.title)
                    .help(action.title)
                    .focused(focus, equals: .custom(index))
                }
            } else if let menu = item as? UIMenu {
                Menu {
                    MenuElements(menu.children)
                } label: {
                    CustomLabel(item: menu)
                }
                .menuIndicator(.hidden)
                .menuStyle(.borderlessButton)
                .accessibilityLabel(menu.title)
                .help(menu.title)
                .focused(focus, equals: .custom(index))
            }
        }
    }
}

/// The image of an app's item, or its title if it has no image.
private struct CustomLabel: View {
    let item: UIMenuElement
    var body: some View {
        if let image = item.image {
            Image(uiImage: image).frame(width: ControlButton.side, height: ControlButton.side)
        } else {
            Text(verbatim: item.title).font(.subheadline)
        }
    }
}

private struct PlayButton: View {
    let stage: PlayerStage
    let size: CGFloat
    var body: some View {
        let transport = stage.transport
        ControlButton(
            symbol: transport.isPlaying ? "pause.fill" : "play.fill",
            text: transport.isPlaying ? PictureInPictureText.pause : PictureInPictureText.play,
            key: stage.keyName(.playPause), size: size
        ) { transport.control?.togglePlayback() }
    }
}

struct ControlButton: View {
    let symbol: String
    let text: String
    /// The name of the key with the same effect, for the tooltip.
    var key: String?
    var size: CGFloat = IconSize.control
    let action: @MainActor () -> Void
    @State private var isHovered = false
    /// The side length of a button of the usual size, in points.
    static let side = IconSize.control + 2 * ControlExtent.reach
    var body: some View {
        let side = size + 2 * ControlExtent.reach
        Button(action: action) {
            Image(systemName: symbol).font(.system(size: size)).frame(width: side, height: side)
                .background(
                    RoundedRectangle(cornerRadius: Radius.control).fill(Shade.pictureTrack.opacity(isHovered ? 1 : 0))
                )
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .onHover { isHovered = $0 }
        .accessibilityLabel(text)
        .help(PlayerText.tip(text, key))
    }
}

/// A time as text, such as 1:05 or 2:00:00.
struct ClockText: View {
    let seconds: Double
    var body: some View {
        Text(verbatim: TimeText.clock(seconds)).font(.subheadline).monospacedDigit().lineLimit(1).fixedSize()
    }
}

/// A button that shows the duration; a click switches to the remaining time and back.
private struct RemainingText: View {
    let transport: PlayerTransport
    let duration: Double
    var body: some View {
        Button {
            transport.showsRemaining.toggle()
        } label: {
            Text(
                verbatim: transport.showsRemaining
                    ? "-" + TimeText.clock(max(0, duration - transport.time)) : TimeText.clock(duration)
            )
            .font(.subheadline).monospacedDigit().lineLimit(1).fixedSize()
        }
        .buttonStyle(.plain)
        .help(transport.showsRemaining ? PlayerText.remaining : PlayerText.duration)
        .accessibilityLabel(transport.showsRemaining ? PlayerText.remaining : PlayerText.duration)
    }
}
