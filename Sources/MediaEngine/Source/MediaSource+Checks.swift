import CFFmpeg
import Foundation
import MediaCore

extension MediaSource {
    /// libavformat's names of the demuxer in use.
    package var formatName: String {
        context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
    }

    /// Refuses what libavformat opens though it is no audio and no video: text that it would draw
    /// as terminal art, still pictures, subtitle files.
    package func requireMedia() throws(AVError) {
        let name = formatName
        if name == "image2" || name.hasSuffix("_pipe") {
            throw AVError(
                .fileFormatNotRecognized, at: location, reason: "the file is a still image, not audio or video",
                suggestion: "Open the file in an image viewer")
        }
        if ["tty", "bin", "xbin", "adf", "idf", "ffmetadata"].contains(name) {
            throw AVError(.fileFormatNotRecognized, at: location, reason: "the file is text, not audio or video")
        }
        // libavformat takes one in a few hundred files of random bytes for a raw H.263 stream, with no more
        // certainty than it asks to see more bytes with (AVPROBE_SCORE_RETRY, avformat.h). Then the name must agree.
        if context.pointee.probe_score <= 25,
            av_match_ext(remote?.fileName ?? location, context.pointee.iformat?.pointee.extensions) == 0
        {
            throw AVError(
                .fileFormatNotRecognized, at: location,
                reason: "the file is not in a known audio or video format (its data faintly resembles \(name))")
        }
        let hasMedia = streams.contains { stream in
            let type = stream?.pointee.codecpar?.pointee.codec_type
            return type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO
        }
        guard hasMedia else {
            throw AVError(
                .noPlayableTracks, at: location, reason: "the file contains no audio or video (its format is \(name))",
                suggestion: "Choose a file with audio or video")
        }
    }

    /// Why what it holds cannot be decoded though its codecs are known: it is locked.
    var locked: AVError? {
        protection.map {
            AVError(
                .unsupportedKeySystem, at: location,
                reason: "the file is encrypted (\($0)), and this player has no key for it",
                suggestion: "Play the file in the app it is licensed for, or get an unprotected copy")
        }
    }

    /// Refuses a file whose header is whole but which is cut off before its first packet of audio or video.
    /// Costs nothing: probing has these packets in memory. Moves the reading position.
    func requirePackets() throws(AVError) {
        guard let owner = Owned<AVPacket>(av_packet_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        let packet = owner.raw
        for _ in 0..<4096 {
            let rc = read(packet)
            if rc < 0 {
                if let error = remote?.error { throw error }
                let error = MediaSource.error(rc, at: location, interrupt: nil, whileOpening: false)
                throw AVError(
                    .fileFailedToParse, at: location, reason: "the file ends before its first packet of audio or video",
                    suggestion: "Copy or download the file again", underlying: error.underlying)
            }
            let index = Int(packet.pointee.stream_index)
            let stream = index < streams.count ? streams[index] : nil
            let size = packet.pointee.size
            let type = stream?.pointee.codecpar?.pointee.codec_type
            let isPicture = (stream?.pointee.disposition ?? 0) & AV_DISPOSITION_ATTACHED_PIC != 0
            av_packet_unref(packet)
            // A file whose only video is its cover still has sound to find.
            if size > 0, type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_VIDEO && !isPicture { return }
        }
    }

    /// The container that the bytes alone speak for, when opening it failed; nil if they speak for none.
    static func recognisedFormat(of name: [CChar]) -> String? {
        guard let file = OpenedFile.read(name) else { return nil }
        return recognisedFormat(in: file.raw)
    }

    /// The same of a remote file, by its first bytes, which are in memory.
    static func recognisedFormat(of input: RemoteInput) -> String? {
        guard avio_seek(input.context, 0, SEEK_SET) >= 0 else { return nil }
        return recognisedFormat(in: input.context)
    }

    private static func recognisedFormat(in io: UnsafeMutablePointer<AVIOContext>?) -> String? {
        var format: UnsafePointer<AVInputFormat>?
        let score = av_probe_input_buffer2(io, &format, nil, nil, 0, 0)
        guard score >= 50, let text = format?.pointee.long_name ?? format?.pointee.name else { return nil }
        return String(cString: text)
    }
}
