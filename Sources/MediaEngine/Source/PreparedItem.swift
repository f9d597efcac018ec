import MediaCore
import Streaming

/// An item that is open ahead of its turn: its reader, the first of its packets, its first picture.
///
/// Handed over whole, from the thread that made it to the feeder that reads on.
final class PreparedItem {
    /// Of packets so much is read, bytes; and so much of each track.
    static let mostBytes = 4 << 20
    static let span: MediaTime = 2_000_000_000
    /// While nobody plays it so much of a remote file is loaded ahead of what is read, bytes, and of a stream from its
    /// beginning on, nanoseconds: more than `span`, which would else be waited for in vain.
    static let forwardBytes: Int64 = 1 << 20
    static let forwardDuration: Int64 = 4_000_000_000

    let selection: TrackSelection
    let description: ItemDescription
    /// Breaks the reader's waiting; follows its pipeline's once that has it.
    let interrupt: InterruptToken
    /// The first picture, and its media time.
    private(set) var picture: (frame: VideoFrame, media: MediaTime)?
    private let reader: any PacketReader
    private var steps: [ReadStep] = []

    /// Blocks while it opens and reads.
    /// Returns nil for a live stream, whose beginning is another one when its turn comes.
    /// - Throws: as opening an item; `.cancelled` when interrupted.
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
        if description.video == nil, let still = description.still { picture = (still, reader.startTime) }
        if reader is HLSReader, description.duration == nil { return nil }
        try readAhead(entry)
    }

    private func readAhead(_ entry: PlaybackEntry) throws(AVError) {
        var decoder: VideoDecoder?
        // In software and on one thread: one picture is wanted, and it comes out soonest so.
        if let track = description.video {
            decoder = try? VideoDecoder(
                track: track, startOffset: reader.startOffset, location: entry.url.location, threads: 1, device: nil)
        }
        func take(_ output: VideoDecoder.Output) { if picture == nil { picture = (output.frame, output.pts) } }
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
                if picture == nil { decoder?.decode(packet, deliver: take) }
            case .audio(let packet):
                bytes += packet.byteCount
                reach.audio = max(reach.audio, packet.pts ?? .min)
            case .other: continue
            case .failed(let error): throw error
            // What comes then is coded otherwise, or nothing: those who read on will see.
            case .track, .problem, .jump, .end:
                if picture == nil { decoder?.decode(nil, deliver: take) }
                steps.append(step)
                return
            }
            steps.append(step)
        }
    }

    /// The reader as one that has just been opened.
    /// - Parameter keepsPackets: they will be kept for the passes of a loop, or decoded as a clip, from the first on.
    func handOver(keepsPackets: Bool) -> any PacketReader {
        if keepsPackets, let file = reader as? ItemReader, file.remote == nil, file.rewind(keepingPackets: false) == nil
        {
            return file
        }
        return PrefetchedReader(reader, description, steps)
    }
}

/// A reader some of whose packets have been read already: they come first.
final class PrefetchedReader: PacketReader {
    private let reader: any PacketReader
    private let first: ItemDescription
    /// Backwards.
    private var steps: [ReadStep]

    init(_ reader: any PacketReader, _ description: ItemDescription, _ steps: [ReadStep]) {
        self.reader = reader
        first = description
        self.steps = steps.reversed()
    }

    /// The file being read, if it is one.
    var item: ItemReader? { reader as? ItemReader }
    var description: ItemDescription { steps.isEmpty ? reader.description : first }
    var startOffset: MediaTime { reader.startOffset }
    var videoEnd: MediaTime? { reader.videoEnd }
    var audioEnd: MediaTime? { reader.audioEnd }
    var shortfall: AVError? { reader.shortfall }
    var buffer: (any SourceBuffer)? { reader.buffer }
    var startTime: MediaTime { reader.startTime }
    var movedTo: MediaTime? { reader.movedTo }
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
    func keyPicture(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame? {
        steps = []
        return try reader.keyPicture(nearest: time, in: allowed, isInterrupted: isInterrupted)
    }
}
