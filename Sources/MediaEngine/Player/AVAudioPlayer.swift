import Foundation
import MediaCore

/// The key of the sample rate, in Hz, in the settings of audio.
public let AVSampleRateKey = "AVSampleRateKey"
/// The key of the number of channels in the settings of audio.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// An object that plays the audio of a file or of data in memory. The equivalent of AVFoundation's `AVAudioPlayer`.
///
/// ```swift
/// let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "rain.mp3"))
/// player.numberOfLoops = -1
/// player.volume = 0.5
/// player.play()
/// ```
/// The audio stops when the object is released, so keep a reference to it. Every format that `AVPlayer` plays can be
/// played, also the audio of a video. For a URL of a server, use `AVPlayer`.
///
/// Code in Swift 5 mode may create and use a player on any thread, as on Apple's platforms. The call then waits for the
/// main thread.
///
/// The desktop's media controls do not show an audio player. `pan`, metering and the choice of the audio device are not
/// available.
@MainActor @preconcurrency
public final class AVAudioPlayer {
    /// The object that is notified of the end of playback and of errors.
    public weak var delegate: (any AVAudioPlayerDelegate)?
    /// The URL with which the player was created; nil for a player of data or without audio.
    public let url: URL?
    /// The data with which the player was created; nil for a player of a file or without audio.
    public let data: Data?
    /// The duration of the audio, in seconds. 0 if it is unknown, as for some raw formats.
    public let duration: TimeInterval
    /// The number of audio channels. 0 for a player without audio.
    public let numberOfChannels: Int
    /// The sample rate and the number of channels, by `AVSampleRateKey` and `AVNumberOfChannelsKey`. Empty for a player
    /// without audio.
    public let settings: [String: Any]

    /// The player of the audio. Its item loops by the same mechanism as the item of an `AVPlayerLooper`.
    let player: AVPlayer
    /// The audio. Nil for a player without audio.
    private let item: AudioPlayerItem?
    /// The file that contains `data`.
    private let dataFile: AudioDataFile?
    /// The start that `play(atTime:)` has scheduled.
    private var scheduledStart: Task<Void, Never>?
    private var fade: Task<Void, Never>?

    // MARK: Creation

    /// Creates a player without audio, for a property that receives another player later. `play()` returns false, and
    /// `duration` is 0.
    public init() {
        (url, data, dataFile, item) = (nil, nil, nil, nil)
        (duration, numberOfChannels, settings) = (0, 0, [:])
        player = MainActorQueue.sync { AVAudioPlayer.makePlayer(audioServer: nil) }
    }
    /// Creates a player for a file.
    ///
    /// Reads the beginning of the file, so that `duration` is known. This blocks the calling thread, for at most one
    /// minute.
    ///
    /// - Throws: The reason why the file can't be played: it is missing, it contains no audio, or no decoder for it is
    ///   installed. `.operationNotSupported` if `url` is not a file URL.
    public convenience init(contentsOf url: URL) throws(AVError) {
        try self.init(contentsOf: url, audioServer: nil)
    }
    /// Creates a player for a file. The type of the file is always detected by its contents.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - utiString: A uniform type identifier, such as `AVFileType.mp3.rawValue`. Ignored.
    /// - Throws: The reason why the file can't be played.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws(AVError) {
        try self.init(contentsOf: url, audioServer: nil)
    }
    /// Creates a player for the contents of an audio file in memory. They are written to a temporary file, which is
    /// removed with the player. Blocks the calling thread, like `init(contentsOf:)`.
    ///
    /// - Throws: The reason why the data can't be played: it contains no audio, or no decoder for it is installed.
    ///   `.writeFailed` if the temporary file can't be written.
    public convenience init(data: Data) throws(AVError) {
        try self.init(data: data, audioServer: nil)
    }
    /// Creates a player for the contents of an audio file in memory. The type of the data is always detected by its
    /// contents.
    ///
    /// - Parameters:
    ///   - data: The contents of an audio file.
    ///   - utiString: A uniform type identifier, such as `AVFileType.mp3.rawValue`. Ignored.
    /// - Throws: The reason why the data can't be played.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws(AVError) {
        try self.init(data: data, audioServer: nil)
    }

    /// Creates a player for a file.
    /// - Parameter audioServer: The server string of PulseAudio; nil selects the user's default server.
    package convenience init(contentsOf url: URL, audioServer: String?) throws(AVError) {
        guard url.isFileURL else {
            throw AVError(
                .operationNotSupported, at: url.location, reason: "an audio player plays only files and data",
                suggestion: "Use AVPlayer for streams and files on servers")
        }
        try self.init(AVURLAsset(url: url), url: url, data: nil, file: nil, audioServer: audioServer)
    }
    /// Creates a player for data.
    /// - Parameter audioServer: The server string of PulseAudio; nil selects the user's default server.
    package convenience init(data: Data, audioServer: String?) throws(AVError) {
        let file = try AudioDataFile(data)
        try self.init(AVURLAsset(url: file.url), url: nil, data: data, file: file, audioServer: audioServer)
    }

    private init(
        _ asset: AVURLAsset, url: URL?, data: Data?, file: AudioDataFile?, audioServer: String?
    ) throws(AVError) {
        let (details, track) = try AVAudioPlayer.read(asset)
        (self.url, self.data, dataFile) = (url, data, file)
        duration = details.duration.isNumeric ? details.duration.seconds : 0
        numberOfChannels = track.channelCount
        settings = [AVSampleRateKey: track.sampleRate, AVNumberOfChannelsKey: track.channelCount]
        (player, item) = MainActorQueue.sync {
            let item = AudioPlayerItem(asset: asset)
            // No view shows the frames of a video.
            item.entry.selection.video = .none
            // The mixer would otherwise show the name of the temporary file.
            if file != nil, !details.metadata.contains(where: { $0.commonKey == .commonKeyTitle }) {
                let title = ProcessInfo.processInfo.processName
                item.externalMetadata = [AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: title)]
            }
            return (AVAudioPlayer.makePlayer(audioServer: audioServer), item)
        }
        item?.owner = self
    }

    /// Reads the beginning of a file on the calling thread. Returns its details and its first audio track that can be
    /// played.
    private nonisolated static func read(_ asset: AVURLAsset) throws(AVError) -> (AssetDetails, AVAssetTrack) {
        let details = try asset.loader.detailsNow()
        if let problem = details.unplayable { throw problem }
        guard let track = details.tracks.first(where: { $0.mediaType == .audio && $0.isPlayable }) else {
            throw AVError(
                .noPlayableTracks, at: asset.url.location, reason: "the file contains no audio that can be decoded")
        }
        return (details, track)
    }

    private static func makePlayer(audioServer: String?) -> AVPlayer {
        let player = AVPlayer(title: "", audioServer: audioServer)
        player.updatesNowPlayingInfoCenter = false
        player.allowsExternalPlayback = false
        return player
    }

    // MARK: Playback

    /// Opens the audio, so that `play()` starts without a delay.
    /// - Returns: False if the audio can't be decoded, or if there is no audio.
    @discardableResult
    public func prepareToPlay() -> Bool {
        MainActorQueue.sync {
            guard let item else { return false }
            if player.currentItem == nil {
                player.replaceCurrentItem(with: item)
                applyLoops()
            }
            return item.status != .failed
        }
    }
    /// Plays from `currentTime`. After the end, plays from the beginning.
    /// - Returns: False if the audio can't be decoded, or if there is no audio.
    @discardableResult
    public func play() -> Bool {
        MainActorQueue.sync {
            cancelStart()
            guard prepareToPlay() else { return false }
            player.rate = playingRate
            return true
        }
    }
    /// Plays at a moment in the future. To start several players together, use the same moment for all of them.
    ///
    /// ```swift
    /// let start = first.deviceCurrentTime + 0.5
    /// first.play(atTime: start)
    /// second.play(atTime: start)
    /// ```
    /// On Linux, a timer starts the players, so they can differ by some milliseconds.
    ///
    /// - Parameter time: A time of `deviceCurrentTime`. If it has passed, playback starts immediately.
    /// - Returns: False if the audio can't be decoded, or if there is no audio.
    @discardableResult
    public func play(atTime time: TimeInterval) -> Bool {
        MainActorQueue.sync {
            let delay = time - deviceCurrentTime
            guard delay > 0 else { return play() }
            cancelStart()
            guard prepareToPlay() else { return false }
            // A larger number of seconds would exceed the range of `Duration`.
            let limited = min(delay, 1e9)
            scheduledStart = Task { [weak self] in
                try? await Task.sleep(for: .seconds(limited))
                if !Task.isCancelled { self?.play() }
            }
            return true
        }
    }
    /// Pauses, and keeps `currentTime`.
    public func pause() {
        MainActorQueue.sync {
            cancelStart()
            player.pause()
        }
    }
    /// Stops, and keeps `currentTime`, so that `play()` continues there. On Linux, the same as `pause()`.
    public func stop() { pause() }

    private func cancelStart() {
        scheduledStart?.cancel()
        scheduledStart = nil
    }

    /// Whether the player plays, or waits for the time of `play(atTime:)`.
    public var isPlaying: Bool { MainActorQueue.sync { player.rate > 0 || scheduledStart != nil } }

    /// The position, in seconds. Setting the position seeks; values before the start or after the end are clamped. NaN
    /// and infinite values are ignored.
    public var currentTime: TimeInterval {
        get { MainActorQueue.sync { player.currentTime().seconds } }
        set {
            MainActorQueue.sync {
                guard newValue.isFinite, prepareToPlay() else { return }
                player.seek(to: CMTime(seconds: newValue, preferredTimescale: 1_000_000_000))
            }
        }
    }
    /// The time of a clock that never stops, in seconds, for `play(atTime:)`.
    public var deviceCurrentTime: TimeInterval { Double(HostClock.now()) / 1e9 }

    /// The number of repetitions after the first pass. The default is 0. A negative number repeats without end.
    ///
    /// A change during playback counts from the current pass, which then is the first. Repetitions are seamless.
    public var numberOfLoops = 0 {
        didSet { if numberOfLoops != oldValue { applyLoops() } }
    }
    private func applyLoops() {
        MainActorQueue.sync {
            guard let item, player.currentItem != nil else { return }
            let passes = numberOfLoops < 0 || numberOfLoops == .max ? nil : numberOfLoops + 1
            player.loops(of: item, numberOfLoops != 0, passes: passes)
        }
    }

    // MARK: Volume and rate

    /// The volume, from 0 to 1. The default is 1. Values are clamped; NaN is ignored. Setting the volume ends a fade.
    public var volume: Float {
        get { MainActorQueue.sync { player.volume } }
        set { setVolume(newValue, fadeDuration: 0) }
    }
    /// Changes the volume gradually. Without a positive duration, changes it immediately.
    ///
    /// - Parameters:
    ///   - volume: The volume at the end, from 0 to 1. Values are clamped; NaN is ignored.
    ///   - duration: The duration of the change, in seconds.
    public func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        MainActorQueue.sync {
            guard !volume.isNaN else { return }
            fade?.cancel()
            fade = nil
            guard duration > 0 else { return player.volume = volume }
            let (first, last, start) = (player.volume, min(max(volume, 0), 1), HostClock.now())
            fade = Task { [weak player] in
                while let player, !Task.isCancelled {
                    let share = Double(HostClock.now() - start) / 1e9 / duration
                    player.volume = share < 1 ? first + (last - first) * Float(share) : last
                    guard share < 1 else { return }
                    // Between two steps, the audio output ramps the volume.
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
        }
    }

    /// Whether `rate` has an effect. The default is false.
    public var enableRate = false {
        didSet { applyRate() }
    }
    /// The playback rate, which has an effect if `enableRate` is true. The default is 1. Values are clamped to 0.5 … 2;
    /// NaN is ignored. The pitch does not change.
    public var rate: Float {
        get { requestedRate }
        set {
            guard !newValue.isNaN else { return }
            requestedRate = min(max(newValue, 0.5), 2)
            applyRate()
        }
    }
    private var requestedRate: Float = 1
    private var playingRate: Float { enableRate ? requestedRate : 1 }
    private func applyRate() { MainActorQueue.sync { if player.rate > 0 { player.rate = playingRate } } }

    // MARK: Calls from the item

    /// Called after the last pass, when the player is paused.
    /// - Parameter error: The reason why the rest of the audio is missing; nil after a complete pass.
    func itemDidEnd(error: AVError?) {
        // As on Apple's platforms, the next `play()` starts at the beginning, with all repetitions.
        player.seek(to: .zero)
        applyLoops()
        report(error, isEnd: true)
    }
    /// Called when the item can't be played, or not to its end.
    func itemDidFail(_ error: AVError) {
        let wasPlaying = isPlaying
        pause()
        report(error, isEnd: wasPlaying)
    }
    private func report(_ error: AVError?, isEnd: Bool) {
        ObservationScope.callOut {
            if let error { delegate?.audioPlayerDecodeErrorDidOccur(self, error: error) }
            if isEnd { delegate?.audioPlayerDidFinishPlaying(self, successfully: error == nil) }
        }
    }
}

/// Players are equal if they are the same object, as on Apple platforms.
extension AVAudioPlayer: Hashable {
    nonisolated public static func == (a: AVAudioPlayer, b: AVAudioPlayer) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
