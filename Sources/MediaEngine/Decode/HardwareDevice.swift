import CFFmpeg
import Foundation
import MediaCore

/// A hardware device for decoding: VAAPI, CUDA/NVDEC or VDPAU.
///
/// `shared` tries the types in that order, and uses the first device that FFmpeg can open (`AVHWDeviceContext`).
/// `ZOETROPE_HWDEC=no` disables hardware decoding.
final class HardwareDevice: Sendable {
    private let device: Owned<AVBufferRef>
    var reference: UnsafeMutablePointer<AVBufferRef> { device.raw }
    let type: AVHWDeviceType

    private init(_ device: consuming Owned<AVBufferRef>, _ type: AVHWDeviceType) {
        self.device = device
        self.type = type
    }

    /// Returns the decoder that uses this device for a codec, and the pixel format of its frames; nil if there is none.
    ///
    /// This is not always libavcodec's first decoder of the codec: for AV1, that is libdav1d, which uses no device.
    func decoder(for id: AVCodecID) -> (codec: UnsafePointer<AVCodec>, pixelFormat: AVPixelFormat)? {
        var position: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&position) {
            guard codec.pointee.id == id, av_codec_is_decoder(codec) != 0 else { continue }
            var index: Int32 = 0
            while let config = avcodec_get_hw_config(codec, index) {
                if config.pointee.device_type == type,
                    config.pointee.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0
                {
                    return (codec, config.pointee.pix_fmt)
                }
                index += 1
            }
        }
        return nil
    }

    /// The device of the process, opened on the first access. Nil if there is none; the result is stored.
    static let shared: HardwareDevice? = {
        guard ProcessInfo.processInfo.environment["ZOETROPE_HWDEC"]?.lowercased() != "no" else { return nil }
        // Without a device no driver can succeed, and calling the drivers would delay the start.
        guard Renderer.hasDevice else { return nil }
        for type in [AV_HWDEVICE_TYPE_VAAPI, AV_HWDEVICE_TYPE_CUDA, AV_HWDEVICE_TYPE_VDPAU] {
            var reference: UnsafeMutablePointer<AVBufferRef>?
            if av_hwdevice_ctx_create(&reference, type, nil, nil, 0) >= 0, let device = Owned<AVBufferRef>(reference) {
                return HardwareDevice(device, type)
            }
        }
        return nil
    }()
}
