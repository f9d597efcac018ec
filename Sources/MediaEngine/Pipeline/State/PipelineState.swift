import Foundation
import MediaCore

/// What the pipeline's threads share, and what becomes of it: decided here, without waiting and without calling
/// anybody, so that it can be tried without threads and with a clock of the test's.
///
/// Reached through `Guarded` only. What others have to do (be told, be woken) is asked for in `outbox`, and done after
/// the lock has been let go. By what they decide the functions stand in files of their own: seeking, what plays and
/// what follows, what is fed, a remote source, pictures.
struct PipelineState: GuardedState {
    /// The threads that wait.
    enum Waiter: Int, GuardedWaiter { case feeder, video, audio }
    enum Effect {
        /// There are events for the player.
        case eventsPending
        case wakeDisplays
        /// A reader that waits looks what it was told.
        case wakeReader
        /// The audio thread, which may wait for room in it.
        case wakeProducer(AudioOutput)
    }
    var outbox = GuardedOutbox<Waiter, Effect>()

    let clock: PlaybackClock
    /// How the reader is told to break off.
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

    init(interrupt: InterruptToken, host: @escaping @Sendable () -> HostTime = { .now() }) {
        clock = PlaybackClock(host: host)
        self.interrupt = interrupt
    }

    // MARK: what others have to do

    /// The events that the player has not taken yet, in order. They are stored under the lock, so that a player that has
    /// seen a position also has every event before it.
    private var events: [PipelineEvent] = []
    mutating func tell(_ event: PipelineEvent) {
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
    /// The reader, whatever it is at, gives up: an entry is to be opened, or nothing any more.
    mutating func interruptReader() {
        interrupt.interrupt(wakes: false)
        outbox.perform(.wakeReader)
    }
    /// The reader is wanted for a seek.
    mutating func preemptReader() {
        interrupt.preempt(wakes: false)
        outbox.perform(.wakeReader)
    }

    // MARK: life

    /// - Returns: false when it was before.
    mutating func close() -> Bool {
        guard !isClosed else { return false }
        isClosed = true
        answerSeeks()
        interruptReader()
        wakeProducer()
        wakeThreads()
        return true
    }

    /// The threads are gone. - Returns: what is to be closed.
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

    /// Everything fed so far is void.
    mutating func beginSerial() {
        feed = Feed()
        restartSerial(decodesOn: false)
    }

    /// A new serial.
    /// - Parameter decodesOn: with the packets that have been fed.
    mutating func restartSerial(decodesOn: Bool) {
        let t = now
        run.restart(decodesOn: decodesOn)
        for place in timeline.begun(by: t) { place.segment.entry.round = place.segment.round }
        clock.rebase(to: t)
        frames.restart()
        timeline.removeAll(at: t)
        feed.isCut = false
        wakeProducer()
        wakeThreads()
    }

    // MARK: transport

    /// Shows the next picture while paused; false when it is not at hand and a seek must fetch it.
    mutating func stepForward() -> Bool {
        guard !clock.isRunning, settings.rate == 0, seeks.running == nil, seeks.pending == nil, run.hasFirstPicture
        else {
            return false
        }
        // Those whose time has come stand already, though no display may have asked since.
        if frames.advance(to: now, &statistics) { outbox.wake(.video) }
        guard let next = frames.step() else { return false }
        clock.rebase(to: next.out)
        // What waits in the ring belongs to the picture before; playing on fetches it anew.
        run.soundIsStale = true
        outbox.wake(.video)
        wakeDisplays()
        return true
    }

    /// 0 pauses; else plays at that speed as soon as there is something to play.
    mutating func setRate(_ rate: Double) {
        settings.setRate(rate)
        if rate == 0 { buffering.beginsAtOnce = false }
        if rate > 0 {
            outbox.wake(.video)
            outbox.wake(.feeder)
            if let standing = playing?.segment, standing.holdsAtEnd, standing.entry.goesRound(after: standing.round),
                seeks.pending == nil, seeks.running == nil
            {
                // From the end of a loop it goes on with the next pass.
                let start = standing.entry.part(of: standing.description)?.lowerBound ?? 0
                seeks.pending = .exact(start, in: standing.entry, round: standing.round + 1)
                outbox.wake(.feeder)
            } else if run.soundIsStale {
                reseek()
            }
            clock.setRate(rate)
        }
        updateRunning()
    }

    /// The next time playing begins it does so with what there is.
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

    /// The way sound goes from now on; nil: there is none.
    mutating func setOutput(_ new: AudioOutput?) {
        if let output { statistics.underruns += Int(output.underrunCount) }
        output = new
        new?.setVolume(settings.volume)
        new?.setMuted(settings.isMuted)
        new?.setTitle(settings.title)
    }
    /// What the audio server shows.
    mutating func setTitle(_ new: String) {
        settings.title = new
        output?.setTitle(new)
    }

    // MARK: readiness

    /// Time runs when it is meant to and everything is there; a seek whose picture and sound are there is answered.
    mutating func updateRunning() {
        let primed = isPrimed
        let shouldRun = settings.rate > 0 && primed && !isClosed && hasEnoughBuffer()
        if shouldRun != clock.isRunning {
            if shouldRun { buffering.beginsAtOnce = false }
            clock.setRunning(shouldRun)
            tell(.readinessChanged)
            wakeDisplays()
            // Waits that were reckoned on a clock that stood (or ran) are reckoned anew.
            wakeDecoders()
        }
        if primed, let seek = seeks.running {
            seeks.running = nil
            answer(seek, true)
            tell(.readinessChanged)
            outbox.wake(.feeder)
        }
    }

    // MARK: time

    /// What is being heard and seen.
    var playing: Timeline.Place? { timeline.playing(at: now) }

    func position(at host: HostTime) -> PlaybackPosition? {
        let t = clock.now(at: host)
        guard let place = timeline.playing(at: t) else {
            // What was fed is void and what is sought has not begun: it is there that it stands, whoever sought it.
            return seeks.running.map {
                PlaybackPosition(
                    entry: $0.entry, media: $0.target, pass: 0, round: $0.round ?? $0.entry.round, isAtEnd: false)
            }
        }
        let segment = place.segment
        let isLast =
            timeline.last?.segment === segment && feed.isDone && seeks.pending == nil
            && !playlist.wantsMore(after: segment)
        // A sample's worth short of the end is the end: the device's last position is rounded.
        let atEnd = isLast && place.end.map { t >= $0 - 3_000_000 } == true
        return PlaybackPosition(
            entry: segment.entry, media: place.mediaTime(at: t), pass: segment.pass, round: segment.round,
            isAtEnd: atEnd)
    }

    /// Media time being shown of `entry`; nil while it shows nothing.
    func shownTime(of entry: PlaybackEntry) -> MediaTime? {
        let t = now
        guard let place = timeline.playing(at: t), place.segment.entry === entry else { return nil }
        return place.mediaTime(at: t)
    }

    /// Host time when the clock passes media time `media` of the segment that plays; nil while the clock stands or that
    /// is not known.
    func hostTime(media: MediaTime) -> HostTime? {
        guard let place = playing, let start = place.start else { return nil }
        return clock.hostTime(for: place.segment.timelineTime(of: media, from: start))
    }

    /// Host time of the seam at the end of `pass` of `entry`, which somebody has looked at; nil while the clock stands
    /// or that is not known. One that has been passed meanwhile is due.
    func hostTime(seamAfter pass: Int, of entry: PlaybackEntry?) -> HostTime? {
        guard let place = playing else { return nil }
        let segment = place.segment
        if !playlist.pendingOpen, segment.entry !== entry || segment.pass != pass, playlist.contains(segment.entry) {
            return clock.host()
        }
        return (place.pictureEnd ?? place.end).flatMap { clock.hostTime(for: $0) }
    }

    /// Which of its passes it has come to, or ended with.
    func round(of entry: PlaybackEntry) -> Int {
        timeline.begun(by: now).last { $0.segment.entry === entry }?.segment.round ?? entry.round
    }

    var currentStatistics: PlaybackStatistics {
        var s = statistics
        s.underruns += Int(output?.underrunCount ?? 0)
        s.loops = timeline.loops(by: now)
        s.stallSeconds += Double(buffering.starved(at: clock.host())) / 1e9
        return s
    }
}
