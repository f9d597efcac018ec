import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// Which film of the series is on.
final class EpisodeService: Service {
    static let titles = [
        "Hills at dusk", "The sea, seen from the pier", "Northern lights above a still lake",
        "A stone, a pond, and what follows", "Embers", "How silk moves",
    ]
    /// From 1.
    @Published private(set) var episode = 3

    var title: String { EpisodeService.titles[episode - 1] }
    var hasNext: Bool { episode < EpisodeService.titles.count }

    /// Outside of the series it is the nearer end.
    func show(_ wanted: Int) {
        episode = min(max(1, wanted), EpisodeService.titles.count)
        guard let player = context?.render.player else { return }
        player.replaceCurrentItem(with: AVPlayerItem(url: ExampleMedia.url("wide-\(episode)")))
        player.play()
    }
}
