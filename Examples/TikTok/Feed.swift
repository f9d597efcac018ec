import Foundation
import VideoPlayerContainer
import Zoetrope

/// One film of the feed.
struct FeedFilm {
    var url: URL
    var author = "", text = ""
    var likes = 0, comments = 0
}

/// A feed of any length, of which three films at most have a player: the one that is seen and its neighbours, paused at
/// their first picture. Turning the page lets the farthest go, and makes the next neighbour's as soon as that has gone.
@MainActor
final class Feed: ObservableObject {
    let films: [FeedFilm]
    @Published private(set) var current = 0
    /// What has a player now, by the film's number.
    @Published private(set) var contexts: [Int: Context] = [:]
    private var isPlaying = false
    /// What is done to a context when it is made: its controls.
    private let prepare: @MainActor (Context, FeedFilm) -> Void
    /// The players of pages that were let go: views have them until they are gone too.
    private var leaving: [Leaving] = []
    private var isWaiting = false

    private struct Leaving {
        weak var player: AVPlayer?
    }

    init(films: [FeedFilm], prepare: @escaping @MainActor (Context, FeedFilm) -> Void = FeedControls.arrange) {
        self.films = films
        self.prepare = prepare
        makeNeighbours()
    }

    /// Numbers of the films that have a player, in order.
    var live: [Int] { contexts.keys.sorted() }

    /// - Parameter pages: 1 is the next, -1 the one before.
    /// - Returns: whether there is such a page.
    @discardableResult
    func turn(by pages: Int) -> Bool {
        let (next, isTooFar) = current.addingReportingOverflow(pages)
        guard !isTooFar, films.indices.contains(next), next != current else { return false }
        contexts[current]?.render.player.pause()
        current = next
        for (number, context) in contexts where !neighbours.contains(number) {
            leaving.append(Leaving(player: context.render.player))
            // Nothing of it is kept while its page leaves the screen.
            context.render.player.replaceCurrentItem(with: nil)
            contexts[number] = nil
        }
        play()
        makeNeighbours()
        return true
    }

    func play() {
        isPlaying = true
        contexts[current]?.render.player.play()
    }
    func pause() {
        isPlaying = false
        contexts[current]?.render.player.pause()
    }

    /// The page that is seen and those beside it.
    private var neighbours: Range<Int> { max(0, current - 1)..<min(films.count, current + 2) }

    private func makeNeighbours() {
        leaving.removeAll { $0.player == nil }
        guard leaving.isEmpty else { return makeNeighboursLater() }
        for number in neighbours where contexts[number] == nil {
            let context = Context()
            let film = films[number]
            context.status.toPortrait()
            // Paused it opens, and shows its first picture: nothing is left to do when its turn comes.
            context.render.player.replaceCurrentItem(with: AVPlayerItem(url: film.url))
            prepare(context, film)
            contexts[number] = context
            // Who is in a hurry comes before its player does.
            if number == current, isPlaying { play() }
        }
    }

    private func makeNeighboursLater() {
        guard !isWaiting else { return }
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(8)) { [weak self] in
            MainActor.assumeIsolated {
                self?.isWaiting = false
                self?.makeNeighbours()
            }
        }
    }
}
