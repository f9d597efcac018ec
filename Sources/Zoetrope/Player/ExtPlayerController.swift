import Foundation
import MediaCore
import MediaEngine
import Overlays

/// The player behind an `ExtVideoPlayer`: takes settings and commands, tells time, events and errors.
///
/// Main actor; every callback comes on it. Three threads and whatever a video needs live until `close()`,
/// at the latest until this is released.
///
/// State that commands set (mute, loop, volume, speed, picture) outlives a change of the source; a setting
/// takes effect when it changes, not each time settings are applied.
@MainActor @preconcurrency
public final class ExtPlayerController {
    /// The engine's player, for a view to show. It plays one item at a time and stands on its last picture.
    public let player: AVQueuePlayer

    /// What is done to the pictures and what lies over them, for the views that show the player.
    public let composition = PictureComposition()
    let vectors = VectorOverlay()
    let subtitleOverlay = SubtitleOverlay()

    // MARK: what is told

    /// Events in batches, in order; which and how often say `VideoSettings.events` and `.eventsInterval`.
    public var onEvents: (([PlayerEvent]) -> Void)?
    /// Seconds of the current item, as often as `VideoSettings.timePublishing` says.
    public var onTime: ((Double) -> Void)?
    /// After each change of `error`.
    public var onErrorChange: ((VPErrors?) -> Void)?
    /// After each change of `picture`.
    public var onPictureChange: ((PictureSettings) -> Void)?
    /// After each change of `subtitles`.
    public var onSubtitlesChange: ((SubtitleSelection) -> Void)?
    /// Set by a view that can float its picture: called with true to start and false to stop. When it has, it
    /// says so by `pictureInPictureChanged(_:)`. Nil: commands about it are answered by `notSupportedPiP`.
    public var onPictureInPicture: ((Bool) -> Void)?
    /// Set by a view that can fill the screen: called with true to do so and false to go back. When it has, it says so
    /// by `fullScreenChanged(_:)`. Nil: commands about it have no effect.
    public var onFullScreen: ((Bool) -> Void)?

    // MARK: state

    /// The settings applied last; nil before any were.
    public internal(set) var settings: VideoSettings?
    /// What the source's name stood for; nil when nothing is open.
    public internal(set) var sourceURL: URL?
    /// Why there is no video; nil while nothing stands in its way. Refused commands are events only.
    public internal(set) var error: VPErrors? {
        didSet { if error != oldValue { onErrorChange?(error) } }
    }
    /// `error` as a text for a user, with the engine's reason where it has one.
    public var errorText: String? { error?.description }
    /// What is done to every picture; kept when the source changes.
    public internal(set) var picture = PictureSettings() {
        didSet {
            guard picture != oldValue else { return }
            composition.settings = picture
            updateVectors()
            onPictureChange?(picture)
        }
    }
    /// Which subtitles are wanted; `.automatic` again with each new source.
    public internal(set) var subtitles = SubtitleSelection.automatic {
        didSet { if subtitles != oldValue { onSubtitlesChange?(subtitles) } }
    }
    /// Whether it is to begin anew at its end, as the setting `Loop` and the commands say. `Loop(count:)` ends all the
    /// same, and then this stays true: another source loops so many times again.
    public internal(set) var isLooping = false
    /// What plays one after the other: the playlist, or the one source alone.
    public internal(set) var sources: [String] = []
    /// Which of `sources` plays.
    public internal(set) var currentIndex = 0
    /// How often the present item has begun anew.
    public var loopCount: Int { player.currentItem?.loopCount ?? 0 }
    /// The video's place, points, as the view told last; nil before. Never empty.
    public internal(set) var bounds: CGRect?
    /// The picture floats, as the view told last.
    public internal(set) var isPictureInPictureActive = false
    /// The video fills the screen, as the view told last.
    public internal(set) var isFullScreenActive = false
    /// `close()` was called: nothing has an effect any more.
    public private(set) var isClosed = false

    // MARK: parts

    let batcher: PlayerEventBatcher
    let resolver: SourceResolver
    /// The last settings that were no error: what a change is a change from.
    var carriedOut: VideoSettings?
    var looper: AVPlayerLooper?
    /// The source that follows, which waits in the player already.
    var queued: (item: AVPlayerItem, index: Int, observation: NSKeyValueObservation)?
    /// Sources that are made ready ahead of their turn (ExtPlayerController+Preload.swift).
    var preloads: [(url: URL, item: AVPlayerItem)] = []
    var memoryWatch: MemoryWatch?
    /// Sources in a row that could not be played.
    var failuresInRow = 0
    /// How many passes a loop has in all; nil: no end. And how many of a list are over; an item's are counted by the
    /// engine.
    var loopLimit: Int?
    var passesDone = 0
    /// The present source was opened on the way back in the list.
    var goesBack = false
    var lastCommand: PlaybackCommand?
    /// Counts what decides between playing and standing, so that a seek's answer does not overrule what came later.
    var transport = 0
    var playerObservations: [NSKeyValueObservation] = []
    var itemObservations: [NSKeyValueObservation] = []
    var endObservation: (any NSObjectProtocol)?
    var toldDuration: CMTime?
    /// Of the present item, what `bufferChanged` told last.
    var toldBuffer: Double?
    var toldPass = 0
    var timeObserver: Any?
    /// Reading of an item's tracks on the way to a choice among them.
    var choices: [AVMediaCharacteristic: Task<Void, Never>] = [:]
    /// The name, as the settings give it, of the file whose subtitles are shown or on their way.
    var shownSubtitleName: String?
    /// Of a video with a file of subtitles beside it, its own were asked for, and are there.
    var prefersOwnSubtitles = false
    var subtitleLoading: Task<Void, Never>?

    // MARK: life

    /// Plays sound by the user's own audio server; nothing is open until settings are applied.
    public convenience init() { self.init(audioServer: nil) }

    /// - Parameter audioServer: as libpulse's server string; nil for the user's own.
    package convenience init(audioServer: String?) {
        self.init(audioServer: audioServer, resolver: SourceResolver(), timer: .mainQueue)
    }

    init(audioServer: String?, resolver: SourceResolver, timer: BatchTimer) {
        player = AVQueuePlayer(title: ProcessInfo.processInfo.processName, audioServer: audioServer)
        player.actionAtItemEnd = .pause
        self.resolver = resolver
        let outlet = EventOutlet()
        batcher = PlayerEventBatcher(timer: timer) { outlet.controller?.onEvents?($0) }
        outlet.controller = self
        composition.add(subtitleOverlay)
        composition.add(vectors)
        composition.onProblem = { [weak self] problem in self?.post(.error(.filterError(problem))) }
        observePlayer()
    }

    isolated deinit { close() }

    /// Stops for good: what is gathered of events is told, then threads are joined and decoder, file and sound
    /// are freed before this returns. Everything later is ignored. Safe to call twice.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        for observation in playerObservations + itemObservations { observation.invalidate() }
        playerObservations = []
        itemObservations = []
        if let endObservation { NotificationCenter.default.removeObserver(endObservation) }
        endObservation = nil
        for choice in choices.values { choice.cancel() }
        choices = [:]
        subtitleLoading?.cancel()
        if let timeObserver { player.removeTimeObserver(timeObserver) }
        timeObserver = nil
        looper = nil
        dropPreloads()
        memoryWatch = nil
        player.removeAllItems()
        player.close()
        composition.close()
        batcher.close()
    }
}

/// Breaks the circle between a controller and its batcher.
@MainActor
private final class EventOutlet {
    weak var controller: ExtPlayerController?
}
