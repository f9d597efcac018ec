import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            SymbolButton(service.isPlaying ? "pause.fill" : "play.fill", service.isPlaying ? "Pause" : "Play") { service.toggle() }
        }
    }
}

struct NextWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in SymbolButton("forward.end.fill", "Next") { service.seek(to: service.duration) } }
    }
}

struct SeekBarWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Slider(value: Binding(get: { service.place }, set: { service.scrub(to: $0) })) { isHeld in
                if !isHeld { service.scrubbed() }
            }
            .tint(Color.pink)
            .accessibilityLabel("Position")
            .accessibilityValue(clock(service.shownTime))
            .frame(maxWidth: .infinity)
        }
    }
}

struct TimeWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            WithService(StatusService.self) { status in
                Text(status.isFullScreen ? clock(service.shownTime) : "\(clock(service.shownTime)) / \(clock(service.duration))")
                    .font(.caption).monospacedDigit().foregroundColor(.white)
            }
        }
    }
}

struct LengthWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in Text(clock(service.duration)).font(.caption).monospacedDigit().foregroundColor(.white) }
    }
}

struct SpeedWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Menu {
                ForEach([Float(0.5), 1, 1.5, 2], id: \.self) { speed in Button("\(speed.formatted())×") { service.setSpeed(speed) } }
            } label: {
                Text(service.speed == 1 ? "Speed" : "\(service.speed.formatted())×").foregroundColor(.white)
            }
            .menuStyle(.borderlessButton).menuIndicator(.hidden).fixedSize()
        }
    }
}

struct FullScreenWidget: View {
    var body: some View {
        SymbolButton("arrow.up.left.and.arrow.down.right", "Full screen", size: 15) {
            (NSApp.keyWindow ?? NSApp.windows.first)?.toggleFullScreen(nil)
        }
    }
}

struct BackWidget: View {
    var body: some View {
        SymbolButton("chevron.left", "Back") {
            guard let window = NSApp.keyWindow ?? NSApp.windows.first, window.styleMask.contains(.fullScreen) else { return }
            window.toggleFullScreen(nil)
        }
    }
}
