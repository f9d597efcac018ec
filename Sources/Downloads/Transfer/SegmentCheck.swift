import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// Whether what came is what the playlist promised: servers cut off with 200 and a length that agrees, and answer with
/// pages of words.
///
/// The segment is demuxed, which tells how long its media last; before that the container's own structure tells most of
/// what is cut off.
enum SegmentCheck {
    /// What belongs to a segment.
    struct Input {
        var bytes: [UInt8]
        /// Nil: none, or of no use here.
        var initialization: [UInt8] = []
        var decryption: (key: [UInt8], iv: [UInt8])?
        /// Its samples are encrypted one by one: what is not in boxes cannot be told apart without the key.
        var hasEncryptedSamples = false
        var kind: RenditionKind
        var fileExtension: String
        /// By the playlist, seconds.
        var duration: Double
        var location: String
    }

    /// - Throws: `.notMedia`, with what was found; `.keyMissing` where the key does not fit.
    static func check(_ input: Input) throws(DownloadError) {
        var bytes = input.bytes
        guard !bytes.isEmpty else { throw wrong(input, "is empty") }
        if let (key, iv) = input.decryption { bytes = try decrypted(bytes, key, iv, input) }
        let disguise = TransportDisguise.length(in: Array(bytes.prefix(TransportDisguise.reach)))
        if disguise > 0 { bytes.removeFirst(disguise) }
        switch input.fileExtension {
        case "vtt":
            let start: ArraySlice<UInt8> = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
            guard start.starts(with: Array("WEBVTT".utf8)) else { throw wrong(input, "is no WebVTT") }
            return
        case "ts":
            guard bytes.count >= 188, bytes[0] == 0x47 || bytes.starts(with: Array("ID3".utf8)) else { break }
            if bytes[0] == 0x47, bytes.count % 188 != 0 {
                throw wrong(input, "ends in the middle of a packet: it is cut off")
            }
        default: break
        }
        if !input.initialization.isEmpty || ["m4s", "mp4", "m4a", "m4v"].contains(input.fileExtension) {
            try checkBoxes(bytes, input)
        }
        // Single pictures last as long as somebody says they do.
        guard input.kind == .video || input.kind == .audio, input.duration > 0,
            !input.hasEncryptedSamples || !input.initialization.isEmpty
        else { return }
        guard
            let found = MeasuredMedia.duration(of: input.initialization.isEmpty ? bytes : input.initialization + bytes)
        else { throw wrong(input, "holds no media") }
        if found < leastDuration(input.duration) {
            throw wrong(
                input,
                String(
                    format: "holds %.2f of the %.2f s that the playlist tells of: it is cut off", found, input.duration)
            )
        }
    }

    /// What of a promised duration must be there: playlists round, and tracks end a little apart.
    private static func leastDuration(_ promised: Double) -> Double { promised - max(0.3, promised / 5) }

    /// A transport stream in the clear that lasts as long as promised, by its time stamps alone. False: perhaps not;
    /// `check` knows.
    static func isWhole(_ file: DiskFile.Handle, length: Int64, duration: Double) throws(DownloadError) -> Bool {
        guard length > 0, length % Int64(TransportStamps.packet) == 0 else { return false }
        var stamps = TransportStamps()
        var isTransport = true
        try file.read(from: 0, count: length, piece: 1024 * TransportStamps.packet) {
            isTransport = isTransport && stamps.take($0)
        }
        return isTransport && stamps.duration.map { $0 >= leastDuration(duration) } ?? false
    }

    private static func wrong(_ input: Input, _ reason: String) -> DownloadError {
        DownloadError(
            .notMedia, at: input.location, reason: reason, suggestion: "The server is at fault; try again later")
    }

    static func decrypted(_ bytes: [UInt8], _ key: [UInt8], _ iv: [UInt8], _ input: Input) throws(DownloadError)
        -> [UInt8]
    {
        guard let cipher = SegmentDecryptor(key: key, iv: iv) else {
            throw DownloadError(
                .keyMissing, at: input.location, reason: "its key is none",
                suggestion: "The stream's author has to mend it")
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        bytes.withUnsafeBytes { cipher.feed($0) { plain.append(contentsOf: $0) } }
        guard cipher.finish(to: { plain.append(contentsOf: $0) }) else {
            throw wrong(input, "cannot be decrypted: it is cut off, or the key is not the right one")
        }
        return plain
    }

    /// ISO 14496-12 §4.2: the boxes of the file end where it does.
    private static func checkBoxes(_ bytes: [UInt8], _ input: Input) throws(DownloadError) {
        var place = 0
        while place < bytes.count {
            guard place + 8 <= bytes.count else { throw wrong(input, "ends in the middle of a box: it is cut off") }
            func number(_ at: Int, _ count: Int) -> UInt64 { bytes[at..<at + count].reduce(0) { $0 << 8 | UInt64($1) } }
            var size = number(place, 4)
            if size == 0 { return }
            if size == 1 {
                guard place + 16 <= bytes.count else {
                    throw wrong(input, "ends in the middle of a box: it is cut off")
                }
                size = number(place + 8, 8)
            }
            guard size >= 8 else { throw wrong(input, "is no MP4") }
            guard size <= UInt64(bytes.count - place) else {
                throw wrong(input, "ends in the middle of a box: it is cut off")
            }
            place += Int(size)
        }
    }
}

/// How long media in memory last, by their time stamps.
private enum MeasuredMedia {
    private final class Reading {
        let bytes: [UInt8]
        var place = 0
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    /// Seconds of the longest of its tracks; nil: no demuxer knows it, or there is not one packet.
    static func duration(of bytes: [UInt8]) -> Double? {
        zt_quiet_logs()
        let reading = Reading(bytes)
        let me = Unmanaged.passUnretained(reading).toOpaque()
        guard let buffer = av_malloc(32 << 10) else { return nil }
        var io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), 32 << 10, 0, me,
            { me, target, size in
                guard let me, let target, size > 0 else { return zt_averror_eof() }
                let reading = Unmanaged<Reading>.fromOpaque(me).takeUnretainedValue()
                let count = min(Int(size), reading.bytes.count - reading.place)
                guard count > 0 else { return zt_averror_eof() }
                reading.bytes.withUnsafeBytes {
                    if let base = $0.baseAddress { memcpy(target, base + reading.place, count) }
                }
                reading.place += count
                return Int32(count)
            }, nil,
            { me, offset, whence in
                guard let me else { return -1 }
                let reading = Unmanaged<Reading>.fromOpaque(me).takeUnretainedValue()
                if whence == AVSEEK_SIZE { return Int64(reading.bytes.count) }
                let base: Int64 =
                    whence & 0xFF == SEEK_CUR
                    ? Int64(reading.place) : whence & 0xFF == SEEK_END ? Int64(reading.bytes.count) : 0
                let place = base.addingSaturating(offset)
                guard place >= 0, place <= Int64(reading.bytes.count) else { return -1 }
                reading.place = Int(place)
                return place
            })
        defer {
            if let io { av_freep(&io.pointee.buffer) }
            avio_context_free(&io)
        }
        var context = avformat_alloc_context()
        guard io != nil, context != nil else {
            avformat_free_context(context)
            return nil
        }
        context?.pointee.pb = io
        // Frees the context when it fails.
        guard avformat_open_input(&context, nil, nil, nil) >= 0, let opened = context else { return nil }
        defer { avformat_close_input(&context) }
        // Raw sound has no time stamps: its demuxer counts, once it knows the rate.
        let format = opened.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
        if format != "mpegts", !format.hasPrefix("mov") { avformat_find_stream_info(opened, nil) }
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        var spans: [Int32: (from: Double, to: Double, step: Double)] = [:]
        while let packet, av_read_frame(opened, packet) >= 0 {
            defer { av_packet_unref(packet) }
            let index = packet.pointee.stream_index
            let stamp = packet.pointee.pts != zt_nopts() ? packet.pointee.pts : packet.pointee.dts
            guard index >= 0, index < Int32(opened.pointee.nb_streams), let stream = opened.pointee.streams[Int(index)]
            else { continue }
            let base = av_q2d(stream.pointee.time_base)
            let time = stamp == zt_nopts() ? spans[index]?.to ?? 0 : Double(stamp) * base
            let length = Double(max(0, packet.pointee.duration)) * base
            guard time.isFinite, length.isFinite else { continue }
            if let known = spans[index] {
                let step = time > known.to ? min(time - known.to, 1) : known.step
                spans[index] = (min(known.from, time), max(known.to, time + length), step)
            } else {
                spans[index] = (time, time + length, 0)
            }
        }
        // The last packet lasts, too, where nobody says how long.
        return spans.values.map { $0.to - $0.from + $0.step }.max()
    }
}
