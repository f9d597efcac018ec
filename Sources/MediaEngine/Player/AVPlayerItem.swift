import Foundation
import MediaCore
import Observation

/// One thing to play: an asset and its state in a player. Apple's `AVPlayerItem`.
///
/// Main actor. An item belongs to one player at a time. A subclass can add properties of the app's own; a looper
/// plays the item itself, not a copy.
@MainActor @preconcurrency
open class AVPlayerItem: KeyPathObservable, Observable, PropertyTracking, Identifiable {
    /// Whether an item can be played.
    public enum Status: Int, Sendable {
        /// Not opened yet.
        case unknown = 0
        /// It is open, and its first picture or sound can be had.
        case readyToPlay = 1
        /// Cannot be played; `error` says why. Final.
        case failed = 2
    }

    /// Posted with the item as object when it has played to its end (also at each seam of a loop).
    nonisolated public static let didPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemDidPlayToEndTimeNotification")
    /// Posted with the item as object when it broke off; `error` in the item. Instead of `didPlayToEndTimeNotification`
    /// also at the end of a file that is cut off, which plays as far as it goes: `status` stays `.readyToPlay`, `error`
    /// is `.fileTruncated`, and the player goes on as at any end.
    nonisolated public static let failedToPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification")
    /// Posted with the item as object after a seek.
    nonisolated public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")

    /// Posted with the item as object when a stream did not keep up and time stopped.
    nonisolated public static let playbackStalledNotification = Notification.Name(
        "AVPlayerItemPlaybackStalledNotification")

    /// Posted with the item as object when `errorLog()` has another event: a request that failed, or a track that
    /// cannot be decoded while the rest of the item plays.
    nonisolated public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntry")

    /// What it plays.
    nonisolated public let asset: AVURLAsset

    public let keyPathObservers = KeyPathObservers()
    nonisolated let registrar = ObservationRegistrar()
    let entry: PlaybackEntry
    /// Who plays the item, or has it in a queue.
    package internal(set) weak var player: AVPlayer? {
        didSet {
            for output in outputs { output.connect(player?.pipeline) }
            if player == nil { legible.hide() }
        }
    }
    /// The taps that `add(_:)` has attached, in that order.
    public private(set) var outputs: [AVPlayerItemVideoOutput] = []

    // MARK: parts

    private(set) var opening = ItemOpening()
    private var buffer = ItemBuffer()
    private var playback = ItemPlayback()
    private var problems = ItemProblems()
    private var knownTracks = ItemTracks()
    private var choice: TrackChoice
    private(set) var limits = ItemLimits()
    private var extras = ItemExtras()
    private let legible: LegibleOutputs

    // MARK: what the container says

    /// `.unknown` until a player has opened it; `.failed` is final.
    public var status: Status { tracked(\.status, opening.status) }
    /// An `AVError` when `status` is `.failed`, and once a file that is cut off has played to where it ends.
    public var error: (any Error)? { tracked(\.error, opening.error) }
    /// `.indefinite` until known.
    public var duration: CMTime { tracked(\.duration, opening.duration) }
    /// Size for display in square pixels, after rotation; zero until known and for sound alone.
    public var presentationSize: CGSize { tracked(\.presentationSize, opening.presentationSize) }
    /// It is open, and what it shows is at most the cover of its sound.
    package var isSoundOnly: Bool {
        guard let description, description.video == nil else { return false }
        return presentationSize == description.presentationSize
    }
    /// Nil until the item is open.
    var description: ItemDescription? { opening.description }

    // MARK: what has been loaded

    /// Pixels of the largest pictures that a stream's playlist promises, before any has come; zero where nothing does.
    package var expectedSize: CGSize { tracked(\.expectedSize, buffer.expectedSize) }
    /// What can be played without waiting (`timeRangeValue` of each). A local file: all of it.
    public var loadedTimeRanges: [NSValue] { tracked(\.loadedTimeRanges, buffer.loaded) }
    /// Where one may seek to (`timeRangeValue` of each).
    public var seekableTimeRanges: [NSValue] { tracked(\.seekableTimeRanges, buffer.seekable) }
    /// More comes than is played, or all of it is there; false until it is open.
    public var isPlaybackLikelyToKeepUp: Bool { tracked(\.isPlaybackLikelyToKeepUp, buffer.isLikelyToKeepUp) }
    /// Nothing is there to be played; true until it is open.
    public var isPlaybackBufferEmpty: Bool { tracked(\.isPlaybackBufferEmpty, buffer.isEmpty) }
    /// As much has been loaded ahead as is wanted (`preferredForwardBufferDuration`, and memory).
    public var isPlaybackBufferFull: Bool { tracked(\.isPlaybackBufferFull, buffer.isFull) }
    /// How often playback has stopped because a stream did not keep up.
    var stallCount: Int { buffer.stallCount }

    // MARK: what playing it has told

    /// What an internet radio (SHOUTcast, Icecast) plays now, as its metadata say: usually the artist and the title; else
    /// the station's name. Nil for all else. Changes while it plays. Apple has none.
    public var streamTitle: String? { tracked(\.streamTitle, playback.streamTitle) }
    /// How loud its sound is as a whole, LUFS; nil until it has been measured, which happens once its player's
    /// `loudness` asks for it, or its tags have told. Apple has none.
    public var integratedLoudness: Double? { tracked(\.integratedLoudness, playback.integratedLoudness) }
    /// Its beginning is at hand, see `preload()`; false again once a player has taken it up.
    public var isPreloaded: Bool { tracked(\.isPreloaded, playback.isPreloaded) }
    /// How often the item was played through by a looper.
    public var loopCount: Int { tracked(\.loopCount, playback.loopCount) }
    /// Whether the `didPlayToEndTimeNotification` that is being posted means the seam of a loop: the next pass has begun.
    package var isAtSeam: Bool { playback.isAtSeam }

    // MARK: what an app sets

    /// How far ahead of the playhead to load, seconds; 0, the default: 60 s, and 64 MiB at most either way. A
    /// negative value or one that is no number is 0. A local file is not loaded ahead.
    public var preferredForwardBufferDuration: TimeInterval {
        get { tracked(\.preferredForwardBufferDuration, limits.forwardBufferDuration) }
        set {
            set(\.preferredForwardBufferDuration, in: \.limits.forwardBufferDuration, to: newValue) {
                player?.forwardBufferChanged(of: self)
            }
        }
    }

    /// A stream's rung may ask for no more than this, bit/s at its peak; 0, the default: no limit. A negative value
    /// or one that is no number is 0. When no rung is that low, the lowest plays.
    public var preferredPeakBitRate: Double {
        get { tracked(\.preferredPeakBitRate, limits.peakBitRate) }
        set {
            set(\.preferredPeakBitRate, in: \.limits.peakBitRate, to: newValue) {
                let limit = limits.peakBitRate
                entry.limit { $0.peakBitRate = limit > 0 ? limit : nil }
            }
        }
    }

    /// A stream's pictures may not be larger than this, pixels, either way up; zero, the default: no limit. Apart from
    /// that no rung is chosen that has more pixels than the player is shown in.
    public var preferredMaximumResolution: CGSize {
        get { tracked(\.preferredMaximumResolution, limits.maximumResolution) }
        set {
            set(\.preferredMaximumResolution, in: \.limits.maximumResolution, to: newValue) {
                let size = limits.largestSize
                entry.limit { $0.maximumResolution = size }
            }
        }
    }

    /// The chosen option of each group.
    public var currentMediaSelection: AVMediaSelection { tracked(\.currentMediaSelection, choice.selection) }
    /// BCP-47 tags, best first; the track that matches best plays. Set before the item plays, or at any time.
    public var preferredAudioLanguages: [String] {
        get { tracked(\.preferredAudioLanguages, choice.audioLanguages) }
        set { set(\.preferredAudioLanguages, in: \.choice.audioLanguages, to: newValue) { applySelection() } }
    }

    /// BCP-47 tags, best first; the subtitles that match best play unless others are selected. None match, or no tags:
    /// what the stream marks as its default. Set before the item plays, or at any time.
    public var preferredSubtitleLanguages: [String] {
        get { tracked(\.preferredSubtitleLanguages, choice.subtitleLanguages) }
        set {
            set(\.preferredSubtitleLanguages, in: \.choice.subtitleLanguages, to: newValue) { applyLegibleSelection() }
        }
    }

    /// BCP-47 tags, best first: of several tracks that are marked as the default, the one that matches best is shown.
    /// Nothing is shown for their sake.
    package var rankedSubtitleLanguages: [String] {
        get { choice.rankedSubtitleLanguages }
        set {
            choice.rankedSubtitleLanguages = newValue
            applyLegibleSelection()
        }
    }
    /// Shows the captions that the picture's own data carry (EIA-608, and 708 where it repeats them), instead of
    /// subtitles. Streams offer them as an option to select; files do not tell of them before they play. Apple has it
    /// in the player.
    public var isClosedCaptionDisplayEnabled: Bool {
        get { tracked(\.isClosedCaptionDisplayEnabled, choice.showsCaptions) }
        set {
            set(\.isClosedCaptionDisplayEnabled, in: \.choice.showsCaptions, to: newValue) { applyLegibleSelection() }
        }
    }

    /// Metadata of the app's own (title, artwork) that takes precedence over the file's.
    public var externalMetadata: [AVMetadataItem] {
        get { tracked(\.externalMetadata, extras.metadata) }
        set {
            set(\.externalMetadata, in: \.extras.metadata, to: newValue) { player?.audioTitleChanged(of: self) }
        }
    }
    /// A WebVTT file whose cues name small pictures of its places (`sheet.jpg#xywh=0,0,160,90`), at a file, http or
    /// https address: shown where a place is looked for, instead of key pictures. Set before that. Apple has none.
    public var thumbnailTrack: URL? {
        get { tracked(\.thumbnailTrack, extras.thumbnailTrack) }
        set { set(\.thumbnailTrack, in: \.extras.thumbnailTrack, to: newValue) }
    }
    /// Small pictures of its places; shared by all items of the address and track.
    package var seekPictures: SeekPictures { extras.thumbnails(of: asset) }
    /// A file of subtitles that is shown with it, from beside it: for another device that plays it.
    package var subtitleFile: URL? {
        get { extras.subtitleFile }
        set { extras.subtitleFile = newValue }
    }

    private static var nextID: UInt64 = 0

    /// Opens nothing until a player has it, or is to have it next.
    public init(asset: AVURLAsset) {
        self.asset = asset
        entry = AVPlayerItem.entry(of: asset)
        legible = LegibleOutputs(entry.subtitles)
        choice = TrackChoice(selection: AVMediaSelection(asset: asset))
        begin()
    }

    /// What is played of an asset, whichever way it was made. The keys are accepted, and have no effect: what is asked
    /// for is read then.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]? = nil) {
        let asset = asset.atURL
        self.asset = asset
        entry = AVPlayerItem.entry(of: asset)
        legible = LegibleOutputs(entry.subtitles)
        choice = TrackChoice(selection: AVMediaSelection(asset: asset))
        begin()
    }

    /// Of a file or an http(s) address.
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

    /// Where the item stands; zero when it is not a player's current item.
    public func currentTime() -> CMTime {
        guard let player, player.current === self else { return .zero }
        return player.currentTime()
    }

    /// Moves `stepCount` pictures forward (or back when negative); a player that plays is paused. While a seek is under
    /// way the steps wait for it and are taken from its picture, unless another seek or `play()` comes before. Beyond
    /// an end it stands there.
    public func step(byCount stepCount: Int) {
        guard let player, player.current === self else { return }
        player.step(by: stepCount)
    }

    /// Exact, as `AVPlayer.seek(to:completionHandler:)`. Answered false where it is no player's current item.
    public func seek(to time: CMTime, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        guard let player, player.current === self else {
            completionHandler?(false)
            return
        }
        player.seek(to: time) { completionHandler?($0) }
    }

    /// Plays `option` of `group`; nil for none where the group allows it. Takes effect where we are.
    public func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        let new = choice.selection.selecting(option, in: group)
        set(\.currentMediaSelection, in: \.choice.selection, to: new) {
            applySelection()
            applyLegibleSelection()
        }
    }

    /// Plays the chosen audio.
    private func applySelection() {
        var selection = entry.selection
        selection.audio = choice.audio
        if let player { player.pipeline.setSelection(entry, selection) } else { entry.selection = selection }
    }

    /// Carries the choice of subtitles to the file's reader or the stream. They are loaded beside what plays, which
    /// goes on.
    private func applyLegibleSelection() {
        entry.subtitles.choose(choice.subtitles)
        entry.setSubtitles(choice.streamSubtitles)
    }

    /// Attaches a tap from which pictures can be pulled.
    public func add(_ output: AVPlayerItemVideoOutput) {
        outputs.append(output)
        output.connect(player?.pipeline)
    }

    /// Detaches a tap: it gives no more pictures. One that is not attached stays as it is.
    public func remove(_ output: AVPlayerItemVideoOutput) {
        outputs.removeAll { $0 === output }
        output.connect(nil)
    }

    /// Attaches a tap on the subtitles. An output belongs to one item at a time.
    public func add(_ output: AVPlayerItemLegibleOutput) {
        guard legible.add(output) else { return }
        output.connect(self)
        player?.cuesChanged(of: self)
    }

    /// Detaches the output: it tells no more cues. One that is not attached stays as it is.
    public func remove(_ output: AVPlayerItemLegibleOutput) {
        if legible.remove(output) { output.connect(nil) }
    }

    /// The asset's tracks; empty until the item is ready and they have been read. Reading begins with the first call of
    /// this getter, and observers are notified when it ends.
    public var tracks: [AVPlayerItemTrack] {
        if status == .readyToPlay, knownTracks.beginReading() {
            Task { [weak self, asset] in
                let read = (try? await asset.load(.tracks)) ?? []
                guard let self, !read.isEmpty else { return }
                change(\.tracks) { knownTracks.finishReading(read.map { AVPlayerItemTrack($0, of: self) }) }
            }
        }
        return tracked(\.tracks, knownTracks.all)
    }

    // MARK: from the pipeline

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
        reportNewErrors()
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
        NotificationCenter.default.post(name: AVPlayerItem.failedToPlayToEndTimeNotification, object: self)
    }

    /// Changes the buffer, and calls the observers of the properties that have another value then.
    private func changeBuffer(_ body: (inout ItemBuffer) -> Void) {
        var new = buffer
        body(&new)
        func show<Value: Equatable>(
            _ property: KeyPath<AVPlayerItem, Value>, _ field: WritableKeyPath<ItemBuffer, Value>
        ) {
            guard buffer[keyPath: field] != new[keyPath: field] else { return }
            change(property) { buffer[keyPath: field] = new[keyPath: field] }
        }
        keyPathObservers.together {
            show(\.expectedSize, \.expectedSize)
            show(\.loadedTimeRanges, \.loaded)
            show(\.seekableTimeRanges, \.seekable)
            show(\.isPlaybackLikelyToKeepUp, \.isLikelyToKeepUp)
            show(\.isPlaybackBufferFull, \.isFull)
            show(\.isPlaybackBufferEmpty, \.isEmpty)
            // What nobody can observe.
            buffer = new
        }
    }

    func measured(_ loudness: LoudnessMeasure) {
        set(\.integratedLoudness, in: \.playback.integratedLoudness, to: loudness.integrated)
    }

    func streamTitleChanged(to title: String?) { set(\.streamTitle, in: \.playback.streamTitle, to: title) }

    /// The item has been loaded ahead, or is not any more.
    func preloadChanged(_ isReady: Bool) {
        let now = entry.isPrepared
        guard isReady == now, playback.isPreloaded != now else { return }
        change(\.isPreloaded) { playback.isPreloaded = now }
    }

    // MARK: problems and the end

    /// Why tracks of it do not play though the rest does, as they were found; each an `AVError` for people to read.
    package var trackErrors: [AVError] { problems.trackErrors }
    /// Its video cannot be decoded, and its audio plays.
    package var playsWithoutVideo: Bool { problems.has(.video) }
    /// Why it ends before its header says; known when it has been read to its end.
    package var shortfall: AVError? { problems.shortfall }
    /// What the error log tells of besides the network.
    var contentErrors: [AVError] { problems.all }
    /// Samples of its audio have been decoded.
    package var hasSounded: Bool { entry.hasEverSounded }

    func trackFailed(_ problem: TrackProblem) {
        guard opening.status != .failed, problems.add(problem) else { return }
        reportNewErrors()
    }

    private func reportNewErrors() {
        guard problems.report(errorLog()?.events.count ?? 0) else { return }
        NotificationCenter.default.post(name: AVPlayerItem.newErrorLogEntryNotification, object: self)
    }

    func endsEarly(_ error: AVError) { problems.add(shortfall: error) }

    /// It has played to where it is cut off; false when it is whole.
    func endEarly() -> Bool {
        guard let shortfall else { return false }
        change(\.error) { opening.error = shortfall }
        NotificationCenter.default.post(name: AVPlayerItem.failedToPlayToEndTimeNotification, object: self)
        return true
    }

    /// Another pass of a loop has begun.
    func beganPass() { change(\.loopCount) { playback.loopCount += 1 } }

    /// Tells that the item has played to its end.
    /// - Parameter atSeam: another pass has begun.
    func reportEnd(atSeam: Bool) {
        playback.isAtSeam = atSeam
        defer { playback.isAtSeam = false }
        NotificationCenter.default.post(name: AVPlayerItem.didPlayToEndTimeNotification, object: self)
    }

    // MARK: from the player

    /// The next media time after `media` at which a cue begins or ends; nil where nobody wants to know.
    func nextCueChange(after media: MediaTime) -> MediaTime? { legible.nextChange(after: media) }

    func showCues(at time: CMTime) { legible.show(at: time) }

    func timeJumped() {
        legible.flush()
        showCues(at: currentTime())
    }
}
