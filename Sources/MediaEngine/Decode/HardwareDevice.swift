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

    /// Returns the pixel format in which `codec` returns frames of this device; nil if the codec does not support it.
    func pixelFormat(for codec: UnsafePointer<AVCodec>) -> AVPixelFormat? {
        var index: Int32 = 0
        while let config = avcodec_get_hw_config(codec, index) {
            if config.pointee.device_type == type,
                config.pointee.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0
            {
                return config.pointee.pix_fmt
            }
            index += 1
        }
        return nil
    }

    /// The device of the process, opened on the first access. Nil if there is none; the result is stored.
    static let shared: HardwareDevice? = {
        guard ProcessInfo.processInfo.environment["ZOETROPE_HWDEC"]?.lowercased() != "no" else { return nil }
        // Without a device node no driver can succeed, and calling the drivers would delay the start.
        let nodes = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? []
        let hasRenderNode = nodes.contains { $0.hasPrefix("renderD") }
        let hasNvidia = FileManager.default.fileExists(atPath: "/dev/nvidiactl")
        guard hasRenderNode || hasNvidia else { return nil }
        for type in [AV_HWDEVICE_TYPE_VAAPI, AV_HWDEVICE_TYPE_CUDA, AV_HWDEVICE_TYPE_VDPAU] {
            var reference: UnsafeMutablePointer<AVBufferRef>?
            if av_hwdevice_ctx_create(&reference, type, nil, nil, 0) >= 0, let device = Owned<AVBufferRef>(reference) {
                return HardwareDevice(device, type)
            }
        }
        return nil
    }()
}
