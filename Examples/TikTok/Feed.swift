import Foundation
import VideoPlayerContainer
import Zoetrope

/// One film of the feed.
struct FeedFilm {
    var url: URL
    var author = "", text = ""
    var likes = 0, comments = 0
}

/// A feed of any length, of which three films at most have a player: the one that is seen, its neighbours, paused at their first
/// picture. Turning the page makes the next neighbour's and lets the farthest go.
@MainActor
final class Feed: ObservableObject {
    let films: [FeedFilm]
    @Published private(set) var current = 0
    /// What has a player now, by the film's number.
    private(set) var contexts: [Int: Context] = [:]
    /// What is done to a context when it is made: its controls.
    private let prepare: @MainActor (Context, FeedFilm) -> Void

    init(films: [FeedFilm], prepare: @escaping @MainActor (Context, FeedFilm) -> Void = FeedControls.arrange) {
        self.films = films
        self.prepare = prepare
        keepNeighbours()
    }

    /// Numbers of the films that have a player, in order.
    var live: [Int] { contexts.keys.sorted() }

    /// - Returns: whether there is such a page.
    @discardableResult
    func turn(by pages: Int) -> Bool {
        let next = current + pages
        guard films.indices.contains(next), next != current else { return false }
        contexts[current]?.render.player.pause()
        // Whoever comes back begins anew.
        contexts[current]?.render.player.seek(to: .zero)
        current = next
        keepNeighbours()
        play()
        return true
    }

    func play() { contexts[current]?.render.player.play() }
    func pause() { contexts[current]?.render.player.pause() }

    private func keepNeighbours() {
        let wanted = max(0, current - 1)...min(films.count - 1, current + 1)
        for number in contexts.keys where !wanted.contains(number) { contexts[number] = nil }
        for number in wanted where contexts[number] == nil {
            let context = Context(), film = films[number]
            context.status.toPortrait()
            // Paused it opens, and shows its first picture: nothing is left to do when its turn comes.
            context.render.player.replaceCurrentItem(with: AVPlayerItem(url: film.url))
            prepare(context, film)
            contexts[number] = context
        }
    }
}
