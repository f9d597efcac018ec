import Foundation
import MediaCore
import Observation

/// An asset and its playback state in a player. The equivalent of AVFoundation's `AVPlayerItem`.
///
/// ```swift
/// let item = AVPlayerItem(url: URL(fileURLWithPath: "film.mkv"))
/// item.preferredSubtitleLanguages = ["en"]
/// let player = AVPlayer(playerItem: item)
/// player.play()
/// ```
/// An item belongs to one player at a time. An app can add its own properties in a subclass. A looper plays the item
/// itself, not a copy.
@MainActor @preconcurrency
open class AVPlayerItem: KeyPathObservable, Observable, PropertyTracking, Identifiable {
    /// A value that shows whether an item can be played.
    public enum Status: Int, Sendable {
        /// The item is not open yet.
        case unknown = 0
        /// The item is open and can be played. Its first frame may not be decoded yet.
        case readyToPlay = 1
        /// The item cannot be played; `error` gives the reason. This status is final.
        case failed = 2
    }

    /// A notification that the item has played to its end, also at the end of each pass of a loop. Its object is the
    /// item. All notifications of an item are posted on the main thread.
    ///
    /// ```swift
    /// let ends = NotificationCenter.default.notifications(
    ///     named: AVPlayerItem.didPlayToEndTimeNotification, object: item)
    /// for await _ in ends {
    ///     showsNextEpisode = true
    /// }
    /// ```
    nonisolated public static let didPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemDidPlayToEndTimeNotification")
    /// A notification that playback of the item failed; the item's `error` gives the reason. The notification's object
    /// is the item.
    ///
    /// At the end of a truncated file, or where the rest of a file is damaged, this notification replaces
    /// `didPlayToEndTimeNotification`. In these cases `status` stays `.readyToPlay`, `error` is `.fileTruncated` or
    /// `.fileFailedToParse`, and the player continues as at any end.
    ///
    /// `userInfo` contains the error for ``AVPlayerItemFailedToPlayToEndTimeErrorKey``.
    nonisolated public static let failedToPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification")
    /// A notification that the item's time has jumped, for example after a seek or a step. Its object is the item.
    nonisolated public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")

    /// A notification that playback stalled because a stream or a remote file did not keep up. Its object is the item.
    nonisolated public static let playbackStalledNotification = Notification.Name(
        "AVPlayerItemPlaybackStalledNotification")

    /// A notification that `errorLog()` has a new event. Its object is the item.
    ///
    /// An event is a failed request, or a track that cannot be decoded while the rest of the item plays.
    nonisolated public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntry")

    /// A notification that `accessLog()` has a new event. Its object is the item.
    ///
    /// A stream posts it for each variant that it begins to load, a remote file once.
    nonisolated public static let newAccessLogEntryNotification = Notification.Name("AVPlayerItemNewAccessLogEntry")

    /// The asset that the item plays. For a composition, an asset with the content that the composition had when the
    /// item was created.
    nonisolated public let asset: AVURLAsset

    public let keyPathObservers = KeyPathObservers()
    nonisolated let registrar = ObservationRegistrar()
    let entry: PlaybackEntry
    /// The player that plays the item or has it in its queue.
    package internal(set) weak var player: AVPlayer? {
        didSet {
            for output in outputs { output.connect(player?.pipeline, entry) }
            if player == nil {
                legible.hide()
                metadataOutputs.leave()
            }
            selectionCriteriaChanged()
        }
    }
    /// The time at which the player left the item for another one, or for none; nil if the item had played to its end,
    /// and for an item that has not been left.
    package internal(set) var leftTime: CMTime?
    /// The video outputs that `add(_:)` has attached, in the order in which they were attached.
    public private(set) var outputs: [AVPlayerItemVideoOutput] = []

    // MARK: Parts

    private(set) var opening = ItemOpening()
    private var buffer = ItemBuffer()
    private var playback = ItemPlayback()
    private var problems = ItemProblems()
    private var loggedAccess: LoggedAccess?
    private var knownTracks = ItemTracks()
    private var choice: TrackChoice
    private(set) var limits = ItemLimits()
    private var extras = ItemExtras()
    private let legible: LegibleOutputs
    private(set) lazy var metadataOutputs = MetadataOutputs(entry) { [weak self] in
        guard let self else { return }
        player?.cuesChanged(of: self)
    }
    /// See `AVPlayer.failurePosition`; nil if the item was not the current one when it failed.
    var failurePosition: MediaTime?

    // MARK: Properties of the container

    /// Whether the item can be played. `.unknown` until a player has opened it; `.failed` is final.
    ///
    /// ```swift
    /// switch item.status {
    /// case .unknown: ProgressView()
    /// case .readyToPlay: VideoPlayer(player: player)
    /// case .failed: Text(item.error?.localizedDescription ?? "The video can't be played.")
    /// }
    /// ```
    public var status: Status { tracked(\.status, opening.status) }
    /// The error, an `AVError`, that prevents playback; nil if there is none. Also set when a truncated or damaged file
    /// has played to the last point that can be read.
    public var error: (any Error)? { tracked(\.error, opening.error) }
    /// The duration of the item; `.indefinite` until it is known.
    ///
    /// The duration of a live stream is not a number:
    /// ```swift
    /// if item.duration.isNumeric {
    ///     Text("\(Int(item.duration.seconds)) s")
    /// } else {
    ///     Text("Live")
    /// }
    /// ```
    public var duration: CMTime { tracked(\.duration, opening.duration) }
    /// The display size of the video in square pixels, after rotation, or of the artwork of a file without video. Zero
    /// until it is known, and if there is neither.
    ///
    /// ```swift
    /// if item.presentationSize != .zero {
    ///     VideoPlayer(player: player)
    ///         .aspectRatio(item.presentationSize, contentMode: .fit)
    /// }
    /// ```
    public var presentationSize: CGSize { tracked(\.presentationSize, opening.presentationSize) }
    /// Whether the item is open and has no video except artwork.
    package var isAudioOnly: Bool {
        guard let description, description.video == nil else { return false }
        return presentationSize == description.presentationSize
    }
    /// The description of the open item; nil until the item is open.
    var description: ItemDescription? { opening.description }

    // MARK: Buffer

    /// The largest frame size in a stream's playlist, in pixels, which is known before the first frame. Zero if the
    /// playlist gives no size.
    package var expectedSize: CGSize { tracked(\.expectedSize, buffer.expectedSize) }
    /// The time ranges that can be played without waiting: the `timeRangeValue` of each value. For a local file, the
    /// whole file. Empty until known.
    ///
    /// ```swift
    /// let position = player.currentTime()
    /// let loaded = item.loadedTimeRanges.map(\.timeRangeValue).first { $0.containsTime(position) }
    /// let secondsAhead = loaded.map { ($0.end - position).seconds } ?? 0
    /// ```
    public var loadedTimeRanges: [NSValue] { tracked(\.loadedTimeRanges, buffer.loaded) }
    /// The time ranges to which the item can seek: the `timeRangeValue` of each value, which can also be cast
    /// (`as? CMTimeRange`). Empty until known.
    public var seekableTimeRanges: [NSValue] { tracked(\.seekableTimeRanges, buffer.seekable) }
    /// Whether playback will probably continue without stalling. False until the item is open.
    public var isPlaybackLikelyToKeepUp: Bool { tracked(\.isPlaybackLikelyToKeepUp, buffer.isLikelyToKeepUp) }
    /// Whether no data is available for playback. True until the item is open.
    public var isPlaybackBufferEmpty: Bool { tracked(\.isPlaybackBufferEmpty, buffer.isEmpty) }
    /// Whether the buffer is full, as limited by `preferredForwardBufferDuration` and by memory.
    public var isPlaybackBufferFull: Bool { tracked(\.isPlaybackBufferFull, buffer.isFull) }
    /// The number of times that playback has stalled because a stream or a remote file did not keep up.
    var stallCount: Int { buffer.stallCount }

    // MARK: Results of playback

    /// The title that an internet radio station (SHOUTcast, Icecast) reports now; nil for any other item.
    ///
    /// ```swift
    /// Text(item.streamTitle ?? "Radio")
    /// ```
    /// Usually the artist and the title of the song, else the name of the station. Changes during playback. Not part of
    /// AVFoundation.
    public var streamTitle: String? { tracked(\.streamTitle, playback.streamTitle) }
    /// The integrated loudness of the item's audio, in LUFS; nil until it is known.
    ///
    /// The value comes from the item's tags, or from a measurement. The player measures only if its `loudness` requires
    /// the value. Not part of AVFoundation.
    public var integratedLoudness: Double? { tracked(\.integratedLoudness, playback.integratedLoudness) }
    /// Whether `preload()` has made the beginning of the item available. False again after a player has taken the
    /// preloaded data.
    public var isPreloaded: Bool { tracked(\.isPreloaded, playback.isPreloaded) }
    /// The number of completed passes of a loop since the item was created. It is never reset.
    public var loopCount: Int { tracked(\.loopCount, playback.loopCount) }
    /// Whether the `didPlayToEndTimeNotification` that is being posted is for a loop boundary, after which another pass
    /// has begun.
    package var isAtLoopBoundary: Bool { playback.isAtLoopBoundary }

    // MARK: Settings of the app

    /// The duration of media to load ahead of the playhead, in seconds. The default is 0, which means 60 s.
    ///
    /// ```swift
    /// item.preferredForwardBufferDuration = 10
    /// ```
    /// At most 64 MiB are loaded ahead in either case. A negative value or NaN counts as 0. The value has no effect on
    /// local files.
    public var preferredForwardBufferDuration: TimeInterval {
        get { tracked(\.preferredForwardBufferDuration, limits.forwardBufferDuration) }
        set {
            set(\.preferredForwardBufferDuration, in: \.limits.forwardBufferDuration, to: newValue) {
                player?.forwardBufferChanged(of: self)
            }
        }
    }

    /// The maximum peak bit rate of the variant that a stream plays, in bit/s. The default is 0: no limit.
    ///
    /// ```swift
    /// item.preferredPeakBitRate = usesLessData ? 1_500_000 : 0
    /// ```
    /// A negative value or NaN counts as 0. If no variant is below the limit, the lowest variant plays.
    public var preferredPeakBitRate: Double {
        get { tracked(\.preferredPeakBitRate, limits.peakBitRate) }
        set {
            set(\.preferredPeakBitRate, in: \.limits.peakBitRate, to: newValue) {
                let limit = limits.peakBitRate
                entry.limit { $0.peakBitRate = limit > 0 ? limit : nil }
            }
        }
    }

    /// The maximum frame size of a stream's variant, in pixels, in either orientation. The default is zero. There is no
    /// limit if a side is less than 1.
    ///
    /// ```swift
    /// item.preferredMaximumResolution = CGSize(width: 1280, height: 720)
    /// ```
    /// Independently of this limit, the player chooses no variant larger than the smallest one that covers its area on
    /// the screen.
    public var preferredMaximumResolution: CGSize {
        get { tracked(\.preferredMaximumResolution, limits.maximumResolution) }
        set {
            set(\.preferredMaximumResolution, in: \.limits.maximumResolution, to: newValue) {
                let size = limits.largestSize
                entry.limit { $0.maximumResolution = size }
            }
        }
    }

    /// The selected option of each media selection group. In a group without a choice, this is the option that the
    /// preferred languages choose, or else the default option.
    public var currentMediaSelection: AVMediaSelection { tracked(\.currentMediaSelection, choice.current) }
    /// The preferred audio languages as BCP 47 tags, best first. The track that matches best plays. Can be set at any
    /// time.
    ///
    /// ```swift
    /// item.preferredAudioLanguages = ["pt-BR", "pt", "en"]
    /// ```
    public var preferredAudioLanguages: [String] {
        get { tracked(\.preferredAudioLanguages, choice.audioLanguages) }
        set {
            setLanguages(\.preferredAudioLanguages, in: \.audioLanguages, to: newValue) { applySelection() }
        }
    }

    /// The preferred subtitle languages as BCP 47 tags, best first. Can be set at any time.
    ///
    /// ```swift
    /// item.preferredSubtitleLanguages = Locale.preferredLanguages
    /// ```
    /// The subtitles that match best are shown unless others are selected. If none match, or if the list is empty, the
    /// default subtitles are shown. Without default subtitles, forced subtitles in the language of the audio are shown.
    /// If a file has no subtitle tracks and the list is not empty, its closed captions are shown.
    public var preferredSubtitleLanguages: [String] {
        get { tracked(\.preferredSubtitleLanguages, choice.subtitleLanguages) }
        set {
            setLanguages(\.preferredSubtitleLanguages, in: \.subtitleLanguages, to: newValue) {
                applyLegibleSelection()
            }
        }
    }

    /// The languages for choosing among several default subtitle tracks, as BCP 47 tags, best first.
    ///
    /// A language in this list does not make subtitles visible by itself.
    package var rankedSubtitleLanguages: [String] {
        get { choice.rankedSubtitleLanguages }
        set {
            setLanguages(\.rankedSubtitleLanguages, in: \.rankedSubtitleLanguages, to: newValue) {
                applyLegibleSelection()
            }
        }
    }
    /// Whether the closed captions in the video data are shown instead of subtitles. The default is false.
    ///
    /// Supports CEA-608, and CEA-708 where it repeats CEA-608. In streams, captions are also a selectable option. In
    /// files, they are unknown before playback. AVFoundation has this property in `AVPlayer`.
    public var isClosedCaptionDisplayEnabled: Bool {
        get { tracked(\.isClosedCaptionDisplayEnabled, choice.showsCaptions) }
        set {
            set(\.isClosedCaptionDisplayEnabled, in: \.choice.showsCaptions, to: newValue) { applyLegibleSelection() }
        }
    }

    /// The app's own metadata, such as title and artwork. It takes precedence over the metadata of the file.
    ///
    /// ```swift
    /// item.externalMetadata = [
    ///     AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "The Kid"),
    ///     AVMetadataItem(identifier: .commonIdentifierArtwork, dataValue: poster, dataType: "image/jpeg"),
    /// ]
    /// ```
    public var externalMetadata: [AVMetadataItem] {
        get { tracked(\.externalMetadata, extras.metadata) }
        set {
            set(\.externalMetadata, in: \.extras.metadata, to: newValue) { player?.audioTitleChanged(of: self) }
        }
    }
    /// The volumes of the item's audio tracks over time. Nil, the default, plays them unchanged. The item copies the mix
    /// when it is set.
    ///
    /// Can be set at any time. A mix that is set before a player gets the item applies from the first sample, except to
    /// what a composition has already read because of ``preload()``. A change during playback applies to samples that
    /// are decoded after it, so it is usually audible within 0.4 s. The tracks of a composition are mixed earlier, so
    /// there it takes up to about 1.5 s. The volume then changes within 10 ms. After a seek, a change applies at once.
    public var audioMix: AVAudioMix? {
        get { tracked(\.audioMix, extras.audioMix) }
        set {
            let copy = newValue?.unchanging
            change(\.audioMix) { extras.audioMix = copy }
            entry.volumes.value = copy?.volumes ?? TrackVolumes()
        }
    }
    /// The preferred method to change the speed of the audio. The default is `.timeDomain`.
    ///
    /// Stored so that it can be read. At rates from 0.25 to 4, the audio always keeps its pitch, also for `.varispeed`.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { tracked(\.audioTimePitchAlgorithm, extras.pitchAlgorithm) }
        set { set(\.audioTimePitchAlgorithm, in: \.extras.pitchAlgorithm, to: newValue) }
    }
    /// The URL of a WebVTT file whose cues refer to thumbnails (`sheet.jpg#xywh=0,0,160,90`).
    ///
    /// ```swift
    /// item.thumbnailTrack = URL(string: "https://example.com/film/thumbnails.vtt")
    /// ```
    /// The seek bar then shows these thumbnails instead of keyframes. Supports file, HTTP and HTTPS URLs. Set this
    /// property before thumbnails are requested. Not part of AVFoundation.
    public var thumbnailTrack: URL? {
        get { tracked(\.thumbnailTrack, extras.thumbnailTrack) }
        set { set(\.thumbnailTrack, in: \.extras.thumbnailTrack, to: newValue) }
    }
    /// The thumbnails of the item; all items with the same URL, HTTP options and thumbnail track share them.
    package var seekThumbnails: SeekThumbnails { extras.thumbnails(of: asset) }
    /// The URL of a separate subtitle file that is shown with the video. An external device that plays the item loads
    /// this file if it supports the format.
    package var subtitleFile: URL? {
        get { extras.subtitleFile }
        set { extras.subtitleFile = newValue }
    }

    /// The change of the item's frames. The layer that draws frames makes it available as `videoComposition`.
    package var frameChange: (any FrameChange)? {
        get { tracked(\.frameChange, entry.composition.current) }
        set {
            guard newValue !== entry.composition.current else { return }
            change(\.frameChange) { entry.composition.current = newValue }
            player?.pipeline.redisplay()
        }
    }

    private static var nextID: UInt64 = 0

    /// Creates an item for `asset`. The item opens when it is a player's current or next item.
    public init(asset: AVURLAsset) {
        self.asset = asset
        entry = AVPlayerItem.entry(of: asset)
        legible = LegibleOutputs(entry.subtitles)
        choice = TrackChoice(selection: AVMediaSelection(asset: asset))
        begin()
    }

    /// Creates an item for any kind of asset.
    ///
    /// - Parameter automaticallyLoadedAssetKeys: Accepted for compatibility and ignored. Properties are loaded when
    ///   they are requested.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]? = nil) {
        let asset = asset.atURL
        self.asset = asset
        entry = AVPlayerItem.entry(of: asset)
        legible = LegibleOutputs(entry.subtitles)
        choice = TrackChoice(selection: AVMediaSelection(asset: asset))
        begin()
    }

    /// Creates an item for a file or HTTP(S) URL.
    public init(url: URL) {
        let asset = AVURLAsset(url: url)
        self.asset = asset
        entry = AVPlayerItem.entry(of: asset)
        legible = LegibleOutputs(entry.subtitles)
        choice = TrackChoice(selection: AVMediaSelection(asset: asset))
        begin()
    }

    private static func entry(of asset: AVURLAsset) -> PlaybackEntry {
        nextID += 1
        let loader = asset.loader
        let adopt: (@Sendable (MediaSource) -> Void)? =
            asset.mediaURL.isFileURL ? nil : { @Sendable in loader.adopt($0) }
        return PlaybackEntry(
            id: nextID, url: asset.mediaURL, options: asset.httpOptions, problem: asset.optionsProblem, onOpen: adopt)
    }
    private func begin() {
        entry.composition.item = self
        keyPathObservers.owner = { [weak self] in
            guard let self, let player, player.current === self else { return nil }
            return player.keyPathObservers
        }
        legible.cuesDidChange = { [weak self] in
            guard let self else { return }
            player?.cuesChanged(of: self)
        }
        applyLegibleSelection()
    }

    nonisolated public var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// Returns the current time of the item; zero if it is not the current item of a player.
    ///
    /// A view that calls this method in its `body` is not updated as time passes. To follow the time, add a periodic
    /// time observer to the player.
    public func currentTime() -> CMTime {
        guard let player, player.current === self else { return .zero }
        return player.currentTime()
    }

    /// Steps `stepCount` frames forward, or backward if negative. Pauses a playing player.
    ///
    /// ```swift
    /// Button("Previous Frame") { item.step(byCount: -1) }
    /// Button("Next Frame") { item.step(byCount: 1) }
    /// ```
    /// During a seek, the steps wait and then start from the frame of the seek. Another seek or `play()` discards them.
    /// Steps beyond the start or end stop there. Does nothing if the item is not the current item of a player.
    public func step(byCount stepCount: Int) {
        guard let player, player.current === self else { return }
        player.step(by: stepCount)
    }

    /// Seeks exactly, as `AVPlayer.seek(to:completionHandler:)` does. If the item is not the current item of a player,
    /// calls `completionHandler` with false.
    public final func seek(to time: CMTime, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        guard let player, player.current === self else {
            completionHandler?(false)
            return
        }
        player.seek(to: time) { completionHandler?($0) }
    }

    /// Selects `option` in `group`; nil selects none if the group allows it. Takes effect at the current position.
    ///
    /// ```swift
    /// if let subtitles = try await item.asset.loadMediaSelectionGroup(for: .legible) {
    ///     let german = AVMediaSelectionGroup.mediaSelectionOptions(
    ///         from: subtitles.options, filteredAndSortedAccordingToPreferredLanguages: ["de"])
    ///     item.select(german.first, in: subtitles)
    /// }
    /// ```
    public func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        let new = choice.selection.selecting(option, in: group)
        set(\.currentMediaSelection, in: \.choice.selection, to: new) {
            applySelection()
            applyLegibleSelection()
        }
    }

    /// Removes the choice in `group`, so that the preferred languages or the default option apply again. Takes effect
    /// at the current position.
    public func selectMediaOptionAutomatically(in group: AVMediaSelectionGroup) {
        let new = choice.selection.withoutChoice(in: group)
        set(\.currentMediaSelection, in: \.choice.selection, to: new) {
            applySelection()
            applyLegibleSelection()
        }
    }

    /// Stores the languages of `property`, applies them by `effect`, and calls the observers of `property` and of
    /// `currentMediaSelection`. The effect runs for equal languages too, as in `set`.
    private func setLanguages(
        _ property: KeyPath<AVPlayerItem, [String]>, in field: WritableKeyPath<TrackChoice, [String]>,
        to languages: [String], effect: () -> Void
    ) {
        guard choice[keyPath: field] != languages else { return effect() }
        keyPathObservers.performChanges {
            change(property) {
                change(\.currentMediaSelection) { choice[keyPath: field] = languages }
            }
            effect()
        }
    }

    private func applySelection() {
        var selection = entry.selection
        selection.audio = choice.audio
        if let player { player.pipeline.setSelection(entry, selection) } else { entry.selection = selection }
    }

    /// Applies or ignores the preferred languages of the item and the player, as the player's
    /// `appliesMediaSelectionCriteriaAutomatically` requires.
    func selectionCriteriaChanged() {
        guard let settings = player?.settings else { return }
        var new = choice
        new.appliesLanguages = settings.appliesMediaSelectionCriteriaAutomatically
        new.playerAudioLanguages = settings.selectionCriteria[.audible]?.preferredLanguages ?? []
        new.playerSubtitleLanguages = settings.selectionCriteria[.legible]?.preferredLanguages ?? []
        guard !new.hasSameCriteria(as: choice) else { return }
        registrar.withMutation(of: self, keyPath: \.currentMediaSelection) { choice = new }
        applySelection()
        applyLegibleSelection()
        // The player may be changing its items now.
        (player?.keyPathObservers ?? keyPathObservers).afterChanges { [weak self] in
            self?.keyPathObservers.objectDidChange()
        }
    }

    /// Applies the subtitle choice to the file's reader or the stream. Playback continues while the subtitles load.
    private func applyLegibleSelection() {
        entry.subtitles.choose(choice.subtitles)
        entry.setSubtitles(choice.streamSubtitles)
    }

    /// Attaches a video output, from which an app can pull frames. An output belongs to one item at a time. Ignores an
    /// output that is already attached.
    public func add(_ output: AVPlayerItemVideoOutput) {
        guard !outputs.contains(where: { $0 === output }) else { return }
        outputs.append(output)
        output.connect(player?.pipeline, entry)
    }

    /// Detaches a video output, which then returns no more frames. Ignores an output that is not attached.
    public func remove(_ output: AVPlayerItemVideoOutput) {
        guard let index = outputs.firstIndex(where: { $0 === output }) else { return }
        outputs.remove(at: index)
        output.connect(nil, entry)
    }

    /// Attaches a subtitle output. An output belongs to one item at a time.
    ///
    /// ```swift
    /// let output = AVPlayerItemLegibleOutput()
    /// output.setDelegate(subtitleLog)
    /// item.add(output)
    /// ```
    public func add(_ output: AVPlayerItemLegibleOutput) {
        guard legible.add(output) else { return }
        output.connect(self)
        player?.cuesChanged(of: self)
    }

    /// Detaches a subtitle output, which then reports no more cues. Ignores an output that is not attached.
    public func remove(_ output: AVPlayerItemLegibleOutput) {
        if legible.remove(output) { output.connect(nil) }
    }

    /// The tracks of the item; empty until the item is ready and the tracks are read.
    ///
    /// The first access while the item is ready starts to read them. Observers are notified when the tracks are
    /// available. If reading fails, a later access tries again, at most five times in total.
    public var tracks: [AVPlayerItemTrack] {
        if status == .readyToPlay, knownTracks.beginReading() {
            Task { [weak self, asset] in
                let read = (try? await asset.load(.tracks)) ?? []
                guard let self else { return }
                guard !read.isEmpty else { return knownTracks.readingFailed() }
                change(\.tracks) { knownTracks.finishReading(read.map { AVPlayerItemTrack($0, of: self) }) }
            }
        }
        return tracked(\.tracks, knownTracks.all)
    }

    // MARK: Pipeline events

    func opened(_ new: ItemDescription) {
        guard opening.status != .failed else { return }
        opening.description = new
        presentationSizeChanged(to: new.presentationSize)
        if let length = new.duration { change(\.duration) { opening.duration = length.time } }
        changeBuffer { $0.open(duration: new.duration) }
        if opening.status != .readyToPlay { change(\.status) { opening.status = .readyToPlay } }
    }

    func presentationSizeChanged(to size: CGSize) {
        set(\.presentationSize, in: \.opening.presentationSize, to: size)
    }

    func buffered(_ status: BufferStatus) {
        guard opening.status != .failed else { return }
        changeBuffer { $0.load(status) }
        metadataOutputs.bufferChanged()
        reportNewErrors()
        reportNewAccesses()
    }

    func stalled() {
        changeBuffer { $0.stall() }
        NotificationCenter.default.post(name: AVPlayerItem.playbackStalledNotification, object: self)
    }

    func failed(_ new: AVError) {
        guard opening.status != .failed else { return }
        change(\.error) { opening.error = new }
        changeBuffer { $0.runDry() }
        change(\.status) { opening.status = .failed }
        postFailure(new)
    }

    /// Returns the time nearest to `time` to which the item can seek; nil if `time` is infinite and the end is unknown.
    func reachable(_ time: MediaTime) -> MediaTime? {
        if let end = MediaTime(opening.duration) { return min(time, end) }
        guard let start = buffer.seekable.first.flatMap({ MediaTime($0.timeRangeValue.start) }),
            let end = buffer.seekable.last.flatMap({ MediaTime($0.timeRangeValue.end) })
        else { return time == .max ? nil : time }
        return min(max(time, start), end)
    }

    /// Changes the buffer, and notifies the observers of each property whose value changes.
    private func changeBuffer(_ body: (inout ItemBuffer) -> Void) {
        var new = buffer
        body(&new)
        func show<Value: Equatable>(
            _ property: KeyPath<AVPlayerItem, Value>, _ field: WritableKeyPath<ItemBuffer, Value>
        ) {
            guard buffer[keyPath: field] != new[keyPath: field] else { return }
            change(property) { buffer[keyPath: field] = new[keyPath: field] }
        }
        keyPathObservers.performChanges {
            show(\.expectedSize, \.expectedSize)
            show(\.loadedTimeRanges, \.loaded)
            show(\.seekableTimeRanges, \.seekable)
            show(\.isPlaybackLikelyToKeepUp, \.isLikelyToKeepUp)
            show(\.isPlaybackBufferFull, \.isFull)
            show(\.isPlaybackBufferEmpty, \.isEmpty)
            // The remaining properties of the buffer are not observable.
            buffer = new
        }
    }

    func measured(_ loudness: LoudnessMeasure) {
        set(\.integratedLoudness, in: \.playback.integratedLoudness, to: loudness.integrated)
    }

    func streamTitleChanged(to title: String?) { set(\.streamTitle, in: \.playback.streamTitle, to: title) }

    /// Updates `isPreloaded` from the entry, which has become ready or is no longer ready. An outdated report is
    /// ignored.
    func preloadChanged(_ isReady: Bool) {
        let now = entry.isPrepared
        guard isReady == now, playback.isPreloaded != now else { return }
        change(\.isPreloaded) { playback.isPreloaded = now }
    }

    // MARK: Problems and the end

    /// The reasons why tracks of the item do not play while the others do, in the order in which they failed. Each
    /// error has a text for the user.
    package var trackErrors: [AVError] { problems.trackErrors }
    /// Whether the video cannot be decoded while the audio plays.
    package var playsWithoutVideo: Bool { problems.has(.video) }
    /// The error for an item that ends earlier than its header specifies; otherwise nil. Known after the item has been
    /// read to its end.
    package var shortfall: AVError? { problems.shortfall }
    /// The errors in the error log that do not concern the network.
    var contentErrors: [AVError] { problems.all }
    /// Whether any audio of the item has been decoded.
    package var hasDecodedAudio: Bool { entry.hasDecodedAudio }

    func trackFailed(_ problem: TrackProblem) {
        guard opening.status != .failed, problems.add(problem) else { return }
        reportNewErrors()
    }

    /// Adds an error of `frameChange` to the error log, unless the log already contains the same error.
    func compositionFailed(_ error: AVError) {
        if problems.add(compositionError: error) { reportNewErrors() }
    }

    private func reportNewErrors() {
        guard problems.report(errorCount) else { return }
        NotificationCenter.default.post(name: AVPlayerItem.newErrorLogEntryNotification, object: self)
    }

    private func reportNewAccesses() {
        guard let newest = newestAccess, newest != loggedAccess else { return }
        loggedAccess = newest
        NotificationCenter.default.post(name: AVPlayerItem.newAccessLogEntryNotification, object: self)
    }

    private func postFailure(_ error: AVError) {
        NotificationCenter.default.post(
            name: AVPlayerItem.failedToPlayToEndTimeNotification, object: self,
            userInfo: [AVPlayerItemFailedToPlayToEndTimeErrorKey: error])
    }

    func endsEarly(_ error: AVError) {
        problems.add(shortfall: error)
        reportNewErrors()
    }

    /// Reports that a truncated item has played to the point where it is cut off. Returns false if the item is
    /// complete.
    func endEarly() -> Bool {
        guard let shortfall else { return false }
        change(\.error) { opening.error = shortfall }
        postFailure(shortfall)
        return true
    }

    /// Counts a new pass of a loop.
    func beganPass() { change(\.loopCount) { playback.loopCount += 1 } }

    /// Posts the notification that the item has played to its end.
    /// - Parameter atLoopBoundary: Whether another pass of a loop has begun.
    func reportEnd(atLoopBoundary: Bool) {
        playback.isAtLoopBoundary = atLoopBoundary
        defer { playback.isAtLoopBoundary = false }
        NotificationCenter.default.post(name: AVPlayerItem.didPlayToEndTimeNotification, object: self)
    }

    // MARK: Calls from the player

    /// Disconnects the item from `old`, which no longer has it. An item that has moved to another player stays connected
    /// to that player.
    func leave(_ old: AVPlayer) {
        if player === old { player = nil }
    }

    /// Returns the next media time after `media` at which a cue begins or ends, or timed metadata begins; nil without
    /// outputs or later changes.
    func nextCueChange(after media: MediaTime) -> MediaTime? {
        [legible.nextChange(after: media), metadataOutputs.nextDue(after: media)].compactMap { $0 }.min()
    }

    func showCues(at time: CMTime) {
        legible.show(at: time)
        // Before the first packet is read, the current time is zero, even if playback begins elsewhere.
        if !metadataOutputs.isEmpty, player?.position?.entry === entry { metadataOutputs.deliver(at: time) }
    }

    func timeJumped() {
        legible.flush()
        metadataOutputs.flush()
        showCues(at: currentTime())
    }
}
