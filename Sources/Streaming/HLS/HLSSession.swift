import Foundation
import MediaCore

/// The playback of one HLS stream: its playlists, the segments that are loaded, and the order in which they are loaded
/// (RFC 8216).
///
/// Two threads work together. On the network loop, `StreamPlan` decides and `StreamLoader` carries out the decisions,
/// one after the other. The feeder thread opens and seeks, and reads segments from the two feeds. Only the feeder
/// waits.
package final class HLSSession: Sendable {
    /// The result of opening a stream.
    package struct Opened: Sendable {
        /// The media time at which playback begins, in nanoseconds.
        package var start: Int64
        /// The duration in nanoseconds, or nil for a live stream.
        package var duration: Int64?
        package var hasSeparateAudio: Bool
        /// The `METHOD` of the playlist's first key, or nil if nothing is encrypted.
        package var encryption: String?
    }

    package struct Settings: Sendable {
        package var options = HTTPOptions()
        /// The retry policy until the first segment has arrived. Keys, subtitles and the first load of each playlist
        /// always follow it.
        package var opening = RetryPolicy.opening
        /// The retry policy during playback. It bridges a network failure of up to two minutes.
        package var playing = RetryPolicy(tries: 1000, within: 120_000_000_000)
        /// The maximum memory for loaded segments, in bytes.
        package var cacheLimit = 64 << 20
        /// The default duration to load ahead, in nanoseconds.
        package var forwardDuration: Int64 = 60_000_000_000
        /// Returns whether a codec with this RFC 6381 name can be decoded.
        package var canDecode: @Sendable (String) -> Bool = { _ in true }
        /// Whether only segments that a reader waits for are loaded. Used for single images and for inspecting a
        /// stream.
        package var loadsOnDemand = false
        /// The start position as media time in nanoseconds, or nil for the position that the playlists state.
        package var start: Int64?
        /// Reduces the presentation to the parts that are to be read, after it has been loaded.
        package var arrange: @Sendable (HLSPresentation) -> HLSPresentation = { $0 }
        package init() {}
    }

    /// The state that the loop, the feeder and the player share.
    struct Shared {
        fileprivate(set) var opening: GateAnswer<Result<Opened, AVError>>?
        var buffer = StreamBuffer()
        var presentation: HLSPresentation?
        var log = StreamLog()
        fileprivate(set) var calls = Calls()
        /// The number of readers that have begun to read the stream.
        fileprivate(set) var readers = 0
        fileprivate(set) var wantedForward: Int64 = 0
    }

    /// The functions of the player that plays the stream.
    struct Calls: Sendable {
        fileprivate var owner: ObjectIdentifier?
        fileprivate(set) var onChange: (@Sendable () -> Void)?
        fileprivate(set) var playhead: (@Sendable () -> Int64?)?
    }

    package let url: URL
    package let location: String
    let loop: any NetworkLoop
    let options: HTTPOptions
    private let gate: StreamGate
    private let shared: Gated<Shared>
    private let feeds: StreamFeeds
    private let subtitles = SubtitleTrack()
    private let loader: StreamLoader

    package init(url: URL, settings: Settings = Settings(), loop: any NetworkLoop = HTTPClient.shared) {
        self.url = url
        location = url.location
        self.loop = loop
        options = settings.options
        gate = StreamGate()
        shared = Gated(Shared(), at: gate)
        feeds = StreamFeeds(gate: gate)
        loader = StreamLoader(
            url: url, settings: settings, loop: loop, gate: gate, shared: shared, feeds: feeds, subtitles: subtitles)
        for (role, feed) in [(StreamRole.main, feeds.main), (.audio, feeds.audio)] {
            feed.setOnWait { [weak loader, loop] in
                guard let loader else { return }
                loop.perform { loader.send(.checkAgain(role)) }
            }
        }
    }

    package var mainFeed: SegmentFeed { feeds.main }
    package var audioFeed: SegmentFeed { feeds.audio }

    /// Ends all loading. No callbacks follow. Any thread.
    package func close() {
        _ = shared.withLock { exchange(&$0.calls, Calls()) }
        subtitles.setOnCues(nil)
        loop.perform { [loader] in loader.stop() }
    }

    /// Stops loading while nothing plays the stream. Loaded segments are kept. Loading resumes with the next `seek` or
    /// `open`. Any thread.
    package func suspend() { loop.perform { [loader] in loader.suspend() } }

    /// Records that a reader begins to read the stream.
    /// - Returns: The number of the reader, for `endReading`.
    package func beginReading() -> Int {
        shared.withLock { shared in
            shared.readers += 1
            return shared.readers
        }
    }

    /// Suspends loading, because a reader has ended. Does nothing if another reader has begun since, for example because
    /// the item has moved to another player. Any thread.
    package func endReading(_ reader: Int) {
        loop.perform { [loader, shared] in if shared.read({ $0.readers }) == reader { loader.suspend() } }
    }

    // MARK: the feeder

    /// Sets the conditions that end the feeder's waits. Call `wake()` when one of them becomes true.
    /// - Parameters:
    ///   - isInterrupted: Returns whether the stream is no longer needed. Every wait then ends.
    ///   - isPreempted: Returns whether another position is requested. Only waits for media then end, because `open`
    ///     must succeed for any position.
    package func setInterrupt(
        _ isInterrupted: @escaping @Sendable () -> Bool,
        preemption isPreempted: @escaping @Sendable () -> Bool = { false }
    ) {
        gate.setInterrupt(isInterrupted, preemption: isPreempted)
    }
    /// Whether waits for media end immediately.
    package var isInterrupted: Bool { gate.mediaAreUnwanted }
    /// Makes a waiting feeder check its conditions again. Any thread.
    package func wake() { gate.wake() }
    /// Whether the feeder is waiting for data. Any thread.
    package var isWaitedFor: Bool { gate.isWaitedAt }

    /// Loads the required playlists and begins loading segments. Waits for the playlists.
    /// - Parameter start: The media time at which to begin in nanoseconds, which is clamped to the seekable range. nil
    ///   means `Settings.start`, or else the position that the stream states.
    /// - Throws: The stream's error, or one with the code `.cancelled` if interrupted. Preemption does not end the
    ///   call.
    package func open(_ selection: StreamSelection, at start: Int64? = nil) throws(AVError) -> Opened {
        let answer = GateAnswer<Result<Opened, AVError>>(gate)
        _ = shared.withLock { exchange(&$0.opening, answer) }
        loop.perform { [loader] in loader.send(.open(selection, start: start)) }
        guard let result = answer.wait() else {
            throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
        }
        return try result.get()
    }

    /// Begins loading at `time`, which is also the start of the feeds.
    /// - Parameter time: The media time, in nanoseconds. It is not clamped (see `clamped`).
    package func seek(to time: Int64) {
        // Segments that still arrive for the old position must not appear in the feeds.
        mainFeed.reset()
        audioFeed.reset()
        let hasMoved = GateAnswer<Bool>(gate)
        loop.perform { [loader] in
            loader.send(.seek(time))
            hasMoved.give(true)
        }
        _ = hasMoved.waitForLoop()
    }

    /// Returns a media time in nanoseconds, clamped to the seekable range. Before that range is known, the result is
    /// `time`.
    package func clamped(_ time: Int64) -> Int64 {
        guard let range = shared.read({ $0.buffer.seekable }) else { return time }
        return min(max(time, range.lowerBound), max(range.lowerBound, range.upperBound))
    }

    /// Reports that a segment cannot be read, because it did not arrive or no demuxer can read it.
    /// - Returns: The error if reading cannot continue. nil means that the same time is loaded from another playlist,
    ///   or that reading continues after the segment.
    package func segmentIsUnreadable(_ segment: StreamSegment, _ error: AVError) -> AVError? {
        let verdict = GateAnswer<AVError?>(gate)
        loop.perform { [loader] in verdict.give(loader.reject(segment, error)) }
        return verdict.waitForLoop()
    }

    /// Reports that a separate audio playlist has failed. The reader continues with the audio of the main rendition.
    package func loseAudio(_ error: AVError) {
        loop.perform { [loader] in loader.loseAudio(error) }
    }

    /// Reports that the video of a segment's variant cannot be decoded. From this segment on, another variant is
    /// loaded.
    /// - Returns: Whether there is another variant.
    package func excludeUndecodable(_ segment: StreamSegment, _ error: AVError) -> Bool {
        let answer = GateAnswer<Bool>(gate)
        loop.perform { [loader] in answer.give(loader.excludeUndecodable(segment, error)) }
        return answer.waitForLoop()
    }

    /// Reports that the displayed variant cannot be decoded in time. Any thread.
    ///
    /// The variant and all others with at least as many pixels per second are avoided for a minute, if there is a
    /// smaller one.
    package func decodingIsTooSlow() {
        loop.perform { [loader] in loader.send(.decodingIsTooSlow) }
    }

    /// Returns the frame rate that the playlist states for the segment's variant in frames per second, or nil if it
    /// states none.
    package func frameRate(of segment: StreamSegment) -> Double? {
        guard let variant = segment.variant, let variants = currentPresentation?.variants,
            variants.indices.contains(variant)
        else { return nil }
        return variants[variant].frameRate
    }

    // MARK: the player (any thread)

    package var buffer: StreamBuffer { shared.read { $0.buffer } }
    /// The presentation, or nil before the multivariant playlist has arrived.
    package var currentPresentation: HLSPresentation? { shared.read { $0.presentation } }
    package var currentLog: StreamLog { shared.read { $0.log } }

    /// Sets a function that the loop calls after `buffer`, `currentPresentation` or `currentLog` has changed. While
    /// segments arrive, it is called at most ten times per second. nil removes the function.
    /// - Parameter owner: The object that sets the function. A new owner replaces all functions of the former one, which
    ///   can then no longer remove any.
    package func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject? = nil) {
        setCalls(of: owner, isRemoval: call == nil) { $0.onChange = call }
    }
    /// Sets a function that the loop calls for the media time of the displayed frame. It returns nil if none has been
    /// displayed.
    /// - Parameter owner: See `setOnChange`.
    package func setPlayhead(_ call: (@Sendable () -> Int64?)?, for owner: AnyObject? = nil) {
        setCalls(of: owner, isRemoval: call == nil) { $0.playhead = call }
    }

    private func setCalls(of owner: AnyObject?, isRemoval: Bool, _ change: (inout Calls) -> Void) {
        let identity = owner.map { ObjectIdentifier($0) }
        // The former functions are returned, so that they are released after the lock.
        _ = shared.withLock { shared -> Calls in
            let former = shared.calls
            if former.owner != identity {
                if isRemoval { return former }
                shared.calls = Calls(owner: identity)
            }
            change(&shared.calls)
            return former
        }
    }
    /// Sets the duration to load ahead, in nanoseconds. 0 or a negative value selects the default.
    package func setForwardDuration(_ ahead: Int64) {
        shared.withLock { $0.wantedForward = max(0, ahead) }
        loop.perform { [loader] in loader.send(.check) }
    }
    /// Sets the limits on the variants that may be chosen. They apply to segments that are requested later.
    package func setLimits(_ new: AdaptationLimits) {
        loop.perform { [loader] in loader.send(.limits(new)) }
    }

    // MARK: subtitles, which load in parallel and do not delay media

    /// Selects the subtitles to load, from the current position on. An option is an index in
    /// `HLSPresentation.subtitles`. Any thread.
    package func setSubtitles(_ choice: StreamSelection.Choice) {
        loop.perform { [loader] in loader.chooseSubtitles(choice) }
    }

    /// The loaded cues in media time, sorted by start.
    package var cues: [WebVTTCue] { subtitles.cues }
    package var subtitleProgress: SubtitleProgress { subtitles.progress }
    /// Sets a function that the loop calls after `cues` has changed.
    package func setOnCues(_ call: (@Sendable () -> Void)?) { subtitles.setOnCues(call) }

    /// Records the offset that the reader has found for a discontinuity.
    /// - Parameter offset: The offset from the container's timestamps to media time, in nanoseconds.
    package func noteOffset(_ offset: Int64, discontinuity: Int) {
        loop.perform { [subtitles] in subtitles.note(offset, discontinuity: discontinuity) }
    }
}

/// Replaces `old` with `new` and returns the old value, so that it is released after the caller has left its lock.
/// Releasing a closure may release a whole player item. The item closes its session, which takes the same lock.
package func exchange<T>(_ old: inout T, _ new: T) -> T {
    defer { old = new }
    return old
}
