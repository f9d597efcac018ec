import Foundation
import MediaCore
import Observation

/// One thing to play: an asset and its state in a player. Apple's `AVPlayerItem`.
///
/// Main actor. An item belongs to one player at a time.
@MainActor @preconcurrency
@Observable
public final class AVPlayerItem: KeyPathObservable, Identifiable {
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

    /// `.unknown` until a player has opened it; `.failed` is final.
    public internal(set) var status: Status = .unknown { didSet { keyPathObservers.objectDidChange() } }
    /// An `AVError` when `status` is `.failed`, and once a file that is cut off has played to where it ends.
    public internal(set) var error: (any Error)? { didSet { keyPathObservers.objectDidChange() } }
    /// `.indefinite` until known.
    public internal(set) var duration: CMTime = .indefinite { didSet { keyPathObservers.objectDidChange() } }
    /// Size for display in square pixels, after rotation; zero until known and for sound alone.
    public internal(set) var presentationSize: CGSize = .zero { didSet { keyPathObservers.objectDidChange() } }
    /// It is open, and what it shows is at most the cover of its sound.
    package var isSoundOnly: Bool {
        guard let description, description.video == nil else { return false }
        return presentationSize == description.presentationSize
    }
    /// Pixels of the largest pictures that a stream's playlist promises, before any has come; zero where nothing does.
    package internal(set) var expectedSize: CGSize = .zero { didSet { keyPathObservers.objectDidChange() } }
    /// What can be played without waiting (`timeRangeValue` of each). A local file: all of it.
    public internal(set) var loadedTimeRanges: [NSValue] = [] { didSet { keyPathObservers.objectDidChange() } }
    /// Where one may seek to (`timeRangeValue` of each).
    public internal(set) var seekableTimeRanges: [NSValue] = [] { didSet { keyPathObservers.objectDidChange() } }
    /// More comes than is played, or all of it is there; false until it is open.
    public internal(set) var isPlaybackLikelyToKeepUp = false { didSet { keyPathObservers.objectDidChange() } }
    /// Nothing is there to be played; true until it is open.
    public internal(set) var isPlaybackBufferEmpty = true { didSet { keyPathObservers.objectDidChange() } }
    /// As much has been loaded ahead as is wanted (`preferredForwardBufferDuration`, and memory).
    public internal(set) var isPlaybackBufferFull = false { didSet { keyPathObservers.objectDidChange() } }
    /// How far ahead of the playhead to load, seconds; 0, the default: 60 s, and 64 MiB at most either way. A
    /// negative value or one that is no number is 0. A local file is not loaded ahead.
    public var preferredForwardBufferDuration: TimeInterval = 0 {
        didSet {
            if !(preferredForwardBufferDuration >= 0) { preferredForwardBufferDuration = 0 }
            player?.forwardBufferChanged(of: self)
            keyPathObservers.objectDidChange()
        }
    }
    /// The chosen option of each group.
    public internal(set) var currentMediaSelection = AVMediaSelection() {
        didSet { keyPathObservers.objectDidChange() }
    }
    /// Metadata of the app's own (title, artwork) that takes precedence over the file's.
    public var externalMetadata: [AVMetadataItem] = [] { didSet { keyPathObservers.objectDidChange() } }
    /// What an internet radio (SHOUTcast, Icecast) plays now, as its metadata say: usually the artist and the title; else
    /// the station's name. Nil for all else. Changes while it plays. Apple has none.
    public internal(set) var streamTitle: String? { didSet { keyPathObservers.objectDidChange() } }
    /// A WebVTT file whose cues name small pictures of its places (`sheet.jpg#xywh=0,0,160,90`), at a file, http or
    /// https address: shown where a place is looked for, instead of key pictures. Set before that. Apple has none.
    public var thumbnailTrack: URL? { didSet { if thumbnailTrack != oldValue { knownSeekPictures = nil } } }
    /// A file of subtitles that is shown with it, from beside it: for another device that plays it.
    @ObservationIgnored package var subtitleFile: URL?
    @ObservationIgnored var knownSeekPictures: SeekPictures?
    /// BCP-47 tags, best first; the track that matches best plays. Set before the item plays, or at any time.
    public var preferredAudioLanguages: [String] = [] {
        didSet { applySelection() }
    }
    /// BCP-47 tags, best first; the subtitles that match best play unless others are selected. None match, or no tags:
    /// what the stream marks as its default. Set before the item plays, or at any time.
    public var preferredSubtitleLanguages: [String] = [] {
        didSet { applyLegibleSelection() }
    }
    /// BCP-47 tags, best first: of several tracks that are marked as the default, the one that matches best is shown.
    /// Nothing is shown for their sake.
    @ObservationIgnored package var rankedSubtitleLanguages: [String] = [] {
        didSet { applyLegibleSelection() }
    }
    /// Shows the captions that the picture's own data carry (EIA-608, and 708 where it repeats them), instead of
    /// subtitles. Streams offer them as an option to select; files do not tell of them before they play. Apple has it
    /// in the player.
    public var isClosedCaptionDisplayEnabled = false {
        didSet { applyLegibleSelection() }
    }
    /// How loud its sound is as a whole, LUFS; nil until it has been measured, which happens once its player's
    /// `loudness` asks for it, or its tags have told. Apple has none.
    public internal(set) var integratedLoudness: Double? { didSet { keyPathObservers.objectDidChange() } }
    /// Its beginning is at hand, see `preload()`; false again once a player has taken it up.
    public internal(set) var isPreloaded = false { didSet { keyPathObservers.objectDidChange() } }
    /// While `didPlayToEndTimeNotification` is posted: it is a loop's seam that is told, and another pass has begun.
    @ObservationIgnored package internal(set) var isAtSeam = false
    /// How often the item was played through by a looper.
    public internal(set) var loopCount = 0 { didSet { keyPathObservers.objectDidChange() } }

    /// A stream's rung may ask for no more than this, bit/s at its peak; 0, the default: no limit. A negative value
    /// or one that is no number is 0. When no rung is that low, the lowest plays.
    public var preferredPeakBitRate: Double = 0 {
        didSet {
            if !(preferredPeakBitRate >= 0) { preferredPeakBitRate = 0 }
            let limit = preferredPeakBitRate
            entry.limit { $0.peakBitRate = limit > 0 ? limit : nil }
            keyPathObservers.objectDidChange()
        }
    }
    /// A stream's pictures may not be larger than this, pixels, either way up; zero, the default: no limit. Apart from
    /// that no rung is chosen that has more pixels than the player is shown in.
    public var preferredMaximumResolution: CGSize = .zero {
        didSet {
            let size = preferredMaximumResolution
            let isLimit = size.width >= 1 && size.height >= 1 && size.width < 1e6 && size.height < 1e6
            entry.limit {
                $0.maximumResolution =
                    isLimit ? .init(width: Int(saturating: size.width), height: Int(saturating: size.height)) : nil
            }
            keyPathObservers.objectDidChange()
        }
    }
    @ObservationIgnored public let keyPathObservers = KeyPathObservers()
    @ObservationIgnored let entry: PlaybackEntry
    @ObservationIgnored package internal(set) weak var player: AVPlayer? {
        didSet {
            for output in outputs { output.connect(player?.pipeline) }
            if player == nil { hideCues() }
        }
    }
    /// The taps that `add(_:)` has attached, in that order.
    @ObservationIgnored public private(set) var outputs: [AVPlayerItemVideoOutput] = []
    @ObservationIgnored var legibleOutputs: [AVPlayerItemLegibleOutput] = []
    @ObservationIgnored var description: ItemDescription?
    /// It comes over a network, and tells how much of it has come.
    @ObservationIgnored private var isRemote = false
    @ObservationIgnored private(set) var stallCount = 0
    /// See `tracks`.
    var knownTracks: [AVPlayerItemTrack] = [] { didSet { keyPathObservers.objectDidChange() } }
    @ObservationIgnored var isReadingTracks = false

    private static var nextID: UInt64 = 0

    /// Opens nothing until a player has it, or is to have it next.
    public init(asset: AVURLAsset) {
        self.asset = asset
        AVPlayerItem.nextID += 1
        let loader = asset.loader
        let isLocal = asset.mediaURL.isFileURL
        let adopt: (@Sendable (MediaSource) -> Void)? = isLocal ? nil : { @Sendable in loader.adopt($0) }
        entry = PlaybackEntry(
            id: AVPlayerItem.nextID, url: asset.mediaURL, options: asset.httpOptions, problem: asset.optionsProblem,
            onOpen: adopt)
        keyPathObservers.owner = { [weak self] in
            guard let self, let player, player.currentItem === self else { return nil }
            return player.keyPathObservers
        }
        currentMediaSelection = AVMediaSelection(asset: asset)
        applyLegibleSelection()
    }

    /// What is played of an asset, whichever way it was made. The keys are accepted, and have no effect: what is asked
    /// for is read then.
    public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]? = nil) {
        self.init(asset: asset.atURL)
    }

    /// Of a file or an http(s) address.
    public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

    nonisolated public var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// Where the item stands; zero when it is not a player's current item.
    public func currentTime() -> CMTime {
        guard let player, player.currentItem === self else { return .zero }
        return player.currentTime()
    }

    /// Moves `stepCount` pictures forward (or back when negative); a player that plays is paused. While a seek is under
    /// way the steps wait for it and are taken from its picture, unless another seek or `play()` comes before. Beyond
    /// an end it stands there.
    public func step(byCount stepCount: Int) {
        guard let player, player.currentItem === self else { return }
        player.step(by: stepCount)
    }

    /// Exact, as `AVPlayer.seek(to:completionHandler:)`. Answered false where it is no player's current item.
    public func seek(to time: CMTime, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        guard let player, player.currentItem === self else {
            completionHandler?(false)
            return
        }
        player.seek(to: time) { completionHandler?($0) }
    }

    /// Plays `option` of `group`; nil for none where the group allows it. Takes effect where we are.
    public func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        currentMediaSelection = currentMediaSelection.selecting(option, in: group)
        applySelection()
        applyLegibleSelection()
    }

    /// Plays the audio track `streamIndex` of the container, overriding languages.
    func applySelection() {
        var selection = entry.selection
        if let chosen = currentMediaSelection.audibleStreamIndex {
            selection.audio = .stream(chosen)
        } else if !preferredAudioLanguages.isEmpty {
            selection.audio = .languages(preferredAudioLanguages)
        } else {
            selection.audio = .automatic
        }
        if let player { player.pipeline.setSelection(entry, selection) } else { entry.selection = selection }
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

    // MARK: from the pipeline

    func opened(_ new: ItemDescription) {
        guard status != .failed else { return }
        description = new
        presentationSize = new.presentationSize
        if let length = new.duration {
            duration = length.time
            let whole = [NSValue(timeRange: CMTimeRange(start: .zero, duration: duration))]
            if !isRemote { loadedTimeRanges = whole }
            if seekableTimeRanges.isEmpty { seekableTimeRanges = whole }
        }
        if !isRemote {
            isPlaybackLikelyToKeepUp = true
            isPlaybackBufferFull = true
            isPlaybackBufferEmpty = false
        }
        if status != .readyToPlay { status = .readyToPlay }
    }

    func buffered(_ buffer: BufferStatus) {
        guard status != .failed else { return }
        isRemote = true
        if buffer.expectedSize != expectedSize { expectedSize = buffer.expectedSize }
        func ranges(_ all: [Range<MediaTime>]) -> [NSValue] {
            all.map { NSValue(timeRange: CMTimeRange(start: $0.lowerBound.time, end: $0.upperBound.time)) }
        }
        let loaded = ranges(buffer.loaded)
        if loaded != loadedTimeRanges { loadedTimeRanges = loaded }
        if let range = buffer.seekable {
            let seekable = ranges([range])
            if seekable != seekableTimeRanges { seekableTimeRanges = seekable }
        }
        if isPlaybackLikelyToKeepUp != buffer.isLikelyToKeepUp { isPlaybackLikelyToKeepUp = buffer.isLikelyToKeepUp }
        if isPlaybackBufferFull != buffer.isFull { isPlaybackBufferFull = buffer.isFull }
        let isEmpty = buffer.ahead <= 0 && !buffer.isComplete
        if isPlaybackBufferEmpty != isEmpty { isPlaybackBufferEmpty = isEmpty }
        tellNewErrors()
    }

    /// Tracks that cannot be decoded, while the rest of the item plays.
    @ObservationIgnored private var trackProblems: [TrackProblem] = []
    /// Why tracks of it do not play though the rest does, as they were found; each an `AVError` for people to read.
    package var trackErrors: [AVError] { trackProblems.map(\.error) }

    /// Its video cannot be decoded, and its audio plays.
    package var playsWithoutVideo: Bool { trackProblems.contains { $0.kind == .video } }

    /// Samples of its audio have been decoded.
    package var hasSounded: Bool { entry.hasEverSounded }

    func trackFailed(_ problem: TrackProblem) {
        guard status != .failed, !trackProblems.contains(where: { $0.kind == problem.kind }) else { return }
        trackProblems.append(problem)
        tellNewErrors()
    }

    @ObservationIgnored private var errorsTold = 0
    private func tellNewErrors() {
        let count = errorLog()?.events.count ?? 0
        guard count > errorsTold else { return }
        errorsTold = count
        NotificationCenter.default.post(name: AVPlayerItem.newErrorLogEntryNotification, object: self)
    }

    func stalled() {
        stallCount += 1
        isPlaybackBufferEmpty = true
        isPlaybackLikelyToKeepUp = false
        NotificationCenter.default.post(name: AVPlayerItem.playbackStalledNotification, object: self)
    }

    /// Why it ends before its header says; known when it has been read to its end.
    @ObservationIgnored package var shortfall: AVError?

    /// It has played to where it is cut off; false when it is whole.
    func endEarly() -> Bool {
        guard let shortfall else { return false }
        error = shortfall
        NotificationCenter.default.post(name: AVPlayerItem.failedToPlayToEndTimeNotification, object: self)
        return true
    }

    func failed(_ new: AVError) {
        guard status != .failed else { return }
        error = new
        isPlaybackLikelyToKeepUp = false
        isPlaybackBufferEmpty = true
        status = .failed
        NotificationCenter.default.post(name: AVPlayerItem.failedToPlayToEndTimeNotification, object: self)
    }
}
