import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The file of a part, open for reading.
final class PartFile {
    let location: String
    let record: PartRecord
    private let container: Owned<AVFormatContext>
    private let packetOwner: Owned<AVPacket>
    private var context: UnsafeMutablePointer<AVFormatContext> { container.raw }

    /// Opens the file of a part.
    /// - Throws: `.invalidArgument` if the file is not a part. `.fileFailedToParse` if its record is damaged.
    ///   `.fileTruncated` if the end of the file is missing. `.fileNotFound`.
    init(_ url: URL) throws(AVError) {
        location = url.location
        guard let path = FilePath(url) else {
            throw AVError(.invalidArgument, at: location, reason: "only files on this machine can be joined")
        }
        _ = MediaSource.libraryIsSet
        var made: UnsafeMutablePointer<AVFormatContext>?
        // The prefix “file:” keeps FFmpeg from reading a path with a colon as a protocol. Edit lists would change
        // timestamps and durations, which a join sets itself.
        var options = CodecOptions()
        options.set("ignore_editlist", "1")
        let rc = avformat_open_input(&made, Array("file:".utf8CString.dropLast()) + path.cString, nil, &options.raw)
        guard rc >= 0, let container = Owned<AVFormatContext>(made) else {
            if rc == zt_averror(ENOENT) {
                throw AVError(
                    .fileNotFound, at: location, reason: "the file does not exist", suggestion: "Check the spelling",
                    underlying: ENOENT)
            }
            throw PartFile.notAPartError(location, rc)
        }
        let text = av_dict_get(container.raw.pointee.metadata, PartRecord.key, nil, 0)?.pointee.value
        guard let text, let record = PartRecord(text: String(cString: text)) else {
            throw PartFile.notAPartError(location, 0)
        }
        try record.check(at: location)
        try PartFile.requireAllBytes(container.raw, at: location)
        guard let packet = Owned<AVPacket>(av_packet_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        self.record = record
        self.container = container
        packetOwner = packet
    }

    /// Checks that the file has the size in its header. A file in Matroska has no count of its frames, so a join would
    /// not notice frames that are missing at the end.
    /// - Throws: `.fileTruncated`.
    private static func requireAllBytes(_ context: UnsafeMutablePointer<AVFormatContext>, at location: String)
        throws(AVError)
    {
        let format = context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
        guard format.hasPrefix("matroska") else { return }
        let size = avio_size(context.pointee.pb)
        guard let end = MediaSource.promisedBytes(context, format, isRemote: false), end <= size else {
            throw AVError(
                .fileTruncated, at: location, reason: "the part is cut off after \(size) bytes",
                suggestion: "Copy it again, or render it again")
        }
    }

    private static func notAPartError(_ location: String, _ code: Int32) -> AVError {
        AVError(
            .invalidArgument, at: location, reason: "the file is not a part of an export",
            suggestion: "Name files that `zoetrope render --part` has written", underlying: code == 0 ? nil : code)
    }

    private func stream(_ type: CFFmpeg.AVMediaType) -> UnsafeMutablePointer<AVStream>? {
        (0..<Int(context.pointee.nb_streams)).lazy.compactMap { self.context.pointee.streams[$0] }.first {
            $0.pointee.codecpar.pointee.codec_type == type
        }
    }
    /// The video stream. Nil if no frame begins in the part.
    var pictures: UnsafeMutablePointer<AVStream>? { stream(AVMEDIA_TYPE_VIDEO) }
    var sound: UnsafeMutablePointer<AVStream>? { stream(AVMEDIA_TYPE_AUDIO) }

    /// The bytes that a decoder needs before the first frame.
    var parameterSets: [UInt8] {
        guard let parameters = pictures?.pointee.codecpar.pointee, let bytes = parameters.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(max(0, parameters.extradata_size))))
    }

    /// Passes all packets to `take`, in the order of the file. Each packet is valid only during the call.
    func read(_ take: (UnsafeMutablePointer<AVPacket>) throws(AVError) -> Void) throws(AVError) {
        let packet = packetOwner.raw
        while true {
            let rc = av_read_frame(context, packet)
            if rc == zt_averror_eof() { break }
            guard rc >= 0 else {
                throw AVError(
                    .readFailed, at: location, reason: "the part can't be read: \(MediaSource.ffmpegText(rc))",
                    suggestion: "Render it again", underlying: rc)
            }
            defer { av_packet_unref(packet) }
            try take(packet)
        }
    }
}
