import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            SymbolButton(
                service.isPlaying ? "pause.fill" : "arrowtriangle.right.fill", service.isPlaying ? "Pause" : "Play",
                size: 24
            ) { service.toggle() }
        }
    }
}

struct PreviousWidget: View {
    var body: some View {
        WithService(PlaylistService.self) { list in SymbolButton("backward.fill", "Previous Video") { list.step(-1) } }
    }
}
struct NextWidget: View {
    var body: some View {
        WithService(PlaylistService.self) { list in SymbolButton("forward.fill", "Next Video") { list.step(1) } }
    }
}

struct VolumeWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            HStack(spacing: 0) {
                SymbolButton(
                    service.isMuted ? "speaker.slash.fill" : "speaker.wave.2.fill",
                    service.isMuted ? "Unmute" : "Mute", size: 15
                ) { service.toggleMute() }
                VideoOverlaySlider(
                    value: Binding(get: { service.isMuted ? 0 : service.volume }, set: { service.setVolume($0) }),
                    color: .white, label: "Volume",
                    spoken: "\(Int((service.volume * 100).rounded()))%"
                )
                .frame(width: 84)
            }
        }
    }
}

struct TimeWidget: View {
    var body: some View {
        WithService(TransportService.self) {
            Text(TimeText.clock($0.shownTime)).font(.caption).monospacedDigit().foregroundColor(.white)
        }
    }
}
struct RemainingWidget: View {
    var body: some View {
        WithService(TransportService.self) {
            Text("−\(TimeText.clock($0.duration - $0.shownTime))").font(.caption).monospacedDigit().foregroundColor(
                .white)
        }
    }
}

struct PlaylistWidget: View {
    var body: some View {
        WithService(FeatureService.self) { feature in
            SymbolButton("list.clipboard", "Playlist", size: 16) {
                feature.panelIsOpen ? feature.dismiss() : feature.present(.right(.cover)) { AnyView(PlaylistPanel()) }
            }
        }
    }
}

extension FeatureService {
    /// Whether the playlist panel is open. The app has only one panel.
    fileprivate var panelIsOpen: Bool { context?[PlaylistPanelState.self].isOpen ?? false }
}

/// A service that stores whether the playlist panel is open.
private final class PlaylistPanelState: Service { var isOpen = false }

private struct PlaylistPanel: View {
    var body: some View {
        WithService(PlaylistPanelState.self) { state in
            WithService(PlaylistService.self) { list in
                List(list.films, id: \.self) { film in
                    HStack(spacing: 8) {
                        Image(systemName: film == list.current ? "play.fill" : "film").font(.system(size: 13)).frame(
                            width: 18
                        )
                        .foregroundColor(film == list.current ? .blue : .white.opacity(0.6))
                        Text(film.lastPathComponent).foregroundColor(.white).lineLimit(1)
                        Spacer(minLength: 0)
                    }
                    .padding(.vertical, 5)
                    .contentShape(Rectangle())
                    .onTapGesture(count: 2) { list.open(film) }
                    .listRowSeparatorTint(.white.opacity(0.15))
                    .listRowBackground(Color.clear)
                    .accessibilityLabel(film.lastPathComponent)
                    .accessibilityHint("Double-click to play")
                }
                .listStyle(.plain)
                .scrollContentBackground(.hidden)
                .frame(width: 230)
                .background(Color.black.opacity(0.78))
                .onAppear { state.isOpen = true }
                .onDisappear { state.isOpen = false }
            }
        }
    }
}
