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

    /// Another player from now on: one that plays already, say, handed over by another context. It stays its owner's: when the view goes
    /// it plays on.
    public func attach(player: AVPlayer) {
        self.player = player
        layer.player = player
    }

    /// The view has gone: nobody sees the item any more, so nothing of it is kept.
    func release() {
        original.pause()
        original.replaceCurrentItem(with: nil)
    }
}
