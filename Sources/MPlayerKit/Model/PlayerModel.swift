import Zoetrope

/// What plays in an app's player views: one player, the item it plays and what is said of it.
///
/// Views find it in the environment (`@Environment(\.playerModel)`). It is no `ObservableObject`: subscribe to its
/// publishers (`playerModel.$state.receive(on: DispatchQueue.main)`). Desktops are told what plays, and may control it.
/// Main actor.
@MainActor
public class PlayerModel {
    /// The subtitles that are shown; nil: none. Setting it selects in the item; afterwards it holds what is really
    /// selected.
    @Published public var subtitle: AVMediaSelectionOption? { didSet { if !isMirroring { selectSubtitles(subtitle) } } }
    /// The sound that is heard; likewise. An item's sound cannot be nil while it has some.
    @Published public var audio: AVMediaSelectionOption? { didSet { if !isMirroring { selectAudio(audio) } } }
    /// What is selected in all groups. Setting it changes nothing else.
    @Published public var languages: [AVMediaSelectionOption]?
    /// Default `.none`. Setting `.fullscreen` opens the presenter above, anything else closes it.
    @Published public var presentation: PlayerPresentation = .none

    /// The item's subtitles; nil: it has none, or has not opened.
    @Published public private(set) var availableSubtitles: AVMediaSelectionGroup?
    /// The item's sounds; nil: it has none to choose among, or has not opened.
    @Published public private(set) var availableAudios: AVMediaSelectionGroup?
    /// The two above, as far as there are.
    @Published public private(set) var availableLanguages: [AVMediaSelectionGroup]?
    /// Default `.paused(reason: .userInitiated)`.
    @Published public private(set) var state: PlayerState = .paused(reason: .userInitiated)
    /// What `load(_:)` was given last; nil: nothing.
    @Published public private(set) var currentItem: (any Playable)?
    /// Nil while it is not known, and of what has no end.
    @Published public private(set) var duration: CMTime?
    /// Every second while it plays, and when it jumps; nil without an item.
    @Published public private(set) var currentTime: CMTime?
    /// Width by height of the picture as it is seen; 16/9 while none is known.
    @Published public private(set) var aspectRatio: CGFloat = 16 / 9
    /// The picture floats.
    @Published public private(set) var isPiPActive = false
    /// `togglePiP()` would do something: there is a picture, and windows of this display can float.
    @Published public private(set) var isPiPPossible = false

    /// For what the model has no name for: volume, rate. Items come by `load(_:)`.
    public private(set) var player: AVPlayer
    // Spelled as the package on Apple's platforms spells it.
    /// Nil until a view renders, and where pictures cannot float.
    public var pipControler: AVPictureInPictureController? { picture.controller }

    private let picture = LayerPicture()
    private let loading = ItemLoading()
    private let nowPlaying = NowPlayingWords()
    private let places: KeptPlaces?
    private var watch: PlayerWatch?
    private var clock: PeriodicObserver?
    private var seeking = PendingSeek()
    private var isMirroring = false
    var artwork: Task<Void, Never>? { loading.artwork }
    private static let logger = Logger(subsystem: "MPlayerKit", category: "PlayerModel")

    /// Begins observing its player at once.
    public convenience init() { self.init(resume: .off) }

    /// - Parameter resume: whether an item goes on where it was left, also in another run of the app.
    public init(resume: PlaybackResume) {
        player = AVPlayer()
        places = KeptPlaces(resume)
        let watch = PlayerWatch(player, followsInterruptions: true) { [weak self] in self?.look() }
        watch.onInterruption = { [weak self] in self?.interrupted($0, resumes: $1) }
        self.watch = watch
        clock = PeriodicObserver(player, interval: 1) { [weak self] in self?.timePassed() }
        picture.onPossible = { [weak self] in if self?.isPiPPossible != $0 { self?.isPiPPossible = $0 } }
        picture.onActive = { [weak self] in self?.pictureFloats($0) }
    }

    // MARK: playing

    /// Plays `item` next: paused, unless the model plays already. Returns when the item, its duration, aspect ratio,
    /// groups and selections are known, or when another item has been loaded in its place; its artwork may come later.
    /// What is not to be had stays nil; an item that cannot be opened sets `state` to `.paused(reason: .error)`.
    public func load(_ item: any Playable) async {
        let mine = loading.begin()
        places?.leave()
        let playing = AVPlayerItem(asset: AVURLAsset(url: item.asset))
        playing.externalMetadata = ItemMetadata.items(of: item, artwork: nil)
        forget()
        currentItem = item
        nowPlaying.begin(item, playing)
        player.replaceCurrentItem(with: playing)
        loading.loadArtwork { [weak self] in
            guard let picture = await PlayerModel.picture(of: item), let self, loading.isCurrent(mine) else { return }
            playing.externalMetadata = ItemMetadata.items(of: item, artwork: picture.data)
            nowPlaying.show(picture.image)
        }
        let start = await places?.enter(item, playing)
        guard loading.isCurrent(mine) else { return }
        // Not waited for: the seek waits for the item itself.
        if let start { player.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero) { _ in } }
        guard await loading.open(playing, mine) else { return }
        // The source has become shorter since.
        if let start, let end = watch?.duration, start >= end { _ = await player.seek(to: .zero) }
        guard loading.isCurrent(mine) else { return }
        loading.observeSelections(of: playing) { [weak self] in self?.mirrorSelections() }
        if playing.status == .readyToPlay {
            // A video track that cannot be decoded is there: the view says what is wrong with it.
            if item.isVideo, playing.presentationSize.width <= 0, !playing.playsWithoutVideo {
                PlayerModel.logger.warning(
                    "\(item.asset.location): \(AVPlayerItemError.missingVideoTrack.errorDescription ?? "")")
                watch?.problem = AVPlayerItemError.missingVideoTrack
            }
            let audios = try? await playing.asset.loadMediaSelectionGroup(for: .audible)
            let subtitles = try? await playing.asset.loadMediaSelectionGroup(for: .legible)
            guard loading.isCurrent(mine) else { return }
            (availableAudios, availableSubtitles) = (audios, subtitles)
            let all = [audios, subtitles].compactMap { $0 }
            availableLanguages = all.isEmpty ? nil : all
            mirrorSelections()
        }
        look()
    }

    /// Nil where there is none, and where it is none, which is logged.
    private static func picture(of item: any Playable) async -> (data: Data, image: UIImage)? {
        guard let poster = item.poster else { return nil }
        do {
            let data = try await poster.artwork(for: .portrait)
            guard let image = UIImage(data: data) else { throw PlayerError.invalidImageFormat }
            return (data, image)
        } catch {
            logger.warning("\(item.title): \((error as? any LocalizedError)?.errorDescription ?? "\(error)")")
            return nil
        }
    }

    private func forget() {
        mirror {
            (subtitle, audio) = (nil, nil)
        }
        (languages, availableSubtitles, availableAudios, availableLanguages) = (nil, nil, nil, nil)
        (duration, currentTime, aspectRatio) = (nil, nil, 16 / 9)
        seeking.forget()
        watch?.problem = nil
    }

    /// Plays, with the audio session set to movies; from the beginning when the item stands at its end.
    public func play() {
        setSession(playing: true)
        if withoutObservationTracking({ PlaybackControl(player).isAtEnd }) { seek(.zero) }
        player.play()
    }
    /// Pauses, with the audio session as it is by default.
    public func pause() {
        player.pause()
        setSession(playing: false)
        places?.note(now: true)
    }
    private func setSession(playing: Bool) {
        let session = AVAudioSession.sharedInstance()
        // Neither ever throws here.
        if playing {
            try? session.setCategory(.playback, mode: .moviePlayback)
        } else {
            try? session.setCategory(.soloAmbient, mode: .default)
        }
        try? session.setActive(playing)
    }

    /// To the picture at `to`, which is clamped to the item; a time that is no number is ignored. Many at once are
    /// fine: only the newest waits.
    public func seek(_ to: CMTime) {
        guard to.isNumeric, hasItem else { return }
        var time = max(.zero, to)
        if let duration { time = min(time, duration) }
        let mine = seeking.begin(time)
        currentTime = time
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] _ in
            guard let self, seeking.end(mine) else { return }
            timePassed()
            places?.note(now: true)
        }
    }

    private var hasItem: Bool { withoutObservationTracking { player.currentItem != nil } }

    /// Goes `seconds` on, or back where they are negative; several at once add up. What is no number is ignored.
    public func skip(_ seconds: TimeInterval) {
        let control = PlaybackControl(player)
        guard seconds.isFinite, let from = withoutObservationTracking({ control.position }) else { return }
        seek(CMTime(seconds: control.clamped(from + seconds), preferredTimescale: 600))
    }

    /// Floats the picture, or brings it back; nothing where `isPiPPossible` is false.
    public func togglePiP() {
        picture.toggle()
    }

    // MARK: languages

    func selectSubtitles(_ option: AVMediaSelectionOption?) { select(option, in: availableSubtitles) }
    func selectAudio(_ option: AVMediaSelectionOption?) { select(option, in: availableAudios) }

    private func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup?) {
        let item = withoutObservationTracking { player.currentItem }
        if let group { item?.select(option, in: group) }
        // What cannot be selected is not.
        mirrorSelections()
    }

    private func mirrorSelections() {
        let selection = withoutObservationTracking { player.currentItem?.currentMediaSelection }
        let (sound, words) = (
            availableAudios.flatMap { selection?.selectedMediaOption(in: $0) },
            availableSubtitles.flatMap { selection?.selectedMediaOption(in: $0) }
        )
        mirror {
            if audio != sound { audio = sound }
            if subtitle != words { subtitle = words }
        }
        let both = [sound, words].compactMap { $0 }
        let known = availableLanguages == nil ? nil : both
        if languages != known { languages = known }
        nowPlaying.languages(groups: availableLanguages ?? [], selected: both)
    }
    private func mirror(_ body: () -> Void) {
        isMirroring = true
        body()
        isMirroring = false
    }

    // MARK: what the player tells

    private func look() {
        if let watch { withoutObservationTracking { update(from: watch) } }
    }
    private func update(from watch: PlayerWatch) {
        let new = watch.state
        let wasPlaying = state.isPlaying
        if !new.isSame(as: state) { state = new }
        if watch.duration != duration { duration = watch.duration }
        if watch.aspectRatio != aspectRatio { aspectRatio = watch.aspectRatio }
        nowPlaying.tell(player, isPlaying: new.isPlaying)
        if case .paused(.endOfMedia) = new { places?.ended() }
        if wasPlaying, !new.isPlaying { places?.note(now: true) }
    }

    private func timePassed() {
        guard hasItem else { return }
        let now = seeking.target ?? player.currentTime()
        if now != currentTime { currentTime = now }
        withoutObservationTracking { nowPlaying.tell(player, isPlaying: state.isPlaying) }
        if state.isPlaying { places?.note(now: false) }
    }

    /// Players pause by themselves for it, and go on.
    private func interrupted(_ began: Bool, resumes: Bool) {
        if began { return setSession(playing: false) }
        guard resumes else { return }
        play()
    }

    // MARK: the picture

    /// A view renders on `layer` from now on.
    func renders(on layer: AVPlayerLayer) { picture.renders(on: layer) }
    /// The picture floats by somebody else's doing: that of a ready-made player.
    func pictureFloats(_ floats: Bool) { if isPiPActive != floats { isPiPActive = floats } }
    /// `layer` shows nothing any more.
    func rendersNoMore(on layer: AVPlayerLayer) { picture.rendersNoMore(on: layer) }
}
