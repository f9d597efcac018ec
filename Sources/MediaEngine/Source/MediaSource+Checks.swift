import CFFmpeg
import Foundation
import MediaCore

extension MediaSource {
    /// The name of the demuxer in libavformat.
    package var formatName: String {
        context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
    }

    /// Rejects files that libavformat opens but that are neither audio nor video: text that it would render as terminal
    /// art, still images and subtitle files.
    ///
    /// - Throws: The reason for the rejection.
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
        // libavformat mistakes one in a few hundred files of random bytes for a raw H.263 stream. The probe score is
        // then the lowest with which it continues (AVPROBE_SCORE_RETRY, avformat.h). With this score, the file name
        // must match the format.
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

    /// The error for an encrypted file, whose tracks cannot be decoded although their codecs are known; `nil` if it is
    /// not encrypted.
    var locked: AVError? {
        protection.map {
            AVError(
                .unsupportedKeySystem, at: location,
                reason: "the file is encrypted (\($0)), and this player has no key for it",
                suggestion: "Play the file in the app it is licensed for, or get an unprotected copy")
        }
    }

    /// Rejects a file with a complete header that is cut off before its first packet of audio or video. The check is
    /// fast, because these packets are in memory after probing. Moves the reading position.
    ///
    /// - Throws: The reason why no packet can be read.
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
            // If the only video is the cover art, the file may still contain audio.
            if size > 0, type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_VIDEO && !isPicture { return }
        }
    }

    /// Returns the container format that the file's data indicates after opening failed; `nil` if there is none.
    static func recognisedFormat(of name: [CChar]) -> String? {
        guard let file = OpenedFile.read(name) else { return nil }
        return recognisedFormat(in: file.raw)
    }

    /// Returns the container format that the first bytes of a remote file indicate. They are in memory.
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
