import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service with the current video and the next one.
final class FilmService: Service {
    @Published private(set) var film = Film.all[0]
    /// Whether the next video starts when the current one ends.
    @Published var playsNext = true
    private var end: AnyCancellable?

    required init(_ context: Context) {
        super.init(context)
        end = NotificationCenter.default.publisher(for: AVPlayerItem.didPlayToEndTimeNotification).sink {
            [weak self] note in
            self?.ended(note.object as? AVPlayerItem)
        }
    }

    var next: Film { Film.all[((Film.all.firstIndex(of: film) ?? 0) + 1) % Film.all.count] }

    func show(_ film: Film) {
        self.film = film
        guard let player = context?.render.player else { return }
        player.replaceCurrentItem(with: AVPlayerItem(url: ExampleMedia.url(film.file)))
        player.play()
    }

    private func ended(_ item: AVPlayerItem?) {
        guard playsNext, let item, item === context?.render.player.currentItem else { return }
        show(next)
    }
}
