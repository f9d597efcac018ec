import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct PlaybackWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            SymbolButton(service.isPlaying ? "pause.fill" : "play.fill", service.isPlaying ? "Pause" : "Play", size: 36)
            { service.toggle() }
        }
    }
}

/// A button that steps by `frames`; back if the number is negative.
struct StepWidget: View {
    let frames: Int
    var body: some View {
        WithService(RenderService.self) { render in
            SymbolButton(
                frames < 0 ? "gobackward.5" : "goforward.5", frames < 0 ? "Back 150 Frames" : "Forward 150 Frames",
                size: 24
            ) {
                guard let item = render.player.currentItem, frames < 0 ? item.canStepBackward : item.canStepForward
                else { return }
                item.step(byCount: frames)
            }
        }
    }
}

struct SeekBarWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            VideoOverlaySlider(
                value: Binding(get: { service.fraction }, set: { service.scrub(to: $0) }), color: .white,
                label: "Position", spoken: TimeText.clock(service.shownTime)
            ) { isHeld in if !isHeld { service.scrubbed() } }
        }
    }
}

struct ElapsedWidget: View {
    var body: some View {
        WithService(TransportService.self) { TimeLabel(seconds: $0.shownTime, label: "Elapsed Time") }
    }
}
struct DurationWidget: View {
    var body: some View { WithService(TransportService.self) { TimeLabel(seconds: $0.duration, label: "Duration") } }
}
private struct TimeLabel: View {
    let seconds: Double
    let label: LocalizedStringKey
    var body: some View {
        Text(TimeText.clock(seconds)).font(.caption).monospacedDigit().foregroundColor(.white)
            .accessibilityLabel(label).accessibilityValue(TimeText.clock(seconds))
    }
}
