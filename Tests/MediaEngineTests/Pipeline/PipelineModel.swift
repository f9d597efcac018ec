import CFFmpeg
import Foundation
import MediaCore
import Synchronization
import TestSupport

@testable import MediaEngine

/// A pipeline without threads, files, network and devices. Its state and its feeder are real; its reader returns
/// generated packets, its decoders take no time, and the test sets the clock. Each participant does one step per call.
final class PipelineModel {
    /// The content of an entry.
    struct Film: Sendable {
        var duration: MediaTime = 3_000_000_000
        var hasVideo = true
        var hasAudio = true
        /// The media time up to which data has arrived. nil for a local film.
        var arrived: Boxed<MediaTime>?
        /// The buffer status that the source reports for the media times `arrived` and `playhead`. nil: it reports all
        /// arrived media after the playhead as buffered.
        var tells: (@Sendable (_ arrived: MediaTime, _ playhead: MediaTime) -> BufferStatus)?
        /// The media times at which the packets of the tracks begin.
        var videoFrom: MediaTime = 0, audioFrom: MediaTime = 0
        /// Whether opening fails.
        var isBroken = false
        /// The media time at which reading fails, or nil.
        var breaksAt: MediaTime?
        /// A gap at media time `at` that occurs once: reading continues at `to`.
        var jump: (at: MediaTime, to: MediaTime)?
        /// The earliest media time of a live window. A seek before it goes to the last second.
        var earliest: MediaTime = 0
        /// Called for each rewind, which fails with the returned error.
        var onRewind: (@Sendable () -> AVError?)?
    }

    let time = Boxed(HostTime(nanoseconds: 1_000_000_000))
    private var taken: [PipelineEvent] = []
    /// The events since `clearEvents()`.
    var events: [PipelineEvent] {
        taken += state.withLock { $0.takeEvents() }
        return taken
    }
    func clearEvents() {
        _ = events
        taken = []
    }
    let context: PipelineContext
    var state: Guarded<PipelineState> { context.state }
    private(set) var feeder: Feeder
    private(set) var films: [UInt64: Film] = [:]
    /// The tracks with which each entry was opened, in order.
    private(set) var openings: [(entry: PlaybackEntry, selection: TrackSelection)] = []
    /// Called while an entry is being opened.
    var onOpen: (PlaybackEntry) -> Void = { _ in }
    private let frame: VideoFrame
    private var video = Decoder()
    private var audio = Decoder()

    /// The state of a decoding thread.
    private struct Decoder {
        var serial = -1
        var segment: Segment?
        /// A frame that waits for space in the queue.
        var picture: MediaTime?
        /// A segment whose start on the timeline is not known yet.
        var begins: Segment?
        /// The timeline time at which the previous segment, which fades out, ends.
        var fadeEnd: TimelineTime?
    }

    init(frame: VideoFrame) {
        self.frame = frame
        let time = time
        let context = PipelineContext(title: "", audioServer: nil, host: { time.value }) {}
        self.context = context
        feeder = Feeder(context)
        feeder = Feeder(context) { [weak self] entry, selection, target throws(AVError) in
            self?.openings.append((entry, selection))
            self?.onOpen(entry)
            guard let self, let film = films[entry.id], !film.isBroken else {
                throw AVError(.fileNotFound, at: "none", reason: "it is broken", suggestion: "Mend it")
            }
            if context.interrupt.isInterrupted {
                throw AVError(.cancelled, at: "none", reason: "given up", suggestion: "Ask again")
            }
            return MadeUpReader(film, frame: frame, interrupt: context.interrupt, at: target)
        }
    }

    func add(_ film: Film) -> PlaybackEntry {
        let id = UInt64(films.count + 1)
        films[id] = film
        return PlaybackEntry(id: id, url: URL(fileURLWithPath: "/none/\(id)"))
    }
    func arrive(_ entry: PlaybackEntry, _ amount: MediaTime) {
        films[entry.id]?.arrived?.change { $0 = $0 + amount }
        state.withLock { $0.bufferChanged() }
    }

    // MARK: steps

    /// Does one step of the feeder.
    /// - Returns: whether there was something to do.
    @discardableResult
    func stepFeeder() -> Bool {
        let task = state.withLock { state -> Feeder.Task? in
            if let task = feeder.nextTask(&state) { return task }
            _ = state.recheckBuffer()
            return nil
        }
        guard let task else { return false }
        defer { state.withLock { feeder.append(to: &$0) } }
        return feeder.perform(task)
    }

    func stepVideo() {
        state.withLock { state in
            guard !state.isClosed else { return }
            guard state.serial == video.serial else {
                video = Decoder(serial: state.serial)
                return
            }
            if let media = video.picture, let segment = video.segment {
                if !state.hasSpace(forFrameOf: segment) { _ = state.letPass() }
                guard state.hasSpace(forFrameOf: segment) else { return }
                _ = state.enqueue(frame, media: media, of: segment)
                video.picture = nil
                return
            }
            guard !state.isResting else { return }
            guard let unit = state.takeVideoUnit() else {
                _ = state.waitForPackets() ?? state.letPass()
                return
            }
            switch unit {
            case .start(let segment):
                video.segment = segment
                if !segment.hasVideo {
                    state.removeFormerFrame(at: state.now)
                    state.firstFrameReady()
                }
            case .packet(let packet):
                guard let pts = packet.pts, let end = packet.end, let segment = video.segment else { return }
                state.feed.videoStart = pts
                let isPast = segment.mediaLimit.map { pts >= $0 } ?? false
                if end > segment.mediaStart, !isPast { video.picture = pts }
            case .end(let segment):
                state.firstFrameReady()
                state.didDecodeAllVideo(segment)
            case .endOfStream: state.videoDidEnd()
            case .videoTrack, .audioTrack: break
            }
        }
    }

    func stepAudio() {
        state.withLock { state in
            guard !state.isClosed else { return }
            guard state.serial == audio.serial else {
                audio = Decoder(serial: state.serial)
                return
            }
            if let segment = audio.begins {
                guard let place = state.timeline[segment] else { return }
                if place.start == nil {
                    // The crossfade mixes the end of the previous segment with this one, by half a second at most, so
                    // this segment starts earlier.
                    guard let end = audio.fadeEnd else { return }
                    state.settle(segment, at: end - min(500_000_000, state.playlist.crossfade))
                }
                audio.fadeEnd = nil
                audio.segment = segment
                audio.begins = nil
                if !segment.hasAudio { state.firstAudioReady() }
            }
            guard let unit = state.takeAudioUnit() else {
                _ = state.recheckBuffer()
                return
            }
            switch unit {
            case .start(let segment): audio.begins = segment
            case .packet: state.firstAudioReady()
            case .end(let segment):
                if let place = state.timeline[segment], place.end == nil {
                    let fades =
                        state.playlist.crossfade > 0 && segment.hasAudio && state.playlist.wantsMore(after: segment)
                    state.timeline.change(segment) { $0.fadesOut = fades }
                    let sound = segment.hasAudio ? place.packetAudioEnd : nil
                    let end = PassEnd.of(
                        audio: sound, video: segment.hasVideo ? place.packetVideoEnd : nil,
                        frameDuration: 100_000_000)
                    state.resolve(segment, mediaEnd: max(segment.mediaStart, end))
                    if fades { audio.fadeEnd = state.timeline[segment]?.end }
                }
                state.didDecodeAllAudio(segment)
            case .endOfStream:
                audio.fadeEnd = nil
                state.audioDidEnd()
            case .videoTrack, .audioTrack: break
            }
        }
    }

    /// A description of the current state, for the message of a failed test.
    var story: String {
        state.withLock { state in
            let places = state.timeline.slots.map {
                "\($0.segment.entry.id)#\($0.segment.index) \($0.start?.nanoseconds ?? -1)...\($0.end?.nanoseconds ?? -1)"
            }
            func words(_ seek: SeekRequest?) -> String {
                seek.map { "\($0.id) to \($0.target) in \($0.entry.id)" } ?? "none"
            }
            return """
                rate \(state.settings.rate), runs \(state.clock.isRunning), serial \(state.serial), feed done \
                \(state.feed.isDone), cut \(state.feed.isCut), stale \(state.run.audioIsStale), \
                seeks \(words(state.seeks.pending)) \
                and \(words(state.seeks.running)), list \(state.playlist.entries.map(\.id)), to be opened \
                \(state.playlist.pendingOpen), opening \(state.playlist.opening?.id ?? 0), places \(places), now \(state.now)
                """
        }
    }

    func pass(_ nanoseconds: Int64) { time.change { $0 = $0 + nanoseconds } }
}

/// A value behind a lock.
final class Boxed<Value: Sendable>: Sendable {
    private let content: Mutex<Value>
    init(_ value: Value) { content = Mutex(value) }
    var value: Value { content.withLock { $0 } }
    func change(_ body: (inout Value) -> Void) { content.withLock { body(&$0) } }
}

/// A reader of generated packets: ten per second for each track, and one keyframe per second.
private final class MadeUpReader: PacketReader {
    private static let step: MediaTime = 100_000_000
    private let film: PipelineModel.Film
    private let frame: VideoFrame
    private let interrupt: InterruptToken
    private var place: MediaTime
    private var givesAudio = false
    private var hasJumped = false
    let description: ItemDescription
    let buffer: (any SourceBuffer)?
    private(set) var videoEnd: MediaTime?
    private(set) var audioEnd: MediaTime?
    var startOffset: MediaTime { 0 }

    init(_ film: PipelineModel.Film, frame: VideoFrame, interrupt: InterruptToken, at target: MediaTime?) {
        self.film = film
        self.frame = frame
        self.interrupt = interrupt
        place = 0
        var description = ItemDescription(duration: film.duration)
        if let parameters = MadeUpReader.parameters {
            let base = AVRational(num: 1, den: 1_000)
            if film.hasVideo {
                description.video = VideoTrackDescription(
                    streamIndex: 0, parameters: parameters, timeBase: base, orientation: nil, aspect: TrackAspect(1),
                    frameDuration: MadeUpReader.step, hasReliableDurations: true)
            }
            if film.hasAudio {
                description.audio = AudioTrackDescription(
                    streamIndex: 1, parameters: parameters, timeBase: base, sampleRate: 48_000, channelMask: 3,
                    hasExactTimes: true)
            }
        }
        self.description = description
        buffer = film.arrived.map { MadeUpBuffer($0, duration: film.duration, tells: film.tells) }
        if let target { _ = seek(to: target) }
    }

    private static let parameters: CodecParameters? = {
        guard let owner = Owned<AVCodecParameters>(avcodec_parameters_alloc()) else { return nil }
        return CodecParameters(copying: owner.raw)
    }()

    func next() -> ReadStep {
        (buffer as? MadeUpBuffer)?.waits.change { $0 = false }
        if let breaks = film.breaksAt, place >= breaks {
            return .failed(AVError(.readFailed, at: "none", reason: "it breaks off", suggestion: "Mend it"))
        }
        if let jump = film.jump, place >= jump.at, !hasJumped {
            hasJumped = true
            return .jump(jump.to)
        }
        guard place < film.duration else { return .end }
        if let arrived = film.arrived, place >= arrived.value {
            if interrupt.isInterrupted || interrupt.isPreempted {
                return .failed(AVError(.cancelled, at: "none", reason: "given up", suggestion: "Ask again"))
            }
            // A real reader waits here.
            (buffer as? MadeUpBuffer)?.waits.change { $0 = true }
            return .other
        }
        let isAudio = givesAudio || !film.hasVideo
        let pts = place
        let end = min(film.duration, place + MadeUpReader.step)
        if film.hasVideo, film.hasAudio { givesAudio.toggle() }
        if !givesAudio { place = end }
        if pts < (isAudio ? film.audioFrom : film.videoFrom) { return .other }
        guard let owner = Owned<AVPacket>(av_packet_alloc()) else { return .end }
        if pts.nanoseconds % 1_000_000_000 == 0 { owner.raw.pointee.flags = AV_PKT_FLAG_KEY }
        let packet = MediaPacket(taking: owner, pts: pts, end: end)
        if isAudio { audioEnd = end } else { videoEnd = end }
        return isAudio ? .audio(packet) : .video(packet)
    }

    private(set) var movedTo: MediaTime?
    func clamped(_ target: MediaTime) -> MediaTime { max(film.earliest, min(target, film.duration)) }
    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool {
        target.nanoseconds / 1_000_000_000 == reach.nanoseconds / 1_000_000_000
    }
    func rewind(keepingPackets: Bool) -> AVError? { film.onRewind?() ?? seek(to: film.earliest) }
    func seek(to target: MediaTime) -> AVError? {
        let second: Int64 = 1_000_000_000
        let last = max(0, film.duration.nanoseconds - 1) / second * second
        movedTo = target < film.earliest ? MediaTime(nanoseconds: last) : nil
        place = movedTo ?? MediaTime(nanoseconds: min(last, max(0, target.nanoseconds) / second * second))
        place = max(place, film.earliest)
        givesAudio = false
        (videoEnd, audioEnd) = (nil, nil)
        return nil
    }
    func keyFrame(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame? {
        if isInterrupted() { throw AVError(.cancelled, at: "none", reason: "given up", suggestion: "Ask again") }
        let second: Int64 = 1_000_000_000
        let key = MediaTime(nanoseconds: time.nanoseconds / second * second)
        guard allowed.contains(key) else { return nil }
        return frame.withAVFrame {
            VideoFrame(
                retaining: $0, presentationTime: key.time, duration: .invalid, orientation: .upright,
                pixelAspectRatio: 1)
        }
    }
}

private final class MadeUpBuffer: SourceBuffer {
    private let arrived: Boxed<MediaTime>
    private let duration: MediaTime
    private let tells: (@Sendable (MediaTime, MediaTime) -> BufferStatus)?
    let waits = Boxed(false)
    init(
        _ arrived: Boxed<MediaTime>, duration: MediaTime,
        tells: (@Sendable (MediaTime, MediaTime) -> BufferStatus)?
    ) {
        (self.arrived, self.duration, self.tells) = (arrived, duration, tells)
    }

    func status(playhead: MediaTime) -> BufferStatus {
        if let tells { return tells(arrived.value, playhead) }
        var status = BufferStatus()
        status.ahead = max(0, min(duration, arrived.value) - playhead)
        status.isComplete = arrived.value >= duration
        return status
    }
    func setOnChange(_ call: (@Sendable () -> Void)?) {}
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {}
    var isWaitedFor: Bool { waits.value }
    func setForwardDuration(_ ahead: MediaTime) {}
}
