import CFFmpeg
import Foundation
import MediaCore

/// Detection of files that end earlier than their headers specify.
extension MediaSource {
    /// The error for a file that ends early; `nil` if it does not, as far as its container specifies. Containers that
    /// never specify their length (transport streams, recorded broadcasts) do not count as truncated.
    ///
    /// Before the end of the file has been read, only the sizes in its headers are checked. Afterward, the end of its
    /// packets is checked too, and so are all fragments of a local MP4 file.
    var truncation: AVError? {
        if let problem = ordered?.problem { return problem }
        // The length of a pipe's data is unknown until its end.
        guard piped?.media.isWhole != false else { return nil }
        if let cutOff = remote?.cutOff { return cutOff }
        if let missing = missingBytes {
            return AVError(
                .fileTruncated, at: location,
                reason: "the file is cut off (\(MediaSource.amount(missing)) are missing)",
                suggestion: "Copy or download the file again")
        }
        guard let reached = endReached, let (promised, tolerance) = promisedEnd,
            reached < promised - max(tolerance, promised / 50)
        else { return nil }
        return AVError(
            .fileTruncated, at: location,
            reason: String(
                format: "the file is cut off after %.1f s, but its header announces %.1f s",
                max(0, reached.seconds),
                promised.seconds),
            suggestion: "Copy or download the file again")
    }

    private static func amount(_ bytes: Int64) -> String {
        bytes < 10_000 ? "\(bytes) bytes" : bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }

    /// The duration in the header, and its tolerance, for formats whose header counts only audio and video; `nil` for
    /// other formats.
    private var promisedEnd: (MediaTime, tolerance: MediaTime)? {
        guard let duration, context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM else { return nil }
        switch formatName {
        case "flac", "wav", "w64", "aiff", "caf", "wv", "tta": return (duration, MediaTime(seconds: 0.25))
        case "flv", "mp3": return (duration, MediaTime(seconds: 0.5))
        case "asf": return (duration, MediaTime(seconds: 3))
        default: return nil
        }
    }

    /// The number of bytes that the headers place after the end of the file; `nil` if there are none.
    private var missingBytes: Int64? {
        guard let io = context.pointee.pb else { return nil }
        let size = avio_size(io)
        guard size > 0 else { return nil }
        var end = promisedBytes
        if formatName.hasPrefix("mov") {
            end = max(sampleEnd ?? 0, promisedBytes ?? 0)
            if endReached != nil, remote == nil, piped == nil { end = max(end ?? 0, MP4Boxes.end(io, size)) }
        }
        // More than a thousand times the file's size indicates a damaged header, not a truncated copy.
        guard let end, end > size, end / 1000 <= size else { return nil }
        return end - size
    }

    /// Returns the end of the file in bytes according to its header, for formats whose header contains a size.
    package static func promisedBytes(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ format: String, isRemote: Bool
    ) -> Int64? {
        guard let io = context.pointee.pb else { return nil }
        // libavformat reads fragments one by one. Finding the 2000 boxes of a thousand fragments takes a few
        // milliseconds.
        if format.hasPrefix("mov") { return isRemote ? nil : MP4Boxes.end(io, avio_size(io), boxes: 2000) }
        if format.hasPrefix("matroska") { return segmentEnd(io) }
        return format == "avi" || format == "wav" ? riffEnd(io) : nil
    }

    /// The end of the last sample of any track in bytes, according to the sample tables of MP4, which may precede all
    /// samples.
    private var sampleEnd: Int64? {
        var end: Int64 = 0
        for case let stream? in streams {
            let type = stream.pointee.codecpar?.pointee.codec_type
            guard type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO else { continue }
            let count = avformat_index_get_entries_count(stream)
            // Samples are usually in order, so the last thousand suffice.
            for index in max(0, count - 1000)..<max(0, count) {
                guard let entry = avformat_index_get_entry(stream, index) else { continue }
                end = max(end, entry.pointee.pos.addingSaturating(Int64(entry.pointee.size)))
            }
        }
        return end
    }

    /// Returns the end of a Matroska segment in bytes (RFC 8794 §4, RFC 9559 §5.1); `nil` if unknown, as while the file
    /// is being written.
    private static func segmentEnd(_ io: UnsafeMutablePointer<AVIOContext>) -> Int64? {
        header(io) { bytes in
            var at = 0
            func element() -> (id: UInt64, size: UInt64?)? {
                func number(keepingMark: Bool) -> (UInt64, Bool)? {
                    guard at < bytes.count, bytes[at] != 0 else { return nil }
                    let length = bytes[at].leadingZeroBitCount + 1
                    guard at + length <= bytes.count else { return nil }
                    var value = keepingMark ? UInt64(bytes[at]) : UInt64(bytes[at]) & (1 << UInt64(8 - length) - 1)
                    for i in 1..<max(1, length) { value = value << 8 | UInt64(bytes[at + i]) }
                    at += length
                    return (value, !keepingMark && value == 1 << UInt64(7 * length) - 1)
                }
                guard let (id, _) = number(keepingMark: true), let (size, isUnknown) = number(keepingMark: false) else {
                    return nil
                }
                return (id, isUnknown ? nil : size)
            }
            while let (id, size) = element() {
                if id == 0x1853_8067 {
                    guard let size, size < UInt64(Int64.max) / 2 else { return nil }
                    return Int64(at) + Int64(size)
                }
                guard let size, size < UInt64(bytes.count - at) else { return nil }
                at += Int(size)
            }
            return nil
        }
    }

    /// Returns the end of the first chunk of an AVI or WAV file in bytes; `nil` if its size was never filled in.
    private static func riffEnd(_ io: UnsafeMutablePointer<AVIOContext>) -> Int64? {
        header(io) { bytes in
            guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8) else { return nil }
            let size = Int64(bytes[4]) | Int64(bytes[5]) << 8 | Int64(bytes[6]) << 16 | Int64(bytes[7]) << 24
            // Writers that cannot seek leave no bits or all bits set; some omit the last byte of padding.
            return size < 16 || size >= 0xFFFF_FF00 || size == 0x7FFF_FFFF ? nil : size + 8 - 1
        }
    }

    private static func header(_ io: UnsafeMutablePointer<AVIOContext>, _ parse: ([UInt8]) -> Int64?) -> Int64? {
        guard io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return nil }
        let savedPosition = avio_tell(io)
        defer { avio_seek(io, savedPosition, SEEK_SET) }
        guard avio_seek(io, 0, SEEK_SET) >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 512)
        let got = avio_read(io, &bytes, 512)
        return got > 0 ? parse(Array(bytes.prefix(Int(got)))) : nil
    }
}
