import CFFmpeg
import MediaCore
import MediaEngine

/// One of FFmpeg's encoders, open, and the packet that it fills.
final class OpenEncoder {
    private let encoder: Owned<AVCodecContext>
    var context: UnsafeMutablePointer<AVCodecContext> { encoder.raw }
    private let packetOwner: Owned<AVPacket>
    private var packet: UnsafeMutablePointer<AVPacket> { packetOwner.raw }
    private let location: String
    private let failure: String

    /// - Parameters:
    ///   - name: FFmpeg's, of the encoder.
    ///   - location: what errors say they happened at.
    ///   - failure: what errors say of encoding, such as “a picture could not be encoded”.
    ///   - purpose: what the encoder is opened for, as errors say it, such as “ for 640×360”.
    ///   - setUp: sets the context before it is opened.
    /// - Throws: `.encoderNotFound` where the installed FFmpeg lacks it, `.encodeFailed` where it does not open.
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

    /// Packets are the caller's only while `deliver` runs; their stamps are in the context's time base.
    typealias Delivery = (UnsafeMutablePointer<AVPacket>) throws(AVError) -> Void

    /// Takes a frame, nil at the end of all, and delivers what has become ready.
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

    /// Throws where FFmpeg says that encoding failed.
    func check(_ rc: Int32) throws(AVError) {
        guard rc < 0 else { return }
        throw AVError(
            .encodeFailed, at: location, reason: "\(failure): \(MediaSource.ffmpegText(rc))", underlying: rc)
    }
}
