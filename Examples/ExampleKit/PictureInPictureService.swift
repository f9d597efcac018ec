import VideoPlayerContainer
import Zoetrope

/// A service that starts and stops Picture in Picture.
public final class PictureInPictureService: Service {
    @Published public private(set) var isPossible = false
    @Published public private(set) var isActive = false
    private let controller: AVPictureInPictureController?
    private var observations: [NSKeyValueObservation] = []

    public required init(_ context: Context) {
        controller =
            AVPictureInPictureController.isPictureInPictureSupported()
            ? AVPictureInPictureController(playerLayer: context.render.layer) : nil
        super.init(context)
        guard let controller else { return }
        observations = [
            controller.observe(\.isPictureInPicturePossible, options: [.initial, .new]) { [weak self] controller, _ in
                self?.isPossible = controller.isPictureInPicturePossible
            },
            controller.observe(\.isPictureInPictureActive, options: [.initial, .new]) { [weak self] controller, _ in
                self?.isActive = controller.isPictureInPictureActive
            },
        ]
    }

    public func toggle() { isActive ? controller?.stopPictureInPicture() : controller?.startPictureInPicture() }
}

public struct PictureInPictureButton: View {
    public init() {}
    public var body: some View {
        WithService(PictureInPictureService.self) { service in
            SymbolButton(
                service.isActive ? "pip.exit" : "pip.enter",
                service.isActive ? "Exit Picture in Picture" : "Picture in Picture"
            ) { service.toggle() }
            .disabled(!service.isPossible && !service.isActive)
        }
    }
}
