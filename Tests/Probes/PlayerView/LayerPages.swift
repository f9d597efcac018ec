import Foundation
import Zoetrope

extension PlayerViewProbe {
    /// A view whose layer is a player layer, as most apps write it.
    final class PlayerUIView: UIView {
        override class var layerClass: AnyClass { AVPlayerLayer.self }
        var playerLayer: AVPlayerLayer? { layer as? AVPlayerLayer }
    }

    /// A view that prints after each move whether it has a superview and a window.
    final class MovedView: UIView {
        override func didMoveToSuperview() { say("superview \(superview != nil)") }
        override func didMoveToWindow() { say("window \(window != nil)") }
    }

    struct LayerPage: UIViewRepresentable {
        let model: ProbeModel
        let player: AVPlayer
        let gravity: AVLayerVideoGravity

        func makeCoordinator() -> PictureTeller { PictureTeller() }
        func makeUIView(context: Context) -> PlayerUIView {
            let view = PlayerUIView()
            view.playerLayer?.player = player
            if let layer = view.playerLayer { context.coordinator.follow(layer) }
            let mark = CALayer()
            mark.backgroundColor = CGColor(red: 1, green: 0, blue: 1, alpha: 1)
            let teller = context.coordinator
            let moved = MovedView()
            moved.addSubview(MovedView())
            model.tell = [
                "add": { view.addSubview(moved) },
                "front": { view.bringSubviewToFront(moved) },
                "remove": { moved.removeFromSuperview() },
                "mark": {
                    mark.frame = CGRect(x: 250, y: 130, width: 100, height: 100)
                    view.layer.addSublayer(mark)
                },
                "unmark": { mark.removeFromSuperlayer() },
                "round": {
                    view.layer.cornerRadius = 120
                    view.layer.masksToBounds = true
                },
                "square": {
                    view.layer.cornerRadius = 0
                    view.layer.masksToBounds = false
                },
                "half": { view.alpha = 0.5 },
                "whole": { view.alpha = 1 },
                "turn": { view.layer.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2)) },
                "straight": { view.layer.setAffineTransform(.identity) },
                "mask": {
                    let mask = CAShapeLayer()
                    mask.path = CGPath(rect: CGRect(x: 0, y: 0, width: 300, height: 360), transform: nil)
                    view.layer.mask = mask
                },
                "unmask": { view.layer.mask = nil },
                "away": { view.isHidden = true },
                "back": { view.isHidden = false },
                "fade": {
                    let fade = CABasicAnimation(keyPath: "opacity")
                    fade.fromValue = 1.0
                    fade.toValue = 0.0
                    fade.duration = 0.3
                    fade.fillMode = .forwards
                    fade.isRemovedOnCompletion = false
                    fade.delegate = teller
                    view.layer.add(fade, forKey: "fade")
                },
                "unfade": { view.layer.removeAnimation(forKey: "fade") },
                "nobody": { view.playerLayer?.player = nil },
                "somebody": { view.playerLayer?.player = self.player },
                "float": { teller.controller?.startPictureInPicture() },
                "unfloat": { teller.controller?.stopPictureInPicture() },
                "hold": { teller.holdsRestoration = true },
                "answer": { teller.restored?(true) },
                "forget": { teller.forget() },
                "rect": {
                    if let rect = view.playerLayer?.videoRect {
                        say("rect \(Int(rect.minX)) \(Int(rect.minY)) \(Int(rect.width)) \(Int(rect.height))")
                    }
                },
            ]
            return view
        }
        func updateUIView(_ uiView: PlayerUIView, context: Context) { uiView.playerLayer?.videoGravity = gravity }
        static func dismantleUIView(_ uiView: PlayerUIView, coordinator: PictureTeller) { say("dismantled") }
    }

    /// Prints the reports of a player layer and of its Picture in Picture.
    @MainActor
    final class PictureTeller: AVPictureInPictureControllerDelegate, CAAnimationDelegate {
        var controller: AVPictureInPictureController?
        /// Whether the views are restored only when the test calls `restored`.
        var holdsRestoration = false
        private(set) var restored: ((Bool) -> Void)?
        private var observations: [NSKeyValueObservation] = []
        private var cancellables = Set<AnyCancellable>()

        func follow(_ layer: AVPlayerLayer) {
            observations = [
                layer.observe(\.isReadyForDisplay, options: [.new]) { _, change in
                    say("displays \(change.newValue ?? false)")
                }
            ]
            controller = AVPictureInPictureController(playerLayer: layer)
            controller?.delegate = self
            controller?.publisher(for: \.isPictureInPicturePossible).sink { say("possible \($0)") }.store(
                in: &cancellables)
            controller?.publisher(for: \.isPictureInPictureActive, options: [.new]).sink { say("active \($0)") }.store(
                in: &cancellables)
        }
        func forget() {
            cancellables = []
            controller = nil
        }
        func pictureInPictureControllerWillStartPictureInPicture(
            _ pictureInPictureController: AVPictureInPictureController
        ) { say("will start") }
        func pictureInPictureControllerDidStartPictureInPicture(
            _ pictureInPictureController: AVPictureInPictureController
        ) { say("did start") }
        func pictureInPictureControllerWillStopPictureInPicture(
            _ pictureInPictureController: AVPictureInPictureController
        ) { say("will stop") }
        func pictureInPictureControllerDidStopPictureInPicture(
            _ pictureInPictureController: AVPictureInPictureController
        ) {
            say("did stop")
        }
        func pictureInPictureController(
            _ pictureInPictureController: AVPictureInPictureController,
            failedToStartPictureInPictureWithError error: any Error
        ) { say("failed") }
        func pictureInPictureController(
            _ pictureInPictureController: AVPictureInPictureController,
            restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void
        ) {
            say("restore")
            if holdsRestoration { restored = completionHandler } else { completionHandler(true) }
        }
        func animationDidStart(_ anim: CAAnimation) { say("animation began") }
        func animationDidStop(_ anim: CAAnimation, finished flag: Bool) { say("animation ended \(flag)") }
    }

    /// A player layer in an `NSView`, as on the Mac.
    struct MacLayerPage: NSViewRepresentable {
        let model: ProbeModel
        let player: AVPlayer
        func makeNSView(context: Context) -> NSView {
            let view = NSView()
            view.wantsLayer = true
            view.layer = AVPlayerLayer(player: player)
            view.layer?.backgroundColor = NSColor.black.cgColor
            model.tell = ["plain": { view.layer = CALayer() }]
            return view
        }
        func updateNSView(_ nsView: NSView, context: Context) {}
    }

    /// A tree of views: a background, two players side by side, and a bar over them.
    final class TreeController: UIViewController {
        private let player: AVPlayer
        private let left = PlayerUIView(frame: .zero), bar = UIView()
        private let right = AVPlayerLayer()
        init(player: AVPlayer) {
            self.player = player
            super.init(nibName: nil, bundle: nil)
        }
        required init?(coder: NSCoder) { return nil }

        override func viewDidLoad() {
            super.viewDidLoad()
            view.backgroundColor = .green
            left.playerLayer?.player = player
            left.playerLayer?.videoGravity = .resize
            view.addSubview(left)
            right.player = player
            right.videoGravity = .resize
            view.layer.addSublayer(right)
            bar.backgroundColor = .magenta
            view.addSubview(bar)
            say("loaded")
        }
        override func viewDidLayoutSubviews() {
            super.viewDidLayoutSubviews()
            let size = view.bounds.size
            left.frame = CGRect(x: 0, y: 0, width: size.width / 2 - 10, height: size.height)
            right.frame = CGRect(x: size.width / 2 + 10, y: 0, width: size.width / 2 - 10, height: size.height)
            bar.frame = CGRect(x: 0, y: size.height - 40, width: size.width, height: 40)
            say("laid out \(Int(size.width)) \(Int(size.height))")
        }
        override func viewDidAppear(_ animated: Bool) { say("appeared") }
        override func viewDidDisappear(_ animated: Bool) { say("disappeared") }
    }

    struct TreePage: UIViewControllerRepresentable {
        let model: ProbeModel
        let player: AVPlayer
        func makeUIViewController(context: Context) -> TreeController { TreeController(player: player) }
        func updateUIViewController(_ uiViewController: TreeController, context: Context) {}
    }

    /// Two nested `NSViewController`s: the outer one's video is on the left, and the inner one's is on the right.
    final class MacController: NSViewController {
        private let name: String
        private let player: AVPlayer
        private let inner: MacController?
        private let picture = AVPlayerLayer()
        init(_ name: String, player: AVPlayer, inner: MacController? = nil) {
            self.name = name
            self.player = player
            self.inner = inner
            super.init(nibName: nil, bundle: nil)
        }
        required init?(coder: NSCoder) { return nil }

        override func loadView() {
            view = NSView()
            view.wantsLayer = true
            view.layer?.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
            say("\(name) loads")
        }
        override func viewDidLoad() {
            super.viewDidLoad()
            picture.player = player
            picture.videoGravity = .resize
            view.layer?.addSublayer(picture)
            guard let inner else { return }
            addChild(inner)
            view.addSubview(inner.view)
        }
        override func viewDidLayout() {
            super.viewDidLayout()
            let size = view.bounds.size
            let width = inner == nil ? size.width : size.width / 2 - 10
            picture.frame = CGRect(x: 0, y: 0, width: width, height: size.height)
            inner?.view.frame = CGRect(x: size.width - width, y: 0, width: width, height: size.height)
            say("\(name) laid out \(Int(size.width)) \(Int(size.height))")
        }
        override func viewWillAppear() { say("\(name) appears") }
        override func viewDidAppear() { say("\(name) appeared") }
        override func viewWillDisappear() { say("\(name) disappears") }
        override func viewDidDisappear() { say("\(name) disappeared") }
    }

    struct MacControllerPage: NSViewControllerRepresentable {
        let player: AVPlayer
        func makeNSViewController(context: Context) -> MacController {
            MacController("outer", player: player, inner: MacController("inner", player: player))
        }
        func updateNSViewController(_ nsViewController: MacController, context: Context) {}
    }

    struct ControllerPage: UIViewControllerRepresentable {
        let model: ProbeModel
        let player: AVPlayer
        func makeUIViewController(context: Context) -> AVPlayerViewController {
            let controller = AVPlayerViewController()
            controller.player = player
            let mark = UIView(frame: CGRect(x: 300, y: 180, width: 40, height: 40))
            mark.backgroundColor = .cyan
            mark.addGestureRecognizer(
                UITapGestureRecognizer { recognizer in if recognizer.state == .ended { say("mark tapped") } })
            controller.contentOverlayView?.addSubview(mark)
            controller.delegate = context.coordinator
            model.tell = [
                "bare": { controller.showsPlaybackControls = false },
                "barred": { controller.showsPlaybackControls = true },
                "action": {
                    controller.contextualActions = [UIAction(title: "Skip Intro") { _ in say("skipped") }]
                },
                "enters": { controller.entersFullScreenWhenPlaybackBegins = true },
            ]
            return controller
        }
        func updateUIViewController(_ uiViewController: AVPlayerViewController, context: Context) {}
        func makeCoordinator() -> Teller { Teller() }
        @MainActor final class Teller: AVPlayerViewControllerDelegate {
            func playerViewController(
                _ playerViewController: AVPlayerViewController,
                willBeginFullScreenPresentationWithAnimationCoordinator coordinator:
                    any UIViewControllerTransitionCoordinator
            ) {
                coordinator.animate(alongsideTransition: nil) { _ in say("full screen") }
            }
            func playerViewController(
                _ playerViewController: AVPlayerViewController,
                willEndFullScreenPresentationWithAnimationCoordinator coordinator:
                    any UIViewControllerTransitionCoordinator
            ) {
                coordinator.animate(alongsideTransition: nil) { _ in say("in place") }
            }
            func playerViewControllerDidStartPictureInPicture(_ playerViewController: AVPlayerViewController) {
                say("did start")
            }
            func playerViewControllerDidStopPictureInPicture(_ playerViewController: AVPlayerViewController) {
                say("did stop")
            }
        }
    }

    struct MacViewPage: NSViewRepresentable {
        let player: AVPlayer
        let style: AVPlayerViewControlsStyle
        func makeNSView(context: Context) -> AVPlayerView {
            let view = AVPlayerView()
            view.player = player
            view.showsFullScreenToggleButton = true
            return view
        }
        func updateNSView(_ nsView: AVPlayerView, context: Context) { nsView.controlsStyle = style }
    }
}
