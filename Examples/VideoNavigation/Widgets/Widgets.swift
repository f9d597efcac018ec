import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A label with the remaining time.
struct CountdownWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Text("−\(TimeText.clock(service.duration - service.shownTime))")
                .font(.caption).monospacedDigit().foregroundColor(.white)
                .padding(.horizontal, 8).padding(.vertical, 4)
                .background { RoundedRectangle(cornerRadius: 6).fill(Color.black.opacity(0.55)) }
                .accessibilityLabel("Remaining Time")
                .accessibilityValue(TimeText.clock(service.duration - service.shownTime))
        }
    }
}

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            SymbolButton(service.isPlaying ? "pause.fill" : "play.fill", service.isPlaying ? "Pause" : "Play", size: 30)
            { service.toggle() }
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
            .frame(maxWidth: .infinity)
        }
    }
}

struct TimeWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Text(TimeText.clock(service.shownTime)).font(.caption).monospacedDigit().foregroundColor(.white)
        }
    }
}

struct BackWidget: View {
    let action: @MainActor () -> Void
    var body: some View { SymbolButton("chevron.left", "Back", action: action) }
}

struct CastWidget: View {
    var body: some View {
        SymbolButton("airplayvideo", "Cast to Device").disabled(true).opacity(0.5).help(
            "No cast devices found")
    }
}
