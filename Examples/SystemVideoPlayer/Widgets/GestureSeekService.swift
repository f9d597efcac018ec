import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service that seeks on a horizontal drag, and plays or pauses on a double tap. The container launches it.
final class GestureSeekService: Service {
    private var start: Double?
    private var observations: Set<AnyCancellable> = []

    required init(_ context: Context) {
        super.init(context)
        context.gesture.observe(.drag(.horizontal)) { [weak self] event in
            guard case .drag(let value) = event.value else { return }
            self?.dragged(value, isOver: event.action == .end)
        }.store(in: &observations)
        context.gesture.observe(.doubleTap(.all)) { [weak self] _ in self?.context?[TransportService.self].toggle() }
            .store(in: &observations)
    }

    private func dragged(_ value: DragGesture.Value, isOver: Bool) {
        guard let context, context.viewSize.width > 0 else { return }
        let transport = context[TransportService.self]
        guard transport.duration > 0 else { return }
        let from = start ?? transport.time
        start = isOver ? nil : from
        transport.scrub(to: from / transport.duration + value.translation.width / context.viewSize.width)
        if isOver { transport.scrubbed() }
        context.control.present()
    }
}
