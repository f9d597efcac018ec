import CFFmpeg
import Foundation
import MediaCore

/// Decodes one video track's packets, in hardware where there is some, else in software.
///
/// When hardware gives up in the middle of a stream the packets since the last keyframe are decoded
/// again in software and the pictures already delivered are left out: no frame is lost or shown twice.
final class VideoDecoder {
    let track: VideoTrackDescription
    private let startOffset: MediaTime
    private var decoder: Owned<AVCodecContext>
    private var context: UnsafeMutablePointer<AVCodecContext> { decoder.raw }
    private let frameOwner: Owned<AVFrame>
    private var frame: UnsafeMutablePointer<AVFrame> { frameOwner.raw }
    /// Receives frames from a hardware device.
    private let transferOwner: Owned<AVFrame>
    private var hardware = HardwareUse()
    /// Kept only while hardware decodes.
    private var groups = PacketGroups()
    private var times = PictureTimes()
    private(set) var decodedFrames = 0
    private(set) var failedPackets = 0
    /// Packets left out because nothing depends on them, when only references were wanted.
    private(set) var skippedPackets = 0
    private let isDisposable: DisposablePicture?
    /// The second stream of a track that has its transparency in one.
    private var alpha: AlphaDecoder?
    private var fixes: Fixes

    /// What the frames lack.
    private struct Fixes {
        var coded = CodedOrientation()
        /// Nothing of an animation was transparent yet.
        var isOpaqueAnimation: Bool

        mutating func apply(to picture: UnsafeMutablePointer<AVFrame>) {
            coded.complete(picture)
            if isOpaqueAnimation { isOpaqueAnimation = OpaqueAnimation.mark(picture) }
        }
    }

    private struct HardwareUse {
        let format = HardwareFormat()
        var isOn = false
        /// A frame was copied to memory: what stays on the device can be, too.
        var hasCopied = false

        /// Whether a frame stays on its device. Libavcodec cannot move the corner of a picture that lies there.
        func keeps(_ frame: UnsafePointer<AVFrame>) -> Bool {
            DeviceFrames.areRequested && hasCopied && frame.pointee.format == AV_PIX_FMT_VAAPI.rawValue
                && frame.pointee.crop_left == 0 && frame.pointee.crop_top == 0
        }
        var failsNextPacket = false
    }
    var isHardware: Bool { hardware.isOn }

    /// For `get_format`, which gets no Swift context: lives exactly as long as the decoder.
    private final class HardwareFormat { var wanted: AVPixelFormat = AV_PIX_FMT_NONE }

    /// - Parameter threads: 0 lets libavcodec take one per core.
    init(
        track: VideoTrackDescription, startOffset: MediaTime, location: String, threads: Int32 = 0,
        device: HardwareDevice? = HardwareDevice.shared
    ) throws(AVError) {
        self.track = track
        self.startOffset = startOffset
        isDisposable = DisposablePicture(track.parameters)
        fixes = Fixes(isOpaqueAnimation: track.parameters.raw.pointee.codec_id == AV_CODEC_ID_GIF)
        guard let frame = Owned<AVFrame>(av_frame_alloc()), let transfer = Owned<AVFrame>(av_frame_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        frameOwner = frame
        transferOwner = transfer
        let format = hardware.format
        if let device, !track.hasSecondStream,
            let decoder = VideoDecoder.open(track, threads: 1, device: device, format: format)
        {
            self.decoder = decoder
            hardware.isOn = true
        } else if let software = VideoDecoder.open(track, threads: threads, device: nil, format: format) {
            decoder = software
        } else {
            throw AVError(
                .decoderNotFound, at: location, reason: "the \(track.parameters.codecName) decoder failed to open",
                suggestion: DecoderPackage.suggestion(for: [track.parameters.codecName]))
        }
        if track.hasSecondStream { alpha = AlphaDecoder(track.parameters) }
    }

    private static func open(
        _ track: VideoTrackDescription, threads: Int32, device: HardwareDevice?, format: HardwareFormat
    ) -> Owned<AVCodecContext>? {
        guard let codec = avcodec_find_decoder(track.parameters.raw.pointee.codec_id),
            let owner = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            avcodec_parameters_to_context(owner.raw, track.parameters.raw) >= 0
        else { return nil }
        let context = owner.raw
        context.pointee.pkt_timebase = track.timeBase
        context.pointee.thread_count = threads
        PictureLimits.apply(to: context)
        // Crops to the pixel: without it the left edge is cut only as far as vectors are aligned.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        if let device {
            guard let wanted = device.pixelFormat(for: codec) else { return nil }
            format.wanted = wanted
            context.pointee.hw_device_ctx = av_buffer_ref(device.reference)
            // Only what VAAPI decodes can be shared.
            if device.type == AV_HWDEVICE_TYPE_VAAPI { context.pointee.extra_hw_frames = DeviceFrames.extraCount }
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
        guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
        return owner
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
        times.begin(packet)
        if let packet { begin(packet, deliver) }
        if keepOnlyReferences, let packet, let isDisposable, isDisposable(packet) {
            skippedPackets += 1
            return
        }
        if isHardware, let packet { groups.append(packet, delivered: times.lastDelivered) }
        context.pointee.skip_frame = keepOnlyReferences && isDisposable == nil ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        if !feed(packet, deliver: deliver), isHardware { fallBackToSoftware(drain: packet == nil, deliver: deliver) }
    }

    /// Forgets everything in flight, for a seek or the next pass of a loop.
    func flush() {
        avcodec_flush_buffers(context)
        alpha?.flush()
        groups.removeAll()
        times = PictureTimes()
    }

    /// Makes the next packet fail as a broken device would; the tests' way into the fallback.
    func failNextPacket() { hardware.failsNextPacket = true }
    /// Treats the software decoder as if it were hardware, so that the fallback can be shown without a GPU.
    func pretendHardware() { hardware.isOn = true }

    private func fallBackToSoftware(drain: Bool, deliver: (Output) -> Void) {
        guard let software = VideoDecoder.open(track, threads: 0, device: nil, format: hardware.format) else { return }
        decoder = software
        hardware.isOn = false
        times.suppressDelivered()
        alpha?.flush()
        for packet in groups.takeAll() { _ = feed(packet, deliver: deliver) }
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
        if hardware.failsNextPacket {
            hardware.failsNextPacket = false
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
            if frame.pointee.hw_frames_ctx != nil, hardware.keeps(frame) {
                av_frame_apply_cropping(frame, Int32(AV_FRAME_CROP_UNALIGNED))
            } else if frame.pointee.hw_frames_ctx != nil {
                let transfer = transferOwner.raw
                av_frame_unref(transfer)
                guard av_hwframe_transfer_data(transfer, frame, 0) >= 0 else { return false }
                hardware.hasCopied = true
                av_frame_copy_props(transfer, frame)
                // Libavcodec cannot move the corner of a picture that lies in a device.
                av_frame_apply_cropping(transfer, Int32(AV_FRAME_CROP_UNALIGNED))
                picture = transfer
            }
            alpha?.join(picture)
            fixes.apply(to: picture)
            guard let output = wrap(picture) else { continue }
            decodedFrames += 1
            deliver(output)
        }
    }

    private func wrap(_ picture: UnsafeMutablePointer<AVFrame>) -> Output? {
        track.light.map { MasteringLight.complete(picture, from: $0) }
        let stamp = MediaTime(stamp: picture.pointee.best_effort_timestamp, base: track.timeBase)
        guard let pts = times.place(stamp: stamp.map { $0 - startOffset }) else { return nil }
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
        times.deliver(pts, lasting: length)
        return Output(frame: frame, pts: pts, end: pts + length)
    }
}

/// Decodes a single still, such as cover art.
enum StillDecoder {
    static func decode(_ packet: UnsafeMutablePointer<AVPacket>, parameters: CodecParameters) -> VideoFrame? {
        guard packet.pointee.size > 0, let codec = avcodec_find_decoder(parameters.raw.pointee.codec_id),
            let decoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            let picture = Owned<AVFrame>(av_frame_alloc())
        else { return nil }
        let context = decoder.raw
        let frame = picture.raw
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
