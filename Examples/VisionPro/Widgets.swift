import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Button {
                service.toggle()
            } label: {
                Image(systemName: service.isPlaying ? "pause.fill" : "play.fill").font(.system(size: 18)).frame(
                    width: 36, height: 36
                )
                .contentShape(Circle())
            }
            .buttonStyle(.plain)
            .accessibilityLabel(service.isPlaying ? "Pause" : "Play")
            .help(service.isPlaying ? "Pause" : "Play")
        }
    }
}

struct SeekBarWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Slider(value: Binding(get: { service.fraction }, set: { service.scrub(to: $0) })) { isHeld in
                if !isHeld { service.scrubbed() }
            }
            .accessibilityLabel("Position")
            .accessibilityValue(TimeText.clock(service.shownTime))
        }
    }
}

struct TimeWidget: View {
    var body: some View {
        WithService(TransportService.self) {
            Text(TimeText.clock($0.shownTime)).monospacedDigit().foregroundColor(.secondary)
        }
    }
}
struct DurationWidget: View {
    var body: some View {
        WithService(TransportService.self) {
            Text(TimeText.clock($0.duration)).monospacedDigit().foregroundColor(.secondary)
        }
    }
}

struct RateWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Picker("Speed", selection: Binding(get: { service.speed }, set: { service.setSpeed($0) })) {
                ForEach([Float(0.5), 1, 1.5, 2], id: \.self) { Text("\($0.formatted())×").tag($0) }
            }
            .labelsHidden()
            .fixedSize()
            .accessibilityLabel("Speed")
        }
    }
}
