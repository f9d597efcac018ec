import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct CloseWidget: View {
    var body: some View {
        WithService(WindowService.self) { window in SymbolButton("xmark", "Close") { window.window?.performClose(nil) }
        }
    }
}

struct TitleWidget: View {
    var body: some View { Text("Hills at dusk").font(.headline).foregroundColor(.white).lineLimit(1) }
}

struct RouteWidget: View {
    var body: some View {
        SymbolButton("airplayvideo", "Cast to Device").disabled(true).opacity(0.5).help(
            "No cast devices found")
    }
}

/// A mute button, and a volume slider if there is enough space.
struct VolumeWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            WithService(StatusService.self) { status in
                HStack(spacing: 2) {
                    SymbolButton(symbol(service), service.isMuted ? "Unmute" : "Mute") { service.toggleMute() }
                    if status.isFullScreen {
                        VideoOverlaySlider(
                            value: Binding(
                                get: { service.isMuted ? 0 : service.volume }, set: { service.setVolume($0) }),
                            color: .white, label: "Volume",
                            spoken: "\(Int((service.volume * 100).rounded()))%"
                        )
                        .frame(width: 120)
                    }
                }
            }
        }
    }
    private func symbol(_ service: TransportService) -> String {
        service.isMuted || service.volume == 0
            ? "speaker.slash.fill" : service.volume < 0.5 ? "speaker.wave.1.fill" : "speaker.wave.2.fill"
    }
}

struct SpeedWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Menu {
                Picker(selection: Binding(get: { service.speed }, set: { service.setSpeed($0) })) {
                    ForEach([Float(0.5), 1, 1.25, 1.5, 2], id: \.self) { Text("\($0.formatted())×").tag($0) }
                } label: {
                    Text("Speed")
                }
            } label: {
                HStack(spacing: 6) {
                    Image(systemName: "gauge.high").font(.system(size: 17))
                    if service.speed != 1 { Text("\(service.speed.formatted())×").font(.caption) }
                }
                .foregroundColor(.white).frame(minWidth: 36, minHeight: 36)
            }
            .menuStyle(.borderlessButton).menuIndicator(.hidden).fixedSize()
            .accessibilityLabel("Speed")
            .accessibilityValue("\(service.speed.formatted())×")
        }
    }
}
