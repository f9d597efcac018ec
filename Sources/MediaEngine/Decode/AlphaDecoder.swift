import CFFmpeg
import CPixels
import MediaCore

/// A decoder of the transparency of VP8 and VP9 in Matroska and WebM, which FFmpeg's own decoders ignore.
///
/// The transparency is a second stream of the same codec, stored in the additional data of each block. Its luma is the
/// alpha of the frame (WebM's "Alpha Mode").
///
/// This decoder runs on the thread that feeds the main decoder, and returns alpha without delay. The main decoder's own
/// threads return the frames later, so `join(_:)` finds the alpha of a frame by its timestamp. A frame whose alpha is
/// missing, damaged or of another size is opaque.
final class AlphaDecoder {
    private let decoder: Owned<AVCodecContext>
    private var context: UnsafeMutablePointer<AVCodecContext> { decoder.raw }
    private let packetOwner: Owned<AVPacket>
    private var packet: UnsafeMutablePointer<AVPacket> { packetOwner.raw }
    /// The alpha frames whose main frames are not decoded yet, oldest first.
    private var waiting: [Alpha] = []
    /// Unused alpha frames that are kept for reuse.
    private var spare: [Alpha] = []
    private var solid: Owned<AVFrame>?
    private var solidDepth: Int32 = 0
    /// The maximum number of waiting alpha frames. It exceeds the delay of any decoder (libavcodec uses at most 16
    /// threads), so older ones belong to frames that were never decoded.
    private static let maximumWaiting = 20

    /// An alpha frame, which has the timestamp of its main frame.
    private final class Alpha {
        private let frame: Owned<AVFrame>
        var raw: UnsafeMutablePointer<AVFrame> { frame.raw }
        init?() {
            guard let frame = Owned<AVFrame>(av_frame_alloc()) else { return nil }
            self.frame = frame
        }
    }

    /// Creates a decoder; nil if libavcodec cannot open it.
    init?(_ parameters: CodecParameters) {
        guard let codec = avcodec_find_decoder(parameters.raw.pointee.codec_id),
            let decoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            let packet = Owned<AVPacket>(av_packet_alloc())
        else { return nil }
        let context = decoder.raw
        // One thread only: with frame threading, alpha would be decoded later than its frame.
        context.pointee.thread_count = 1
        PictureLimits.apply(to: context)
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
        self.decoder = decoder
        packetOwner = packet
    }

    static func isKnown(for codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_VP8 || codec == AV_CODEC_ID_VP9 }

    /// Returns the pixel format of frames of `format` after `join(_:)`.
    static func format(joining format: AVPixelFormat) -> AVPixelFormat { joined[format] ?? format }

    /// Returns whether the Matroska or WebM metadata of `stream` announces an alpha stream.
    static func isAnnounced(by stream: UnsafePointer<AVStream>) -> Bool {
        guard let parameters = stream.pointee.codecpar, isKnown(for: parameters.pointee.codec_id),
            let entry = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0), let value = entry.pointee.value
        else { return false }
        return String(cString: value) == "1"
    }

    /// Returns whether `packet` contains a part of the alpha stream. Call it only for codecs for which `isKnown(for:)`
    /// is true.
    static func isThere(in packet: UnsafePointer<AVPacket>) -> Bool { piece(of: packet) != nil }

    /// Returns the part of the alpha stream in `packet`. Additional data begins with an 8-byte big-endian identifier; 1
    /// is the codec's own.
    private static func piece(of packet: UnsafePointer<AVPacket>) -> UnsafeBufferPointer<UInt8>? {
        guard packet.pointee.side_data_elems > 0 else { return nil }
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8,
            (0..<8).allSatisfy({ data[$0] == ($0 == 7 ? 1 : 0) })
        else { return nil }
        return UnsafeBufferPointer(start: data + 8, count: size - 8)
    }

    /// Decodes the alpha in the packet `mainPacket`. Call it before the main decoder receives that packet.
    func decode(_ mainPacket: UnsafePointer<AVPacket>) {
        guard let piece = AlphaDecoder.piece(of: mainPacket), let count = Int32(exactly: piece.count),
            let source = piece.baseAddress,
            av_new_packet(packet, count) >= 0
        else { return }
        defer { av_packet_unref(packet) }
        packet.pointee.data.update(from: source, count: piece.count)
        packet.pointee.pts = mainPacket.pointee.pts
        packet.pointee.dts = mainPacket.pointee.dts
        guard avcodec_send_packet(context, packet) >= 0 else { return }
        while let alpha = spare.popLast() ?? Alpha() {
            guard avcodec_receive_frame(context, alpha.raw) >= 0, alpha.raw.pointee.pts != zt_nopts() else {
                recycle(alpha)
                return
            }
            waiting.append(alpha)
            if waiting.count > AlphaDecoder.maximumWaiting { recycle(waiting.removeFirst()) }
        }
    }

    /// Adds the alpha to a decoded frame as a fourth plane, which is opaque if there is no alpha. Formats that cannot
    /// have alpha are not changed.
    func join(_ mainFrame: UnsafeMutablePointer<AVFrame>) {
        let own = take(mainFrame.pointee.pts)
        defer { own.map(recycle) }
        let format = AVPixelFormat(mainFrame.pointee.format)
        guard let joined = AlphaDecoder.joined[format] else { return }
        if let own, fits(own.raw, mainFrame), zt_frame_join_alpha(mainFrame, own.raw, joined.rawValue) != 0 { return }
        if let solid = opaque(mainFrame) { _ = zt_frame_join_alpha(mainFrame, solid, joined.rawValue) }
    }

    /// Discards all alpha frames, for a seek or a new main decoder.
    func flush() {
        avcodec_flush_buffers(context)
        forget()
    }

    private func forget() {
        waiting.forEach(recycle)
        waiting.removeAll(keepingCapacity: true)
    }

    private func recycle(_ alpha: Alpha) {
        av_frame_unref(alpha.raw)
        spare.append(alpha)
    }

    private func take(_ timestamp: Int64) -> Alpha? {
        guard timestamp != zt_nopts(), let index = waiting.firstIndex(where: { $0.raw.pointee.pts == timestamp }) else {
            return nil
        }
        // Frames are decoded in the order of their packets, so earlier alpha frames have no main frame. Timestamps can
        // restart in a loop.
        waiting[..<index].forEach(recycle)
        let found = waiting[index]
        waiting.removeFirst(index + 1)
        return found
    }

    private func fits(_ alpha: UnsafePointer<AVFrame>, _ mainFrame: UnsafePointer<AVFrame>) -> Bool {
        guard alpha.pointee.width == mainFrame.pointee.width, alpha.pointee.height == mainFrame.pointee.height,
            let a = av_pix_fmt_desc_get(AVPixelFormat(alpha.pointee.format)),
            let b = av_pix_fmt_desc_get(AVPixelFormat(mainFrame.pointee.format)),
            a.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0
        else { return false }
        let luma = a.pointee.comp.0
        let required = b.pointee.comp.0
        return luma.plane == 0 && luma.depth == required.depth && luma.step == required.step
            && luma.shift == required.shift
    }

    /// Returns an opaque plane for `mainFrame`, which frames of the same size and bit depth share.
    private func opaque(_ mainFrame: UnsafePointer<AVFrame>) -> UnsafeMutablePointer<AVFrame>? {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(mainFrame.pointee.format)) else { return nil }
        let depth = descriptor.pointee.comp.0.depth
        let format = depth > 8 ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_GRAY8
        let top = UInt16(truncatingIfNeeded: (1 << depth) - 1)
        if let solid = solid?.raw, solid.pointee.width == mainFrame.pointee.width,
            solid.pointee.height == mainFrame.pointee.height, solidDepth == depth
        {
            return solid
        }
        solid = nil
        guard let fresh = Owned<AVFrame>(av_frame_alloc()) else { return nil }
        let made = fresh.raw
        made.pointee.format = format.rawValue
        made.pointee.width = mainFrame.pointee.width
        made.pointee.height = mainFrame.pointee.height
        guard av_frame_get_buffer(made, 0) >= 0, let data = made.pointee.data.0 else { return nil }
        let bytes = Int(made.pointee.linesize.0) * Int(made.pointee.height)
        if depth > 8 {
            UnsafeMutableRawPointer(data).bindMemory(to: UInt16.self, capacity: bytes / 2).update(
                repeating: top.littleEndian, count: bytes / 2)
        } else {
            data.update(repeating: 255, count: bytes)
        }
        solid = consume fresh
        solidDepth = depth
        return made
    }

    private static let joined: [AVPixelFormat: AVPixelFormat] = [
        AV_PIX_FMT_YUV420P: AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUV422P: AV_PIX_FMT_YUVA422P,
        AV_PIX_FMT_YUV444P: AV_PIX_FMT_YUVA444P,
        AV_PIX_FMT_YUV420P10LE: AV_PIX_FMT_YUVA420P10LE, AV_PIX_FMT_YUV422P10LE: AV_PIX_FMT_YUVA422P10LE,
        AV_PIX_FMT_YUV444P10LE: AV_PIX_FMT_YUVA444P10LE, AV_PIX_FMT_YUV422P12LE: AV_PIX_FMT_YUVA422P12LE,
        AV_PIX_FMT_YUV444P12LE: AV_PIX_FMT_YUVA444P12LE, AV_PIX_FMT_GBRP: AV_PIX_FMT_GBRAP,
        AV_PIX_FMT_GBRP10LE: AV_PIX_FMT_GBRAP10LE,
        AV_PIX_FMT_GBRP12LE: AV_PIX_FMT_GBRAP12LE,
    ]
}

/// A test for animations without transparency. GIF's decoder gives alpha to all frames; most need none, and opaque
/// frames are displayed faster.
enum OpaqueAnimation {
    /// Marks a frame without transparency as opaque.
    /// - Returns: False if the frame has transparency. Later frames then keep the decoder's format.
    static func mark(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard frame.pointee.format == AV_PIX_FMT_BGRA.rawValue, let data = frame.pointee.data.0 else {
            return false
        }
        let width = Int(frame.pointee.width)
        let stride = Int(frame.pointee.linesize.0)
        for y in 0..<Int(frame.pointee.height) {
            let row = UnsafeRawPointer(data + y * stride).assumingMemoryBound(to: UInt32.self)
            guard zt_pixels_are_opaque(row, width) != 0 else { return false }
        }
        frame.pointee.format = AV_PIX_FMT_BGR0.rawValue
        return true
    }
}
