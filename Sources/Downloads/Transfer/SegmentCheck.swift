import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// The encryption of a resource, with its key.
enum SegmentCipher {
    case none
    /// The entire resource is encrypted with AES-128 (RFC 8216 §4.3.2.4).
    case whole(key: [UInt8], iv: [UInt8], keyLocation: String)
    /// Each sample is encrypted separately. Without decryption, only the structure of the boxes can be checked.
    case samples
}

/// The bytes of a received resource, in memory, or in their file if they are many. Must not be shared between threads.
enum SegmentBytes {
    case memory([UInt8])
    case file(DiskFile.Handle, Int64)

    /// The maximum number of bytes in memory. Longer resources stay in the file.
    private static let most: Int64 = 64 << 20

    init(_ file: DiskFile.Handle, _ length: Int64) throws(DownloadError) {
        self = length <= SegmentBytes.most ? .memory(try file.bytes(length)) : .file(file, length)
    }

    var count: Int64 {
        switch self {
        case .memory(let bytes): Int64(bytes.count)
        case .file(_, let length): length
        }
    }

    /// Returns the bytes without the first `count`. Bytes in a file are returned unchanged, because only short segments
    /// are disguised as images.
    func dropping(_ count: Int) -> SegmentBytes {
        guard count > 0, case .memory(let bytes) = self else { return self }
        return .memory(Array(bytes.dropFirst(count)))
    }

    /// Reads bytes at `position` until `target` is full or the bytes end.
    ///
    /// - Returns: The number of bytes read.
    func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
        guard position >= 0, position < count else { return 0 }
        let target = UnsafeMutableRawBufferPointer(rebasing: target[..<min(target.count, Int(count - position))])
        switch self {
        case .memory(let bytes):
            bytes.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(position)...].prefix(target.count)))
            }
            return target.count
        case .file(let file, _):
            return (try? file.read(at: position, into: target)) ?? 0
        }
    }

    /// Returns up to `count` bytes at `position`.
    func bytes(_ position: Int64, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = read(at: position, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

/// A check that a response is the segment that the playlist promised. Servers cut off responses with status 200 and a
/// matching length, answer with web pages, and return wrong keys.
///
/// The container's structure shows most truncations. After that, the segment is demuxed to measure its duration.
enum SegmentCheck {
    /// A segment and the data that its check needs.
    struct Input {
        var bytes: SegmentBytes
        /// The initialization section, or an empty array if there is none or it is not needed.
        var initialization: [UInt8] = []
        var cipher = SegmentCipher.none
        var kind: RenditionKind
        var fileExtension: String
        /// The duration in the playlist, in seconds.
        var duration: Double
        var location: String
    }

    /// Checks a segment.
    ///
    /// - Throws: `.notMedia` with the reason; `.wrongKey` if the segment does not decrypt to media.
    static func check(_ input: Input) throws(DownloadError) {
        guard input.bytes.count > 0 else { throw wrong(input, "the file is empty") }
        guard case .whole(_, _, let keyLocation) = input.cipher else { return try checkPlain(input) }
        guard case .memory(let bytes) = input.bytes else {
            // The segment is too long to be held in memory twice. Its first and last blocks show whether the key fits.
            return try checkEnds(input)
        }
        var plain = input
        plain.bytes = .memory(try decrypted(bytes, input.cipher, at: input.location))
        plain.cipher = .none
        do throws(DownloadError) { try checkPlain(plain) } catch {
            // If the decrypted bytes begin like media, the key is right and the segment has another fault.
            guard error.code == .notMedia, !isMedia(plain.bytes.bytes(0, 512)) else { throw error }
            throw wrongKey(input.location, keyLocation)
        }
        guard isMedia(plain.bytes.bytes(0, 512)) else { throw wrongKey(input.location, keyLocation) }
    }

    private static func checkPlain(_ input: Input) throws(DownloadError) {
        let disguise = TransportDisguise.length(in: input.bytes.bytes(0, TransportDisguise.reach))
        let bytes = input.bytes.dropping(disguise)
        let head = bytes.bytes(0, 512)
        guard !head.isEmpty else { throw wrong(input, "the file is empty") }
        switch input.fileExtension {
        case "vtt":
            let start: ArraySlice<UInt8> = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
            guard start.starts(with: Array("WEBVTT".utf8)) else { throw wrong(input, "the file is not WebVTT") }
            return
        case "ts":
            guard bytes.count >= 188, head[0] == 0x47 || head.starts(with: Array("ID3".utf8)) else { break }
            if head[0] == 0x47, bytes.count % 188 != 0 {
                throw wrong(input, "the file is cut off in the middle of a packet")
            }
        default: break
        }
        if !input.initialization.isEmpty || ["m4s", "mp4", "m4a", "m4v"].contains(input.fileExtension) {
            try checkBoxes(bytes, input)
        }
        let hasEncryptedSamples = if case .samples = input.cipher { true } else { false }
        // The duration of a single frame is arbitrary.
        guard input.kind == .video || input.kind == .audio, input.duration > 0,
            !hasEncryptedSamples || !input.initialization.isEmpty
        else { return }
        guard let found = MeasuredMedia(input.initialization, bytes), found.isSegment(beginning: head) else {
            throw wrong(input, "the file contains no media")
        }
        if found.duration < leastDuration(input.duration) {
            throw wrong(
                input,
                String(
                    format: "the file is cut off: it contains %.2f s of the %.2f s announced in the playlist",
                    found.duration,
                    input.duration))
        }
    }

    // MARK: encryption

    /// Returns whether bytes begin like a segment, an initialization section or cues (RFC 8216 §3).
    ///
    /// Such bytes begin with a box, a packet of a transport stream, an ID3 tag, a frame of packed audio, or WebVTT's
    /// signature.
    static func isMedia(_ head: [UInt8]) -> Bool {
        guard head.count >= 8 else { return false }
        // I-frames as images, and transport streams that are disguised as images. A GIF file also begins with the sync
        // byte of a transport stream.
        if TransportDisguise.isImage(head) { return true }
        if head[0] == 0x47 { return (head.count <= 188 || head[188] == 0x47) && !hasBrokenTable(head) }
        let boxes = [
            "ftyp", "styp", "moof", "moov", "sidx", "ssix", "emsg", "prft", "mdat", "free", "skip", "uuid", "wide",
        ]
        if boxes.contains(where: { head[4..<8].elementsEqual($0.utf8) }) { return true }
        if isPackedAudio(head) { return true }
        let signatures: [[UInt8]] = [
            Array("WEBVTT".utf8), [0xEF, 0xBB, 0xBF], [0x1A, 0x45, 0xDF, 0xA3], [0x00, 0x00, 0x01, 0xBA],
        ]
        return signatures.contains { head.starts(with: $0) }
    }

    /// Returns whether the first packet of a transport stream is a table with a wrong checksum (ISO 13818-1 §2.4.4). A
    /// wrong initialization vector changes the first block only, often only its last bytes.
    private static func hasBrokenTable(_ head: [UInt8]) -> Bool {
        // Only a packet with the beginning of a table and without an adaptation field can be checked.
        guard head.count >= 188, head[1] & 0x5F == 0x40, head[2] < 0x20, head[3] & 0x30 == 0x10 else { return false }
        let start = 5 + Int(head[4])
        guard start + 3 <= 188 else { return true }
        let end = start + 3 + (Int(head[start + 1] & 0x0F) << 8 | Int(head[start + 2]))
        guard end <= 188 else { return false }
        // The CRC-32/MPEG-2 of a table with its checksum is zero.
        let sum = head[start..<end].reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 * 0x04C1_1DB7) }
        }
        return sum != 0
    }

    /// Returns whether bytes begin with an ID3 tag or a frame of AAC, MPEG audio or AC-3.
    fileprivate static func isPackedAudio(_ head: [UInt8]) -> Bool {
        guard head.count >= 8 else { return false }
        if head.starts(with: Array("ID3".utf8)) || head.starts(with: [0x0B, 0x77]) { return true }
        // ADTS, or a layer of MPEG audio: a sync word, followed by no reserved values.
        guard head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
        if head[1] & 0xF6 == 0xF0 { return (head[2] >> 2) & 0x0F < 13 }
        return head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0 && head[2] >> 4 != 0x0F && head[2] & 0x0C != 0x0C
    }

    private static func wrongKey(_ location: String, _ keyLocation: String)
        -> DownloadError
    {
        DownloadError(
            .wrongKey, at: location,
            reason:
                "the key \(keyLocation) does not decrypt the segment: the key or its initialization vector is wrong",
            suggestion: "Try again later, or report the error to the publisher of the stream")
    }

    /// Decrypts the bytes of a resource.
    ///
    /// - Throws: `.keyMissing` if the key does not have 16 bytes; `.wrongKey`; `.notMedia` if the bytes do not form
    ///   entire blocks or are cut off.
    static func decrypted(_ bytes: [UInt8], _ cipher: SegmentCipher, at location: String) throws(DownloadError)
        -> [UInt8]
    {
        guard case .whole(let key, let iv, let keyLocation) = cipher else { return bytes }
        guard let decryptor = SegmentDecryptor(key: key, iv: iv) else {
            throw DownloadError(
                .keyMissing, at: location, reason: "the key \(keyLocation) does not have 16 bytes",
                suggestion: "Report the error to the publisher of the stream")
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        bytes.withUnsafeBytes { decryptor.feed($0) { plain.append(contentsOf: $0) } }
        guard decryptor.finish(to: { plain.append(contentsOf: $0) }) else {
            if !bytes.isEmpty, bytes.count % 16 == 0, !isMedia(Array(plain.prefix(512))) {
                throw wrongKey(location, keyLocation)
            }
            throw DownloadError(
                .notMedia, at: location, reason: "decryption failed: the key is wrong, or the file is cut off",
                suggestion: "Try again later, or report the error to the publisher of the stream")
        }
        return plain
    }

    /// Decrypts and checks the beginning and the last block, which contains the padding.
    private static func checkEnds(_ input: Input) throws(DownloadError) {
        guard case .whole(let key, let iv, let keyLocation) = input.cipher else { return }
        guard input.bytes.count % 16 == 0 else { throw wrong(input, "the file is cut off in the middle of a block") }
        var head: [UInt8] = []
        let first = input.bytes.bytes(0, 1024)
        if let cipher = SegmentDecryptor(key: key, iv: iv) {
            first.withUnsafeBytes { cipher.feed($0) { head.append(contentsOf: $0) } }
        }
        guard isMedia(head) else { throw wrongKey(input.location, keyLocation) }
        let last = input.bytes.bytes(input.bytes.count - 32, 32)
        _ = try decrypted(
            Array(last.suffix(16)), .whole(key: key, iv: Array(last.prefix(16)), keyLocation: keyLocation),
            at: input.location)
    }

    /// Returns the minimum duration, in seconds, that is accepted for a duration in the playlist. Playlists round
    /// durations, and tracks end at slightly different times.
    private static func leastDuration(_ promised: Double) -> Double { promised - max(0.3, promised / 5) }

    /// Returns whether an unencrypted transport stream lasts as long as promised, according to its timestamps alone. If
    /// false, `check` has to decide.
    static func isWhole(_ file: DiskFile.Handle, length: Int64, duration: Double) throws(DownloadError) -> Bool {
        guard length > 0, length % Int64(TransportTimestamps.packet) == 0 else { return false }
        var timestamps = TransportTimestamps()
        var isTransport = true
        try file.read(from: 0, count: length, piece: 1024 * TransportTimestamps.packet) {
            isTransport = isTransport && timestamps.take($0)
        }
        return isTransport && timestamps.duration.map { $0 >= leastDuration(duration) } ?? false
    }

    private static func wrong(_ input: Input, _ reason: String) -> DownloadError {
        DownloadError(
            .notMedia, at: input.location, reason: reason, suggestion: "Try again later")
    }

    /// Checks that the file consists of entire boxes (ISO 14496-12 §4.2).
    private static func checkBoxes(_ bytes: SegmentBytes, _ input: Input) throws(DownloadError) {
        var position: Int64 = 0
        while position < bytes.count {
            let head = bytes.bytes(position, 16)
            guard head.count >= 8 else { throw wrong(input, "the file is cut off, or is not MP4") }
            func number(_ range: Range<Int>) -> UInt64 { head[range].reduce(0) { $0 << 8 | UInt64($1) } }
            var size = number(0..<4)
            if size == 0 { return }
            if size == 1 {
                guard head.count >= 16 else { throw wrong(input, "the file is cut off, or is not MP4") }
                size = number(8..<16)
            }
            guard size >= 8 else { throw wrong(input, "the file is not MP4") }
            guard size <= UInt64(bytes.count - position) else {
                throw wrong(input, "the file is cut off, or is not MP4")
            }
            position += Int64(size)
        }
    }
}

/// The duration of media, measured by their timestamps.
private struct MeasuredMedia {
    /// The duration of the longest track, in seconds.
    private(set) var duration: Double
    /// The demuxer's name.
    private let format: String

    /// Returns whether the format may be a segment's. Some demuxers accept arbitrary bytes.
    func isSegment(beginning head: [UInt8]) -> Bool {
        if ["aac", "mp3", "ac3", "eac3"].contains(format) { return SegmentCheck.isPackedAudio(head) }
        return ["mpegts", "mpeg", "matroska", "webvtt"].contains { format.hasPrefix($0) } || format.hasPrefix("mov")
    }

    private final class Reading {
        let head: [UInt8]
        let body: SegmentBytes
        var position: Int64 = 0
        init(_ head: [UInt8], _ body: SegmentBytes) { (self.head, self.body) = (head, body) }
        var count: Int64 { Int64(head.count).addingSaturating(body.count) }

        func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
            if position < head.count {
                let piece = head[Int(position)...].prefix(target.count)
                piece.withUnsafeBytes { target.copyMemory(from: $0) }
                position += Int64(piece.count)
                return piece.count
            }
            let count = body.read(at: position - Int64(head.count), into: target)
            position += Int64(count)
            return count
        }
    }

    /// Measures media, or returns nil if no demuxer recognizes them or they contain no packet.
    init?(_ initialization: [UInt8], _ bytes: SegmentBytes) {
        zt_quiet_logs()
        let reading = Reading(initialization, bytes)
        let opaque = Unmanaged.passUnretained(reading).toOpaque()
        guard let buffer = av_malloc(32 << 10) else { return nil }
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), 32 << 10, 0, opaque,
            { opaque, target, size in
                guard let opaque, let target, size > 0 else { return zt_averror_eof() }
                let reading = Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
                let count = reading.read(UnsafeMutableRawBufferPointer(start: target, count: Int(size)))
                guard count > 0 else { return zt_averror_eof() }
                return Int32(count)
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return -1 }
                let reading = Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
                if whence == AVSEEK_SIZE { return reading.count }
                let base: Int64 =
                    whence & 0xFF == SEEK_CUR ? reading.position : whence & 0xFF == SEEK_END ? reading.count : 0
                let position = base.addingSaturating(offset)
                guard position >= 0, position <= reading.count else { return -1 }
                reading.position = position
                return position
            })
        guard let input = Owned<AVIOContext>(io) else { return nil }
        var context = avformat_alloc_context()
        context?.pointee.pb = input.raw
        // The call frees the context if it fails.
        guard context != nil, avformat_open_input(&context, nil, nil, nil) >= 0,
            let container = Owned<AVFormatContext>(context)
        else { return nil }
        let opened = container.raw
        // Raw audio has no timestamps: its demuxer counts samples, for which it needs the sample rate.
        format = opened.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
        if format != "mpegts", !format.hasPrefix("mov") { avformat_find_stream_info(opened, nil) }
        guard let owner = Owned<AVPacket>(av_packet_alloc()) else { return nil }
        let packet = owner.raw
        var spans: [Int32: (from: Double, to: Double, step: Double)] = [:]
        while av_read_frame(opened, packet) >= 0 {
            defer { av_packet_unref(packet) }
            let index = packet.pointee.stream_index
            let timestamp = packet.pointee.pts != zt_nopts() ? packet.pointee.pts : packet.pointee.dts
            guard index >= 0, index < Int32(opened.pointee.nb_streams), let stream = opened.pointee.streams[Int(index)]
            else { continue }
            let base = av_q2d(stream.pointee.time_base)
            let time = timestamp == zt_nopts() ? spans[index]?.to ?? 0 : Double(timestamp) * base
            let length = Double(max(0, packet.pointee.duration)) * base
            guard time.isFinite, length.isFinite else { continue }
            if let known = spans[index] {
                let step = time > known.to ? min(time - known.to, 1) : known.step
                spans[index] = (min(known.from, time), max(known.to, time + length), step)
            } else {
                spans[index] = (time, time + length, 0)
            }
        }
        // If the last packet has no duration, use its distance from the previous packet.
        guard let longest = spans.values.map({ $0.to - $0.from + $0.step }).max() else { return nil }
        duration = longest
    }
}
