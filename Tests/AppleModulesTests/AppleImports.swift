// The source of a player app with its imports on Apple's platforms, without Zoetrope. The test is that it compiles.
import AVFoundation
import AVKit
import Combine
import CoreImage
import CoreMedia
import MediaPlayer
import QuartzCore
import SwiftUI
import UIKit
import os

import class Combine.AnyCancellable
import struct SwiftUI.Color

#if !canImport(SwiftUI) || !canImport(Combine) || !canImport(os) || !canImport(UIKit)
    #error("an app asks for what it imports")
#endif

final class AppleModel: SwiftUI.ObservableObject {
    @Combine.Published var rate: Float = 0
    @Published var ticks = 0
    let player: AVFoundation.AVPlayer
    private let logger = os.Logger(subsystem: "org.zoetrope.tests", category: "apple")
    private var cancellables = Set<Combine.AnyCancellable>()

    init(player: AVPlayer = AVPlayer()) {
        self.player = player
        player.publisher(for: \.rate).receive(on: RunLoop.main).assign(to: &$rate)
        Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { [weak self] _ in self?.ticks += 1 }.store(
            in: &cancellables)
        NotificationCenter.default.publisher(for: .AVPlayerItemDidPlayToEndTime).receive(on: DispatchQueue.main).sink {
            _ in
        }.store(in: &cancellables)
        logger.info("made")
        logger.log(level: .debug, "at \(CMTimeGetSeconds(CMTime.zero), privacy: .public)")
    }
}

/// A view that takes any gesture, with qualified names.
struct AppleTap<G: SwiftUI.Gesture>: SwiftUI.View {
    let gesture: G
    var body: some SwiftUI.View { SwiftUI.Rectangle().fill(SwiftUI.Color.red).gesture(gesture) }
}

struct AppleView: View {
    @StateObject private var model = AppleModel()
    @SwiftUI.State private var time = CoreMedia.CMTime.zero
    @State private var filter: CoreImage.CIFilter? = CIFilter(name: "CISepiaTone")

    var body: some View {
        VStack {
            AppleTap(gesture: TapGesture().onEnded { model.player.play() })
            Text("\(model.rate)").foregroundColor(Color(UIKit.UIColor.systemBlue))
        }
    }

    func layer() -> QuartzCore.CALayer {
        let layer = CAShapeLayer()
        layer.fillColor = UIColor.blue.cgColor
        return layer
    }
}

/// A player layer in a view, with UIKit, AVFoundation and SwiftUI.
final class ApplePlayerView: UIKit.UIView {
    override class var layerClass: AnyClass { AVFoundation.AVPlayerLayer.self }
}
struct ApplePlayer: SwiftUI.UIViewRepresentable {
    let player: AVPlayer
    func makeUIView(context: Context) -> ApplePlayerView { ApplePlayerView() }
    func updateUIView(_ uiView: ApplePlayerView, context: Context) { (uiView.layer as? AVPlayerLayer)?.player = player }
}
struct AppleController: UIViewControllerRepresentable {
    let player: AVPlayer
    func makeUIViewController(context: Context) -> AVKit.AVPlayerViewController {
        let controller = AVPlayerViewController()
        controller.player = player
        return controller
    }
    func updateUIViewController(_ uiViewController: AVPlayerViewController, context: Context) {}
}
struct AppleVideoView: View {
    let player = AVPlayer()
    var body: some View {
        AVKit.VideoPlayer(player: player) { Text("Over it") }
        ApplePlayer(player: player)
        AppleController(player: player)
    }
}

struct AppleView_Previews: PreviewProvider {
    static var previews: some View { AppleView() }
}
