import Zoetrope

/// The player of the container, and the layer that displays it.
///
/// ```swift
/// context.render.layer.videoGravity = .resizeAspectFill
/// context.render.player.replaceCurrentItem(with: AVPlayerItem(url: url))
/// context.render.player.play()
/// ```
public class RenderService: Service {
    /// The player. It is the service's own, until ``attach(player:)`` replaces it.
    ///
    /// When no container shows the video any more, the service's own player pauses, and its item is removed. Examples
    /// are that the last container disappears, or that the render overlay is turned off. If another container of the
    /// context replaces the last one in the same update, the item stays.
    public private(set) var player: AVPlayer
    /// The layer of the render overlay. An app can set its `videoGravity`, or start Picture in Picture with it.
    public let layer: AVPlayerLayer
    /// The service's own player, whose item is removed together with the view.
    private let original: AVPlayer

    public required init(_ context: Context) {
        original = AVPlayer()
        player = original
        layer = AVPlayerLayer(player: original)
        super.init(context)
    }

    /// Replaces the player, for example with one that another context has handed over and that already plays.
    ///
    /// A page takes over the player of the preview, which continues to play:
    /// ```swift
    /// context.render.attach(player: previewPlayer)
    /// ```
    /// The player still belongs to its owner, and continues to play when the view disappears. The player that it
    /// replaces keeps its item and its rate, because another context may show it. Pause that player if nothing shows it
    /// any more.
    public func attach(player: AVPlayer) {
        self.player = player
        layer.player = player
    }

    /// The number of containers that show the layer, or are about to.
    private var containers = 0
    private var isShown = false

    /// Counts a container until the returned object is released.
    func claim() -> AnyCancellable {
        containers += 1
        return AnyCancellable { @Sendable [weak self] in
            // The change is deferred to a later block of the main queue. If a change of the window's layout replaces
            // the container, the new container has been counted by then.
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self?.containers -= 1
                    self?.releaseIfHidden()
                }
            }
        }
    }

    func viewDidAppear() { isShown = true }
    func viewDidDisappear() {
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.releaseIfHidden() } }
    }

    private func releaseIfHidden() {
        let isRequested = containers > 0 && context?.own(PlayerService.self).enabled.contains(.render) == true
        guard isShown, layer.superlayer == nil, !isRequested else { return }
        isShown = false
        release()
    }

    /// Removes the item of the service's own player, because no view shows it any more.
    func release() {
        original.pause()
        original.replaceCurrentItem(with: nil)
    }
}
