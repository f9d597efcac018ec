import CFFmpeg
import Foundation
import MediaCore

/// A decoder of one video track, in hardware if available, otherwise in software.
///
/// If the hardware fails, the packets since the last key frame are decoded again in software. Frames that were already
/// delivered are left out, so no frame is lost or displayed twice. If these packets are too large to be kept
/// (`PacketGroups`), software decoding starts at the current packet, and frames are damaged until the next key frame.
final class VideoDecoder {
    let track: VideoTrackDescription
    private let startOffset: MediaTime
    private var decoder: Owned<AVCodecContext>
    private var context: UnsafeMutablePointer<AVCodecContext> { decoder.raw }
    private let frameOwner: Owned<AVFrame>
    private var frame: UnsafeMutablePointer<AVFrame> { frameOwner.raw }
    /// The frame that receives pixels copied from a hardware device.
    private let transferOwner: Owned<AVFrame>
    private var hardware = HardwareUse()
    /// The packets to decode again after a failure. Stored only while hardware decodes.
    private var groups = PacketGroups()
    private var times = FrameTimes()
    /// The timestamps of a composition's packets that are only decoded for those that follow. libavcodec drops their
    /// frames, except with decoders that return frames by themselves (libdav1d). In other media, a frame that is shown
    /// can have the same timestamp.
    private var discarded: Set<Int64> = []
    private(set) var decodedFrames = 0
    private(set) var failedPackets = 0
    /// The number of packets skipped because no other frame depends on them, when only reference frames were requested.
    private(set) var skippedPackets = 0
    private let isDisposable: DisposableFrame?
    /// The decoder of the alpha stream, for a track whose transparency is a second stream.
    private var alpha: AlphaDecoder?
    private var fixes: Fixes

    /// Repairs of properties that decoded frames lack.
    private struct Fixes {
        var coded = CodedOrientation()
        /// Whether all frames of an animation so far are opaque.
        var isOpaqueAnimation: Bool

        mutating func apply(to decoded: UnsafeMutablePointer<AVFrame>) {
            coded.complete(decoded)
            if isOpaqueAnimation { isOpaqueAnimation = OpaqueAnimation.mark(decoded) }
        }
    }

    private struct HardwareUse {
        let format = HardwareFormat()
        var isOn = false
        /// Whether a frame has been copied to memory. This proves that frames on the device can be copied later, too.
        var hasCopied = false

        /// Returns whether a frame stays on its device. libavcodec cannot crop the left or top edge of such a frame.
        func keeps(_ frame: UnsafePointer<AVFrame>) -> Bool {
            DeviceFrames.areRequested && hasCopied && frame.pointee.format == AV_PIX_FMT_VAAPI.rawValue
                && frame.pointee.crop_left == 0 && frame.pointee.crop_top == 0
        }
        var failsNextPacket = false
        /// The number of failures since the last frame.
        private var failureCount = 0

        mutating func hasDecoded() { failureCount = 0 }

        /// Returns whether the device has failed, and not only a packet: a damaged packet, or one before the first
        /// keyframe, fails in software too.
        mutating func isBroken(by code: Int32) -> Bool {
            failureCount += 1
            return code != zt_averror_invaliddata() || failureCount > 3
        }
    }
    var isHardware: Bool { hardware.isOn }

    /// The pixel format of the device, for the C callback `get_format`, which cannot capture context. It exists exactly
    /// as long as the decoder.
    private final class HardwareFormat {
        var requested: AVPixelFormat = AV_PIX_FMT_NONE
        /// Whether the device does not decode this profile, so that libavcodec chose a format in memory.
        var isRefused = false
    }

    /// Creates a decoder.
    /// - Parameter threads: The number of threads for software decoding; 0 is one per core.
    init(
        track: VideoTrackDescription, startOffset: MediaTime, location: String, threads: Int32 = 0,
        device: HardwareDevice? = HardwareDevice.shared
    ) throws(AVError) {
        self.track = track
        self.startOffset = startOffset
        isDisposable = DisposableFrame(track.parameters)
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
        _ track: VideoTrackDescription, threads: Int32, device: HardwareDevice?, format: HardwareFormat,
        showsDamaged: Bool = false
    ) -> Owned<AVCodecContext>? {
        let id = track.parameters.raw.pointee.codec_id
        let accelerated = device?.decoder(for: id)
        guard device == nil || accelerated != nil, let codec = accelerated?.codec ?? avcodec_find_decoder(id),
            let owner = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            avcodec_parameters_to_context(owner.raw, track.parameters.raw) >= 0
        else { return nil }
        let context = owner.raw
        context.pointee.pkt_timebase = track.timeBase
        context.pointee.thread_count = threads
        PictureLimits.apply(to: context)
        // Without this flag, libavcodec crops the left edge only to the alignment of vectors, not to the exact pixel.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        if showsDamaged {
            context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
            context.pointee.flags2 |= AV_CODEC_FLAG2_SHOW_ALL
        }
        if let device, let accelerated {
            format.requested = accelerated.pixelFormat
            context.pointee.hw_device_ctx = av_buffer_ref(device.reference)
            // Only VAAPI frames can be shared with the display.
            if device.type == AV_HWDEVICE_TYPE_VAAPI { context.pointee.extra_hw_frames = DeviceFrames.extraCount }
            context.pointee.opaque = Unmanaged.passUnretained(format).toOpaque()
            context.pointee.get_format = { context, offered in
                guard let context, let offered, let opaque = context.pointee.opaque else { return AV_PIX_FMT_NONE }
                let format = Unmanaged<HardwareFormat>.fromOpaque(opaque).takeUnretainedValue()
                var p = offered
                while p.pointee != AV_PIX_FMT_NONE {
                    if p.pointee == format.requested { return format.requested }
                    p += 1
                }
                format.isRefused = true
                return avcodec_default_get_format(context, offered)
            }
        }
        guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
        return owner
    }

    /// A decoded frame and its time range in media time.
    struct Output {
        let frame: VideoFrame
        let pts: MediaTime
        let end: MediaTime
    }

    /// Decodes `packet` and calls `deliver` with each decoded frame. A nil packet drains the decoder.
    /// - Parameter keepOnlyReferences: Whether to skip frames on which no other frame depends, before a seek's target.
    func decode(_ packet: MediaPacket?, keepOnlyReferences: Bool = false, deliver: (Output) -> Void) {
        // Frames without timestamps get their times by counting, so no frame may be skipped.
        let keepOnlyReferences = keepOnlyReferences && packet?.hasStamp != false
        times.begin(packet)
        if let packet {
            if track.isCut, packet.raw.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { discard(packet.raw.pointee.pts) }
            begin(packet, deliver)
        }
        if keepOnlyReferences, let packet, let isDisposable, isDisposable(packet) {
            skippedPackets += 1
            return
        }
        if isHardware, let packet { groups.append(packet, delivered: times.lastDelivered) }
        context.pointee.skip_frame = keepOnlyReferences && isDisposable == nil ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        if !feed(packet, deliver: deliver), isHardware { fallBackToSoftware(drain: packet == nil, deliver: deliver) }
    }

    /// Discards all frames in the decoder, for a seek or the next pass of a loop.
    func flush() {
        avcodec_flush_buffers(context)
        alpha?.flush()
        groups.removeAll()
        discarded.removeAll()
        times = FrameTimes()
    }

    private func discard(_ timestamp: Int64) {
        guard timestamp != zt_nopts() else { return }
        // No decoder holds that many frames.
        if discarded.count >= 1024 { discarded.removeAll() }
        discarded.insert(timestamp)
    }

    /// Makes the next packet fail as a broken device would. For tests of the fallback.
    func failNextPacket() { hardware.failsNextPacket = true }
    /// Treats the software decoder as hardware, so that the fallback can be tested without a GPU.
    /// - Parameter capacity: The maximum size of the packets that are kept for the fallback, in bytes.
    func pretendHardware(capacity: Int? = nil) {
        hardware.isOn = true
        if let capacity { groups.capacity = capacity }
    }

    private func fallBackToSoftware(drain: Bool, deliver: (Output) -> Void) {
        guard
            let software = VideoDecoder.open(
                track, threads: 0, device: nil, format: hardware.format, showsDamaged: groups.isCut)
        else { return }
        decoder = software
        hardware.isOn = false
        times.suppressDelivered()
        alpha?.flush()
        for packet in groups.takeAll() { _ = feed(packet, deliver: deliver) }
        if drain { _ = feed(nil, deliver: deliver) }
    }

    /// Starts the alpha decoder if a packet has an alpha stream that the track did not announce. Hardware frames cannot
    /// be joined with it, so decoding falls back to software.
    private func begin(_ packet: MediaPacket, _ deliver: (Output) -> Void) {
        guard alpha == nil, packet.raw.pointee.side_data_elems > 0,
            AlphaDecoder.isKnown(for: track.parameters.raw.pointee.codec_id),
            AlphaDecoder.isThere(in: packet.raw)
        else { return }
        alpha = AlphaDecoder(track.parameters)
        if isHardware { fallBackToSoftware(drain: false, deliver: deliver) }
    }

    /// Sends `packet` to the decoder. Returns false if the hardware decoder failed.
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
                if isHardware, hardware.isBroken(by: rc) { return false }
                failedPackets += 1
            }
            break
        }
        return receive(deliver)
    }

    private func receive(_ deliver: (Output) -> Void) -> Bool {
        while true {
            let rc = avcodec_receive_frame(context, frame)
            // This decoder has one thread, for the device. Another decodes in software, with all cores.
            if isHardware, hardware.format.isRefused { return false }
            if rc == zt_averror_eagain() || rc == zt_averror_eof() { return true }
            if rc < 0 {
                if isHardware, hardware.isBroken(by: rc) { return false }
                failedPackets += 1
                return true
            }
            defer { av_frame_unref(frame) }
            hardware.hasDecoded()
            var decoded = frame
            if frame.pointee.hw_frames_ctx != nil, hardware.keeps(frame) {
                av_frame_apply_cropping(frame, Int32(AV_FRAME_CROP_UNALIGNED))
            } else if frame.pointee.hw_frames_ctx != nil {
                let transfer = transferOwner.raw
                av_frame_unref(transfer)
                guard av_hwframe_transfer_data(transfer, frame, 0) >= 0 else { return false }
                hardware.hasCopied = true
                av_frame_copy_props(transfer, frame)
                // libavcodec cannot crop the left or top edge of a frame on a device, so the copy is cropped.
                av_frame_apply_cropping(transfer, Int32(AV_FRAME_CROP_UNALIGNED))
                decoded = transfer
            }
            alpha?.join(decoded)
            fixes.apply(to: decoded)
            guard let output = wrap(decoded) else { continue }
            decodedFrames += 1
            deliver(output)
        }
    }

    private func wrap(_ decoded: UnsafeMutablePointer<AVFrame>) -> Output? {
        if !discarded.isEmpty, discarded.remove(decoded.pointee.best_effort_timestamp) != nil { return nil }
        track.light.map { MasteringLight.complete(decoded, from: $0) }
        let timestamp = MediaTime(stamp: decoded.pointee.best_effort_timestamp, base: track.timeBase)
        guard let pts = times.time(stamp: timestamp.map { $0 - startOffset }) else { return nil }
        let ticks = zt_frame_duration(decoded)
        var length =
            ticks > 0 ? MediaTime(stamp: ticks, base: track.timeBase) ?? track.frameDuration : track.frameDuration
        if length <= 0 { length = 40_000_000 }
        guard
            let frame = VideoFrame(
                retaining: decoded, presentationTime: pts.time, duration: length.time,
                orientation: track.orientation ?? PictureOrientation(decoded) ?? .upright,
                pixelAspectRatio: track.aspect.ratio(of: decoded))
        else { return nil }
        times.deliver(pts, lasting: length)
        return Output(frame: frame, pts: pts, end: pts + length)
    }
}

/// A decoder of a single still image, such as artwork.
enum StillDecoder {
    static func decode(_ packet: UnsafeMutablePointer<AVPacket>, parameters: CodecParameters) -> VideoFrame? {
        guard packet.pointee.size > 0, let codec = avcodec_find_decoder(parameters.raw.pointee.codec_id),
            let decoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            let owner = Owned<AVFrame>(av_frame_alloc())
        else { return nil }
        let context = decoder.raw
        let frame = owner.raw
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
