import Zoetrope

/// Controls for a `CustomPlayerView`, over a dark background.
///
/// - At the top are the close button (only in full screen), the volume, the Picture in Picture button and the button
///   for cast devices.
/// - In the middle are the buttons to skip back 10 seconds, to play or pause, and to skip forward 10 seconds.
/// - At the bottom are the title and subtitle, the preview of a tracked position, a menu (audio, subtitles, speed) and
///   the time bar.
@MainActor
public struct CustomControlsView: View {
    @Environment(\.playerModel) private var model
    @State private var presentation = PlayerPresentation.none
    @State private var title = ""
    @State private var subtitle = ""
    @State private var trackingState = TrackState.idle

    /// Creates controls for the player model of the environment.
    public init() {}

    public var body: some View {
        ZStack {
            VStack(spacing: 8) {
                HStack(spacing: 12) {
                    if presentation.isFullScreen {
                        Button {
                            model.presentation = .none
                        } label: {
                            Image(systemName: "xmark")
                        }
                        .buttonStyle(.xsmallIcon)
                        .accessibilityLabel(KitText.close)
                    }
                    Spacer()
                    VolumeSlider()
                    PiPButton()
                    AirPlayPickerView()
                }
                Spacer(minLength: 0)
                PlaybackPreviewView(trackingState: $trackingState).frame(
                    maxWidth: .infinity, maxHeight: deviceSpecificValue(phone: 100, pad: 100, tv: 200, default: 100))
                HStack(alignment: .bottom) {
                    VStack(alignment: .leading, spacing: 2) {
                        if !subtitle.isEmpty { Text(verbatim: subtitle).font(.subheadline).lineLimit(1) }
                        if !title.isEmpty { Text(verbatim: title).font(.headline).lineLimit(1) }
                    }
                    Spacer()
                    KitOptionsMenu()
                }
                PlaybackTimeBar(trackingState: $trackingState).frame(maxWidth: .infinity)
            }
            .padding()
            // The buttons are in the middle of the video, regardless of the height of the other controls.
            TransportButtons()
        }
        .foregroundColor(.white)
        .colorScheme(.dark)
        .background(Color.black.opacity(0.6))
        .onReceive(model.$presentation) { presentation = $0 }
        .onReceive(model.$currentItem) { (title, subtitle) = ($0?.title ?? "", $0?.subtitle ?? "") }
    }
}

/// The buttons to skip back 10 seconds, to play or pause, and to skip forward 10 seconds.
private struct TransportButtons: View {
    @Environment(\.playerModel) private var model
    /// Whether the player is playing, or is waiting to play.
    @State private var isOn = false

    var body: some View {
        HStack(spacing: 24) {
            Button {
                model.skip(-10)
            } label: {
                Image(systemName: "gobackward.10")
            }.buttonStyle(.mediumIcon).accessibilityLabel(KitText.back)
            Button {
                model.togglePlayback()
            } label: {
                Image(systemName: isOn ? "pause.fill" : "play.fill")
            }
            .buttonStyle(.largeIcon)
            .accessibilityLabel(isOn ? KitText.pause : KitText.play)
            Button {
                model.skip(10)
            } label: {
                Image(systemName: "goforward.10")
            }.buttonStyle(.mediumIcon).accessibilityLabel(KitText.forward)
        }
        .onReceive(model.$state) { if case .paused = $0 { isOn = false } else { isOn = true } }
    }
}

private struct PiPButton: View {
    @Environment(\.playerModel) private var model
    @State private var isPossible = false
    @State private var isActive = false

    var body: some View {
        ZStack {
            if isPossible {
                Button {
                    model.togglePiP()
                } label: {
                    Image(systemName: isActive ? "pip.exit" : "pip.enter")
                }
                .buttonStyle(.pip)
                .accessibilityLabel(isActive ? KitText.exitPiP : KitText.enterPiP)
            }
        }
        .onReceive(model.$isPiPPossible) { isPossible = $0 }
        .onReceive(model.$isPiPActive) { isActive = $0 }
    }
}

/// A menu for audio, subtitles and speed, with check marks at the current choices.
private struct KitOptionsMenu: View {
    @Environment(\.playerModel) private var model
    @State private var audios: AVMediaSelectionGroup?
    @State private var subtitles: AVMediaSelectionGroup?
    @State private var audio: AVMediaSelectionOption?
    @State private var subtitle: AVMediaSelectionOption?
    @State private var rate: Float = 1
    private static let rates: [Float] = [0.5, 1, 1.5, 2, 2.5]

    var body: some View {
        OptionsMenu(KitText.more, items: items) { Image(systemName: "ellipsis.circle") }
            .onReceive(model.$availableAudios) { audios = $0 }
            .onReceive(model.$availableSubtitles) { subtitles = $0 }
            .onReceive(model.$audio) { audio = $0 }
            .onReceive(model.$subtitle) { subtitle = $0 }
            .onReceive(model.player.publisher(for: \.defaultRate)) { rate = $0 }
    }

    private func items() -> [OptionsMenuItem] {
        var items: [OptionsMenuItem] = []
        if let options = audios?.options, !options.isEmpty {
            items.append(
                .menu(KitText.audio, symbol: "waveform.circle") {
                    options.map { option in
                        .choice(option.displayName, isOn: option == audio) { model.audio = option }
                    }
                })
        }
        if let options = subtitles?.options, !options.isEmpty {
            items.append(
                .menu(KitText.subtitle, symbol: "captions.bubble") {
                    [.choice(KitText.off, isOn: subtitle == nil) { model.subtitle = nil }]
                        + options.map { option in
                            .choice(option.displayName, isOn: option == subtitle) { model.subtitle = option }
                        }
                })
        }
        items.append(
            .menu(KitText.rate, symbol: "speedometer") {
                KitOptionsMenu.rates.map { option in
                    .choice(String(format: "%.1f", option), isOn: abs(option - rate) < 0.01) { set(option) }
                }
            })
        return items
    }

    /// Sets the rate. A playing player continues at the new rate.
    private func set(_ new: Float) {
        let plays = model.player.timeControlStatus != .paused
        if plays { model.player.pause() }
        model.player.defaultRate = new
        if plays { model.player.play() }
    }
}
