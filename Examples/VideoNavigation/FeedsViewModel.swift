import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A video of `feeds.json`.
struct FeedItem: Decodable, Identifiable, Hashable {
    let id: Int
    let title, authorName, fileName, publishedAt, aboutText: String
    let likeCount, commentCount: Int

    var url: URL { ExampleMedia.url(fileName) }
}

/// The feed, with a context for each video.
@MainActor
final class FeedsViewModel: ObservableObject {
    @Published private(set) var items: [FeedItem] = []
    /// The message of the error if the feed can't be read; nil otherwise.
    @Published private(set) var problem: String?
    @Published var search = ""
    private var contexts: [Int: Context] = [:]
    private(set) var playing: Int?

    init() {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            guard let file = Bundle.module.url(forResource: "feeds", withExtension: "json") else {
                throw CocoaError(.fileNoSuchFile)
            }
            items = try decoder.decode([FeedItem].self, from: Data(contentsOf: file))
        } catch {
            problem = "Can’t read the feed: \(error.localizedDescription)"
        }
    }

    var found: [FeedItem] {
        let query = search.trimmingCharacters(in: .whitespaces)
        return query.isEmpty
            ? items : items.filter { "\($0.title) \($0.authorName)".localizedCaseInsensitiveContains(query) }
    }

    func context(of item: FeedItem) -> Context {
        if let context = contexts[item.id] { return context }
        let context = Context()
        contexts[item.id] = context
        context.control.configure(displayStyle: .always)
        context.control.configure(.halfScreen, insets: .init(top: 8, leading: 10, bottom: 8, trailing: 10))
        context.control.configure(.halfScreen(.bottom1)) { [Spacer(), CountdownWidget()] }
        open(item, in: context)
        return context
    }

    /// Opens the video in `context`, unless `context` already has one, for example because its row reappears.
    func open(_ item: FeedItem, in context: Context) {
        guard context.render.player.currentItem == nil else { return }
        context.render.player.replaceCurrentItem(with: AVPlayerItem(url: item.url))
    }

    /// Plays `item` and pauses the others; nil pauses all.
    func play(_ item: FeedItem?) {
        playing = item?.id
        for (id, context) in contexts where id != item?.id { context.render.player.pause() }
        guard let item else { return }
        let context = context(of: item)
        open(item, in: context)
        context.render.player.play()
    }
}
