import Foundation
import Zoetrope

extension CoverProbe {
    /// The same video in a layer, with a half-transparent black layer of 100 × 100 points in its middle.
    struct LayerView: UIViewRepresentable {
        func makeUIView(context: Context) -> LayerUIView {
            let view = LayerUIView()
            view.begin()
            return view
        }
        func updateUIView(_ view: LayerUIView, context: Context) {}
        static func dismantleUIView(_ view: LayerUIView, coordinator: Void) { view.player.pause() }
    }

    final class LayerUIView: UIView {
        override class var layerClass: AnyClass { AVPlayerLayer.self }
        let player = AVQueuePlayer()
        private var looper: AVPlayerLooper?

        func begin() {
            looper = AVPlayerLooper(
                player: player, templateItem: AVPlayerItem(url: URL(fileURLWithPath: ProbeModel.file)))
            player.isMuted = true
            (layer as? AVPlayerLayer)?.player = player
            (layer as? AVPlayerLayer)?.videoGravity = .resize
            let square = CALayer()
            square.backgroundColor = CGColor(red: 0, green: 0, blue: 0, alpha: 0.5)
            square.frame = CGRect(x: 250, y: 130, width: 100, height: 100)
            layer.addSublayer(square)
            player.play()
        }
    }
}
