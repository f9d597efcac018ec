import MediaCore
import Streaming

/// An item that was opened ahead of its playback: its reader, its first packets and its first frame.
///
/// The thread that prepares the item passes it as a whole to the feeder, which continues reading.
final class PreparedItem {
    /// The maximum size of the packets that are read ahead, in bytes.
    static let mostBytes = 4 << 20
    /// The duration of media that is read ahead of each track.
    static let span: MediaTime = 2_000_000_000
    /// The number of bytes of a remote file that are loaded ahead of the reader until the item plays.
    static let forwardBytes: Int64 = 1 << 20
    /// The duration of a stream that is loaded from its beginning until the item plays, in nanoseconds. It exceeds
    /// `span`, because reading ahead would otherwise never end.
    static let forwardDuration: Int64 = 4_000_000_000

    let selection: TrackSelection
    let description: ItemDescription
    /// The token that interrupts the reader. It follows the token of the pipeline that takes the item.
    let interrupt: InterruptToken
    /// The frame at the reader's start time, and its media time.
    private(set) var firstFrame: (frame: VideoFrame, media: MediaTime)?
    /// Whether no later frame can be the one at the start time.
    private var isFirstFrameFinal = false
    private let reader: any PacketReader
    private var steps: [ReadStep] = []

    /// Opens the entry and reads ahead. Blocks. Returns `nil` for a live stream, whose start will have moved on when it
    /// plays.
    ///
    /// - Throws: The error of opening or reading the item; `.cancelled` if interrupted.
    init?(_ entry: PlaybackEntry, _ selection: TrackSelection, interrupt: InterruptToken) throws(AVError) {
        self.selection = selection
        self.interrupt = interrupt
        let factory = ReaderFactory(
            entry: entry, selection: selection, interrupt: interrupt, forwardBytes: PreparedItem.forwardBytes)
        reader = try factory.open { session in
            session.setLimits(entry.limits)
            session.setForwardDuration(PreparedItem.forwardDuration)
            session.setInterrupt(
                { interrupt.isInterrupted || interrupt.isOverTime }, preemption: { interrupt.isPreempted })
            interrupt.addWaker(session) { [weak session] in session?.wake() }
        }
        description = reader.description
        if description.video == nil, let still = description.still { keep(still, reader.startTime, isFinal: true) }
        if reader is HLSReader, description.duration == nil { return nil }
        // The cues of the packets that are read ahead belong to the item, too.
        entry.subtitles.opened(description)
        try readAhead(entry)
    }

    private func readAhead(_ entry: PlaybackEntry) throws(AVError) {
        var decoder: VideoDecoder?
        // Decode in software on one thread, which returns a single frame soonest.
        if let track = description.video {
            decoder = try? VideoDecoder(
                track: track, startOffset: reader.startOffset, location: entry.url.location, threads: 1, device: nil)
        }
        let hasReliableDurations = description.video?.hasReliableDurations == true
        func take(_ output: VideoDecoder.Output) {
            // A stream begins with a keyframe, perhaps before the start time.
            let start = reader.startTime
            if firstFrame != nil, !output.pts.hasBegun(by: start) {
                isFirstFrameFinal = true
            } else if !isFirstFrameFinal {
                let isLast = !output.pts.hasBegun(by: start) || hasReliableDurations && !output.end.hasBegun(by: start)
                keep(output.frame, output.pts, isFinal: isLast)
            }
        }
        var bytes = 0
        var reach: (video: MediaTime, audio: MediaTime) = (.min, .min)
        let enough = reader.startTime + PreparedItem.span
        while bytes < PreparedItem.mostBytes,
            description.video != nil && reach.video < enough || description.audio != nil && reach.audio < enough
        {
            if interrupt.isInterrupted {
                throw AVError(.cancelled, at: entry.url.location, reason: "the operation was cancelled")
            }
            let step = reader.next()
            switch step {
            case .video(let packet):
                bytes += packet.byteCount
                reach.video = max(reach.video, packet.pts ?? .min)
                if !isFirstFrameFinal { decoder?.decode(packet, deliver: take) }
            case .audio(let packet):
                bytes += packet.byteCount
                reach.audio = max(reach.audio, packet.pts ?? .min)
            case .other: continue
            case .failed(let error): throw error
            // The coding changes here, or nothing follows. The pipeline handles these steps.
            case .track, .problem, .jump, .end:
                if !isFirstFrameFinal { decoder?.decode(nil, deliver: take) }
                steps.append(step)
                return
            }
            steps.append(step)
        }
    }

    private func keep(_ frame: VideoFrame, _ media: MediaTime, isFinal: Bool) {
        firstFrame = (frame, media)
        isFirstFrameFinal = isFinal
    }

    /// Returns a reader in the state of one that has just been opened.
    ///
    /// - Parameter keepsPackets: Whether the packets will be kept for a loop or decoded into a clip, from the first one
    ///   on.
    func handOver(keepsPackets: Bool) -> any PacketReader {
        if keepsPackets, let file = reader as? ItemReader, file.remote == nil, file.rewind(keepingPackets: false) == nil
        {
            return file
        }
        return PrefetchedReader(reader, description, steps)
    }
}

/// A reader that first returns the packets that were read ahead, and then those of another reader.
final class PrefetchedReader: PacketReader {
    private let reader: any PacketReader
    private let first: ItemDescription
    /// The remaining steps in reverse order.
    private var steps: [ReadStep]

    init(_ reader: any PacketReader, _ description: ItemDescription, _ steps: [ReadStep]) {
        self.reader = reader
        first = description
        self.steps = steps.reversed()
    }

    /// The reader of a file; `nil` for a stream.
    var item: ItemReader? { reader as? ItemReader }
    var description: ItemDescription { steps.isEmpty ? reader.description : first }
    var startOffset: MediaTime { reader.startOffset }
    var videoEnd: MediaTime? { reader.videoEnd }
    var audioEnd: MediaTime? { reader.audioEnd }
    var shortfall: AVError? { reader.shortfall }
    var buffer: (any SourceBuffer)? { reader.buffer }
    var startTime: MediaTime { reader.startTime }
    var movedTo: MediaTime? { reader.movedTo }
    var canDecodeFromStart: Bool { reader.canDecodeFromStart }
    func clamped(_ target: MediaTime) -> MediaTime { reader.clamped(target) }
    func next() -> ReadStep { steps.popLast() ?? reader.next() }
    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool { reader.isSameGroup(target, as: reach) }

    func rewind(keepingPackets: Bool) -> AVError? {
        steps = []
        return reader.rewind(keepingPackets: keepingPackets)
    }
    func seek(to target: MediaTime) -> AVError? {
        steps = []
        return reader.seek(to: target)
    }
    func keyFrame(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame? {
        steps = []
        return try reader.keyFrame(nearest: time, in: allowed, isInterrupted: isInterrupted)
    }
}
