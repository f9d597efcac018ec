import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            SymbolButton(service.isPlaying ? "pause.fill" : "play.fill", service.isPlaying ? "Pause" : "Play") {
                service.toggle()
            }
        }
    }
}

struct NextWidget: View {
    var body: some View {
        WithService(EpisodeService.self) { series in
            SymbolButton("forward.end.fill", "Next Episode") { series.show(series.episode + 1) }
                .disabled(!series.hasNext).opacity(series.hasNext ? 1 : 0.5)
        }
    }
}

struct SeekBarWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            VideoOverlaySlider(
                value: Binding(get: { service.fraction }, set: { service.scrub(to: $0) }), color: .pink,
                label: "Position", spoken: SpokenTime.text(service.shownTime, of: service.duration)
            ) { isHeld in
                if !isHeld { service.scrubbed() }
            }
        }
    }
}

struct TimeWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            WithService(StatusService.self) { status in
                Text(
                    status.isFullScreen
                        ? TimeText.clock(service.shownTime)
                        : "\(TimeText.clock(service.shownTime)) / \(TimeText.clock(service.duration))"
                )
                .font(.caption).monospacedDigit().foregroundColor(.white)
            }
        }
    }
}

struct LengthWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Text(TimeText.clock(service.duration)).font(.caption).monospacedDigit().foregroundColor(.white)
        }
    }
}

struct SpeedWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Menu {
                ForEach([Float(0.5), 1, 1.5, 2], id: \.self) { speed in
                    Button("\(speed.formatted())×") { service.setSpeed(speed) }
                }
            } label: {
                Text(service.speed == 1 ? "Speed" : "\(service.speed.formatted())×").foregroundColor(.white)
            }
            .menuStyle(.borderlessButton).menuIndicator(.hidden).fixedSize()
        }
    }
}

struct FullScreenWidget: View {
    var body: some View {
        WithService(WindowService.self) { window in
            SymbolButton(
                window.isFullScreen ? "arrow.down.right.and.arrow.up.left" : "arrow.up.left.and.arrow.down.right",
                window.isFullScreen ? "Exit Full Screen" : "Full Screen", size: 15
            ) { window.toggleFullScreen() }
        }
    }
}

struct BackWidget: View {
    var body: some View {
        WithService(WindowService.self) { window in
            SymbolButton("chevron.left", window.isFullScreen ? "Exit Full Screen" : "Close") {
                if window.isFullScreen { window.exitFullScreen() } else { window.window?.performClose(nil) }
            }
        }
    }
}
