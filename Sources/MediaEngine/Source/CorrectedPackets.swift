import CFFmpeg
import MediaCore

/// The packets of a container, with timestamps corrected by a `TimestampCorrector`. Reads ahead as far as the
/// correction needs.
final class CorrectedPackets {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Media time zero, in the container's timestamps.
    private let start: MediaTime
    private(set) var corrector: TimestampCorrector
    private var waiting: [Packet] = []
    /// Unused packets that are kept for reuse.
    private var spare: [Packet] = []
    /// The error code at which reading ended, returned after all waiting packets.
    private var endCode: Int32?
    /// The correction of the packet that was returned last.
    private(set) var correction = TimestampCorrector.Correction.shifted(.zero)
    private(set) var landmarks = Landmarks()
    /// The track whose keyframes become landmarks.
    private let marked: Int
    let marksPlaces: Bool
    /// Whether no packet has been skipped since the start of the container.
    private(set) var isFromStart = true

    private final class Packet {
        private let owner: Owned<AVPacket>
        var raw: UnsafeMutablePointer<AVPacket> { owner.raw }
        init?() {
            guard let owner = Owned<AVPacket>(av_packet_alloc()) else { return nil }
            self.owner = owner
        }
    }

    init(
        _ context: UnsafeMutablePointer<AVFormatContext>, start: MediaTime, corrector: TimestampCorrector, marked: Int,
        marksPlaces: Bool
    ) {
        self.context = context
        self.start = start
        self.corrector = corrector
        self.marked = marked
        self.marksPlaces = marksPlaces
    }

    /// Reads the next packet with corrected timestamps.
    ///
    /// - Parameter source: Reads one packet of the container, like `av_read_frame`.
    /// - Returns: 0, or an error code of libavformat.
    func read(_ packet: UnsafeMutablePointer<AVPacket>, from source: (UnsafeMutablePointer<AVPacket>) -> Int32) -> Int32
    {
        while true {
            if !waiting.isEmpty, let correction = corrector.next() {
                let first = waiting.removeFirst()
                apply(correction, to: first.raw)
                av_packet_move_ref(packet, first.raw)
                spare.append(first)
                return 0
            }
            if let endCode {
                self.endCode = nil
                return endCode
            }
            guard let fresh = spare.popLast() ?? Packet() else { return zt_averror(ENOMEM) }
            let rc = source(fresh.raw)
            if rc < 0 {
                recycle(fresh)
                // Data is damaged, or the read was interrupted. Reading can continue at the same position.
                if MediaSource.isDamage(rc) || rc == zt_averror_exit() { return rc }
                endCode = rc
                corrector.finish()
                continue
            }
            waiting.append(fresh)
            corrector.push(times(of: fresh.raw))
        }
    }

    /// Discards the waiting packets, because reading continues at `time`.
    func move(to time: MediaTime, shift: MediaTime = .zero) {
        drop()
        endCode = nil
        isFromStart = time == .zero
        corrector.move(to: time, shift: shift)
    }

    private func drop() {
        waiting.forEach(recycle)
        waiting.removeAll(keepingCapacity: true)
    }

    private func recycle(_ packet: Packet) {
        av_packet_unref(packet.raw)
        spare.append(packet)
    }

    private func base(of packet: UnsafeMutablePointer<AVPacket>) -> (base: AVRational, type: AVMediaType_C) {
        let index = Int(packet.pointee.stream_index)
        guard index >= 0, index < Int(context.pointee.nb_streams), let stream = context.pointee.streams[index],
            let p = stream.pointee.codecpar
        else {
            return (AVRational(num: 1, den: Int32(AV_TIME_BASE)), AVMEDIA_TYPE_UNKNOWN)
        }
        return (
            stream.pointee.time_base,
            stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 ? AVMEDIA_TYPE_UNKNOWN : p.pointee.codec_type
        )
    }

    private func times(of packet: UnsafeMutablePointer<AVPacket>) -> TimestampCorrector.PacketTimes {
        let (base, type) = base(of: packet)
        let p = packet.pointee
        // A time beyond the bounds of `MediaTime` counts as no timestamp.
        func time(_ timestamp: Int64) -> MediaTime? {
            MediaTime(stamp: timestamp, base: base).flatMap { $0 < .max && $0 > .min ? $0 - start : nil }
        }
        let pts = time(p.pts)
        let dts = time(p.dts)
        let none = zt_nopts()
        return TimestampCorrector.PacketTimes(
            track: Int(p.stream_index), pts: pts, dts: dts,
            duration: MediaTime(stamp: max(0, p.duration), base: base) ?? .zero, bytes: Int(p.size),
            isAudio: type == AVMEDIA_TYPE_AUDIO,
            isBeyond: pts == nil && p.pts != none || dts == nil && p.dts != none,
            isFree: p.flags & AV_PKT_FLAG_DISCARD != 0 || type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO)
    }

    private func apply(_ correction: TimestampCorrector.Correction, to packet: UnsafeMutablePointer<AVPacket>) {
        self.correction = correction
        let (base, type) = base(of: packet)
        let none = zt_nopts()
        var time: MediaTime?
        switch correction {
        case .shifted(let shift):
            if shift != .zero {
                let ticks = shift.stamp(in: base)
                if packet.pointee.pts != none { packet.pointee.pts = packet.pointee.pts.addingSaturating(ticks) }
                if packet.pointee.dts != none { packet.pointee.dts = packet.pointee.dts.addingSaturating(ticks) }
            }
            // Remove timestamps beyond the bounds of `MediaTime`.
            func isTime(_ timestamp: Int64) -> Bool {
                MediaTime(stamp: timestamp, base: base).map { $0 < .max && $0 > .min } ?? true
            }
            if !isTime(packet.pointee.pts) { packet.pointee.pts = none }
            if !isTime(packet.pointee.dts) { packet.pointee.dts = none }
            time =
                (MediaTime(stamp: packet.pointee.pts, base: base) ?? MediaTime(stamp: packet.pointee.dts, base: base))
                .map { $0 - start }
            // A duration longer than any plausible gap counts as unknown.
            if type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO,
                let length = MediaTime(stamp: packet.pointee.duration, base: base),
                length > corrector.longest(at: time ?? .zero)
            {
                packet.pointee.duration = 0
            }
        case .guessed(let at, let length):
            // Only the decoder knows the order in which frames are displayed, so it assigns their times.
            let ticks = type == AVMEDIA_TYPE_VIDEO ? none : (at + start).stamp(in: base)
            packet.pointee.pts = ticks
            packet.pointee.dts = ticks
            packet.pointee.duration = length.stamp(in: base)
            time = at
        }
        guard marksPlaces, let time, Int(packet.pointee.stream_index) == marked,
            packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        else { return }
        landmarks.add(.init(time: time, position: packet.pointee.pos, shift: corrector.shift(of: marked)))
    }
}

/// The positions in a file at which decoding can begin, for containers without an index.
struct Landmarks {
    struct Mark {
        let time: MediaTime
        /// The offset in bytes from the start of the file.
        let position: Int64
        /// The shift of the timestamps from there on.
        let shift: MediaTime
    }
    private(set) var marks: [Mark] = []
    private static let limit = 1 << 17

    mutating func add(_ mark: Mark) {
        guard mark.position >= 0, marks.count < Landmarks.limit else { return }
        if let last = marks.last, mark.position <= last.position || mark.time <= last.time { return }
        marks.append(mark)
    }

    /// Returns the last mark at or before `time`; `nil` if there is none.
    func last(before time: MediaTime) -> Mark? {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? marks[low - 1] : nil
    }
    var end: MediaTime? { marks.last?.time }
}
