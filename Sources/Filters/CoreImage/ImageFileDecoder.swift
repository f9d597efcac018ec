import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// A decoder of image files. The engine's sources play media and reject still images.
enum ImageFileDecoder {
    /// Decodes the first frame of a file, without rotation. Callable on any thread.
    ///
    /// - Throws: `.unsupportedURL` if `url` is not a file URL, `.fileNotFound`, `.notAFile`,
    ///   `.fileFormatNotRecognized`, `.noVideoTrack`, `.decoderNotFound`, `.decodeFailed`.
    static func decode(_ url: URL) throws(AVError) -> VideoFrame {
        guard url.isFileURL else {
            throw AVError(
                .unsupportedURL, at: url.absoluteString, reason: "the URL is not a file URL",
                suggestion: "Load the image first, and use CIImage(data:)")
        }
        let path = url.location
        var info = stat()
        guard let file = FilePath(url), file.withCString({ stat($0, &info) }) == 0 else {
            throw AVError(.fileNotFound, at: path, reason: "the file does not exist")
        }
        // Reading a pipe or a device might never end.
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw AVError(
                .notAFile, at: path, reason: "the path is not a regular file", suggestion: "Choose an image file")
        }
        var formatContext: UnsafeMutablePointer<AVFormatContext>?
        let opened = avformat_open_input(
            &formatContext, Array("file:".utf8CString.dropLast()) + file.cString, nil, nil)
        guard opened >= 0, let container = Owned<AVFormatContext>(formatContext) else {
            throw AVError(
                .fileFormatNotRecognized, at: path, reason: "the file is not an image in a format that FFmpeg supports",
                underlying: opened)
        }
        let input = container.raw
        avformat_find_stream_info(input, nil)
        let index = av_find_best_stream(input, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0, let stream = input.pointee.streams[Int(index)], let parameters = stream.pointee.codecpar
        else {
            throw AVError(.noVideoTrack, at: path, reason: "the file contains no image")
        }
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw AVError(
                .decoderNotFound, at: path,
                reason:
                    "no decoder for the codec “\(String(cString: avcodec_get_name(parameters.pointee.codec_id)))” is installed",
                suggestion: "Convert the image to PNG")
        }
        guard let context = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            let packetOwner = Owned<AVPacket>(av_packet_alloc()), let frameOwner = Owned<AVFrame>(av_frame_alloc())
        else {
            throw AVError(.unknown, at: path, reason: "there is not enough memory")
        }
        let decoder = context.raw
        let packet = packetOwner.raw
        let decoded = frameOwner.raw
        avcodec_parameters_to_context(decoder, parameters)
        decoder.pointee.thread_count = 1
        var result = avcodec_open2(decoder, codec, nil)
        while result >= 0 {
            let read = av_read_frame(input, packet)
            defer { av_packet_unref(packet) }
            if read >= 0, packet.pointee.stream_index != index { continue }
            // At the end of the file, the decoder returns the frames that it has delayed.
            result = avcodec_send_packet(decoder, read >= 0 ? packet : nil)
            if result < 0 { break }
            result = avcodec_receive_frame(decoder, decoded)
            if result >= 0 {
                guard
                    let frame = VideoFrame(
                        retaining: decoded, presentationTime: .zero, duration: .invalid,
                        orientation: .upright, pixelAspectRatio: 1)
                else {
                    throw AVError(.unknown, at: path, reason: "there is not enough memory")
                }
                return frame
            }
            if result == zt_averror_eagain(), read >= 0 { result = 0 }
        }
        throw AVError(
            .decodeFailed, at: path, reason: "the image is damaged or cut off: no part of it could be decoded",
            underlying: result
        )
    }
}
