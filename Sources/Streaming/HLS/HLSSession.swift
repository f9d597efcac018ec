import Foundation
import MediaCore

/// One HLS stream being played: its playlists, what is loaded of it and what is loaded next (RFC 8216).
///
/// Here three meet: `StreamPlan` decides, `RenditionLoader` and `PlaylistTracker` load, on the loop, one thing after the
/// other (HLSSession+Effects.swift); and the feeder thread asks it to open and seek, and reads the segments that come
/// out of the two feeds. It waits only there.
package final class HLSSession: @unchecked Sendable {
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

    package let url: URL
    package let location: String
    package let mainFeed: SegmentFeed
    package let audioFeed: SegmentFeed
    let loop: any NetworkLoop
    let gate: StreamGate
    let settings: Settings

    // Shared with other threads; guarded by `gate`'s monitor.
    private(set) var opening: GateAnswer<Result<Opened, AVError>>?
    var sharedBuffer = StreamBuffer()
    var sharedPresentation: HLSPresentation?
    var sharedLog = StreamLog()
    private(set) var onChange: (@Sendable () -> Void)?
    private(set) var playheadOf: (@Sendable () -> Int64?)?
    private(set) var wantedForward: Int64 = 0

    // Confined to the loop.
    var plan: StreamPlan
    /// What happened while something was being carried out.
    var untold: [StreamEvent] = []
    var isTelling = false
    private(set) lazy var loaders: [StreamRole: RenditionLoader] = [
        .main: makeLoader(.main), .audio: makeLoader(.audio),
    ]
    private(set) lazy var means = makeMeans()
    var cache: SegmentCache
    var trackers: [URL: PlaylistTracker] = [:]
    var masterLoad: PresentationLoader?
    var wakes: [StreamRole: any NetworkTimer] = [:]
    let subtitles = SubtitleTrack()
    var log = StreamLog()
    /// Resources of whose servers something odd has been logged.
    var noted: Set<URL> = []
    var notifyTimer: (any NetworkTimer)?
    var lastNotified = HostTime.min

    package init(url: URL, settings: Settings = Settings(), loop: any NetworkLoop = HTTPClient.shared) {
        self.url = url
        location = url.location
        self.settings = settings
        self.loop = loop
        gate = StreamGate()
        mainFeed = SegmentFeed(gate: gate)
        audioFeed = SegmentFeed(gate: gate)
        plan = StreamPlan(url: url, settings: settings)
        cache = SegmentCache(limit: settings.cacheLimit)
        guard settings.loadsOnDemand else { return }
        for feed in [mainFeed, audioFeed] {
            feed.setOnWait { [weak self] in
                guard let self else { return }
                self.loop.perform { self.tell(.look) }
            }
        }
    }

    private func makeMeans() -> RenditionLoader.Means {
        let keys = KeyStore(loop: loop, options: options, retry: settings.opening) { [weak self] in self?.note($0) }
        let settings = settings
        return RenditionLoader.Means(
            loop: loop, gate: gate, options: options, keys: keys,
            initializations: InitializationLoader(
                loop: loop, gate: gate, options: options, keys: keys,
                retry: { [weak self] in self?.plan.retry ?? settings.opening },
                log: { [weak self] in self?.note($0) }))
    }

    var options: HTTPOptions { settings.options }

    /// Ends all loading. Any thread; nothing comes after it.
    package func close() {
        _ = gate.monitor.withLock { (exchange(&onChange, nil), exchange(&playheadOf, nil)) }
        subtitles.setOnCues(nil)
        loop.perform { self.stop() }
    }

    /// Nobody plays it for now: nothing more is loaded, what has come is kept.
    package func suspend() {
        loop.perform {
            self.tell(.suspend)
            self.subtitles.loader?.stop()
            for tracker in self.trackers.values { tracker.suspend() }
            self.means.keys.stop()
            self.masterLoad?.cancel()
            self.masterLoad = nil
            self.dropInitializations()
        }
    }

    private func stop() {
        tell(.close)
        subtitles.loader?.stop()
        subtitles.loader = nil
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
        means.keys.stop()
        means.initializations.forget()
        masterLoad?.cancel()
        notifyTimer?.cancel()
        cache.removeAll()
    }

    // MARK: the feeder's side

    /// Whether the feeder is wanted elsewhere is asked while it waits. Call `wake()` when it becomes true.
    /// - Parameters:
    ///   - isInterrupted: the stream itself is not wanted any more; every wait ends.
    ///   - isPreempted: another place of it is: only waits for media end, as `open` has to succeed for any place.
    package func setInterrupt(
        _ isInterrupted: @escaping @Sendable () -> Bool,
        preemption isPreempted: @escaping @Sendable () -> Bool = { false }
    ) {
        _ = gate.monitor.withLock {
            (exchange(&gate.isInterrupted, isInterrupted), exchange(&gate.isPreempted, isPreempted))
        }
    }
    /// Media are not waited for now.
    package var isInterrupted: Bool { gate.monitor.withLock { gate.mediaAreUnwanted } }
    package func wake() { gate.wake() }
    /// The feeder waits for something that has not come yet. Any thread.
    package var isWaitedFor: Bool { gate.monitor.withLock { gate.waiting > 0 } }

    /// Loads what is needed to begin and begins loading. Waits; ends by `.cancelled` when interrupted, not when
    /// preempted.
    /// - Parameter start: media time where to begin, nanoseconds; nil: where the stream says.
    package func open(_ selection: StreamSelection, at start: Int64? = nil) throws(AVError) -> Opened {
        let answer = GateAnswer<Result<Opened, AVError>>(gate)
        _ = gate.monitor.withLock { exchange(&opening, answer) }
        loop.perform { self.tell(.open(selection, start: start)) }
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
        loop.perform {
            self.tell(.seek(time))
            hasMoved.give(true)
        }
        _ = hasMoved.waitForLoop()
    }

    package func clamped(_ time: Int64) -> Int64 {
        guard let range = gate.monitor.withLock({ sharedBuffer.seekable }) else { return time }
        return min(max(time, range.lowerBound), max(range.lowerBound, range.upperBound))
    }

    /// A segment cannot be read: it did not come, or no demuxer can read it.
    /// - Returns: why reading cannot go on; nil: the same time comes from elsewhere, or what follows the segment.
    package func segmentIsUnreadable(_ segment: StreamSegment, _ error: AVError) -> AVError? {
        let verdict = GateAnswer<AVError?>(gate)
        loop.perform { verdict.give(self.reject(segment, error)) }
        return verdict.waitForLoop()
    }

    /// The sound in a playlist of its own cannot be had, and the reader goes on with that of the main rendition.
    package func loseAudio(_ error: AVError) {
        loop.perform {
            self.warn(
                URL(string: error.location) ?? self.url,
                "the separate audio track can't be played, so the audio of the video stream is used: \(error.reason)",
                status: error.httpStatus)
            self.carryOut(self.plan.loseAudio())
            self.changed()
        }
    }

    /// The video of the segment's variant cannot be decoded: from the segment on, another variant is loaded.
    /// - Returns: whether there is another one.
    package func avoidUndecodable(_ segment: StreamSegment, _ error: AVError) -> Bool {
        let answer = GateAnswer<Bool>(gate)
        loop.perform { answer.give(self.leave(segment, error)) }
        return answer.waitForLoop()
    }

    private func leave(_ segment: StreamSegment, _ error: AVError) -> Bool {
        guard let rung = segment.rung else { return false }
        let (isElsewhere, effects) = plan.avoidUndecodable(rung, from: segment.start, in: self)
        if isElsewhere {
            warn(
                URL(string: segment.run.source) ?? url, "another variant is played instead of this one: \(error.reason)"
            )
        }
        carryOut(effects)
        return isElsewhere
    }

    private func reject(_ segment: StreamSegment, _ error: AVError) -> AVError? {
        let source = segment.run.source
        cache.remove(
            SegmentCache.Key(source: source, generation: plan.generation, mediaSequence: segment.mediaSequence))
        changed()
        let (verdict, effects) = plan.reject(
            from: source, rung: segment.rung, mediaSequence: segment.mediaSequence,
            range: segment.start..<max(segment.start, segment.end), error, in: self)
        warn(
            URL(string: segment.location) ?? URL(string: source) ?? url,
            "the segment can't be played: \(error.reason)", status: error.httpStatus)
        carryOut(effects)
        return verdict
    }

    /// The rung being shown cannot be decoded in time: it and all that have as many pixels are avoided for a minute,
    /// as long as there is a smaller one. Any thread.
    package func decodingIsTooSlow() {
        loop.perform { self.tell(.decodingIsTooSlow) }
    }

    /// Pictures a second that the playlist promises for the segment's rung.
    package func frameRate(of segment: StreamSegment) -> Double? {
        guard let rung = segment.rung, let sources = gate.monitor.withLock({ sharedPresentation })?.sources,
            sources.indices.contains(rung)
        else { return nil }
        return sources[rung].frameRate
    }

    // MARK: the player's side (any thread)

    package var buffer: StreamBuffer { gate.monitor.withLock { sharedBuffer } }
    /// Nil before the multivariant playlist has come.
    package var currentPresentation: HLSPresentation? { gate.monitor.withLock { sharedPresentation } }
    package var currentLog: StreamLog { gate.monitor.withLock { sharedLog } }

    package func setOnChange(_ call: (@Sendable () -> Void)?) {
        _ = gate.monitor.withLock { exchange(&onChange, call) }
    }
    /// Called on the loop: the media time being shown; nil: none yet.
    package func setPlayhead(_ call: (@Sendable () -> Int64?)?) {
        _ = gate.monitor.withLock { exchange(&playheadOf, call) }
    }
    /// Nanoseconds; 0: the default.
    package func setForwardDuration(_ ahead: Int64) {
        gate.monitor.withLock { wantedForward = max(0, ahead) }
        loop.perform { self.tell(.look) }
    }
    package func setLimits(_ new: AdaptationLimits) {
        loop.perform { self.tell(.limits(new)) }
    }
}

/// Puts `new` in the place of `old` and hands the old one out, to be let go of after the lock: with a closure may go
/// what it holds, a whole player item, which closes its session and so takes the same lock.
func exchange<T>(_ old: inout T, _ new: T) -> T {
    defer { old = new }
    return old
}
