import Zoetrope

/// A speaker button that shows the volume of the environment's model, and opens a slider.
///
/// ```swift
/// HStack {
///     VolumeSlider()
///     AirPlayPickerView()
/// }
/// .environment(\.playerModel, model)
/// ```
/// A click opens the slider. A second click mutes the player and closes the slider. A click while the player is muted
/// unmutes it and opens the slider. The slider closes five seconds after its last use.
public struct VolumeSlider: View {
    @Environment(\.playerModel) private var model
    @State private var isOpen = false
    @State private var volume = 1.0
    @State private var isMuted = false
    @State private var uses = 0
    static let rest = 5.0, width = 100.0

    /// Creates a slider for the player model of the environment.
    public init() {}

    public var body: some View {
        HStack(spacing: 8) {
            Button(action: press) { Image(systemName: VolumeSlider.symbol(volume: volume, isMuted: isMuted)) }
                .buttonStyle(.xsmallIcon)
                .accessibilityLabel(isMuted ? KitText.unmute : isOpen ? KitText.mute : KitText.volume)
            if isOpen {
                Slider(value: Binding(get: { isMuted ? 0 : volume }, set: set), in: 0...1)
                    .frame(width: VolumeSlider.width)
                    .accessibilityLabel(KitText.volume)
                    .transition(.opacity)
            }
        }
        .onReceive(model.player.publisher(for: \.volume)) { volume = Double($0) }
        .onReceive(model.player.publisher(for: \.isMuted)) { isMuted = $0 }
        .task(id: uses) {
            guard isOpen else { return }
            try? await Task.sleep(nanoseconds: UInt64(VolumeSlider.rest * 1e9))
            if !Task.isCancelled { withAnimation { isOpen = false } }
        }
    }

    private func press() {
        uses += 1
        if model.player.isMuted {
            model.player.isMuted = false
            withAnimation { isOpen = true }
        } else if isOpen {
            model.player.isMuted = true
            withAnimation { isOpen = false }
        } else {
            withAnimation { isOpen = true }
        }
    }
    private func set(_ new: Double) {
        uses += 1
        model.player.volume = Float(new)
        if new > 0 { model.player.isMuted = false }
    }

    /// Returns the name of the symbol: one for a muted player or a volume of 0, and one for each third of the volume.
    static func symbol(volume: Double, isMuted: Bool) -> String {
        if isMuted || volume <= 0 { return "speaker.slash.fill" }
        return volume < 1 / 3.0
            ? "speaker.wave.1.fill" : volume < 2 / 3.0 ? "speaker.wave.2.fill" : "speaker.wave.3.fill"
    }
}
