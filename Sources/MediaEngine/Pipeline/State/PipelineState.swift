import Foundation
import MediaCore

/// The state that the pipeline's threads share, and all decisions about it. Decisions neither wait nor call other
/// objects, so tests can check them without threads and with a clock of their own.
///
/// The state is only accessed through `Guarded`. Notifications and wake-ups are put into `outbox` and carried out after
/// the lock is released. Extensions in other files contain seeking, the playlist, feeding, buffering and frames.
struct PipelineState: GuardedState {
    /// The threads that wait for changes.
    enum Waiter: Int, GuardedWaiter { case feeder, video, audio }
    enum Effect {
        /// Events are available for the player.
        case eventsPending
        case wakeDisplays
        /// A waiting reader must check its interrupt token.
        case wakeReader
        /// Wakes the audio thread, which may wait for space in the ring buffer of this output.
        case wakeProducer(AudioOutput)
    }
    var outbox = GuardedOutbox<Waiter, Effect>()

    let clock: PlaybackClock
    /// The token that makes the reader stop early.
    let interrupt: InterruptToken
    var now: TimelineTime { clock.now() }

    private(set) var isClosed = false
    var run = PlaybackRun()
    var serial: Int { run.serial }
    var playlist = Playlist()
    var seeks = Seeks()
    var timeline = Timeline()
    var feed = Feed()
    var settings = PlaybackSettings()
    private(set) var output: AudioOutput?
    var buffering = BufferWatch()
    var frames = FrameQueue()
    var statistics = PlaybackStatistics()
    /// The `id` of the entry for which the player has requested a report that the clock can start.
    var awaitedEntry: UInt64?

    init(interrupt: InterruptToken, host: @escaping @Sendable () -> HostTime = { .now() }) {
        clock = PlaybackClock(host: host)
        self.interrupt = interrupt
    }

    // MARK: events and wake-ups

    /// The events that the player has not taken yet, in order. They are stored under the lock, so that a player that
    /// has read a position can also take every event before it.
    private var events: [PipelineEvent] = []
    mutating func report(_ event: PipelineEvent) {
        events.append(event)
        if events.count == 1 { outbox.perform(.eventsPending) }
    }
    mutating func takeEvents() -> [PipelineEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }
    mutating func wakeDisplays() { outbox.perform(.wakeDisplays) }
    mutating func wakeThreads() { outbox.wakeAll() }
    mutating func wakeDecoders() {
        outbox.wake(.video)
        outbox.wake(.audio)
    }
    private mutating func wakeProducer() { if let output { outbox.perform(.wakeProducer(output)) } }
    /// Interrupts every operation of the reader, because an entry must be opened or the pipeline is closed.
    mutating func interruptReader() {
        interrupt.interrupt(wakes: false)
        outbox.perform(.wakeReader)
    }
    /// Makes the reader stop waiting for media, because a seek is pending.
    mutating func preemptReader() {
        interrupt.preempt(wakes: false)
        outbox.perform(.wakeReader)
    }

    // MARK: closing

    /// Closes the pipeline and wakes all threads.
    ///
    /// - Returns: `false` if it was closed before.
    mutating func close() -> Bool {
        guard !isClosed else { return false }
        isClosed = true
        failSeeks()
        interruptReader()
        wakeProducer()
        wakeThreads()
        return true
    }

    /// Releases the frames and the timeline. Called after the threads have ended.
    ///
    /// - Returns: The source and the output, which the caller has to close.
    mutating func clear() -> (source: (any SourceBuffer)?, output: AudioOutput?) {
        let source = buffering.source?.buffer
        clock.rebase(to: now)
        buffering.attach(nil)
        frames.close()
        timeline.removeAll(at: now)
        defer { output = nil }
        return (source, output)
    }

    // MARK: serials

    /// Begins a new serial and discards everything that was fed.
    mutating func beginSerial() {
        feed = Feed()
        restartSerial(decodesOn: false)
    }

    /// Begins a new serial.
    ///
    /// - Parameter decodesOn: Whether the new serial continues with the packets in the feed.
    mutating func restartSerial(decodesOn: Bool) {
        let t = now
        run.restart(decodesOn: decodesOn)
        for slot in timeline.begun(by: t) { slot.segment.entry.loopNumber = slot.segment.loopNumber }
        clock.rebase(to: t)
        // If seeks follow each other quickly, for example while a slider is dragged, the frame of the previous one is
        // displayed meanwhile, even if no display has pulled it.
        _ = frames.advance(to: t)
        frames.restart()
        timeline.removeAll(at: t)
        feed.isCut = false
        wakeProducer()
        wakeThreads()
    }

    // MARK: transport

    /// Shows the next decoded frame while paused.
    ///
    /// - Returns: `false` if no decoded frame is available, so that the player has to seek to it.
    mutating func stepForward() -> Bool {
        guard !clock.isRunning, settings.rate == 0, seeks.running == nil, seeks.pending == nil, run.hasFirstFrame
        else {
            return false
        }
        // Frames that are due count as displayed, even if no display has pulled them.
        if frames.advance(to: now) { outbox.wake(.video) }
        guard let next = frames.step() else { return false }
        clock.rebase(to: next.out)
        // The samples in the ring buffer belong to the previous frame. When playback starts, they are read again.
        run.audioIsStale = true
        outbox.wake(.video)
        wakeDisplays()
        return true
    }

    /// Sets the playback rate. 0 pauses; with any other rate, playback starts as soon as enough data is available.
    mutating func setRate(_ rate: Double) {
        settings.setRate(rate)
        if rate == 0 { buffering.beginsAtOnce = false }
        if rate > 0 {
            outbox.wake(.video)
            outbox.wake(.feeder)
            if let heldSegment = playing?.segment, heldSegment.holdsAtEnd,
                heldSegment.entry.hasNextPass(after: heldSegment.loopNumber),
                seeks.pending == nil, seeks.running == nil
            {
                // Playback continues from the end of a loop with the next pass.
                let start = heldSegment.entry.part(of: heldSegment.description)?.lowerBound ?? 0
                seeks.pending = .exact(start, in: heldSegment.entry, loopNumber: heldSegment.loopNumber + 1)
                outbox.wake(.feeder)
            } else if run.audioIsStale {
                reseek()
            }
            clock.setRate(rate)
        }
        updateRunning()
    }

    /// Makes the next start of playback use the data that is available, without waiting for more.
    mutating func beginAtOnce() {
        buffering.beginsAtOnce = settings.rate > 0 && !clock.isRunning
        updateRunning()
    }

    mutating func setVolume(_ volume: Float, muted: Bool) {
        settings.volume = volume
        settings.isMuted = muted
        output?.setVolume(volume)
        output?.setMuted(muted)
    }

    /// Sets the audio output; `nil` if there is none.
    mutating func setOutput(_ new: AudioOutput?) {
        if let output { statistics.underruns += Int(output.underrunCount) }
        output = new
        new?.setVolume(settings.volume)
        new?.setMuted(settings.isMuted)
        new?.setTitle(settings.title)
    }
    /// Sets the name that the audio server shows.
    mutating func setTitle(_ new: String) {
        settings.title = new
        output?.setTitle(new)
    }

    // MARK: readiness

    /// Starts or stops the clock, according to the rate and the available data. Completes a running seek once its frame
    /// and audio are available.
    mutating func updateRunning() {
        let primed = isPrimed
        let shouldRun = settings.rate > 0 && primed && !isClosed && hasEnoughBuffer()
        if shouldRun != clock.isRunning {
            if shouldRun { buffering.beginsAtOnce = false }
            clock.setRunning(shouldRun)
            report(.readinessChanged)
            wakeDisplays()
            // Waiting times that were computed with a stopped or running clock are no longer valid.
            wakeDecoders()
        }
        if primed, let seek = seeks.running {
            seeks.running = nil
            complete(seek, true)
            report(.readinessChanged)
            outbox.wake(.feeder)
        }
        checkReadiness()
    }

    // MARK: time

    /// The segment being heard and displayed, with its times; `nil` while the first entry of the playlist has to be
    /// opened. The old segments then no longer count, even if the playlist contains their entries.
    var playing: Timeline.Slot? { playing(at: now) }
    func playing(at t: TimelineTime) -> Timeline.Slot? {
        playlist.pendingOpen ? nil : timeline.playing(at: t)
    }

    /// Returns the entry and the media time at `host`; `nil` if nothing plays.
    ///
    /// - Parameter host: A time in the past or future, which does not move the clock; `nil` for the current time.
    func position(at host: HostTime? = nil) -> PlaybackPosition? {
        let t = host.map { clock.time(at: $0) } ?? now
        guard let slot = playing(at: t) else {
            // The old segments are discarded and the target of the seek has not begun. The position is then the target.
            // This applies to all seeks, not only to those of the app.
            return seeks.running.map {
                PlaybackPosition(
                    entry: $0.entry, media: $0.target, pass: 0, loopNumber: $0.loopNumber ?? $0.entry.loopNumber,
                    isAtEnd: false)
            }
        }
        let segment = slot.segment
        let isLast =
            timeline.last?.segment === segment && feed.isDone && seeks.pending == nil
            && !playlist.wantsMore(after: segment)
        // The device's last position is rounded, so a position within 3 ms of the end is the end.
        let atEnd = isLast && slot.end.map { t >= $0 - 3_000_000 } == true
        return PlaybackPosition(
            entry: segment.entry, media: slot.mediaTime(at: t), pass: segment.pass, loopNumber: segment.loopNumber,
            isAtEnd: atEnd)
    }

    /// Returns the media time of `entry` that is being displayed; `nil` if `entry` is not playing.
    func shownTime(of entry: PlaybackEntry) -> MediaTime? {
        let t = now
        guard let slot = timeline.playing(at: t), slot.segment.entry === entry else { return nil }
        return slot.mediaTime(at: t)
    }

    /// Returns the host time at which the clock reaches `media` in the playing segment; `nil` while the clock is
    /// stopped or the time is unknown.
    ///
    /// - Parameter entry: The entry that has to be playing; `nil` for any entry.
    func hostTime(media: MediaTime, of entry: PlaybackEntry? = nil) -> HostTime? {
        guard let slot = playing, entry == nil || slot.segment.entry === entry, let start = slot.start else {
            return nil
        }
        return clock.hostTime(for: slot.segment.timelineTime(of: media, from: start))
    }

    /// Returns the host time of the end of pass `pass` of `entry`, which was playing at the caller's last check.
    /// Returns the current host time if that pass has already ended; `nil` while the clock is stopped or the end is
    /// unknown.
    func hostTime(endOfPass pass: Int, of entry: PlaybackEntry?) -> HostTime? {
        guard let slot = playing else { return nil }
        let segment = slot.segment
        if segment.entry !== entry || segment.pass != pass, playlist.contains(segment.entry) {
            return clock.host()
        }
        return (slot.videoEnd ?? slot.end).flatMap { clock.hostTime(for: $0) }
    }

    /// Returns the loop number of `entry` that is playing, or at which it ended.
    func loopNumber(of entry: PlaybackEntry) -> Int {
        timeline.begun(by: now).last { $0.segment.entry === entry }?.segment.loopNumber ?? entry.loopNumber
    }

    var currentStatistics: PlaybackStatistics {
        var s = statistics
        s.underruns += Int(output?.underrunCount ?? 0)
        s.loops = timeline.loops(by: now)
        s.stallSeconds += Double(buffering.starved(at: clock.host())) / 1e9
        return s
    }
}
