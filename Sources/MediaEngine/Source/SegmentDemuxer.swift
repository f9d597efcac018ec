import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// One container over the segments of a stream that continue each other: libavformat reads them as one file.
///
/// It ends where the next segment does not continue the last: another rung, a discontinuity, another
/// initialization section. That segment is `pending` then, for the demuxer after this one.
final class SegmentDemuxer {
    let first: StreamSegment
    let context: UnsafeMutablePointer<AVFormatContext>
    private var container: Owned<AVFormatContext>?
    private let input: Owned<AVIOContext>
    private let bytes: SegmentBytes
    /// 90 kHz ticks at which packed audio begins, by its ID3 tag (RFC 8216 §3.4); nil elsewhere.
    let packedStart: Int64?
    let isPacked: Bool

    private static let ioSize: Int32 = 32 << 10

    enum Opened {
        case demuxer(SegmentDemuxer)
        /// The segment was given up before it could be opened.
        case replaced
    }

    /// Waits for as much of `segment` as tells its tracks.
    static func open(_ segment: StreamSegment, feed: SegmentFeed) throws(AVError) -> Opened {
        let bytes = SegmentBytes(segment, feed)
        do throws(AVError) {
            let demuxer = try SegmentDemuxer(segment, bytes)
            bytes.isOpening = false
            return .demuxer(demuxer)
        } catch {
            // libavformat has looked for media in them, too; they may have some without this one.
            feed.putBack(bytes.taken)
            if case .replaced = bytes.outcome { return .replaced }
            throw error
        }
    }

    private init(_ segment: StreamSegment, _ bytes: SegmentBytes) throws(AVError) {
        first = segment
        self.bytes = bytes
        guard let tag = PackedAudio.tag(of: segment) else {
            throw AVError(.cancelled, at: segment.location, reason: "the operation was cancelled")
        }
        bytes.begin()
        isPacked = tag.isPacked
        packedStart = tag.timestamp
        bytes.stopsAtEnd = tag.isPacked
        // libavformat would look for media in the segments behind it, and leave this one out without a word.
        if !tag.isPacked, !SegmentHead.isMedia(segment) {
            // Its end may tell why: a wrong key makes noise of it.
            if case .failed(let error) = segment.buffer.finalState() { throw error }
            throw SegmentDemuxer.error(zt_averror_invaliddata(), bytes, segment)
        }
        if SegmentHead.isMP4(segment), let header = segment.initialization, case .complete = header.finalState(),
            MP4Boxes.hasNumberlessFragments(header.peek(0, 1 << 20))
        {
            throw AVError(
                .fileFailedToParse, at: segment.location,
                reason: "a track in the initialization section has no header",
                suggestion: "Check what the server returns for this URL")
        }
        guard let allocated = Owned<AVFormatContext>(avformat_alloc_context()),
            let input = SegmentDemuxer.input(reading: bytes)
        else { throw AVError(.unknown, at: segment.location, reason: "there is not enough memory") }
        let fresh = allocated.raw
        self.input = input
        fresh.pointee.pb = self.input.raw
        fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_GENPTS
        // What a segment refers to (a segment that is a playlist itself) is not opened.
        fresh.pointee.protocol_whitelist = av_strdup("data,crypto")
        // Enough to know the tracks; each byte of it is waited for. The frame rate, which takes many pictures to
        // tell, the playlist knows.
        fresh.pointee.probesize = 1 << 20
        fresh.pointee.max_analyze_duration = 1_000_000
        fresh.pointee.fps_probe_size = 2
        var options = CodecOptions()
        if let key = segment.sampleKey {
            options.set("decryption_key", key.key.map { String(format: "%02x", $0) }.joined())
        }
        _ = MediaSource.libraryIsSet
        var opened: UnsafeMutablePointer<AVFormatContext>? = allocated.release()
        var rc = avformat_open_input(&opened, segment.name, nil, &options.raw)
        guard rc >= 0, let container = Owned<AVFormatContext>(opened) else {
            throw SegmentDemuxer.error(rc, bytes, segment)
        }
        let ready = container.raw
        context = ready
        self.container = consume container
        rc = avformat_find_stream_info(ready, nil)
        if rc < 0 || ready.pointee.nb_streams == 0 { throw SegmentDemuxer.error(rc, bytes, segment) }
    }

    deinit {
        // Before the input is freed: closing may still touch it.
        container = nil
    }

    private static func input(reading bytes: SegmentBytes) -> Owned<AVIOContext>? {
        guard let memory = av_malloc(Int(SegmentDemuxer.ioSize)) else { return nil }
        guard
            let input = Owned<AVIOContext>(
                avio_alloc_context(
                    memory.assumingMemoryBound(to: UInt8.self), SegmentDemuxer.ioSize, 0,
                    Unmanaged.passUnretained(bytes).toOpaque(),
                    { opaque, target, size in
                        guard let opaque, let target, size > 0 else { return zt_averror_eof() }
                        return Unmanaged<SegmentBytes>.fromOpaque(opaque).takeUnretainedValue()
                            .read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(size)))
                    }, nil, nil))
        else {
            av_free(memory)
            return nil
        }
        input.raw.pointee.seekable = 0
        return input
    }

    private static func error(_ rc: Int32, _ bytes: SegmentBytes, _ segment: StreamSegment) -> AVError {
        switch bytes.outcome {
        case .failed(let error), .broken(let error): error
        case .interrupted: AVError(.cancelled, at: segment.location, reason: "the operation was cancelled")
        default:
            AVError(
                .fileFormatNotRecognized, at: segment.location,
                reason: "the segment is not media, or is damaged (\(MediaSource.ffmpegText(rc)))",
                suggestion: "Check what the server returns for this URL", underlying: rc)
        }
    }

    var streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?> {
        UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    }

    var isTransportStream: Bool {
        context.pointee.iformat?.pointee.name.map { String(cString: $0) } == "mpegts"
    }

    /// What came instead of a continuation; nil before the end.
    var outcome: SegmentBytes.Outcome? { bytes.outcome }
    /// The segment from which the newest bytes are.
    var current: StreamSegment { bytes.segment }
    /// The segment from which the byte at `position` is, as packets tell it; the newest one where they don't.
    func segment(at position: Int64) -> StreamSegment { bytes.segment(at: position) }
}

/// The bytes of a run of segments, for libavformat's reads.
final class SegmentBytes {
    enum Outcome {
        /// It goes on with this segment, in another container.
        case next(StreamSegment)
        /// The segment being read was given up; the same time follows from another rung.
        case replaced
        case end
        case jump(MediaTime)
        /// Nothing more comes.
        case failed(AVError)
        /// The segment being read breaks off; what follows may be read.
        case broken(AVError)
        case interrupted
    }

    private let feed: SegmentFeed
    private(set) var segment: StreamSegment
    private(set) var outcome: Outcome?
    /// Packed audio: each segment has its own tag, and so its own container.
    var stopsAtEnd = false
    private var offset = 0
    private var isInInitialization: Bool
    /// Bytes handed out, and with which of them the newest segments begin.
    private var position: Int64 = 0
    private var beginnings: [(position: Int64, segment: StreamSegment)]
    /// Until the container is open: the segments behind the first that have been taken from the feed.
    private(set) var taken: [StreamSegment] = []
    var isOpening = true { didSet { if !isOpening { taken = [] } } }
    /// Packets of so many segments may be in libavformat's hands at once.
    private static let remembered = 64

    init(_ segment: StreamSegment, _ feed: SegmentFeed) {
        self.segment = segment
        self.feed = feed
        isInInitialization = segment.initialization != nil
        beginnings = [(0, segment)]
    }

    func segment(at position: Int64) -> StreamSegment {
        guard position >= 0 else { return segment }
        return (beginnings.last { $0.position <= position } ?? beginnings[0]).segment
    }

    /// What stands before the media in the segment's bytes is left out.
    func begin() {
        offset = isInInitialization ? 0 : SegmentHead.disguise(segment)
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Int32 {
        while outcome == nil {
            let buffer = isInInitialization ? segment.initialization ?? segment.buffer : segment.buffer
            switch buffer.read(at: offset, into: target) {
            case .bytes(let n):
                offset += n
                position += Int64(n)
                return Int32(clamping: n)
            case .end where isInInitialization:
                isInInitialization = false
                begin()
            case .end: goOn()
            case .replaced: outcome = .replaced
            case .failed(let error): outcome = .broken(error)
            case .interrupted:
                outcome = .interrupted
                return zt_averror_exit()
            }
        }
        return zt_averror_eof()
    }

    /// fMP4: the segment's boxes end where it ends (ISO/IEC 14496-12 §4.2).
    private var isWhole: Bool {
        guard SegmentHead.isMP4(segment), !isInInitialization else { return true }
        var at = 0
        while at < offset {
            let head = segment.buffer.peek(at, 16)
            guard head.count >= 8 else { return false }
            var size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
            if size == 1, head.count == 16 {
                size = head[8..<16].reduce(0) { ($0 & 0xFF_FFFF_FFFF_FFFF) << 8 | Int($1) }
            }
            guard size >= 8, size <= offset - at else { return false }
            at += size
        }
        return true
    }

    private func goOn() {
        switch feed.next() {
        case .segment(let next):
            if isOpening { taken.append(next) }
            // A broken segment must not take the next one with it: libavformat would look for its next box in vain.
            if !stopsAtEnd, next.run == segment.run, SegmentHead.isMedia(next), isWhole {
                segment = next
                beginnings = beginnings.suffix(SegmentBytes.remembered - 1) + [(position, next)]
                begin()
            } else {
                outcome = .next(next)
            }
        case .end: outcome = .end
        case .jump(let time): outcome = .jump(MediaTime(nanoseconds: time))
        case .failed(let error): outcome = .failed(error)
        case .interrupted: outcome = .interrupted
        }
    }
}

extension StreamSegment {
    /// The first bytes, waited for: fewer than `limit` when there are no more. Nil: waiting was given up. What comes
    /// between giving up and being asked how it stands counts as well, or the rest of a segment would be taken for all
    /// of it.
    func beginning(_ limit: Int) -> [UInt8]? {
        let head = buffer.head(limit)
        guard head.count < limit else { return head }
        switch buffer.currentState {
        case .loading: return nil
        case .complete: return buffer.head(limit)
        case .failed, .replaced: return head
        }
    }
}

/// Whether a segment begins as media does, so that an error page or noise is not taken for it.
enum SegmentHead {
    /// Its initialization section is no transport stream's tables (RFC 8216 §3.2, §3.3).
    static func isMP4(_ segment: StreamSegment) -> Bool {
        segment.initialization.map { $0.head(1).first != 0x47 } ?? false
    }

    /// Bytes of a still image that some servers put before a transport stream, so that image hosts take it; 0: none.
    /// Waits for the first bytes.
    static func disguise(_ segment: StreamSegment) -> Int {
        guard segment.initialization == nil, let first = segment.beginning(4), TransportDisguise.isImage(first),
            let head = segment.beginning(TransportDisguise.reach)
        else { return 0 }
        return TransportDisguise.length(in: head)
    }

    /// Waits for the first bytes. A segment that broke off before them is not judged: reading it tells why.
    static func isMedia(_ segment: StreamSegment) -> Bool {
        // Two packets of a transport stream (ISO/IEC 13818-1 §2.4.3), wherever the first begins.
        guard let head = segment.beginning(3 * 188), head.count == 3 * 188 || segment.buffer.currentState == .complete
        else { return true }
        guard head.count >= 8 else { return false }
        if SegmentHead.disguise(segment) > 0 { return true }
        let type = String(decoding: head[4..<8], as: UTF8.self)
        if [
            "styp", "ftyp", "moof", "moov", "mdat", "sidx", "ssix", "emsg", "prft", "free", "skip", "uuid", "wide",
            "meta", "pdin",
        ].contains(type) {
            return true
        }
        if SegmentHead.isMP4(segment) { return false }
        if (0..<188).contains(where: {
            $0 < head.count && head[$0] == 0x47 && ($0 + 188 >= head.count || head[$0 + 188] == 0x47)
        }) {
            return true
        }
        // Packed audio of other kinds, WebM: anything that names itself.
        return [
            [0x49, 0x44, 0x33], [0x1A, 0x45, 0xDF, 0xA3], [0x66, 0x4C, 0x61, 0x43], [0x4F, 0x67, 0x67, 0x53],
            [0x0B, 0x77],
        ].contains { head.starts(with: $0) }
            || head[0] == 0xFF && head[1] & 0xE0 == 0xE0
    }
}

/// Elementary streams of sound in segments of their own, marked by an ID3 tag (RFC 8216 §3.4).
enum PackedAudio {
    /// Whether `segment` is packed audio, and the 33-bit 90 kHz time its tag gives; nil: it was given up before that is
    /// known.
    static func tag(of segment: StreamSegment) -> (isPacked: Bool, timestamp: Int64?)? {
        guard segment.initialization == nil else { return (false, nil) }
        guard let head = segment.beginning(10) else { return nil }
        guard head.count == 10 else { return (false, nil) }
        guard head.starts(with: [0x49, 0x44, 0x33]) else {  // "ID3"
            // ADTS or MPEG audio sync, or AC-3; a transport stream begins with 0x47.
            let isSync = head[0] == 0xFF && head[1] & 0xE0 == 0xE0 || head[0] == 0x0B && head[1] == 0x77
            return (isSync, nil)
        }
        let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        guard let tag = segment.beginning(min(10 + size, 64 << 10)) else { return nil }
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        guard let place = tag.indices.first(where: { tag[$0...].starts(with: owner) }),
            tag.count >= place + owner.count + 8
        else { return (true, nil) }
        let stamp = tag[(place + owner.count)..<(place + owner.count + 8)].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return (true, stamp & 0x1_FFFF_FFFF)
    }
}
