import Foundation
import VideoPlayerContainer
import Zoetrope

/// A video of the feed.
struct FeedFilm {
    var url: URL
    var author = "", text = ""
    var likes = 0, comments = 0
}

/// A feed of any length, of which at most three videos have a player: the visible one and its neighbors. The neighbors
/// are paused at their first frame.
///
/// Turning the page releases the farthest player, and then creates the player of the new neighbor.
@MainActor
final class Feed: ObservableObject {
    let films: [FeedFilm]
    @Published private(set) var current = 0
    /// The contexts of the videos that have a player, by the video's index.
    @Published private(set) var contexts: [Int: Context] = [:]
    private var isPlaying = false
    /// Configures a new context, for example its controls.
    private let prepare: @MainActor (Context, FeedFilm) -> Void
    /// The players of removed pages. The pages' views retain their players until the views are removed too.
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

    /// The sorted indices of the videos that have a player.
    var live: [Int] { contexts.keys.sorted() }

    /// Turns to another page.
    /// - Parameter pages: The number of pages; 1 for the next page, -1 for the previous one.
    /// - Returns: Whether there is such a page.
    @discardableResult
    func turn(by pages: Int) -> Bool {
        let (next, isTooFar) = current.addingReportingOverflow(pages)
        guard !isTooFar, films.indices.contains(next), next != current else { return false }
        contexts[current]?.render.player.pause()
        current = next
        for (number, context) in contexts where !neighbours.contains(number) {
            leaving.append(Leaving(player: context.render.player))
            // The item is released now, although the page is still leaving the screen.
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

    /// The indices of the visible page and its neighbors.
    private var neighbours: Range<Int> { max(0, current - 1)..<min(films.count, current + 2) }

    private func makeNeighbours() {
        leaving.removeAll { $0.player == nil }
        guard leaving.isEmpty else { return makeNeighboursLater() }
        for number in neighbours where contexts[number] == nil {
            let context = Context()
            let film = films[number]
            context.status.toPortrait()
            // A paused player opens the item and shows its first frame, so that playback starts without a delay.
            context.render.player.replaceCurrentItem(with: AVPlayerItem(url: film.url))
            prepare(context, film)
            contexts[number] = context
            // The user may have reached this page before its player was created.
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
