import VideoPlayerContainer
import Zoetrope

/// A service that plays or pauses on a tap, and shows a symbol while paused. The container launches it.
final class PlaybackService: Service {
    private var tap: AnyCancellable?
    private var end: NSObjectProtocol?

    required init(_ context: Context) {
        super.init(context)
        tap = context.gesture.observe(.tap(.all)) { [weak self] _ in self?.toggle() }
        // Videos of a feed loop.
        let player = context.render.player
        end = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: .main)
        { [weak player] note in
            let item = note.object as? AVPlayerItem
            MainActor.assumeIsolated {
                guard let player, let item, player.currentItem === item else { return }
                player.seek(to: .zero)
                player.play()
            }
        }
    }
    isolated deinit { if let end { NotificationCenter.default.removeObserver(end) } }

    private func toggle() {
        guard let context else { return }
        let player = context.render.player
        guard player.rate != 0 else {
            player.play()
            return context.plugin.dismiss()
        }
        player.pause()
        context.plugin.present(.center, transition: .scale(scale: 1.6).combined(with: .opacity)) {
            AnyView(
                Image(systemName: "play.fill").font(.system(size: 64)).foregroundColor(.white.opacity(0.75))
                    .allowsHitTesting(false))
        }
    }
}
