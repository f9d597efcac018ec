import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service that seeks on a drag across the video, and shows the target in the middle.
final class TimelineService: Service {
    @ViewState fileprivate var target = 0.0
    private var start: Double?
    private var observation: AnyCancellable?

    required init(_ context: Context) {
        super.init(context)
        observation = context.gesture.observe(.drag(.horizontal)) { [weak self] event in
            guard case .drag(let value) = event.value else { return }
            self?.dragged(value, isOver: event.action == .end)
        }
    }

    private func dragged(_ value: DragGesture.Value, isOver: Bool) {
        guard let context else { return }
        let transport = context[TransportService.self]
        let width = context.viewSize.width
        guard transport.duration > 0, width > 0 else { return }
        let from = start ?? transport.time
        let isFirst = start == nil
        start = from
        // The width of the container corresponds to 90 seconds, or to the duration of a shorter video.
        target = min(max(0, from + value.translation.width / width * min(90, transport.duration)), transport.duration)
        if isFirst {
            context[StepService.self].forgetMark()
            // The target time covers the buttons, so they are hidden.
            context.control.opacity(0, animation: .easeOut(duration: 0.15))
            context.plugin.present(.center) {
                AnyView(
                    WithService(TimelineService.self) { TargetView(target: $0.target, duration: transport.duration) })
            }
        }
        guard isOver else { return }
        transport.seek(to: target)
        start = nil
        context.plugin.dismiss()
        context.control.opacity(1, animation: .easeIn(duration: 0.15))
    }
}

private struct TargetView: View {
    let target, duration: Double
    var body: some View {
        HStack(spacing: 4) {
            Text(TimeText.clock(target)).fontWeight(.semibold).foregroundColor(.white)
            Text("/ \(TimeText.clock(duration))").foregroundColor(.white.opacity(0.7))
        }
        .font(.title2).monospacedDigit()
        .padding(.horizontal, 18).padding(.vertical, 10)
        .background { RoundedRectangle(cornerRadius: 12).fill(Color.black.opacity(0.6)) }
    }
}
