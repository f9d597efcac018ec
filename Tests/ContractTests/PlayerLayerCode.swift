import Foundation
import Zoetrope

// Views that apps build from a player layer, as they are written for iOS and macOS, and with AVKit.

// MARK: iOS

class PlayerUIView: UIView {
    override class var layerClass: AnyClass { AVPlayerLayer.self }
    var playerLayer: AVPlayerLayer { layer as! AVPlayerLayer }
    var player: AVPlayer? {
        get { playerLayer.player }
        set { playerLayer.player = newValue }
    }
}

/// A view with a player layer as a sublayer, which it lays out itself.
final class SublayerPlayerView: UIView {
    private let playerLayer = AVPlayerLayer()
    private let shade = CAGradientLayer()
    private(set) var layouts = 0

    init(player: AVPlayer) {
        super.init(frame: .zero)
        backgroundColor = .black
        playerLayer.player = player
        playerLayer.videoGravity = .resizeAspectFill
        playerLayer.cornerRadius = 12
        playerLayer.masksToBounds = true
        layer.addSublayer(playerLayer)
        shade.colors = [UIColor.clear.cgColor, UIColor.black.withAlphaComponent(0.6).cgColor]
        layer.addSublayer(shade)
    }
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override func layoutSubviews() {
        super.layoutSubviews()
        layouts += 1
        playerLayer.frame = bounds
        shade.frame = CGRect(x: 0, y: bounds.height - 40, width: bounds.width, height: 40)
    }
    deinit { print("gone") }
}

struct PlayerContainer: UIViewRepresentable {
    let player: AVPlayer
    var gravity: AVLayerVideoGravity = .resizeAspect

    func makeUIView(context: Context) -> PlayerUIView {
        let view = PlayerUIView()
        view.player = player
        view.playerLayer.videoGravity = gravity
        view.backgroundColor = .clear
        context.coordinator.follow(view.playerLayer)
        return view
    }
    func updateUIView(_ uiView: PlayerUIView, context: Context) {
        uiView.player = player
        uiView.playerLayer.videoGravity = gravity
        uiView.setNeedsLayout()
    }
    static func dismantleUIView(_ uiView: PlayerUIView, coordinator: Coordinator) {
        uiView.player?.pause()
        uiView.player = nil
    }
    func makeCoordinator() -> Coordinator { Coordinator() }

    @MainActor final class Coordinator: NSObject, AVPictureInPictureControllerDelegate {
        private var controller: AVPictureInPictureController?
        private var observations: [NSKeyValueObservation] = []
        private var cancellables = Set<AnyCancellable>()
        var said: [String] = []

        func follow(_ layer: AVPlayerLayer) {
            observations.append(
                layer.observe(\.isReadyForDisplay, options: [.initial, .new]) { layer, change in
                    if change.newValue == true { print("ready", layer.videoRect) }
                })
            guard AVPictureInPictureController.isPictureInPictureSupported() else { return }
            controller = AVPictureInPictureController(playerLayer: layer)
            controller?.delegate = self
            controller?.canStartPictureInPictureAutomaticallyFromInline = true
            controller?.publisher(for: \.isPictureInPicturePossible).sink { [weak self] in
                self?.said.append("possible \($0)")
            }.store(in: &cancellables)
            if let controller {
                observations.append(
                    controller.observe(\.isPictureInPictureActive, options: .new) { [weak self] _, change in
                        self?.said.append("active \(change.newValue ?? false)")
                    })
            }
        }
        func toggle() {
            guard let controller else { return }
            if controller.isPictureInPictureActive {
                controller.stopPictureInPicture()
            } else {
                controller.startPictureInPicture()
            }
        }
        func pictureInPictureControllerWillStartPictureInPicture(
            _ pictureInPictureController: AVPictureInPictureController
        ) { said.append("will start") }
        func pictureInPictureControllerDidStopPictureInPicture(
            _ pictureInPictureController: AVPictureInPictureController
        ) { said.append("did stop") }
        func pictureInPictureController(
            _ pictureInPictureController: AVPictureInPictureController,
            failedToStartPictureInPictureWithError error: Error
        ) {
            said.append("failed")
        }
        func pictureInPictureController(
            _ pictureInPictureController: AVPictureInPictureController,
            restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void
        ) {
            completionHandler(true)
        }
    }
}

final class PlayerHostController: UIViewController {
    private let playerView = PlayerUIView(frame: .zero)
    var player: AVPlayer?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .black
        playerView.player = player
        playerView.frame = view.bounds
        playerView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(playerView)
        view.layer.addSublayer(CAShapeLayer())
    }
    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        playerView.playerLayer.frame = view.bounds
    }
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        player?.play()
    }
    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        player?.pause()
    }
}

struct HostedPlayer: UIViewControllerRepresentable {
    let player: AVPlayer
    func makeUIViewController(context: Context) -> PlayerHostController {
        let controller = PlayerHostController()
        controller.player = player
        return controller
    }
    func updateUIViewController(_ uiViewController: PlayerHostController, context: Context) {
        uiViewController.player = player
    }
}

// MARK: macOS

class PlayerNSView: NSView {
    private let playerLayer = AVPlayerLayer()

    init(player: AVPlayer) {
        super.init(frame: .zero)
        wantsLayer = true
        playerLayer.player = player
        playerLayer.autoresizes()
        layer?.addSublayer(playerLayer)
        layer?.backgroundColor = NSColor.black.cgColor
    }
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override func layout() {
        super.layout()
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        playerLayer.frame = bounds
        CATransaction.commit()
    }
}

extension AVPlayerLayer {
    fileprivate func autoresizes() { name = "player" }
}

final class BackingPlayerView: NSView {
    override func makeBackingLayer() -> CALayer { AVPlayerLayer() }
    override init(frame frameRect: NSRect) {
        super.init(frame: frameRect)
        wantsLayer = true
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    var playerLayer: AVPlayerLayer? { layer as? AVPlayerLayer }
}

struct MacPlayer: NSViewRepresentable {
    let player: AVPlayer
    func makeNSView(context: Context) -> NSView {
        let view = NSView()
        view.wantsLayer = true
        let layer = AVPlayerLayer(player: player)
        layer.videoGravity = .resizeAspect
        view.layer = layer
        return view
    }
    func updateNSView(_ nsView: NSView, context: Context) {
        (nsView.layer as? AVPlayerLayer)?.player = player
        nsView.needsLayout = true
    }
}

final class MacPlayerController: NSViewController {
    private let playerLayer = AVPlayerLayer()
    var player: AVPlayer? {
        get { playerLayer.player }
        set { playerLayer.player = newValue }
    }

    override func loadView() {
        view = NSView(frame: NSRect(x: 0, y: 0, width: 320, height: 180))
        view.wantsLayer = true
    }
    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Player"
        playerLayer.videoGravity = .resizeAspect
        view.layer?.backgroundColor = NSColor.black.cgColor
        view.layer?.addSublayer(playerLayer)
    }
    override func viewDidLayout() {
        super.viewDidLayout()
        playerLayer.frame = view.bounds
    }
    override func viewWillAppear() {
        super.viewWillAppear()
        player?.play()
    }
    override func viewDidDisappear() {
        super.viewDidDisappear()
        player?.pause()
    }
}

struct MacHostedPlayer: NSViewControllerRepresentable {
    let player: AVPlayer

    func makeNSViewController(context: Context) -> MacPlayerController {
        let controller = MacPlayerController()
        controller.player = player
        context.coordinator.made += 1
        return controller
    }
    func updateNSViewController(_ nsViewController: MacPlayerController, context: Context) {
        nsViewController.player = player
    }
    static func dismantleNSViewController(_ nsViewController: MacPlayerController, coordinator: Coordinator) {
        nsViewController.player = nil
    }
    func makeCoordinator() -> Coordinator { Coordinator() }

    @MainActor final class Coordinator { var made = 0 }
}

struct MacPlayerView: NSViewRepresentable {
    let player: AVPlayer?
    func makeNSView(context: Context) -> AVPlayerView {
        let view = AVPlayerView()
        view.player = player
        view.controlsStyle = .floating
        view.videoGravity = .resizeAspectFill
        view.showsFullScreenToggleButton = true
        return view
    }
    func updateNSView(_ nsView: AVPlayerView, context: Context) { nsView.player = player }
}

// MARK: AVKit

struct SystemPlayer: UIViewControllerRepresentable {
    let player: AVPlayer

    final class Coordinator: NSObject, AVPlayerViewControllerDelegate {
        func playerViewControllerWillStartPictureInPicture(_ playerViewController: AVPlayerViewController) {}
        func playerViewController(
            _ playerViewController: AVPlayerViewController,
            willEndFullScreenPresentationWithAnimationCoordinator coordinator: UIViewControllerTransitionCoordinator
        ) {
            coordinator.animate(alongsideTransition: nil) { context in
                if !context.isCancelled { playerViewController.player?.play() }
            }
        }
        func playerViewController(
            _ playerViewController: AVPlayerViewController,
            restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void
        ) {
            completionHandler(true)
        }
    }
    func makeCoordinator() -> Coordinator { Coordinator() }
    func makeUIViewController(context: Context) -> AVPlayerViewController {
        let controller = AVPlayerViewController()
        controller.player = player
        controller.showsPlaybackControls = true
        controller.videoGravity = .resizeAspect
        controller.allowsPictureInPicturePlayback = true
        controller.entersFullScreenWhenPlaybackBegins = false
        controller.showsTimecodes = true
        controller.exitsFullScreenWhenPlaybackEnds = true
        controller.delegate = context.coordinator
        let mark = UIView(frame: CGRect(x: 8, y: 8, width: 20, height: 20))
        mark.backgroundColor = .white
        controller.contentOverlayView?.addSubview(mark)
        return controller
    }
    func updateUIViewController(_ uiViewController: AVPlayerViewController, context: Context) {
        if uiViewController.player !== player { uiViewController.player = player }
    }
}

struct PlayerPage: View {
    @State private var player = AVPlayer()
    var body: some View {
        VStack {
            VideoPlayer(player: player).frame(height: 200)
            VideoPlayer(player: player) {
                VStack {
                    Text("Watermark").foregroundColor(.white)
                    Spacer()
                }
            }
            VideoPlayer(player: nil)
            PlayerContainer(player: player, gravity: .resizeAspectFill).clipShape(RoundedRectangle(cornerRadius: 8))
            HostedPlayer(player: player)
            SystemPlayer(player: player)
            MacPlayer(player: player)
            MacHostedPlayer(player: player)
            MacPlayerView(player: player)
        }
        .onAppear { player.play() }
    }
}

// MARK: stored values

enum RecentFiles {
    @MainActor static func remember(_ url: URL, in defaults: UserDefaults) throws {
        defaults.set(
            try url.bookmarkData(options: .minimalBookmark, includingResourceValuesForKeys: nil, relativeTo: nil),
            forKey: "recent")
    }
    @MainActor static func recent(in defaults: UserDefaults) throws -> URL? {
        guard let data = defaults.value(forKey: "recent") as? Data else { return nil }
        var isStale = false
        let url = try URL(
            resolvingBookmarkData: data, options: .withoutUI, relativeTo: nil, bookmarkDataIsStale: &isStale)
        if isStale { try remember(url, in: defaults) }
        return url
    }
}
