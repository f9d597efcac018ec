import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A seek bar with a thumbnail above the pointer.
struct SeekBarWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            GeometryReader { proxy in
                VideoOverlaySlider(
                    value: Binding(get: { service.fraction }, set: { service.scrub(to: $0) }), color: .white,
                    label: "Position", spoken: TimeText.clock(service.shownTime)
                ) { isHeld in if !isHeld { service.scrubbed() } }
                .onContinuousHover { phase in
                    guard let context = service.context else { return }
                    switch phase {
                    case .active(let point):
                        context[ThumbnailService.self].point(at: point.x, of: proxy.frame(in: .containerSpace))
                    case .ended:
                        context.plugin.dismiss(animation: nil)
                        // Stopping the service releases its image generator.
                        context.stopService(ThumbnailService.self)
                    }
                }
            }
            .frame(height: 28)
        }
    }
}

/// A service that generates the thumbnail for the latest pointer position. It exists only while the pointer is on the
/// bar.
private final class ThumbnailService: Service {
    @Published private(set) var picture: CGImage?
    @Published private(set) var seconds = 0.0
    @Published private(set) var corner = CGPoint.zero
    private var generator: AVAssetImageGenerator?
    private var task: Task<Void, Never>?
    static let size = CGSize(width: 176, height: 99)
    /// The height of the panel's upper row and the time label, in points. The thumbnail is drawn behind the panel, so
    /// it must not overlap these.
    private static let overPanel: CGFloat = 86

    required init(_ context: Context) {
        super.init(context)
        guard let asset = context.render.player.currentItem?.asset else { return }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.maximumSize = CGSize(width: 352, height: 352)
        self.generator = generator
    }
    isolated deinit { task?.cancel() }

    func point(at x: CGFloat, of bar: CGRect) {
        guard let context, bar.width > 0 else { return }
        let transport = context[TransportService.self]
        seconds = min(max(0, x / bar.width), 1) * transport.duration
        corner = CGPoint(
            x: min(max(8, bar.minX + x - Self.size.width / 2), max(8, context.viewSize.width - Self.size.width - 8)),
            y: max(8, bar.minY - Self.size.height - Self.overPanel))
        if !context.plugin.isBeingPresented {
            context.plugin.present(.topLeading, animation: nil, transition: .identity) {
                AnyView(WithService(ThumbnailService.self) { ThumbnailView(service: $0) })
            }
        }
        let time = CMTime(seconds: seconds, preferredTimescale: 600)
        task?.cancel()
        task = Task { [weak self, generator] in
            guard let image = try? await generator?.image(at: time).image, !Task.isCancelled else { return }
            self?.picture = image
        }
    }
}

private struct ThumbnailView: View {
    // The service stays the same object, so the parent would not update this view. The view therefore observes the
    // service itself.
    @ObservedObject var service: ThumbnailService
    var body: some View {
        VStack(spacing: 4) {
            ZStack {
                Color.black
                if let picture = service.picture {
                    Image(picture, scale: 1, label: Text("")).resizable().aspectRatio(contentMode: .fit)
                }
            }
            .frame(width: ThumbnailService.size.width, height: ThumbnailService.size.height)
            .clipShape(RoundedRectangle(cornerRadius: 8))
            .overlay { RoundedRectangle(cornerRadius: 8).strokeBorder(Color.white.opacity(0.5), lineWidth: 1) }
            Text(TimeText.clock(service.seconds)).font(.caption).monospacedDigit().foregroundColor(.white)
                .padding(.horizontal, 8).padding(.vertical, 2)
                .background { Capsule().fill(Color.black.opacity(0.6)) }
        }
        .offset(x: service.corner.x, y: service.corner.y)
        .allowsHitTesting(false)
    }
}
