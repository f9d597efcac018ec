import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// Functions that read subtitles in memory with libavformat and libavcodec.
enum TextDecoders {
    /// Decodes SubRip cues, including libavcodec's tags, into `store`.
    static func subRip(_ cues: [SubRipParser.Cue], into store: SubtitleStore, _ report: inout SubtitleReport)
        throws(AVError)
    {
        guard let owned = Owned<AVCodecParameters>(avcodec_parameters_alloc()) else {
            throw AVError(.unknown, at: "", reason: "there is not enough memory")
        }
        let parameters = owned.raw
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = AV_CODEC_ID_SUBRIP
        let timeBase = AVRational(num: 1, den: 1_000_000)
        guard let decoder = SubtitleDecoder(parameters: parameters, timeBase: timeBase, startOffset: 0, store: store),
            let packetOwner = Owned<AVPacket>(av_packet_alloc())
        else {
            throw AVError(.decoderNotFound, at: "", reason: "the installed FFmpeg has no decoder for SubRip subtitles")
        }
        let packet = packetOwner.raw
        for cue in cues {
            // libavcodec's result may be longer than the input, so more than the limit is passed. The store cuts the
            // result off and counts it.
            let bytes = Array(cue.text.cut(toUTF8: 2 * SubtitleCue.longestText).utf8)
            guard av_new_packet(packet, Int32(bytes.count)) >= 0 else { continue }
            bytes.withUnsafeBytes { source in
                if let start = source.baseAddress {
                    packet.pointee.data.update(from: start.assumingMemoryBound(to: UInt8.self), count: source.count)
                }
            }
            packet.pointee.pts = cue.start / 1000
            packet.pointee.duration = (cue.end - cue.start) / 1000
            decoder.decode(packet)
            av_packet_unref(packet)
        }
        report.shortenedCues += decoder.shortened
    }

    /// The bytes that a demuxer reads, and its position.
    private final class InputBytes {
        let bytes: [UInt8]
        var position = 0
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    /// Reads subtitles in any format that libavformat knows into `store`.
    ///
    /// - Returns: libavformat's name of the format.
    static func read(
        _ bytes: [UInt8], name: String, at location: String, into store: SubtitleStore, _ report: inout SubtitleReport
    ) throws(AVError) -> String {
        let input = InputBytes(bytes)
        let opaque = Unmanaged.passUnretained(input).toOpaque()
        guard let buffer = av_malloc(32 << 10),
            let input = Owned<AVIOContext>(
                avio_alloc_context(
                    buffer.assumingMemoryBound(to: UInt8.self), 32 << 10, 0, opaque,
                    { opaque, target, count in
                        guard let opaque, let target else { return zt_averror_eof() }
                        let input = Unmanaged<InputBytes>.fromOpaque(opaque).takeUnretainedValue()
                        let size = min(Int(count), input.bytes.count - input.position)
                        guard size > 0 else { return zt_averror_eof() }
                        input.bytes.withUnsafeBufferPointer { source in
                            if let start = source.baseAddress {
                                target.update(from: start + input.position, count: size)
                            }
                        }
                        input.position += size
                        return Int32(size)
                    }, nil,
                    { opaque, offset, whence in
                        guard let opaque else { return -1 }
                        let input = Unmanaged<InputBytes>.fromOpaque(opaque).takeUnretainedValue()
                        switch whence & ~AVSEEK_FORCE {
                        case AVSEEK_SIZE: return Int64(input.bytes.count)
                        case SEEK_SET: input.position = min(max(0, Int(offset)), input.bytes.count)
                        case SEEK_CUR:
                            input.position = min(max(0, input.position + Int(offset)), input.bytes.count)
                        default: return -1
                        }
                        return Int64(input.position)
                    }))
        else { throw AVError(.unknown, at: location, reason: "there is not enough memory") }
        var context = avformat_alloc_context()
        context?.pointee.pb = input.raw
        // A subtitle file must not make libavformat open other URLs.
        context?.pointee.protocol_whitelist = av_strdup("data")
        defer { withExtendedLifetime(input) {} }
        // libavformat detects MicroDVD only from three lines, so the format is set explicitly.
        let isFrames = isMicroDVD(firstLine(bytes))
        let rc = avformat_open_input(&context, name, isFrames ? av_find_input_format("microdvd") : nil, nil)
        // If opening fails, `avformat_open_input` frees the context.
        guard let container = Owned<AVFormatContext>(context), case let context = container.raw,
            let stream = (0..<Int(context.pointee.nb_streams)).lazy.compactMap({ context.pointee.streams[$0] })
                .first(where: { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE })
        else {
            throw AVError(
                .fileFormatNotRecognized, at: location,
                reason: "the file contains no readable subtitles (line 1 is “\(firstLine(bytes))”)",
                suggestion:
                    "Choose a file in a supported format: WebVTT, SubRip, SubStation Alpha, MicroDVD, SAMI and others",
                underlying: rc)
        }
        let format = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        guard let decoder = SubtitleDecoder(stream: stream, startOffset: 0, store: store),
            let packetOwner = Owned<AVPacket>(av_packet_alloc())
        else {
            throw AVError(
                .decoderNotFound, at: location, reason: "the installed FFmpeg has no decoder for \(format) subtitles")
        }
        let packet = packetOwner.raw
        while av_read_frame(context, packet) >= 0 {
            let before = decoder.failures
            if packet.pointee.stream_index == stream.pointee.index { decoder.decode(packet) }
            if decoder.failures > before, !isBlank(packet) {
                report.skip(line: 0, "the cue's text or times are not valid")
            }
            av_packet_unref(packet)
        }
        report.cues += store.cues.count
        report.shortenedCues += decoder.shortened
        return format
    }

    /// Returns whether a packet contains only spaces. SAMI removes text with a space, which libavcodec reports as an
    /// error.
    private static func isBlank(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let data = packet.pointee.data, packet.pointee.size > 0 else { return true }
        var text = ""
        var isTag = false
        for character in String(
            decoding: UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)), as: UTF8.self)
        {
            if character == "<" { isTag = true }
            if !isTag { text.append(character) }
            if character == ">" { isTag = false }
        }
        return text.replacingOccurrences(of: "&nbsp;", with: "").allSatisfy { $0.isWhitespace || $0 == ";" }
    }

    /// Returns whether a line begins like MicroDVD: `{12}{34}text`. The second number may be missing.
    private static func isMicroDVD(_ line: String) -> Bool { line.prefixMatch(of: /\{[0-9]+\}\{[0-9]*\}/) != nil }

    static func firstLine(_ bytes: [UInt8]) -> String {
        let line = String(
            decoding: bytes.drop { $0 <= 0x20 }.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(60), as: UTF8.self)
        return line.filter { !$0.isNewline && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
    }
}
