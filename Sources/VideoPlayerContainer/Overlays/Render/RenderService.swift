import Zoetrope

/// The player and the layer that shows it.
public class RenderService: Service {
    /// A player of the service's own, until ``attach(player:)`` gives it another.
    public private(set) var player: AVPlayer
    /// What the render overlay shows. An app sets its `videoGravity`, and makes Picture in Picture of it.
    public let layer: AVPlayerLayer
    /// The player made here, whose item goes with the view.
    private let original: AVPlayer

    public required init(_ context: Context) {
        original = AVPlayer()
        player = original
        layer = AVPlayerLayer(player: original)
        super.init(context)
    }

    /// Another player from now on: one that plays already, say, handed over by another context. It stays its owner's:
    /// when the view goes it plays on.
    public func attach(player: AVPlayer) {
        self.player = player
        layer.player = player
    }

    /// How many containers there are that show it, or are about to.
    private var containers = 0
    private var isShown = false

    /// A container has come; it goes when what is returned is let go.
    func claim() -> AnyCancellable {
        containers += 1
        return AnyCancellable { @Sendable [weak self] in
            // A turn later: where a window has got another layout, the container there has come by then.
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self?.containers -= 1
                    self?.releaseIfGone()
                }
            }
        }
    }

    func viewCame() { isShown = true }
    func viewWent() {
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.releaseIfGone() } }
    }

    private func releaseIfGone() {
        let isWanted = containers > 0 && context?.own(PlayerService.self).enabled.contains(.render) == true
        guard isShown, layer.superlayer == nil, !isWanted else { return }
        isShown = false
        release()
    }

    /// The view has gone: nobody sees the item any more, so nothing of it is kept.
    func release() {
        original.pause()
        original.replaceCurrentItem(with: nil)
    }
}
