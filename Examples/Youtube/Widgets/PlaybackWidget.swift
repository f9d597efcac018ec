import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            SymbolButton(service.isPlaying ? "pause.fill" : "play.fill", service.isPlaying ? "Pause" : "Play", size: 30)
            { service.toggle() }
        }
    }
}

struct TimeWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Text("\(TimeText.clock(service.shownTime)) / \(TimeText.clock(service.duration))")
                .font(.caption).monospacedDigit().foregroundColor(.white).padding(.leading, 6)
        }
    }
}

struct SeekBarWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            VideoOverlaySlider(
                value: Binding(get: { service.fraction }, set: { service.scrub(to: $0) }), color: .red,
                label: "Position", spoken: SpokenTime.text(service.shownTime, of: service.duration)
            ) { isHeld in
                if !isHeld { service.scrubbed() }
            }
        }
    }
}
