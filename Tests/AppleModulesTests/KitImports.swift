// An app with MPlayerKit and its imports on Apple's platforms, in Swift 5 mode. The test is that it compiles.
import AVKit
import MPlayerKit
import MediaPlayer
import SwiftUI
import os

struct KitApp: View {
    @Environment(\.playerModel) private var playerModel
    private let logger = Logger(subsystem: "org.zoetrope.tests", category: "kit")

    var body: some View {
        SystemPlayerView(prepare: { controller in
            controller.requiresLinearPlayback = true
            controller.transportBarCustomMenuItems = [
                UIAction(title: "Favorite", image: UIImage(systemName: "heart"), state: .off) { _ in }
            ]
        })
        .onReceive(
            playerModel.$state.receive(on: DispatchQueue.main),
            perform: { newValue in logger.info("\(String(describing: newValue))") })
    }

    @MainActor func remote() {
        MPRemoteCommandCenter.shared().nextTrackCommand.addTarget { _ in .success }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: "A"]
    }

    @MainActor func volume(of item: AVPlayerItem) -> MPVolumeView {
        item.videoComposition = AVVideoComposition(asset: item.asset) { request in
            request.finish(with: request.sourceImage.applyingFilter("CIPhotoEffectNoir"), context: nil)
        }
        return MPVolumeView(frame: .zero)
    }
}
