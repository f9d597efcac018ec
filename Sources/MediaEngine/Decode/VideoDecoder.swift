import CFFmpeg
import Foundation
import MediaCore

/// Decodes one video track's packets, in hardware where there is some, else in software.
///
/// When hardware gives up in the middle of a stream the packets since the last keyframe are decoded
/// again in software and the pictures already delivered are left out: no frame is lost or shown twice.
/// Confined to one thread.
final class VideoDecoder {
    let track: VideoTrackDescription
    private let location: String
    private let startOffset: MediaTime
    private var context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let transfer: UnsafeMutablePointer<AVFrame>
    private(set) var isHardware = false
    private let hardwareFormat: HardwareFormat

    /// Packets whose pictures may not all be out yet, by keyframe; kept only while hardware decodes.
    private var groups: [[MediaPacket]] = []
    private var lastDelivered: MediaTime?
    /// Where a picture without a stamp belongs: behind the one before, or where the first packet says.
    private var next: MediaTime?
    /// Pictures up to here have been delivered already.
    private var suppressUntil: MediaTime?
    private(set) var decodedFrames = 0
    private(set) var failedPackets = 0
    /// Packets left out because nothing depends on them, when only references were wanted.
    private(set) var skippedPackets = 0
    private let isDisposable: DisposablePicture?
    /// The second stream of a track that has its transparency in one.
    private var alpha: AlphaDecoder?
    private var coded = CodedOrientation()
    /// Nothing of an animation was transparent yet.
    private var isOpaqueAnimation: Bool

    /// For `get_format`, which gets no Swift context: lives exactly as long as the decoder.
    private final class HardwareFormat { var wanted: AVPixelFormat = AV_PIX_FMT_NONE }

    /// - Parameter threads: 0 lets libavcodec take one per core.
    init(
        track: VideoTrackDescription, startOffset: MediaTime, location: String, threads: Int32 = 0,
        device: HardwareDevice? = HardwareDevice.shared
    ) throws(AVError) {
        self.track = track
        self.location = location
        self.startOffset = startOffset
        isDisposable = DisposablePicture(track.parameters)
        isOpaqueAnimation = track.parameters.raw.pointee.codec_id == AV_CODEC_ID_GIF
        hardwareFormat = HardwareFormat()
        guard let f = av_frame_alloc(), let t = av_frame_alloc() else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        frame = f
        transfer = t
        let format = hardwareFormat
        if let device, !track.hasSecondStream,
            let hardware = VideoDecoder.open(track, threads: 1, device: device, format: format)
        {
            context = hardware
            isHardware = true
        } else if let software = VideoDecoder.open(track, threads: threads, device: nil, format: format) {
            context = software
        } else {
            var a: UnsafeMutablePointer<AVFrame>? = f
            var b: UnsafeMutablePointer<AVFrame>? = t
            av_frame_free(&a)
            av_frame_free(&b)
            throw AVError(
                .decoderNotFound, at: location, reason: "the \(track.parameters.codecName) decoder failed to open",
                suggestion: "Convert the file to another codec")
        }
        if track.hasSecondStream { alpha = AlphaDecoder(track.parameters) }
    }

    deinit {
        var c: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&c)
        var a: UnsafeMutablePointer<AVFrame>? = frame
        var b: UnsafeMutablePointer<AVFrame>? = transfer
        av_frame_free(&a)
        av_frame_free(&b)
    }

    private static func open(
        _ track: VideoTrackDescription, threads: Int32, device: HardwareDevice?, format: HardwareFormat
    ) -> UnsafeMutablePointer<AVCodecContext>? {
        guard let codec = avcodec_find_decoder(track.parameters.raw.pointee.codec_id),
            let context = avcodec_alloc_context3(codec)
        else { return nil }
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        guard avcodec_parameters_to_context(context, track.parameters.raw) >= 0 else {
            avcodec_free_context(&owned)
            return nil
        }
        context.pointee.pkt_timebase = track.timeBase
        context.pointee.thread_count = threads
        PictureLimits.apply(to: context)
        // Crops to the pixel: without it the left edge is cut only as far as vectors are aligned.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        if let device {
            guard let wanted = device.pixelFormat(for: codec) else {
                avcodec_free_context(&owned)
                return nil
            }
            format.wanted = wanted
            context.pointee.hw_device_ctx = av_buffer_ref(device.reference)
            context.pointee.opaque = Unmanaged.passUnretained(format).toOpaque()
            context.pointee.get_format = { context, offered in
                guard let context, let offered else { return AV_PIX_FMT_NONE }
                let wanted =
                    context.pointee.opaque.map {
                        Unmanaged<HardwareFormat>.fromOpaque($0).takeUnretainedValue().wanted
                    } ?? AV_PIX_FMT_NONE
                var p = offered
                while p.pointee != AV_PIX_FMT_NONE {
                    if p.pointee == wanted { return wanted }
                    p += 1
                }
                // The device cannot this profile: libavcodec's own software choice.
                return avcodec_default_get_format(context, offered)
            }
        }
        guard avcodec_open2(context, codec, nil) >= 0 else {
            avcodec_free_context(&owned)
            return nil
        }
        return context
    }

    /// One decoded picture and where it lies in media time.
    struct Output {
        let frame: VideoFrame
        let pts: MediaTime
        let end: MediaTime
    }

    /// Decodes `packet` (nil drains) and hands every picture that comes out to `deliver`.
    /// - Parameter keepOnlyReferences: skip pictures nothing else depends on; for the way to a seek's target.
    func decode(_ packet: MediaPacket?, keepOnlyReferences: Bool = false, deliver: (Output) -> Void) {
        // Pictures without stamps are counted, so each must come out.
        let keepOnlyReferences = keepOnlyReferences && packet?.hasStamp != false
        if next == nil { next = packet?.pts }
        if let packet { begin(packet, deliver) }
        if keepOnlyReferences, let packet, let isDisposable, isDisposable(packet) {
            skippedPackets += 1
            return
        }
        if isHardware, let packet {
            if packet.isKey || groups.isEmpty { groups.append([]) }
            groups[groups.count - 1].append(packet)
            // Pictures come out later than their packets go in: a group goes when the next one's first is out.
            while groups.count > 1, let next = groups[1].first?.pts, let lastDelivered, lastDelivered >= next {
                groups.removeFirst()
            }
        }
        context.pointee.skip_frame = keepOnlyReferences && isDisposable == nil ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        if !feed(packet, deliver: deliver), isHardware { fallBackToSoftware(drain: packet == nil, deliver: deliver) }
    }

    /// Forgets everything in flight, for a seek or the next pass of a loop.
    func flush() {
        avcodec_flush_buffers(context)
        alpha?.flush()
        groups.removeAll()
        lastDelivered = nil
        next = nil
        suppressUntil = nil
    }

    /// Makes the next packet fail as a broken device would; the tests' way into the fallback.
    var failsNextPacket = false
    /// Treats the software decoder as if it were hardware, so that the fallback can be shown without a GPU.
    func pretendHardware() { isHardware = true }

    private func fallBackToSoftware(drain: Bool, deliver: (Output) -> Void) {
        guard let software = VideoDecoder.open(track, threads: 0, device: nil, format: hardwareFormat) else { return }
        var old: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&old)
        context = software
        isHardware = false
        suppressUntil = lastDelivered
        alpha?.flush()
        let again = groups.joined()
        groups = []
        for packet in again { _ = feed(packet, deliver: deliver) }
        if drain { _ = feed(nil, deliver: deliver) }
    }

    /// A track that says nothing of a second stream may have one all the same. What is in a device cannot be joined
    /// with it.
    private func begin(_ packet: MediaPacket, _ deliver: (Output) -> Void) {
        guard alpha == nil, packet.raw.pointee.side_data_elems > 0,
            AlphaDecoder.isKnown(for: track.parameters.raw.pointee.codec_id),
            AlphaDecoder.isThere(in: packet.raw)
        else { return }
        alpha = AlphaDecoder(track.parameters)
        if isHardware { fallBackToSoftware(drain: false, deliver: deliver) }
    }

    /// False when the decoder refused the packet.
    private func feed(_ packet: MediaPacket?, deliver: (Output) -> Void) -> Bool {
        if failsNextPacket {
            failsNextPacket = false
            return false
        }
        if let alpha, let packet { alpha.decode(packet.raw) }
        while true {
            let rc = avcodec_send_packet(context, packet?.raw)
            if rc == zt_averror_eagain() {
                guard receive(deliver) else { return false }
                continue
            }
            if rc < 0 && rc != zt_averror_eof() {
                failedPackets += 1
                if isHardware { return false }
            }
            break
        }
        return receive(deliver)
    }

    private func receive(_ deliver: (Output) -> Void) -> Bool {
        while true {
            let rc = avcodec_receive_frame(context, frame)
            if rc == zt_averror_eagain() || rc == zt_averror_eof() { return true }
            if rc < 0 {
                failedPackets += 1
                return !isHardware
            }
            defer { av_frame_unref(frame) }
            var picture = frame
            if frame.pointee.hw_frames_ctx != nil {
                av_frame_unref(transfer)
                guard av_hwframe_transfer_data(transfer, frame, 0) >= 0 else { return false }
                av_frame_copy_props(transfer, frame)
                // Libavcodec cannot move the corner of a picture that lies in a device.
                av_frame_apply_cropping(transfer, Int32(AV_FRAME_CROP_UNALIGNED))
                picture = transfer
            }
            alpha?.join(picture)
            coded.complete(picture)
            if isOpaqueAnimation { isOpaqueAnimation = OpaqueAnimation.mark(picture) }
            guard let output = wrap(picture) else { continue }
            lastDelivered = output.pts
            decodedFrames += 1
            deliver(output)
        }
    }

    private func wrap(_ picture: UnsafeMutablePointer<AVFrame>) -> Output? {
        track.light.map { MasteringLight.complete(picture, from: $0) }
        var pts: MediaTime
        if let stamp = MediaTime(stamp: picture.pointee.best_effort_timestamp, base: track.timeBase) {
            pts = stamp - startOffset
        } else {
            pts = next ?? 0
        }
        // What was handed out already, coming again from the software decoder.
        if let suppressUntil, pts <= suppressUntil { return nil }
        // Of torn streams libavcodec's threads hand out pictures late or twice; everything behind counts on time going
        // on.
        if let lastDelivered, pts <= lastDelivered { pts = lastDelivered + 1 }
        let ticks = zt_frame_duration(picture)
        var length =
            ticks > 0 ? MediaTime(stamp: ticks, base: track.timeBase) ?? track.frameDuration : track.frameDuration
        if length <= 0 { length = 40_000_000 }
        guard
            let frame = VideoFrame(
                retaining: picture, presentationTime: pts.time, duration: length.time,
                orientation: track.orientation ?? PictureOrientation(picture) ?? .upright,
                pixelAspectRatio: track.aspect.ratio(of: picture))
        else { return nil }
        next = pts + length
        return Output(frame: frame, pts: pts, end: pts + length)
    }
}

/// Decodes a single still, such as cover art.
enum StillDecoder {
    static func decode(_ packet: UnsafeMutablePointer<AVPacket>, parameters: CodecParameters) -> VideoFrame? {
        guard packet.pointee.size > 0, let codec = avcodec_find_decoder(parameters.raw.pointee.codec_id),
            let context = avcodec_alloc_context3(codec), let frame = av_frame_alloc()
        else { return nil }
        var c: UnsafeMutablePointer<AVCodecContext>? = context
        var f: UnsafeMutablePointer<AVFrame>? = frame
        defer {
            avcodec_free_context(&c)
            av_frame_free(&f)
        }
        context.pointee.thread_count = 1
        PictureLimits.apply(to: context)
        guard avcodec_parameters_to_context(context, parameters.raw) >= 0, avcodec_open2(context, codec, nil) >= 0,
            avcodec_send_packet(context, packet) >= 0, avcodec_send_packet(context, nil) >= 0,
            avcodec_receive_frame(context, frame) >= 0
        else { return nil }
        return VideoFrame(
            retaining: frame, presentationTime: .zero, duration: .invalid,
            orientation: PictureOrientation(frame) ?? .upright, pixelAspectRatio: 1)
    }
}
