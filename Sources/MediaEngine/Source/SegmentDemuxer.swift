import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A container over consecutive segments of a stream, which libavformat reads as one file.
///
/// It ends where the next segment does not continue the last one: with another variant, a discontinuity or another
/// initialization section. `outcome` then contains the next segment, for the next demuxer.
final class SegmentDemuxer {
    let first: StreamSegment
    let context: UnsafeMutablePointer<AVFormatContext>
    private var container: Owned<AVFormatContext>?
    private let input: Owned<AVIOContext>
    private let bytes: SegmentBytes
    /// The start of packed audio in 90 kHz ticks, from its ID3 tag (RFC 8216 §3.4); `nil` for other segments.
    let packedStart: Int64?
    let isPacked: Bool

    private static let ioSize: Int32 = 32 << 10

    enum Opened {
        case demuxer(SegmentDemuxer)
        /// The segment was abandoned before it could be opened.
        case replaced
    }

    /// Opens `segment`. Waits until enough data to determine its tracks is loaded.
    ///
    /// - Throws: The reason why the segment is unreadable; `.cancelled` if interrupted.
    static func open(_ segment: StreamSegment, feed: SegmentFeed) throws(AVError) -> Opened {
        let bytes = SegmentBytes(segment, feed)
        do throws(AVError) {
            let demuxer = try SegmentDemuxer(segment, bytes)
            bytes.isOpening = false
            return .demuxer(demuxer)
        } catch {
            // libavformat has also looked for media in the segments that follow. They may be readable without this one.
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
        // If this segment is not media, libavformat would look for media in the following segments, and silently skip
        // this one.
        if !tag.isPacked, !SegmentHead.isMedia(segment) {
            // The end of the segment may reveal the reason: with a wrong key its data is noise.
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
        // URLs that a segment refers to (a segment that is itself a playlist) are not opened.
        fresh.pointee.protocol_whitelist = av_strdup("data,crypto")
        // These limits suffice to determine the tracks. They are low, because every probed byte has to be loaded first.
        // The frame rate is in the playlist; probing it would take many frames.
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
        // The container must be closed before the input is freed, because closing may still use the input.
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

    /// Reads the next packet, like `av_read_frame`, but with the presentation times of the segment.
    func read(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        let rc = av_read_frame(context, packet)
        // Another copy or variant contains the whole frame. If a part of it were returned, the frame would count as
        // displayed.
        if rc >= 0, packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, bytes.isCutOff {
            av_packet_unref(packet)
            return zt_averror_eof()
        }
        let index = Int(packet.pointee.stream_index)
        if rc >= 0, streams.indices.contains(index) { bytes.delay.remove(from: packet, of: streams[index]) }
        return rc
    }

    /// The reason why reading ended; `nil` before the end.
    var outcome: SegmentBytes.Outcome? { bytes.outcome }
    /// The segment of the newest bytes.
    var current: StreamSegment { bytes.segment }
    /// Returns the event messages that were read since the last call, with their segments.
    func takeMessages() -> [(message: EventMessage, segment: StreamSegment)] { bytes.takeMessages() }
    /// Returns the segment that contains the byte at `position` of a packet, or the newest one if the position is
    /// unknown.
    func segment(at position: Int64) -> StreamSegment { bytes.segment(at: position) }
}

/// The bytes of consecutive segments, read by libavformat.
final class SegmentBytes {
    enum Outcome {
        /// The next segment follows in another container.
        case next(StreamSegment)
        /// The segment being read was abandoned. Another variant supplies the same time.
        case replaced
        case end
        case jump(MediaTime)
        /// No more segments follow.
        case failed(AVError)
        /// The segment being read failed. The next one may be readable.
        case broken(AVError)
        case interrupted
    }

    private let feed: SegmentFeed
    private(set) var segment: StreamSegment
    private(set) var outcome: Outcome?
    /// Whether the bytes end within a segment whose time another copy or variant supplies.
    var isCutOff: Bool {
        switch outcome {
        case .replaced, .broken: true
        default: false
        }
    }
    /// Whether reading ends after each segment, because each segment of packed audio has its own tag.
    var stopsAtEnd = false
    private var offset = 0
    /// The end of the newest known box of an fMP4 segment; it may be after `offset`.
    private var boxEnd = 0
    private var isMP4 = false
    /// The delay of the tracks up to `offset`.
    private(set) var delay = CompositionDelay()
    private var isInInitialization: Bool
    /// The event messages in the newest segments.
    private var messages: [(message: EventMessage, segment: StreamSegment)] = []
    /// The number of bytes that were returned.
    private var position: Int64 = 0
    /// The positions at which the newest segments begin.
    private var beginnings: [(position: Int64, segment: StreamSegment)]
    /// The segments after the first that were taken from the feed while the container was being opened.
    private(set) var taken: [StreamSegment] = []
    var isOpening = true { didSet { if !isOpening { taken = [] } } }
    /// The number of segments whose packets libavformat may hold at once.
    private static let remembered = 64

    init(_ segment: StreamSegment, _ feed: SegmentFeed) {
        self.segment = segment
        self.feed = feed
        isInInitialization = segment.initialization != nil
        beginnings = [(0, segment)]
    }

    func takeMessages() -> [(message: EventMessage, segment: StreamSegment)] {
        if messages.isEmpty { return [] }
        defer { messages = [] }
        return messages
    }

    func segment(at position: Int64) -> StreamSegment {
        guard position >= 0 else { return segment }
        return (beginnings.last { $0.position <= position } ?? beginnings[0]).segment
    }

    /// Skips data that precedes the media in the segment.
    func begin() {
        offset = isInInitialization ? 0 : SegmentHead.disguise(segment)
        boxEnd = 0
        isMP4 = SegmentHead.isMP4(segment)
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Int32 {
        while outcome == nil {
            let buffer = isInInitialization ? segment.initialization ?? segment.buffer : segment.buffer
            switch buffer.read(at: offset, into: target) {
            case .bytes(let n):
                offset += n
                position += Int64(n)
                readBoxes()
                return Int32(clamping: n)
            case .end where isInInitialization:
                isInInitialization = false
                begin()
            case .end: continueWithNextSegment()
            case .replaced: outcome = .replaced
            case .failed(let error): outcome = .broken(error)
            case .interrupted:
                outcome = .interrupted
                return zt_averror_exit()
            }
        }
        return zt_averror_eof()
    }

    /// Finds the boxes of an fMP4 segment up to `offset`, and reads the fragments and event messages among them.
    private func readBoxes() {
        guard isMP4, !isInInitialization else { return }
        func word(_ at: Int64) -> UInt32? {
            let bytes = segment.buffer.peek(Int(at), 4)
            return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
        }
        while boxEnd < offset, let (type, header, size) = MP4Boxes.box(word, Int64(boxEnd), .max / 2) {
            let end = boxEnd.addingSaturating(Int(size))
            if type == "emsg", header == 8, size <= EventMessage.largest {
                guard end <= offset else { return }
                if let message = EventMessage(box: segment.buffer.peek(boxEnd, Int(size))) {
                    messages = messages.suffix(63) + [(message, segment)]
                }
            }
            if type == "moof", size <= MP4Boxes.largestFragment {
                guard end <= offset else { return }
                delay.read(segment.buffer.peek(boxEnd, Int(size)), endingAt: position - Int64(offset - end))
            }
            boxEnd = end
        }
    }

    /// Whether the last box of an fMP4 segment ends where the segment ends (ISO/IEC 14496-12 §4.2).
    private var isWhole: Bool { !isMP4 || isInInitialization || boxEnd == offset }

    private func continueWithNextSegment() {
        switch feed.next() {
        case .segment(let next):
            if isOpening { taken.append(next) }
            // After a damaged segment, libavformat would look for the next box in vain, so the next segment gets its
            // own container.
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
    /// Returns the first bytes. Waits for them.
    ///
    /// - Returns: Fewer than `limit` bytes if there are no more; `nil` if the wait was interrupted. The bytes are read
    ///   again if loading finished in between, because the segment would otherwise seem to be shorter than it is.
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

/// Checks of the start of a segment, so that an error page or noise is not read as media.
enum SegmentHead {
    /// Returns whether the segment has an initialization section that is not one of a transport stream (RFC 8216 §3.2,
    /// §3.3).
    static func isMP4(_ segment: StreamSegment) -> Bool {
        segment.initialization.map { $0.head(1).first != 0x47 } ?? false
    }

    /// Returns the size in bytes of a still image before a transport stream, which some servers add so that image hosts
    /// accept the file; 0 if there is none. Waits for the first bytes.
    static func disguise(_ segment: StreamSegment) -> Int {
        guard segment.initialization == nil, let first = segment.beginning(4), TransportDisguise.isImage(first),
            let head = segment.beginning(TransportDisguise.reach)
        else { return 0 }
        return TransportDisguise.length(in: head)
    }

    /// Returns whether the segment begins like media. Waits for the first bytes. Returns `true` for a segment that
    /// failed before them, because reading it reports the error.
    static func isMedia(_ segment: StreamSegment) -> Bool {
        // Two packets of a transport stream (ISO/IEC 13818-1 §2.4.3), at any offset within the first 188 bytes.
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
        // Other packed audio, WebM and other formats with a signature.
        return [
            [0x49, 0x44, 0x33], [0x1A, 0x45, 0xDF, 0xA3], [0x66, 0x4C, 0x61, 0x43], [0x4F, 0x67, 0x67, 0x53],
            [0x0B, 0x77],
        ].contains { head.starts(with: $0) }
            || head[0] == 0xFF && head[1] & 0xE0 == 0xE0
    }
}

/// Elementary audio streams in segments, marked by an ID3 tag (RFC 8216 §3.4).
enum PackedAudio {
    /// The owner of the `PRIV` frame that contains the start.
    static let clock = "com.apple.streaming.transportStreamTimestamp"

    /// Returns whether `segment` is packed audio, and its start from the ID3 tag as 33-bit time in 90 kHz ticks; `nil`
    /// if the wait was interrupted.
    static func tag(of segment: StreamSegment) -> (isPacked: Bool, timestamp: Int64?)? {
        guard segment.initialization == nil else { return (false, nil) }
        guard let head = segment.beginning(10) else { return nil }
        guard head.count == 10 else { return (false, nil) }
        guard head.starts(with: [0x49, 0x44, 0x33]) else {  // "ID3"
            // ADTS or MPEG audio sync, or AC-3; a transport stream begins with 0x47.
            let isSync = head[0] == 0xFF && head[1] & 0xE0 == 0xE0 || head[0] == 0x0B && head[1] == 0x77
            return (isSync, nil)
        }
        guard let tag = id3(of: segment, head) else { return nil }
        let owner = Array(clock.utf8) + [0]
        guard let ownerIndex = tag.indices.first(where: { tag[$0...].starts(with: owner) }),
            tag.count >= ownerIndex + owner.count + 8
        else { return (true, nil) }
        let timestamp = tag[(ownerIndex + owner.count)..<(ownerIndex + owner.count + 8)].reduce(Int64(0)) {
            $0 << 8 | Int64($1)
        }
        return (true, timestamp & 0x1_FFFF_FFFF)
    }

    /// Returns the ID3 tag at the start of `segment`; `nil` if there is none, or if the wait was interrupted.
    static func id3(of segment: StreamSegment) -> [UInt8]? {
        guard segment.initialization == nil, let head = segment.beginning(10) else { return nil }
        return head.count == 10 && head.starts(with: [0x49, 0x44, 0x33]) ? id3(of: segment, head) : nil
    }
    private static func id3(of segment: StreamSegment, _ head: [UInt8]) -> [UInt8]? {
        let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return segment.beginning(min(10 + size, 64 << 10))
    }
}
