import Zoetrope

/// A model of a player: the player, its current item, and the item's metadata.
///
/// ```swift
/// struct PlayerPage<Item: Playable>: View {
///     let item: Item
///     @State private var model = PlayerModel()
///
///     var body: some View {
///         SystemPlayerView()
///             .environment(\.playerModel, model)
///             .task { await model.load(item) }
///     }
/// }
/// ```
/// Views get the model from the environment (`@Environment(\.playerModel)`). The model is not an `ObservableObject`:
/// subscribe to its publishers (`playerModel.$state.receive(on: DispatchQueue.main)`). The desktop shows the current
/// item and can control the player.
@MainActor
public class PlayerModel {
    /// The selected subtitles; nil for none. Setting the property selects subtitles of the item. It then contains the
    /// actual selection. While `availableSubtitles` is nil, the property stays nil.
    ///
    /// ```swift
    /// Button("No subtitles") { model.subtitle = nil }
    /// ```
    @Published public var subtitle: AVMediaSelectionOption? { didSet { if !isMirroring { selectSubtitles(subtitle) } } }
    /// The selected audio track. Setting the property selects audio of the item. It then contains the actual selection,
    /// which is nil only for an item without audio, and while `availableAudios` is nil.
    @Published public var audio: AVMediaSelectionOption? { didSet { if !isMirroring { selectAudio(audio) } } }
    /// The selections in all groups; nil if there are no groups, or before the item is open. Setting the property does
    /// not change any selection.
    @Published public var languages: [AVMediaSelectionOption]?
    /// The presentation of the player. Default: `.none`. Setting `.fullscreen` opens the presenter of a surrounding
    /// view; any other value closes it.
    @Published public var presentation: PlayerPresentation = .none

    /// The subtitles of the item; nil if there are none, or before the item is open.
    @Published public private(set) var availableSubtitles: AVMediaSelectionGroup?
    /// The audio tracks of the item; nil if there are none to select, or before the item is open.
    @Published public private(set) var availableAudios: AVMediaSelectionGroup?
    /// The available audio tracks and subtitles; nil if there are neither.
    @Published public private(set) var availableLanguages: [AVMediaSelectionGroup]?
    /// The state of the player. Default: `.paused(reason: .userInitiated)`.
    @Published public private(set) var state: PlayerState = .paused(reason: .userInitiated)
    /// The item of the last `load(_:)`; nil before the first.
    @Published public private(set) var currentItem: (any Playable)?
    /// The duration; nil while it is unknown, and for live streams.
    @Published public private(set) var duration: CMTime?
    /// The current position; nil without an item. It is updated every second during playback, and when it jumps.
    @Published public private(set) var currentTime: CMTime?
    /// The aspect ratio of the displayed video, its width divided by its height; 16/9 while it is unknown.
    @Published public private(set) var aspectRatio: CGFloat = 16 / 9
    /// Whether Picture in Picture is active.
    @Published public private(set) var isPiPActive = false
    /// Whether Picture in Picture is possible: there is video, and the display supports floating windows.
    @Published public private(set) var isPiPPossible = false

    /// The player, for settings that the model does not have, such as the volume. Set items with `load(_:)` only.
    public private(set) var player: AVPlayer
    // The name has the spelling of the original package on Apple's platforms.
    /// The Picture in Picture controller; nil before a view displays the player, and if the display does not support
    /// floating windows.
    public var pipControler: AVPictureInPictureController? { pictureInPicture.controller }

    private let pictureInPicture = LayerPictureInPicture()
    private let loading = ItemLoading()
    private let nowPlaying = NowPlayingPublisher()
    private let positions: PositionRecorder?
    private var watch: PlayerWatch?
    private var interruptions: NSKeyValueObservation?
    private var clock: PeriodicObserver?
    private var seeking = PendingSeek()
    private var isMirroring = false
    var artwork: Task<Void, Never>? { loading.artwork }
    private static let logger = Logger(subsystem: "MPlayerKit", category: "PlayerModel")

    /// Creates a model without stored positions. It observes its player at once.
    public convenience init() { self.init(resume: .off) }

    /// Creates a model.
    ///
    /// ```swift
    /// let model = PlayerModel(resume: .automatic)
    /// await model.load(item)
    /// model.play()
    /// ```
    /// - Parameter resume: Whether items continue where the user left them, even in another run of the app.
    public init(resume: PlaybackResume) {
        player = AVPlayer()
        positions = PositionRecorder(resume, of: player)
        watch = PlayerWatch(player) { [weak self] in self?.update() }
        interruptions = player.observe(\.isInterrupted) { [weak self] _, _ in self?.interruptionDidChange() }
        clock = PeriodicObserver(player, interval: 1) { [weak self] in self?.timePassed() }
        pictureInPicture.onPossible = { [weak self] in if self?.isPiPPossible != $0 { self?.isPiPPossible = $0 } }
        pictureInPicture.onActive = { [weak self] in self?.pictureInPictureDidChange($0) }
    }

    // MARK: playing

    /// Makes `item` the current item. It plays if the model is playing; otherwise it stays paused.
    ///
    /// ```swift
    /// await model.load(item)
    /// if case .paused(.error(let error)) = model.state {
    ///     print(error.localizedDescription)
    /// }
    /// ```
    /// The method returns when the duration, aspect ratio, groups and selections of the item are known, or when another
    /// item has been loaded. The artwork may be loaded later. Values that can't be determined stay nil. If the item
    /// can't be opened, `state` becomes `.paused(reason: .error)`. If the task is canceled while the item opens, the
    /// method does not wait for the item, and the values are set when it has opened.
    public func load(_ item: any Playable) async {
        let playing = AVPlayerItem(asset: AVURLAsset(url: item.asset))
        let loadNumber = loading.begin(playing)
        positions?.leave()
        playing.externalMetadata = ItemMetadata.items(of: item, artwork: nil)
        forget()
        currentItem = item
        nowPlaying.begin(item)
        player.replaceCurrentItem(with: playing)
        loading.loadArtwork { [weak self] in
            guard let artwork = await PlayerModel.artwork(of: item), let self, loading.isCurrent(loadNumber) else {
                return
            }
            // A retry may have replaced the item.
            player.currentItem?.externalMetadata = ItemMetadata.items(of: item, artwork: artwork.data)
            nowPlaying.show(artwork.image)
        }
        let start = await positions?.position(of: item)
        guard loading.isCurrent(loadNumber) else { return }
        positions?.enter(item, playing)
        loading.start = start
        // The result is not awaited, because the seek waits for the item to open.
        if let start { player.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero) { _ in } }
        guard await loading.open(playing, loadNumber) else { return }
        if playing.status == .readyToPlay { await didOpen(playing, of: item, loadNumber) }
        update()
    }

    /// Follows the selections of an item that has opened, and reads its groups.
    private func didOpen(_ playing: AVPlayerItem, of item: any Playable, _ loadNumber: Int) async {
        // The source may have become shorter since its position was stored.
        let start = loading.start
        loading.start = nil
        if let start, let end = watch?.duration, start >= end { _ = await player.seek(to: .zero) }
        guard loading.isCurrent(loadNumber) else { return }
        loading.observeSelections(of: playing) { [weak self] in self?.mirrorSelections() }
        // If the video track exists but can't be decoded, the view shows that error instead.
        if item.isVideo, playing.presentationSize.width <= 0, !playing.playsWithoutVideo {
            PlayerModel.logger.warning(
                "\(item.asset.location): \(AVPlayerItemError.missingVideoTrack.errorDescription ?? "")")
            // A playing model plays the audio, so that a later pause is no error.
            if player.timeControlStatus == .paused { watch?.problem = AVPlayerItemError.missingVideoTrack }
        }
        // In a task of their own, because the caller of `load(_:)` may cancel its task while the item plays on.
        let (audios, subtitles) = await Task { [asset = playing.asset] in
            (
                try? await asset.loadMediaSelectionGroup(for: .audible),
                try? await asset.loadMediaSelectionGroup(for: .legible)
            )
        }.value
        guard loading.isCurrent(loadNumber) else { return }
        (availableAudios, availableSubtitles) = (audios, subtitles)
        let all = [audios, subtitles].compactMap { $0 }
        availableLanguages = all.isEmpty ? nil : all
        mirrorSelections()
    }

    /// Follows an item that no load waits for, once the item has opened: that of a retry or of a canceled load.
    private func followAdopted() {
        guard let currentItem, let playing = player.currentItem, playing.status == .readyToPlay,
            let loadNumber = loading.adopt(playing)
        else { return }
        Task { [weak self] in await self?.didOpen(playing, of: currentItem, loadNumber) }
    }

    /// Returns the artwork of an item; nil if the item has none, or if the image can't be loaded, which is logged.
    private static func artwork(of item: any Playable) async -> (data: Data, image: UIImage)? {
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

    /// Plays, and sets the audio session to movie playback. At the end of the item, playback starts again from the
    /// start. Without an item, playback starts as soon as one is loaded; until then, the state is `.buffering`.
    public func play() {
        setSession(playing: true)
        if withoutObservationTracking({ PlaybackControl(player).isAtEnd }) { seek(.zero) }
        player.play()
    }
    /// Pauses, and resets the audio session to its default category.
    public func pause() {
        player.pause()
        setSession(playing: false)
        positions?.record(now: true)
    }
    /// Plays if the player is paused. Pauses if it plays or waits to play.
    func togglePlayback() { if case .paused = state { play() } else { pause() } }
    private func setSession(playing: Bool) {
        let session = AVAudioSession.sharedInstance()
        // Neither call throws on Linux.
        if playing {
            try? session.setCategory(.playback, mode: .moviePlayback)
        } else {
            try? session.setCategory(.soloAmbient, mode: .default)
        }
        try? session.setActive(playing)
    }

    /// Seeks exactly to a time, which is clamped to the item. A time that is not a number or is infinite is ignored,
    /// and so is a call without an item.
    ///
    /// `currentTime` becomes the target at once. Calls may follow each other quickly: only the newest pending seek is
    /// carried out. A playing model continues to play.
    public func seek(_ to: CMTime) {
        guard to.isNumeric, hasItem else { return }
        var time = max(.zero, to)
        if let duration { time = min(time, duration) }
        let seekNumber = seeking.begin(time)
        currentTime = time
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] _ in
            guard let self, seeking.end(seekNumber) else { return }
            timePassed()
            positions?.record(now: true)
        }
    }

    private var hasItem: Bool { withoutObservationTracking { player.currentItem != nil } }

    /// Skips by a number of seconds; negative values skip back. Several calls add up, and the target is clamped to the
    /// item. A value that is not finite is ignored.
    ///
    /// ```swift
    /// HStack {
    ///     Button("−10 s") { model.skip(-10) }
    ///     Button("+10 s") { model.skip(10) }
    /// }
    /// ```
    public func skip(_ seconds: TimeInterval) {
        let control = PlaybackControl(player)
        guard seconds.isFinite, let from = withoutObservationTracking({ control.position }) else { return }
        seek(CMTime(seconds: control.clamped(from + seconds), preferredTimescale: 600))
    }

    /// Starts or ends Picture in Picture. It has no effect while `isPiPPossible` is false.
    public func togglePiP() {
        pictureInPicture.toggle()
    }

    // MARK: languages

    func selectSubtitles(_ option: AVMediaSelectionOption?) { select(option, in: availableSubtitles) }
    func selectAudio(_ option: AVMediaSelectionOption?) { select(option, in: availableAudios) }

    private func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup?) {
        let item = withoutObservationTracking { player.currentItem }
        if let group { item?.select(option, in: group) }
        // If the option could not be selected, the property returns to the actual selection.
        mirrorSelections()
    }

    private func mirrorSelections() {
        let selection = withoutObservationTracking { player.currentItem?.currentMediaSelection }
        let (audioOption, subtitleOption) = (
            availableAudios.flatMap { selection?.selectedMediaOption(in: $0) },
            availableSubtitles.flatMap { selection?.selectedMediaOption(in: $0) }
        )
        mirror {
            if audio != audioOption { audio = audioOption }
            if subtitle != subtitleOption { subtitle = subtitleOption }
        }
        let options = [audioOption, subtitleOption].compactMap { $0 }
        let selectedLanguages = availableLanguages == nil ? nil : options
        if languages != selectedLanguages { languages = selectedLanguages }
        nowPlaying.languages(groups: availableLanguages ?? [], selected: options)
    }
    private func mirror(_ body: () -> Void) {
        isMirroring = true
        body()
        isMirroring = false
    }

    // MARK: changes of the player

    private func update() {
        if let watch { withoutObservationTracking { update(from: watch) } }
    }
    private func update(from watch: PlayerWatch) {
        let new = watch.state
        let wasPlaying = state.isPlaying
        if !new.isSame(as: state) { state = new }
        if watch.duration != duration { duration = watch.duration }
        if watch.aspectRatio != aspectRatio { aspectRatio = watch.aspectRatio }
        nowPlaying.publishPlayback(player, isPlaying: new.isPlaying)
        if case .paused(.endOfMedia) = new { positions?.itemDidEnd() }
        if wasPlaying, !new.isPlaying { positions?.record(now: true) }
        followAdopted()
    }

    private func timePassed() {
        guard hasItem else { return }
        let now = seeking.target ?? player.currentTime()
        if now != currentTime { currentTime = now }
        withoutObservationTracking { nowPlaying.publishPlayback(player, isPlaying: state.isPlaying) }
        if state.isPlaying { positions?.record(now: false) }
    }

    /// Resets the audio session when an interruption begins, and sets it again if playback has resumed after the end.
    /// The player itself pauses and resumes.
    private func interruptionDidChange() {
        let (isInterrupted, isPlaying) = withoutObservationTracking { (player.isInterrupted, player.rate > 0) }
        if isInterrupted || isPlaying { setSession(playing: isPlaying) }
    }

    // MARK: Picture in Picture

    /// Follows a view that now displays the player on `layer`.
    func didStartDisplaying(on layer: AVPlayerLayer) { pictureInPicture.didStartDisplaying(on: layer) }
    /// Records whether Picture in Picture is active, even if a `SystemPlayerView` has started it.
    func pictureInPictureDidChange(_ isActive: Bool) { if isPiPActive != isActive { isPiPActive = isActive } }
    /// Handles that `layer` no longer displays the player.
    func didStopDisplaying(on layer: AVPlayerLayer) { pictureInPicture.didStopDisplaying(on: layer) }
}
