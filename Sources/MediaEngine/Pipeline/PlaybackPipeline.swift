import CFFmpeg
import Foundation
import MediaCore

/// What the pipeline tells its player; delivered on any thread, in order.
enum PipelineEvent: Sendable {
    case opened(PlaybackEntry, ItemDescription)
    case failed(PlaybackEntry, AVError)
    /// Read to its end, which is not the end that its header tells of: it plays that far.
    case endsEarly(PlaybackEntry, AVError)
    /// A new stretch of the timeline exists or its end became known: look at the schedule again.
    case timelineChanged
    case seekFinished(id: UInt64, completed: Bool)
    /// Playback can begin (or cannot yet).
    case readinessChanged
    case audio(AudioOutputEvent)
    /// A remote source did not keep up; time stands.
    case stalled
    /// What has come of a remote source.
    case buffered(PlaybackEntry, BufferStatus)
    /// How loud it is, by its tags or by measuring.
    case loudness(PlaybackEntry, LoudnessMeasure)
    /// Pictures of another size follow (the stream went to another rung).
    case presentationSize(PlaybackEntry, CGSize)
}

/// Source → demux → decode → clock → frames and sound, for one player.
///
/// Three long-lived threads: the *feeder* opens, reads and seeks (PipelineFeeder.swift, PipelineSeek.swift), the
/// *video* thread decodes into a short frame queue (PipelineVideo.swift), the *audio* thread decodes into the device's
/// PCM ring (PipelineAudio.swift). Between them stand bounded queues of `Unit`s. Displays pull.
final class PlaybackPipeline: VideoFrameSource, @unchecked Sendable {
    // Everything mutable below is guarded by `monitor`, except where a thread's name stands beside it.
    let monitor = Monitor()
    let feederCondition: Monitor.Condition
    let videoCondition: Monitor.Condition
    let audioCondition: Monitor.Condition
    let clock = PlaybackClock()
    let onEvent: @Sendable (PipelineEvent) -> Void
    let interrupt = InterruptToken()
    let title: String
    let audioServer: String?

    enum Unit {
        case start(Segment)
        case packet(MediaPacket)
        /// From here on the track is coded otherwise.
        case videoTrack(VideoTrackDescription)
        case audioTrack(AudioTrackDescription)
        case end(Segment)
        case endOfStream
    }

    var isClosed = false
    var serial = 0
    /// Serials with the same number go on with the same packets and the same state of the video decoder.
    var decodeRun = 0
    /// Media time of the newest picture decoded and the end of the newest packet of sound taken up in this run.
    var videoReach: MediaTime?
    var audioReach: MediaTime = .min

    // Playlist.
    var entries: [PlaybackEntry] = []
    var feedsNextEntry = true
    /// How long items overlap; 0: not at all (PipelineCrossfade.swift).
    var crossfade: MediaTime = 0
    var pendingOpen = false
    /// The entry being opened or, after it failed, the one that did.
    var opening: PlaybackEntry?
    /// The entry being opened to follow what has been read; nil also when it is not to follow any more.
    var joining: PlaybackEntry?
    var pendingSeek: Seek?
    var runningSeek: Seek?
    /// The next pass was fed although it is no longer wanted, or the tracks changed.
    var feedDone = true

    var timeline: [Segment] = []
    var nextSegmentIndex = 0
    var videoUnits = UnitQueue()
    var audioUnits = UnitQueue()

    // Readiness of the current serial.
    var hasFirstPicture = false
    var hasFirstSound = false
    var videoEnded = false
    var audioEnded = false

    var desiredRate: Double = 0
    /// Speed when playing, kept over pauses, for the audio thread.
    var speed: Double = 1
    var volume: Float = 1
    var isMuted = false
    /// LUFS; nil: as recorded (PipelineLoudness.swift).
    var loudnessTarget: Double?
    var output: AudioOutput?
    private var device: AudioDevice?
    /// A step moved the picture away from what waits in the ring.
    var soundIsStale = false
    /// The running seek waits for a single picture (PipelineScrub.swift): what is there answers the seek before it.
    var isScrubbing = false

    // A remote source (PipelineBuffering.swift).
    var source: (buffer: any SourceBuffer, entry: PlaybackEntry)?
    /// The source could not keep up: time stands until enough of it has come.
    var isStarved = false
    /// Host time since when.
    var starvedSince = HostTime.min
    /// How much was said to lie ahead when it did not, and in which serial.
    var missing: (serial: Int, ahead: MediaTime) = (-1, 0)
    /// Host time since when there was nothing to play though something was said to be there.
    var drySince: HostTime?
    /// Play only when it is likely to go on.
    var waitsForBuffer = true
    /// But not this time.
    var beginsAtOnce = false
    var forwardDuration: MediaTime = 0

    // Pictures.
    var frames = FrameQueue()
    /// Nothing more is to come of it: it failed.
    var abandoned: PlaybackEntry?
    /// See `isResting`; host time.
    var restsUntil = HostTime.min
    /// Nanoseconds.
    static let rest: Int64 = 50_000_000
    /// Device pixels that the last display gave the pictures.
    var displaySize: (width: Int, height: Int)?
    var wakeHandlers: [Int: @Sendable () -> Void] = [:]
    var nextWakeToken = 0

    var statistics = PlaybackStatistics()
    private var threads: [WorkerThread] = []

    init(title: String, audioServer: String? = nil, onEvent: @escaping @Sendable (PipelineEvent) -> Void) {
        feederCondition = Monitor.Condition(monitor)
        videoCondition = Monitor.Condition(monitor)
        audioCondition = Monitor.Condition(monitor)
        self.title = title
        self.audioServer = audioServer
        self.onEvent = onEvent
        clock.rebase(to: .zero)
        // The threads hold the pipeline; `close` ends them and so breaks the cycle. Its player must call it.
        threads = [
            WorkerThread(name: "zt-feeder") { [self] in feederMain() },
            WorkerThread(name: "zt-video") { [self] in videoMain() },
            WorkerThread(name: "zt-audio", isUrgent: true) { [self] in audioMain() },
        ]
    }

    /// Ends the threads and waits for them; frees decoders, file and sound. Safe to call twice.
    func close() {
        monitor.lock()
        let already = isClosed
        isClosed = true
        for seek in [pendingSeek, runningSeek].compactMap({ $0 }) { answer(seek.id, false) }
        pendingSeek = nil
        runningSeek = nil
        interrupt.interrupt()
        output?.wakeProducer()
        wakeThreads()
        monitor.unlock()
        guard !already else { return }
        for thread in threads { thread.join() }
        clock.rebase(to: clock.now())
        let remote = monitor.withLock { () -> (buffer: any SourceBuffer, entry: PlaybackEntry)? in
            let remote = source
            source = nil
            return remote
        }
        remote?.buffer.setOnChange(nil)
        remote?.buffer.setPlayhead(nil)
        // Asked only now: the audio thread may have been opening one, or putting another in its place.
        let sound = monitor.withLock {
            frames.close()
            timeline = []
            wakeHandlers = [:]
            defer { output = nil }
            return output
        }
        sound?.close()
        monitor.withLock { device = nil }
    }

    /// With the monitor locked.
    func wakeThreads() {
        feederCondition.broadcast()
        videoCondition.broadcast()
        audioCondition.broadcast()
    }

    /// The way to the sound server, opened when the first sound is met. Not with the monitor locked.
    func audioDevice() -> AudioDevice {
        monitor.withLock {
            if let device { return device }
            let fresh = AudioDevice(server: audioServer)
            device = fresh
            return fresh
        }
    }

    // MARK: transport

    /// Shows the next picture while paused; false when it is not at hand and a seek must fetch it.
    func stepForward() -> Bool {
        monitor.withLock {
            guard !clock.isRunning, desiredRate == 0, runningSeek == nil, pendingSeek == nil, hasFirstPicture,
                let next = frames.step()
            else { return false }
            clock.rebase(to: next.out)
            // What waits in the ring belongs to the picture before; playing on fetches it anew.
            soundIsStale = true
            videoCondition.signal()
            wakeDisplays()
            return true
        }
    }

    /// 0 pauses; else plays at that speed as soon as there is something to play.
    func setRate(_ rate: Double) {
        monitor.withLock {
            desiredRate = rate
            if rate == 0 { beginsAtOnce = false }
            if rate > 0 {
                videoCondition.signal()
                if let standing = playingSegment(), standing.holdsAtEnd,
                    standing.entry.goesRound(after: standing.round), pendingSeek == nil, runningSeek == nil
                {
                    // From the end of a loop it goes on with the next pass.
                    pendingSeek = Seek(
                        id: 0, target: part(of: standing.entry, standing.description)?.lowerBound ?? 0,
                        toleranceBefore: 0,
                        toleranceAfter: 0, entry: standing.entry, round: standing.round + 1)
                    feederCondition.broadcast()
                } else if soundIsStale {
                    reseek()
                }
                speed = rate
                clock.setRate(rate)
            }
            updateRunning()
        }
    }

    func setVolume(_ volume: Float, muted: Bool) {
        monitor.withLock {
            self.volume = volume
            isMuted = muted
            output?.setVolume(volume)
            output?.setMuted(muted)
        }
    }

    /// The media time of the picture that stands now; nil when there is none.
    func currentPictureTime() -> MediaTime? { monitor.withLock { frames.standing } }

    // MARK: readiness

    /// Pictures and sound of the current serial are there, as far as it has them. With the monitor locked.
    var isPrimed: Bool {
        guard !timeline.isEmpty, !pendingOpen, !soundIsStale, !isScrubbing else { return false }
        return (hasFirstPicture || videoEnded) && (hasFirstSound || audioEnded)
    }

    /// With the monitor locked.
    func updateRunning() {
        let primed = isPrimed
        let shouldRun = desiredRate > 0 && primed && !isClosed && hasEnoughBuffer
        if shouldRun != clock.isRunning {
            if shouldRun { beginsAtOnce = false }
            clock.setRunning(shouldRun)
            onEvent(.readinessChanged)
            wakeDisplays()
            // Waits that were reckoned on a clock that stood (or ran) are reckoned anew.
            videoCondition.broadcast()
            audioCondition.broadcast()
        }
        if primed, let seek = runningSeek {
            runningSeek = nil
            answer(seek.id, true)
            onEvent(.readinessChanged)
            feederCondition.broadcast()
        }
    }

    // MARK: time

    /// The segment being heard and seen. With the monitor locked.
    func playingSegment(_ t: TimelineTime? = nil) -> Segment? {
        let t = t ?? clock.now()
        return timeline.last { $0.outStart.map { $0 <= t } ?? false } ?? timeline.first
    }

    /// With the monitor locked.
    func mediaTime(in segment: Segment, at t: TimelineTime? = nil) -> MediaTime {
        guard let start = segment.outStart else { return segment.mediaStart }
        let out = min(t ?? clock.now(), segment.outEnd ?? .max)
        return segment.mediaTime(at: out, from: start)
    }

    struct Position: Sendable {
        var entry: PlaybackEntry
        var media: MediaTime
        var pass: Int
        var round: Int
        var isAtEnd: Bool
    }

    func position(atHostTime host: HostTime = .now()) -> Position? {
        monitor.withLock {
            let t = clock.now(host)
            guard let segment = playingSegment(t) else {
                // What was fed is void and what is sought has not begun: it is there that it stands, whoever sought it.
                return runningSeek.map {
                    Position(
                        entry: $0.entry, media: $0.target, pass: 0, round: $0.round ?? $0.entry.round, isAtEnd: false)
                }
            }
            let isLast = timeline.last === segment && feedDone && pendingSeek == nil && !wantsMore(after: segment)
            // A sample's worth short of the end is the end: the device's last position is rounded.
            let atEnd = isLast && segment.outEnd.map { t >= $0 - 3_000_000 } == true
            return Position(
                entry: segment.entry, media: mediaTime(in: segment, at: t), pass: segment.pass, round: segment.round,
                isAtEnd: atEnd)
        }
    }

    /// Host time when the clock passes media time `media` of the segment that plays; nil while the clock stands or that
    /// is not known.
    func hostTime(media: MediaTime) -> HostTime? {
        monitor.withLock {
            guard let segment = playingSegment(), let start = segment.outStart else { return nil }
            return clock.hostTime(for: segment.timelineTime(of: media, from: start))
        }
    }

    /// Host time of the seam at the end of `pass` of `entry`, which somebody has looked at; nil while the clock stands
    /// or that is not known. One that has been passed meanwhile is due.
    func hostTime(seamAfter pass: Int, of entry: PlaybackEntry?) -> HostTime? {
        monitor.withLock {
            guard let playing = playingSegment() else { return nil }
            if !pendingOpen, playing.entry !== entry || playing.pass != pass,
                entries.contains(where: { $0 === playing.entry })
            {
                return .now()
            }
            return (playing.pictureEnd ?? playing.outEnd).flatMap { clock.hostTime(for: $0) }
        }
    }

    var isRunning: Bool { clock.isRunning }

    var currentStatistics: PlaybackStatistics {
        monitor.withLock {
            var s = statistics
            s.underruns += Int(output?.underrunCount ?? 0)
            if isStarved { s.stallSeconds += Double(HostTime.now() - starvedSince) / 1e9 }
            return s
        }
    }
}
