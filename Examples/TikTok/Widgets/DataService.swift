import VideoPlayerContainer
import Zoetrope

/// A service with the data of a page's video, for all its widgets.
@dynamicMemberLookup
final class DataService: Service {
    @Published var film = FeedFilm(url: URL(fileURLWithPath: "/"))
    @Published var isLiked = false

    subscript<T>(dynamicMember keyPath: KeyPath<FeedFilm, T>) -> T { film[keyPath: keyPath] }
}
