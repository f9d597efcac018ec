import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service with the current video and the other videos of its folder. When a video ends, the next one starts.
final class PlaylistService: Service {
    @Published private(set) var films: [URL] = []
    @Published private(set) var current: URL?
    private var end: AnyCancellable?

    required init(_ context: Context) {
        super.init(context)
        end = NotificationCenter.default.publisher(for: .AVPlayerItemDidPlayToEndTime).sink { [weak self] note in
            guard let self, let item = note.object as? AVPlayerItem, item === self.context?.render.player.currentItem
            else { return }
            step(1)
        }
    }

    func open(_ url: URL) {
        let url = url.standardizedFileURL
        current = url
        let folder = url.deletingLastPathComponent()
        let all =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)) ?? []
        films = all.map(\.standardizedFileURL).filter { $0 == url || Self.isFilm($0) }
            .sorted { $0.lastPathComponent.localizedStandardCompare($1.lastPathComponent) == .orderedAscending }
        context?.render.player.replaceCurrentItem(with: AVPlayerItem(url: url))
        context?.render.player.play()
    }

    /// Opens the video `count` places after the current one, or before it if `count` is negative.
    /// - Returns: Whether there is such a video.
    @discardableResult
    func step(_ count: Int) -> Bool {
        guard let current, let at = films.firstIndex(of: current), films.indices.contains(at + count) else {
            return false
        }
        open(films[at + count])
        return true
    }

    private static func isFilm(_ url: URL) -> Bool {
        ["mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "mpg", "mpeg", "ogv"].contains(url.pathExtension.lowercased())
    }
}
