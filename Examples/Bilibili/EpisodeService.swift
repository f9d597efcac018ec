import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// The current episode of a series.
final class EpisodeService: Service {
    static let titles = [
        "Hills at dusk", "The sea, seen from the pier", "Northern lights above a still lake",
        "A stone, a pond and the waves", "Embers", "How silk moves",
    ]
    /// The number of the current episode, starting at 1.
    @Published private(set) var episode = 3

    var title: String { EpisodeService.titles[episode - 1] }
    var hasNext: Bool { episode < EpisodeService.titles.count }

    /// Plays an episode. A number outside the series is clamped to its first or last episode.
    func show(_ wanted: Int) {
        episode = min(max(1, wanted), EpisodeService.titles.count)
        guard let player = context?.render.player else { return }
        player.replaceCurrentItem(with: AVPlayerItem(url: ExampleMedia.url("wide-\(episode)")))
        player.play()
    }
}
