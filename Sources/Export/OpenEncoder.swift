import CFFmpeg
import MediaCore
import MediaEngine

/// An open FFmpeg encoder with the packet that it fills.
final class OpenEncoder {
    private let encoder: Owned<AVCodecContext>
    var context: UnsafeMutablePointer<AVCodecContext> { encoder.raw }
    private let packetOwner: Owned<AVPacket>
    private var packet: UnsafeMutablePointer<AVPacket> { packetOwner.raw }
    private let location: String
    private let failure: String

    /// Opens an encoder.
    /// - Parameters:
    ///   - name: The name of the encoder in FFmpeg.
    ///   - location: The location that errors name.
    ///   - failure: The reason in errors of encoding, such as “a frame could not be encoded”.
    ///   - purpose: The purpose of the encoder in errors, with a leading space, such as “ for 640×360”.
    ///   - setUp: Sets the context before the encoder is opened.
    /// - Throws: `.encoderNotFound` if the installed FFmpeg lacks the encoder. `.encodeFailed` if the encoder can't be
    ///   opened.
    init(
        _ name: String, location: String, failure: String, purpose: String = "",
        setUp: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(AVError) {
        guard let codec = avcodec_find_encoder_by_name(name),
            let encoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec))
        else {
            throw AVError(.encoderNotFound, at: location, reason: "the installed FFmpeg has no encoder “\(name)”")
        }
        guard let packet = Owned<AVPacket>(av_packet_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        self.encoder = encoder
        packetOwner = packet
        self.location = location
        self.failure = failure
        setUp(context)
        let rc = avcodec_open2(context, codec, nil)
        guard rc >= 0 else {
            throw AVError(
                .encodeFailed, at: location,
                reason: "the encoder “\(name)” failed to open\(purpose): \(MediaSource.ffmpegText(rc))", underlying: rc)
        }
    }

    /// A closure that receives a packet. The packet is valid only during the call. Its timestamps are in the context's
    /// time base.
    typealias Delivery = (UnsafeMutablePointer<AVPacket>) throws(AVError) -> Void

    /// Passes a frame to the encoder, or nil after the last frame, and delivers the packets that are ready.
    func send(_ frame: UnsafeMutablePointer<AVFrame>?, deliver: Delivery) throws(AVError) {
        try check(avcodec_send_frame(context, frame))
        while true {
            let rc = avcodec_receive_packet(context, packet)
            if rc == zt_averror_eagain() || rc == zt_averror_eof() { return }
            try check(rc)
            defer { av_packet_unref(packet) }
            try deliver(packet)
        }
    }

    /// Throws `.encodeFailed` if `rc` is an error code of FFmpeg.
    func check(_ rc: Int32) throws(AVError) {
        guard rc < 0 else { return }
        throw AVError(
            .encodeFailed, at: location, reason: "\(failure): \(MediaSource.ffmpegText(rc))", underlying: rc)
    }
}
