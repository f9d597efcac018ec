import Foundation
import VideoPlayerContainer
import Zoetrope

// An app with the container, built in Swift 5 mode without actor isolation. The test is that this file compiles without
// warnings.

/// A feed with a context for each video.
class OlderFeedModel: ObservableObject {
    struct Video: Identifiable {
        let id: Int
        let context: Context
    }
    @Published var videos: [Video] = []
    @Published private(set) var current = 0
    private var drag: _EndedGesture<_ChangedGesture<DragGesture>>?

    func load(_ urls: [URL]) {
        videos = urls.enumerated().map { index, url in
            let context = Context()
            context.render.player.replaceCurrentItem(with: AVPlayerItem(url: url))
            context.control.configure(displayStyle: .custom(animation: .default))
            context.control.configure(.portrait(.right)) { [OlderLikeWidget()] }
            context.gesture.simultaneousDragGesture = DragGesture(coordinateSpace: .global).onChanged { _ in }.onEnded {
                [weak self] value in
                self?.ended(value.translation.height)
            }
            context.render.layer.videoGravity = .resizeAspect
            context.status.toPortrait()
            return Video(id: index, context: context)
        }
    }
    private func ended(_ height: CGFloat) {
        videos[current].context.render.player.pause()
        current += height < 0 ? 1 : -1
        videos[current].context.render.player.play()
        videos[current].context.render.attach(player: videos[0].context.render.player)
    }
}

@dynamicMemberLookup
class OlderDataService: Service {
    struct Video { var likes = 0 }
    private var video = Video()
    subscript<T>(dynamicMember keyPath: KeyPath<Video, T>) -> T { video[keyPath: keyPath] }
    func load(_ video: Video) { self.video = video }
}

class OlderLikeService: Service {
    @ViewState var likes = 0
    @Published var isLiked = false
    @StateSync(serviceType: OlderStateService.self, keyPath: \.$count) var count
    @Dependency(\.olderClient) var client
    private var cancellables = [AnyCancellable]()
    private var observation: NSKeyValueObservation?
    private var ticks: Any?

    required init(_ context: Context) {
        super.init(context)
        context.gesture.observe(.tap(.all)) { [weak self] event in self?.tapped(event) }.store(in: &cancellables)
        observation = context.render.player.observe(\.timeControlStatus) { [weak self] player, _ in
            self?.isLiked = player.rate > 0
        }
        ticks = context.render.player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 1), queue: .main)
        { [weak self] _ in self?.likes += 1 }
        likes = context[OlderDataService.self].likes
    }

    func tapped(_ event: GestureService.GestureEvent) {
        guard let context = context else { return }
        context.plugin.present(.center, transition: .scale(scale: 2)) { AnyView(Image(systemName: "play.fill")) }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in self?.context?.plugin.dismiss() }
        DispatchQueue.main.async { self.context?.toast.toast("Liked") }
    }
    func fetch() async throws { likes = try await client.fetch() }
}

class OlderStateService: Service {
    @ViewState var count = 0
}

struct OlderClient {
    var fetch: () async throws -> Int
}
extension DependencyValues {
    var olderClient: OlderClient { OlderClient { 3 } }
}

struct OlderLikeWidget: View {
    var body: some View {
        WithService(OlderLikeService.self) { service in
            Label("\(service.likes)", systemImage: service.isLiked ? "heart.fill" : "heart")
                .onTapGesture { service.isLiked.toggle() }
        }
    }
}
