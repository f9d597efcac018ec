import DeclarativeUI
import Foundation
import MediaEngine
import Observation
import Presentation

/// When controls are seen: they come with the pointer, with keys and with a touch, and go after rest. Main actor.
@MainActor @Observable
final class ControlsPresence {
    private(set) var isShown = false
    /// Seconds without motion until they go; after the pointer has left, and what fading takes.
    static let rest = 3.0, left = 0.5, fade = 0.2

    @ObservationIgnored private var hidesAt = DispatchTime.now()
    @ObservationIgnored private var isWaiting = false
    /// A knob is in the user's hand: they stay.
    @ObservationIgnored var isHeld = false { didSet { if !isHeld, oldValue { show() } } }

    nonisolated init() {}

    func show(for seconds: Double = ControlsPresence.rest) {
        hidesAt = .now() + seconds
        if !isShown { withAnimation(.easeOut(duration: ControlsPresence.fade)) { isShown = true } }
        wait()
    }
    func pointerLeft() { if isShown { show(for: ControlsPresence.left) } }

    /// One timer at a time, however much the pointer moves; a sooner end waits for none that is later.
    private func wait() {
        guard !isWaiting else { return }
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: min(hidesAt, .now() + ControlsPresence.left)) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isWaiting = false
                guard self.isShown else { return }
                if self.isHeld || DispatchTime.now() < self.hidesAt { return self.wait() }
                withAnimation(.easeOut(duration: ControlsPresence.fade)) { self.isShown = false }
            }
        }
    }
}

/// A player's controls, over its picture.
struct PlayerControls: View {
    let stage: PlayerStage
    let presence: ControlsPresence
    /// What has the keyboard.
    @FocusState private var focus: PlayerControl?

    var body: some View {
        let (transport, presence) = (stage.transport, presence)
        ZStack {
            if transport.isWaiting { ProgressView().colorScheme(.dark) }
            GeometryReader { proxy in
                ZStack(alignment: stage.controls == .bar ? .bottom : .center) {
                    Color.clear
                    switch stage.controls {
                    case .bar: ControlBar(stage: stage, presence: presence, width: proxy.size.width, focus: $focus)
                    default: PlayButton(transport: transport, size: 34).focused($focus, equals: .play).padding(14).background(Circle().fill(Color.black.opacity(0.6)))
                    }
                }
            }
            .opacity(presence.isShown ? 1 : 0)
            .allowsHitTesting(presence.isShown)
        }
        .foregroundColor(.white)
        .onChange(of: focus) { if focus != nil { presence.show() } }
    }
}

private enum PlayerControl: Hashable { case play, position, mute, volume, floating, fullScreen }

/// Play, time, sound, and where the picture is.
private struct ControlBar: View {
    let stage: PlayerStage
    let presence: ControlsPresence
    /// Points: what there is no room for is left out.
    let width: CGFloat
    let focus: FocusState<PlayerControl?>.Binding

    var body: some View {
        let transport = stage.transport
        HStack(spacing: 10) {
            PlayButton(transport: transport, size: 20).focused(focus, equals: .play)
            if let duration = transport.duration, stage.allowsSeeking {
                if width >= 300 { ClockText(seconds: transport.time) }
                Slider(value: Binding(get: { min(transport.time, duration) }, set: { transport.seek(to: $0) }), in: 0...duration) { isEditing in
                    transport.scrub(isEditing)
                    presence.isHeld = isEditing
                }
                .focused(focus, equals: .position)
                .accessibilityLabel(PlayerText.position)
                .accessibilityValue(SpokenTime.text(transport.time, of: duration))
                if width >= 300 { ClockText(seconds: duration) }
            } else {
                ClockText(seconds: transport.time)
                Spacer(minLength: 0)
            }
            ControlButton(symbol: transport.isMuted || transport.volume == 0 ? "speaker.slash.fill" : "speaker.wave.2.fill",
                text: transport.isMuted ? PlayerText.unmute : PlayerText.mute) { transport.toggleMuted() }
                .focused(focus, equals: .mute)
            if width >= 480 {
                Slider(value: Binding(get: { transport.isMuted ? 0 : transport.volume }, set: { transport.setVolume($0) }), in: 0...1) { presence.isHeld = $0 }
                    .focused(focus, equals: .volume)
                    .frame(width: 70)
                    .accessibilityLabel(PlayerText.volume)
            }
            if stage.allowsFloating, transport.picture.width > 0, AVPictureInPictureController.isPictureInPictureSupported() {
                ControlButton(symbol: "pip.enter", text: PictureInPictureText.title) { stage.toggleFloating() }.focused(focus, equals: .floating)
            }
            if stage.allowsFullScreen {
                ControlButton(symbol: stage.isFullScreen ? "arrow.down.right.and.arrow.up.left" : "arrow.up.left.and.arrow.down.right",
                    text: stage.isFullScreen ? PlayerText.exitFullScreen : PlayerText.fullScreen) { stage.toggleFullScreen() }
                    .focused(focus, equals: .fullScreen)
            }
        }
        .padding(.horizontal, 12)
        .padding(.vertical, 4)
        .tint(.white)
        .colorScheme(.dark)
        .background(RoundedRectangle(cornerRadius: 10).fill(Color.black.opacity(0.6)))
        .padding(8)
    }
}

private struct PlayButton: View {
    let transport: PlayerTransport
    let size: CGFloat
    var body: some View {
        ControlButton(symbol: transport.isPlaying ? "pause.fill" : "play.fill", text: transport.isPlaying ? PictureInPictureText.pause : PictureInPictureText.play,
            size: size) { transport.toggle() }
    }
}

private struct ControlButton: View {
    let symbol: String
    let text: String
    var size: CGFloat = 16
    let action: @MainActor () -> Void
    var body: some View {
        Button(action: action) { Image(systemName: symbol).font(.system(size: size)).frame(width: size + 10, height: size + 10).contentShape(Rectangle()) }
            .buttonStyle(.plain)
            .accessibilityLabel(text)
            .help(text)
    }
}

/// 1:05, 2:00:00.
private struct ClockText: View {
    let seconds: Double
    var body: some View { Text(verbatim: PlayerText.clock(seconds)).font(.system(size: 12)).monospacedDigit().lineLimit(1).fixedSize() }
}
