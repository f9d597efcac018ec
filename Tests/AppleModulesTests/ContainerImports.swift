// An app with the container as on Apple's platforms: its imports, without actor isolation or Zoetrope. The test is that
// it compiles.
import AVKit
import Combine
import SwiftUI
import VideoPlayerContainer

class ApplePlaybackService: Service {
    private var rateObservation: NSKeyValueObservation?
    private var statusObservation: NSKeyValueObservation?
    private var cancellables = [AnyCancellable]()

    @ViewState var playOrPaused = false
    @ViewState var clickable = false
    @Published var doubleTaps = 0

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
        context.gesture.observe(.doubleTap(.all)) { [weak self] event in
            guard case .end = event.action else { return }
            self?.doubleTaps += 1
        }.store(in: &cancellables)
    }

    func didClick() {
        guard let player = context?.render.player else { return }
        if player.rate == 0 { player.play() } else { player.pause() }
    }
}

struct ApplePlaybackWidget: View {
    var body: some View {
        WithService(ApplePlaybackService.self) { service in
            Image(systemName: service.playOrPaused ? "pause.fill" : "play.fill")
                .resizable()
                .scaledToFit()
                .foregroundColor(.white)
                .frame(width: 50, height: 50)
                .disabled(!service.clickable)
                .onTapGesture { service.didClick() }
        }
    }
}

struct AppleContainerView: View {
    @StateObject var context = Context()

    var body: some View {
        VStack {
            PlayerWidget(context, launch: [ApplePlaybackService.self])
                .frame(height: 300)
                .onAppear {
                    let controlService = context[ControlService.self]
                    controlService.configure(.halfScreen(.center)) { [ApplePlaybackWidget()] }
                    controlService.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
                    context.render.layer.videoGravity = .resizeAspect
                }
        }
    }
}
