import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service that steps by 150 frames on a double tap: back on the left half, forward on the right half. The container
/// launches it, so that it works without a visible widget.
final class StepService: Service {
    private var taps: Set<AnyCancellable> = []

    required init(_ context: Context) {
        super.init(context)
        context.gesture.observe(.doubleTap(.left)) { [weak self] _ in self?.step(-1) }.store(in: &taps)
        context.gesture.observe(.doubleTap(.right)) { [weak self] _ in self?.step(1) }.store(in: &taps)
    }

    func step(_ direction: Int) {
        guard let context, let item = context.render.player.currentItem else { return }
        if direction < 0 ? item.canStepBackward : item.canStepForward { item.step(byCount: direction * 150) }
        context.render.player.play()
        context.plugin.present(direction < 0 ? .leading : .trailing) { AnyView(StepMark(direction: direction)) }
        mark = context.dependency(\.timer).after(0.7) { [weak self] in self?.context?.plugin.dismiss() }
    }
    private var mark: AnyCancellable?

    /// Cancels the timer that dismisses the mark. Called when another plugin replaces the mark, so that the timer does
    /// not dismiss that plugin.
    func forgetMark() { mark = nil }
}

private struct StepMark: View {
    let direction: Int
    var body: some View {
        VStack(spacing: 6) {
            Image(systemName: direction < 0 ? "backward.fill" : "forward.fill").font(.system(size: 22))
            Text("150 frames").font(.caption)
        }
        .foregroundColor(.white)
        .padding(22)
        .background { Circle().fill(Color.black.opacity(0.45)) }
        .padding(.horizontal, 40)
    }
}

struct StepWidget: View {
    let direction: Int
    var body: some View {
        WithService(StepService.self) { service in
            SymbolButton(
                direction < 0 ? "backward.end.fill" : "forward.end.fill", direction < 0 ? "Skip Back" : "Skip Forward",
                size: 20
            ) {
                service.step(direction)
            }
        }
    }
}
