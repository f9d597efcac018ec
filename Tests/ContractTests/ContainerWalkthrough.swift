import VideoPlayerContainer
import Zoetrope

// The README's walk-through of the container, as a reader would type it (state S).

struct ContainerContentView: View {
    @StateObject var context = Context()

    var body: some View {
        PlayerWidget(context)
            .frame(height: 300)
            .onAppear {
                let controlService = context[ControlService.self]
                controlService.configure(.halfScreen(.center)) {
                    [
                        PlaybackWidget()
                    ]
                }

                let item = AVPlayerItem(url: Bundle.main.url(forResource: "demo", withExtension: "mp4")!)
                context.render.player.replaceCurrentItem(with: item)
                context.render.player.play()
            }
    }
}

class PlaybackService: Service {
    private var rateObservation: NSKeyValueObservation?
    private var statusObservation: NSKeyValueObservation?

    @ViewState fileprivate var playOrPaused = false
    @ViewState fileprivate var clickable = false

    required init(_ context: Context) {
        super.init(context)

        let service = context[RenderService.self]
        rateObservation = service.player.observe(\.rate, options: [.old, .new, .initial]) {
            [weak self] player, change in
            self?.playOrPaused = player.rate > 0
        }
        statusObservation = service.player.observe(\.status, options: [.old, .new, .initial]) {
            [weak self] player, change in
            self?.clickable = player.status == .readyToPlay
        }
    }

    fileprivate func didClick() {
        if context.render.player.rate == 0 {
            context.render.player.play()
        } else {
            context.render.player.pause()
        }
    }
}

struct PlaybackWidget: View {
    var body: some View {
        WithService(PlaybackService.self) { service in
            Image(systemName: service.playOrPaused ? "pause.fill" : "play.fill")
                .resizable()
                .scaledToFit()
                .foregroundColor(.white)
                .frame(width: 50, height: 50)
                .disabled(!service.clickable)
                .onTapGesture {
                    service.didClick()
                }
        }
    }
}

// "One source file per widget and its service; fileprivate where only its widget uses it."

struct TimelineWidget: Widget {
    var body: some View {
        WithService(TimelineService.self) { service in
            Text(service.text).opacity(service.isFullScreen ? 1 : 0.5)
        }
    }
}

private class TimelineService: Service {
    @ViewState var text = "0:00"
    @StateSync(serviceType: PlayingService.self, keyPath: \.$isPlaying) var isPlaying
    @StateSync(serviceType: PlayingService.self, keyPath: \.$isFullScreen) var isFullScreen: Bool
}

class PlayingService: Service {
    @ViewState var isPlaying = false
    @ViewState var isFullScreen: Bool = false
    @ViewState private(set) var names: [String] = []
}
