import MPlayerKit
import Zoetrope

// MPlayerKit's API as apps use it: a call of every public declaration, and the README's code. The test is that it
// compiles.

private struct Clip: Playable {
    let title: String
    var subtitle: String?
    var synopsis: String?
    var poster: MPlayerKit.Artwork?
    let asset: URL
    var previewAsset: URL?
    var mediaType: MPlayerKit.MediaType = .video
    var releaseYear: Int?
    var contentRating: String?
    var genres: [String]?
    func extraExternalMetadata() -> [AVMetadataItem] { [] }
}

enum KitStateCode {
    static func words(_ state: PlayerState) -> String {
        switch state {
        case .playing: return "playing"
        case .paused(reason: .userInitiated): return "paused"
        case .paused(reason: .interrupted): return "interrupted"
        case .paused(reason: .endOfMedia): return "end"
        case .paused(reason: .error(let error)): return "error \(error)"
        case .buffering(reason: .unknown), .buffering(reason: .toMinimizeStalls),
            .buffering(reason: .evaluatingBufferRate):
            return "waits"
        case .buffering(reason: .noItemToPlay): return "nothing"
        case .buffering(reason: .waitingForCoorindatedPlayback): return "others"
        }
    }
    static func values(_ clip: any Playable) async throws {
        let presentations: [PlayerPresentation] = [.none, .fullscreen(autoplay: true), .inline(autoplay: false)]
        _ = presentations[0] == presentations[1]
        _ = [PlayerError.notAvailable, .invalidImageFormat] as [any Error]
        _ = AVPlayerItemError.missingVideoTrack as any Error
        _ = (
            clip.isLive, clip.isVideo, clip.title, clip.subtitle, clip.synopsis, clip.asset, clip.previewAsset,
            clip.mediaType, clip.releaseYear, clip.contentRating, clip.genres
        )
        let address = URL(fileURLWithPath: "/x.png")
        let artwork = MPlayerKit.Artwork(portraitUrl: address, landscapeUrl: address)
        _ = (artwork == MPlayerKit.Artwork(url: address), artwork.portraitUrl, artwork.landscapeUrl)
        let data: Data = try await artwork.artwork(for: .portrait)
        let other: Data = try await artwork.artwork(for: address)
        let cached: any ArtworkCacheable = artwork
        _ = (
            data, other, try await cached.artwork(for: address), [MPlayerKit.Artwork.Orientation.landscape, .portrait]
        )
        _ = [MPlayerKit.MediaType.video, .audio, .liveVideo, .liveAudio]
    }
}

@MainActor
enum KitModelCode {
    static func model(_ playerModel: PlayerModel, _ clip: some Playable) async {
        let fresh = PlayerModel()
        await fresh.load(clip)
        playerModel.subtitle = nil
        playerModel.audio = playerModel.availableAudios?.options.first
        playerModel.languages = nil
        playerModel.presentation = .fullscreen(autoplay: true)
        let subtitles: AVMediaSelectionGroup? = playerModel.availableSubtitles
        let languages: [AVMediaSelectionGroup]? = playerModel.availableLanguages
        let state: PlayerState = playerModel.state
        let item: (any Playable)? = playerModel.currentItem
        let duration: CMTime? = playerModel.duration
        let time: CMTime? = playerModel.currentTime
        let ratio: CGFloat = playerModel.aspectRatio
        let isActive: Bool = playerModel.isPiPActive
        let isPossible: Bool = playerModel.isPiPPossible
        let player: AVPlayer = playerModel.player
        let pip: AVPictureInPictureController? = playerModel.pipControler
        _ = (subtitles, languages, state, item, duration, time, ratio, isActive, isPossible, player, pip)
        playerModel.play()
        playerModel.pause()
        playerModel.seek(CMTime(seconds: 1, preferredTimescale: 600))
        playerModel.skip(-10)
        playerModel.togglePiP()
        var kept = Set<AnyCancellable>()
        playerModel.$state.receive(on: DispatchQueue.main).sink { _ in }.store(in: &kept)
        playerModel.$subtitle.sink { (_: AVMediaSelectionOption?) in }.store(in: &kept)
        playerModel.$audio.sink { _ in }.store(in: &kept)
        playerModel.$languages.sink { _ in }.store(in: &kept)
        playerModel.$presentation.removeDuplicates().sink { _ in }.store(in: &kept)
        playerModel.$availableSubtitles.sink { _ in }.store(in: &kept)
        playerModel.$availableAudios.sink { _ in }.store(in: &kept)
        playerModel.$availableLanguages.sink { _ in }.store(in: &kept)
        playerModel.$currentItem.map { $0?.title }.sink { _ in }.store(in: &kept)
        playerModel.$duration.sink { _ in }.store(in: &kept)
        playerModel.$currentTime.sink { _ in }.store(in: &kept)
        playerModel.$aspectRatio.sink { _ in }.store(in: &kept)
        playerModel.$isPiPActive.sink { _ in }.store(in: &kept)
        playerModel.$isPiPPossible.sink { _ in }.store(in: &kept)
    }
    static func preview(_ playerPreviewModel: PlayerPreviewModel, _ clip: some Playable) async {
        let fresh = PlayerPreviewModel()
        await fresh.load(clip)
        await playerPreviewModel.load(clip)
        playerPreviewModel.seek(.zero)
        _ = (
            playerPreviewModel.state, playerPreviewModel.currentItem, playerPreviewModel.duration,
            playerPreviewModel.currentTime, playerPreviewModel.aspectRatio, playerPreviewModel.player
        )
        var kept = Set<AnyCancellable>()
        playerPreviewModel.$state.sink { _ in }.store(in: &kept)
        playerPreviewModel.$duration.sink { _ in }.store(in: &kept)
    }
    static func environment(_ values: inout EnvironmentValues) {
        let model: PlayerModel = PlayerModelKey.defaultValue
        let preview: PlayerPreviewModel = PlayerPreviewModelKey.defaultValue
        (values.playerModel, values.playerPreviewModel) = (model, preview)
    }
    static func resume() {
        _ = PlayerModel(resume: .automatic)
        _ = PlayerModel(resume: .off)
    }
    static func sizes() -> CGFloat { deviceSpecificValue(phone: 1, pad: 2, tv: 3, default: 4) }
}

struct KitPlayerCode: View {
    @Environment(\.playerModel) private var playerModel
    @Environment(\.playerPreviewModel) private var playerPreviewModel
    @State private var trackingState = TrackState.idle
    @State private var value = 0.5
    private let vod = Clip(title: "A", asset: URL(fileURLWithPath: "/a.mp4"))
    private let logger = Logger(subsystem: "org.zoetrope.tests", category: "kit")

    var body: some View {
        VStack {
            Button("Play") {
                Task {
                    await playerModel.load(vod)
                    playerModel.presentation = .fullscreen(autoplay: true)
                    await playerPreviewModel.load(vod)
                }
            }
            AsyncImage(url: vod.poster?.landscapeUrl) { phase in phase.image?.resizable().aspectRatio(contentMode: .fit)
            }
            SystemPlayerView()
            SystemPlayerView(prepare: { $0.requiresLinearPlayback = true })
            SystemPlayerView(
                presentation: .inline(autoplay: false),
                prepare: { (controller: AVPlayerViewController) in
                    controller.speeds = AVPlaybackSpeed.systemDefaultSpeeds
                },
                onTimeChange: { (time: CMTime) in _ = time },
                onStateChange: { (state: PlayerState) in logger.info("changed \(String(describing: state))") })
            CustomPlayerView(
                controls: { playerModel in CustomControlsView().environment(\.playerModel, playerModel) },
                prepare: { layer in layer.videoGravity = .resizeAspect },
                onTimeChange: { _ in }, onStateChange: { _ in })
            CustomPlayerView(controls: { _ in Text("mine") }, presentation: .inline(autoplay: true))
            VStack(alignment: .center, spacing: 4) {
                PlaybackPreviewView(trackingState: $trackingState).frame(maxWidth: .infinity, maxHeight: 100)
                PlaybackTimeBar(trackingState: $trackingState).frame(maxWidth: .infinity)
            }
            HStack {
                TrackBar(value: $value, state: $trackingState)
                VolumeSlider()
                AirPlayPickerView()
                VideoRenderView()
                VideoRenderView(prepare: { (layer: AVPlayerLayer) in _ = layer })
                PreviewRenderView()
            }
            HStack {
                Button("a") {}.buttonStyle(.largeIcon)
                Button("b") {}.buttonStyle(.mediumIcon)
                Button("c") {}.buttonStyle(.smallIcon)
                Button("d") {}.buttonStyle(.xsmallIcon)
                Button("e") {}.buttonStyle(.none)
                Button("f") {}.buttonStyle(.square)
                Button("g") {}.buttonStyle(.pip)
            }
        }
        .onReceive(
            playerModel.$state.receive(on: DispatchQueue.main),
            perform: { newValue in logger.info("state \(String(describing: newValue))") }
        )
        .systemPlayerFullScreenPresenter(
            prepare: { $0.transportBarCustomMenuItems = KitPlayerCode.items }, onTimeChange: { _ in },
            onStateChange: { _ in }
        )
        .customPlayerFullScreenPresenter(
            controls: { _ in CustomControlsView() }, prepare: { _ in }, onTimeChange: { _ in }, onStateChange: { _ in }
        )
        .environment(\.playerModel, PlayerModel())
    }

    @MainActor static var items: [UIMenuElement] {
        let favoriteAction = UIAction(title: "Favorite", image: UIImage(systemName: "heart"), state: .off) { action in
            _ = action.state
        }
        return [
            favoriteAction,
            UIMenu(
                title: "Preferences", image: UIImage(systemName: "gearshape"),
                children: [UIAction(title: "Loop") { _ in }]),
        ]
    }
    func geometry(_ view: PlaybackPreviewView, _ proxy: GeometryProxy) -> CGPoint {
        view.offset(geometrySize: proxy.size, previewSize: view.previewSize(geometry: proxy), progress: 0.5)
    }
    func states() -> [TrackState] { [.idle, .tracking(value: 0.5), .ended(value: 1)] }
}
