import Foundation
import MediaCore

/// One HLS stream being played: its playlists, what is loaded of it and what is loaded next (RFC 8216).
///
/// Here three meet: on the loop `StreamPlan` decides, and `StreamLoader` has loaded what it decides, one thing after
/// the other; the feeder thread asks the session to open and seek, and reads the segments that come out of the two
/// feeds. It waits only there.
package final class HLSSession: Sendable {
    /// What the feeder needs to begin.
    package struct Opened: Sendable {
        /// Media time where playing begins, nanoseconds.
        package var start: Int64
        /// Nil for a live stream.
        package var duration: Int64?
        package var hasSeparateAudio: Bool
        /// `METHOD` of the first key of the playlist that begins; nil: nothing is encrypted.
        package var encryption: String?
    }

    package struct Settings: Sendable {
        package var options = HTTPOptions()
        package var opening = RetryPolicy.opening
        /// While something plays: a cable may be out for a while.
        package var playing = RetryPolicy(tries: 1000, within: 120_000_000_000)
        /// Bytes all loaded segments may take.
        package var cacheLimit = 64 << 20
        /// How far ahead to load unless the player asks otherwise, nanoseconds.
        package var forwardDuration: Int64 = 60_000_000_000
        /// An RFC 6381 codec name can be played here.
        package var canDecode: @Sendable (String) -> Bool = { _ in true }
        /// Only what somebody waits for is loaded: to take single pictures, to look into a stream.
        package var loadsOnDemand = false
        /// Where to begin, media time in nanoseconds; nil: where the playlists say.
        package var start: Int64?
        /// Leaves of a stream what is to be read, once it is known what there is.
        package var arrange: @Sendable (HLSPresentation) -> HLSPresentation = { $0 }
        package init() {}
    }

    /// What the loop, the feeder and the player share.
    struct Shared {
        fileprivate(set) var opening: GateAnswer<Result<Opened, AVError>>?
        var buffer = StreamBuffer()
        var presentation: HLSPresentation?
        var log = StreamLog()
        fileprivate(set) var onChange: (@Sendable () -> Void)?
        fileprivate(set) var playhead: (@Sendable () -> Int64?)?
        fileprivate(set) var wantedForward: Int64 = 0
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
        guard settings.loadsOnDemand else { return }
        for feed in [feeds.main, feeds.audio] {
            feed.setOnWait { [weak loader, loop] in
                guard let loader else { return }
                loop.perform { loader.tell(.look) }
            }
        }
    }

    package var mainFeed: SegmentFeed { feeds.main }
    package var audioFeed: SegmentFeed { feeds.audio }

    /// Ends all loading. Any thread; nothing comes after it.
    package func close() {
        _ = shared.withLock { (exchange(&$0.onChange, nil), exchange(&$0.playhead, nil)) }
        subtitles.setOnCues(nil)
        loop.perform { [loader] in loader.stop() }
    }

    /// Nobody plays it for now: nothing more is loaded, what has come is kept.
    package func suspend() { loop.perform { [loader] in loader.suspend() } }

    // MARK: the feeder's side

    /// Whether the feeder is wanted elsewhere is asked while it waits. Call `wake()` when it becomes true.
    /// - Parameters:
    ///   - isInterrupted: the stream itself is not wanted any more; every wait ends.
    ///   - isPreempted: another place of it is: only waits for media end, as `open` has to succeed for any place.
    package func setInterrupt(
        _ isInterrupted: @escaping @Sendable () -> Bool,
        preemption isPreempted: @escaping @Sendable () -> Bool = { false }
    ) {
        gate.setInterrupt(isInterrupted, preemption: isPreempted)
    }
    /// Media are not waited for now.
    package var isInterrupted: Bool { gate.mediaAreUnwanted }
    package func wake() { gate.wake() }
    /// The feeder waits for something that has not come yet. Any thread.
    package var isWaitedFor: Bool { gate.isWaitedAt }

    /// Loads what is needed to begin and begins loading. Waits; ends by `.cancelled` when interrupted, not when
    /// preempted.
    /// - Parameter start: media time where to begin, nanoseconds; nil: where the stream says.
    package func open(_ selection: StreamSelection, at start: Int64? = nil) throws(AVError) -> Opened {
        let answer = GateAnswer<Result<Opened, AVError>>(gate)
        _ = shared.withLock { exchange(&$0.opening, answer) }
        loop.perform { [loader] in loader.tell(.open(selection, start: start)) }
        guard let result = answer.wait() else {
            throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
        }
        return try result.get()
    }

    /// Begins loading at `time`; the feeds start there.
    package func seek(to time: Int64) {
        // What the old place still gives must not be taken for the new one's.
        mainFeed.reset()
        audioFeed.reset()
        let hasMoved = GateAnswer<Bool>(gate)
        loop.perform { [loader] in
            loader.tell(.seek(time))
            hasMoved.give(true)
        }
        _ = hasMoved.waitForLoop()
    }

    package func clamped(_ time: Int64) -> Int64 {
        guard let range = shared.read({ $0.buffer.seekable }) else { return time }
        return min(max(time, range.lowerBound), max(range.lowerBound, range.upperBound))
    }

    /// A segment cannot be read: it did not come, or no demuxer can read it.
    /// - Returns: why reading cannot go on; nil: the same time comes from elsewhere, or what follows the segment.
    package func segmentIsUnreadable(_ segment: StreamSegment, _ error: AVError) -> AVError? {
        let verdict = GateAnswer<AVError?>(gate)
        loop.perform { [loader] in verdict.give(loader.reject(segment, error)) }
        return verdict.waitForLoop()
    }

    /// The sound in a playlist of its own cannot be had, and the reader goes on with that of the main rendition.
    package func loseAudio(_ error: AVError) {
        loop.perform { [loader] in loader.loseAudio(error) }
    }

    /// The video of the segment's variant cannot be decoded: from the segment on, another variant is loaded.
    /// - Returns: whether there is another one.
    package func avoidUndecodable(_ segment: StreamSegment, _ error: AVError) -> Bool {
        let answer = GateAnswer<Bool>(gate)
        loop.perform { [loader] in answer.give(loader.leave(segment, error)) }
        return answer.waitForLoop()
    }

    /// The rung being shown cannot be decoded in time: it and all that have as many pixels are avoided for a minute,
    /// as long as there is a smaller one. Any thread.
    package func decodingIsTooSlow() {
        loop.perform { [loader] in loader.tell(.decodingIsTooSlow) }
    }

    /// Pictures a second that the playlist promises for the segment's rung.
    package func frameRate(of segment: StreamSegment) -> Double? {
        guard let rung = segment.rung, let sources = currentPresentation?.sources,
            sources.indices.contains(rung)
        else { return nil }
        return sources[rung].frameRate
    }

    // MARK: the player's side (any thread)

    package var buffer: StreamBuffer { shared.read { $0.buffer } }
    /// Nil before the multivariant playlist has come.
    package var currentPresentation: HLSPresentation? { shared.read { $0.presentation } }
    package var currentLog: StreamLog { shared.read { $0.log } }

    package func setOnChange(_ call: (@Sendable () -> Void)?) {
        _ = shared.withLock { exchange(&$0.onChange, call) }
    }
    /// Called on the loop: the media time being shown; nil: none yet.
    package func setPlayhead(_ call: (@Sendable () -> Int64?)?) {
        _ = shared.withLock { exchange(&$0.playhead, call) }
    }
    /// Nanoseconds; 0: the default.
    package func setForwardDuration(_ ahead: Int64) {
        shared.withLock { $0.wantedForward = max(0, ahead) }
        loop.perform { [loader] in loader.tell(.look) }
    }
    package func setLimits(_ new: AdaptationLimits) {
        loop.perform { [loader] in loader.tell(.limits(new)) }
    }

    // MARK: subtitles, loaded beside what plays, and never in its way

    /// Which subtitles are to be loaded; takes effect where we are. An option is an index in
    /// `HLSPresentation.subtitles`. Any thread.
    package func setSubtitles(_ choice: StreamSelection.Choice) {
        loop.perform { [loader] in loader.chooseSubtitles(choice) }
    }

    /// The cues that are at hand, in media time, sorted by when they begin.
    package var cues: [WebVTTCue] { subtitles.cues }
    package var subtitleProgress: SubtitleProgress { subtitles.progress }
    /// Called on the loop when `cues` has changed.
    package func setOnCues(_ call: (@Sendable () -> Void)?) { subtitles.setOnCues(call) }

    /// What the reader found: nanoseconds from the containers' stamps to media time, in a discontinuity.
    package func noteOffset(_ offset: Int64, discontinuity: Int) {
        loop.perform { [subtitles] in subtitles.note(offset, discontinuity: discontinuity) }
    }
}

/// Puts `new` in the place of `old` and hands the old one out, to be let go of after the lock: with a closure may go
/// what it holds, a whole player item, which closes its session and so takes the same lock.
func exchange<T>(_ old: inout T, _ new: T) -> T {
    defer { old = new }
    return old
}
